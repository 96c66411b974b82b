//! Readings of what Figure 2 leaves open, each run, beside the paper's numbers.

use std::fmt::Write as _;

use nebel_tablebase::{Board, Placement};

use super::{
    Extent,
    figure2::{Assignments, Listed, Members, Moves, Passes, Reading, Refusals, Subsets, run},
};
use crate::Page;

/// The readings that the page has; each differs from the first in what its name says.
fn all() -> Vec<(&'static str, Reading)> {
    let paper = Reading::PAPER;
    vec![
        ("by the letter: rook's moves first, assignments in the order of section 3.1", paper),
        ("the refusal's assignments first", Reading { assignments: Assignments::ShallowerFirst, ..paper }),
        ("assignments as listed", Reading { assignments: Assignments::Listed, ..paper }),
        ("king's moves first", Reading { moves: Moves::KingFirst, ..paper }),
        (
            "king's moves first, the refusal's assignments first",
            Reading { moves: Moves::KingFirst, assignments: Assignments::ShallowerFirst, ..paper },
        ),
        ("a pass sees nothing of itself", Reading { passes: Passes::Whole, ..paper }),
        ("subsets are dumped after each step", Reading { subsets: Subsets::Dumped, ..paper }),
        ("all entries are assigned, not the largest alone", Reading { members: Members::All, ..paper }),
        ("stopped after depth 35", Reading { deepest: 34, ..paper }),
        ("chains of refusals closed within a depth: exact", Reading { refusals: Refusals::AtOnce, ..paper }),
    ]
}

/// The boards whose numbers the paper prints, with the king anywhere.
const FILLED: [&str; 4] = ["Kb2 Ra1", "Kd1 Re1", "Kc3 Ra1", "Kc2 Ra1"];

/// A page with a row for each reading, all of them or the first and the exact one; `None` only if KRK had too many men for an index.
pub fn readings(extent: Extent, mut hear: impl FnMut(&str)) -> Option<Page> {
    let mut text = "# King and rook against king: Figure 2 by the letter\n\n\
        Made by `nebel reproduce krk --readings`. The paper's algorithm as printed, over assignments of entries to messages (`crates/experiments/src/krk/figure2.rs`), in readings of what it leaves open. Entries are counted with \
        mirrored placements once, and in brackets with the king's symmetry alone (a placement with the king on the diagonal and its image count as two).\n\n\
        | reading | entries | longest | of them | Kb2 Ra1 | Kd1 Re1 | Kc3 Ra1 | Kc2 Ra1 | fastest filled | passes a depth |\n\
        |---|---|---|---|---|---|---|---|---|---|\n\
        | **the paper** | 1,087,599 | 41 | 2 | 30 | 34 | 29 | 29 | Kc2 Ra1, Kc3 Ra1 | 3 to 5 |\n"
        .to_owned();
    let all = all();
    let of_quick = [all.first(), all.last()].into_iter().flatten().copied().collect();
    for (name, reading) in if extent == Extent::Quick { of_quick } else { all } {
        hear(name);
        text.push_str(&row(name, &run(reading)?)?);
    }
    text.push_str(
        "\nThe first reading gives every length that the paper prints, and the two boards that are filled and fastest. So the paper's mates are longer than the \
         shortest because a set is discarded when it is a subset of *any* entry: while entries of depth n + 1 are made, chains of refusals still find mates in n, and those that are subsets of \
         an entry of n + 1 that came first are lost with their shorter way. Closing the chains before anything deeper is looked at (the last row) gives the exact numbers. That the order decides \
         can be seen from the rows between. Not explained: the paper's number of entries, which \"may vary to a degree, depending on storage policies\", \
         and that only two of its entries are as long as the longest.\n",
    );
    Some(Page { markdown: text, files: Vec::new() })
}

fn row(name: &str, listed: &Listed) -> Option<String> {
    let mut row = format!("| {name} | {} ({}) | ", listed.entries(), listed.entries_by_king());
    let (entries, placements) = listed.of_longest();
    // Writing into a String cannot fail.
    let _ = write!(row, "{} | {entries} at {placements} placements |", listed.longest());
    for men in FILLED {
        let moves = listed.filled(&Placement::parse(Board::CHESS, men).ok()?);
        let _ = write!(row, " {} |", moves.map_or("–".to_owned(), |moves| moves.to_string()));
    }
    let fastest: Vec<String> = listed.fastest_filled().iter().map(|(_, at)| at.to_string()).collect();
    let few = listed.passes.iter().min().copied().unwrap_or(0);
    let many = listed.passes.iter().max().copied().unwrap_or(0);
    let _ = writeln!(row, " {} | {few} to {many} |", fastest.join(", "));
    Some(row)
}
