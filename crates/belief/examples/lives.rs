//! How beliefs live through games that were played elsewhere.
//!
//! `cargo run --release -p nebel-belief --example lives -- FILE [--weighted N] [--player NAME] [--trace]`
//!
//! Hears the games that `nebel results STORE --export jsonl` wrote, from both sides or from that of one player, with the web app's
//! particles or, with `--weighted`, with as many as the champion keeps, weighed by the standard policy. Prints at how many of the own turns there
//! were at least 1,000, 100 and 1 fully consistent positions (or all there are), the log-likelihood of the truth and the
//! time on the processor; with `--trace` every turn.

#![allow(clippy::unwrap_used, reason = "a measurement fails by panicking")]

use std::{fs::File, io::BufReader, sync::Arc};

use nebel_belief::{
    Belief, BeliefLimits, Men,
    opponent::Model,
    particles::{Diversity, HowKnown, ParticleLimits},
};
use nebel_kriegspiel::{Attempt, Color, Event, Input, Position as _, json, transcript::Record};

#[derive(Default)]
struct Options {
    file: String,
    weighted: Option<usize>,
    player: Option<String>,
    trace: bool,
}

/// What was seen at all turns.
#[derive(Default)]
struct Lives {
    turns: u32,
    at_least: [u32; 3],
    proved: u32,
    exhausted: u32,
    nats: f64,
    /// Milliseconds.
    spent: f64,
}

fn main() {
    let options = Options::read();
    let mut lives = Lives::default();
    let file = BufReader::new(File::open(&options.file).unwrap());
    for (index, record) in json::Games::of(file).enumerate() {
        let game = record.unwrap();
        for side in Color::ALL {
            let header = game.header();
            let name = side.fold_wb(&header.white, &header.black);
            let is_wanted = |player: &String| name.as_ref().is_some_and(|name| name.starts_with(player));
            if options.player.as_ref().is_none_or(is_wanted) {
                lives.listen(&game, side, &options, index);
            }
        }
    }
    let turns = f64::from(lives.turns.max(1));
    let percent = |count: u32| 100.0 * f64::from(count) / turns;
    let [thousand, hundred, one] = lives.at_least.map(percent);
    println!(
        "{} turns: 1000 {thousand:.1}%, 100 {hundred:.1}%, 1 {one:.1}%; proved whole {:.1}%, no more found {:.1}%; {:.2} nats, {:.1} ms",
        lives.turns,
        percent(lives.proved),
        percent(lives.exhausted),
        lives.nats / turns,
        lives.spent / turns,
    );
}

impl Lives {
    /// Hears a game from one side.
    fn listen(&mut self, game: &Record, side: Color, options: &Options, index: usize) {
        let header = game.header();
        let mut belief = options.belief(game, side);
        let (mut position, mut is_new, mut spent) = (header.start.clone(), true, 0.0);
        for event in game.events() {
            if position.turn() == side && is_new {
                let nats = self.note(&belief, &Men::of(&position, !side), spent);
                if options.trace {
                    println!(
                        "game {index} {side}: {} hidden men, {} positions, {:?}, {nats:.2} nats, {spent:.1} ms",
                        position.board().by_color(!side).count(),
                        belief.len(),
                        belief.how_known(),
                    );
                }
                (spent, is_new) = (0.0, false);
            }
            if let Some(heard) = event.heard_by(side, &header.rules) {
                let begun = on_processor();
                belief.hear(&heard).unwrap();
                spent += on_processor() - begun;
            }
            if let Event::Attempt { said: Some(Input::Attempt(attempt)), .. } = event
                && event.announcement().is_some()
                && let Some(m) = position.legal_moves().into_iter().find(|&m| Attempt::of_move(m) == *attempt)
            {
                position.play_unchecked(m);
                is_new = true;
            }
        }
    }

    /// Notes a turn, and says how likely the truth was.
    fn note(&mut self, belief: &Belief, truth: &Men, spent: f64) -> f64 {
        let own = belief.view().own().men().squares();
        let nats = belief.marginals().log_likelihood(truth, own, 0.001);
        let is_all = belief.how_known() == HowKnown::All;
        let consistent = if belief.how_known() >= HowKnown::Some { belief.len() } else { 0 };
        self.turns += 1;
        self.proved += u32::from(is_all);
        self.exhausted += u32::from(consistent > 0 && belief.is_exhausted());
        for (count, least) in self.at_least.iter_mut().zip([1000, 100, 1]) {
            *count += u32::from(is_all || consistent >= least);
        }
        self.nats += nats;
        self.spent += spent;
        nats
    }
}

impl Options {
    fn read() -> Options {
        let mut options = Options::default();
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().expect("an option is followed by its value");
            match argument.as_str() {
                "--weighted" => options.weighted = Some(value().parse().unwrap()),
                "--player" => options.player = Some(value()),
                "--trace" => options.trace = true,
                _ => options.file = argument,
            }
        }
        options
    }

    fn belief(&self, game: &Record, side: Color) -> Belief {
        let header = game.header();
        let particles = self.weighted.map_or(ParticleLimits::REFILLED, |keep| ParticleLimits {
            most: 2 * keep,
            keep,
            low: keep / 4,
            changes: keep / 4,
            rescues: 5 * keep,
            diversity: Diversity::EveryKind,
        });
        let limits = BeliefLimits { exact: 0, particles };
        let belief = Belief::new(header.rules.clone(), &header.start, side, limits, 1);
        if self.weighted.is_none() {
            return belief;
        }
        belief.with_policy(Arc::clone(&Model::standard().policy))
    }
}

/// The milliseconds that this thread has been on the processor, as Linux counts them.
fn on_processor() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|time| time.parse::<f64>().ok()).unwrap_or_default() / 1e6
}
