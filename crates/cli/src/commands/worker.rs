//! `nebel worker`: does the work of a farm.

use std::sync::Arc;

use nebel_arena::{
    farm::worker::{WorkerTerms, work},
    work::{Kinds, Trust, Work},
};
use nebel_experiments::russell_wolfe::ProblemWork;

use super::farm::{CredsArg, farm_failure, say};
use crate::{failure::Failure, signals};

/// Do the work of a farm, as many units at a time as this machine has cores.
#[derive(clap::Args, Debug)]
pub(crate) struct WorkerArgs {
    /// Where the broker is: `nats://HOST:4222`, `tls://HOST`, `nats://USER:PASSWORD@HOST`; several with commas.
    #[arg(long, value_name = "URL")]
    nats: String,
    /// Units at a time [default: the cores of this machine].
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Also play runs whose players start programs or read files.
    #[arg(long)]
    allow_exec: bool,
    #[command(flatten)]
    creds: CredsArg,
}

/// The kinds of unit that this program knows.
pub(crate) fn kinds() -> Kinds {
    let problems = ProblemWork::ALL.map(|work| -> Arc<dyn Work> { Arc::new(work) });
    problems.into_iter().fold(Kinds::of_the_arena(), Kinds::with)
}

/// Works until it is told to end; then it gives back what it holds.
pub(crate) fn run(args: &WorkerArgs) -> Result<(), Failure> {
    let jobs = match args.jobs {
        Some(jobs @ 1..=1024) => jobs,
        Some(jobs) => {
            return Err(Failure::input("--jobs", format_args!("{jobs} is no number from 1 to 1024")));
        }
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let terms = WorkerTerms {
        broker: args.creds.broker(&args.nats)?,
        jobs,
        trust: if args.allow_exec { Trust::Own } else { Trust::Stranger },
        kinds: kinds(),
        stop: signals::stop_before_end()?,
        say,
    };
    let done = work(terms).map_err(farm_failure)?;
    say(&format!("{done} units done; what was in hand is given back"));
    nebel_players::end_programs();
    Ok(())
}
