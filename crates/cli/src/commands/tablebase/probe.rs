//! `nebel tablebase probe`.

use std::{
    io::{self, Write},
    time::Duration,
};

use nebel_tablebase::{Board, KingSquares, Mask, Placement, Tie, probe, squares_of};
use serde_json::json;

use super::DirectoryArg;
use crate::failure::Failure;

/// The shortest forced mate for a king that may be on any of some squares, and the attempt to make.
#[derive(clap::Args, Debug)]
pub(crate) struct ProbeArgs {
    /// White's men, as in "Kc3 Ra1".
    #[arg(value_name = "MEN")]
    men: String,
    /// Where the black king may be: squares as in e5,e6, or `all`.
    #[arg(long, value_name = "SQUARES")]
    king: String,
    /// Among equally long lines: the table's own choice, or the fastest against an average defender.
    #[arg(long, value_enum, default_value_t = TieArg::Fewest)]
    tie: TieArg,
    /// Seconds to search where there is no table.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    time: f64,
    #[command(flatten)]
    directory: DirectoryArg,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum TieArg {
    /// The entry with the fewest squares.
    Fewest,
    /// The smallest mean over the king's squares.
    Average,
}

/// Probes.
pub(crate) fn run(args: &ProbeArgs) -> Result<(), Failure> {
    let placement =
        Placement::parse(Board::CHESS, &args.men).map_err(|error| Failure::input("MEN", error))?;
    let set = king_squares(&placement, &args.king)?;
    let limit = Duration::try_from_secs_f64(args.time).map_err(|error| Failure::input("--time", error))?;
    let tie = match args.tie {
        TieArg::Fewest => Tie::FewestSquares,
        TieArg::Average => Tie::AverageDefender,
    };
    let store = args.directory.existing()?;
    let answer = probe(&store, &placement, set, tie, limit, &mut super::note).map_err(super::failure)?;
    let mut output = io::stdout().lock();
    if args.json {
        let mut value = json!({
            "mate_in": answer.mate.map(|mate| mate.0),
            "attempt": answer.mate.map(|mate| mate.1.to_string()),
        });
        if !answer.is_exact() {
            value["exact"] = json!(false);
            value["not_within"] = json!(answer.not_within);
            if answer.mate.is_none() && answer.stopped {
                value["stopped"] = json!("time");
            }
        }
        return Ok(writeln!(output, "{value}")?);
    }
    let proved = match answer.not_within {
        0 => String::new(),
        moves => format!(", none within {moves}"),
    };
    match (answer.mate, answer.is_exact()) {
        (Some((moves, attempt)), true) => writeln!(output, "Mate in {moves}: try {attempt}.")?,
        (Some((moves, attempt)), false) => {
            writeln!(output, "Mate in {moves} at most{proved}: try {attempt}.")?;
        }
        (None, true) => writeln!(output, "No mate can be forced.")?,
        (None, false) if answer.stopped => {
            writeln!(output, "No forced mate was found in the time given{proved}.")?;
        }
        (None, false) => writeln!(output, "No forced mate was found{proved}.")?,
    }
    let refused = answer.mate.map_or(0, |(_, attempt)| placement.refused(Board::CHESS, attempt, set));
    if refused != 0 {
        writeln!(output, "If it is refused, the king is on {}: probe again with these.", names(refused))?;
    }
    Ok(())
}

/// The squares where the king may be; those where he cannot be are dropped, and said so.
fn king_squares(placement: &Placement, text: &str) -> Result<Mask, Failure> {
    let squares = KingSquares::parse(placement, text).map_err(|error| Failure::input("--king", error))?;
    if squares.dropped != 0 {
        let why = "occupied or attacked, with White to move";
        eprintln!("nebel: dropped {}: {why}", names(squares.dropped));
    }
    Ok(squares.possible)
}

fn names(set: Mask) -> String {
    squares_of(set).map(|square| square.to_string()).collect::<Vec<_>>().join(",")
}
