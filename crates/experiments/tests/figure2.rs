//! The paper's Figure 2 by the letter gives the paper's lengths, and its exact reading those of the table.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use nebel_experiments::krk::figure2::{Reading, Refusals, run};
use nebel_tablebase::{Board, Placement, solve};

const FILLED: [&str; 4] = ["Kb2 Ra1", "Kd1 Re1", "Kc3 Ra1", "Kc2 Ra1"];

fn at(men: &str) -> Placement {
    Placement::parse(Board::CHESS, men).unwrap()
}

#[test]
#[ignore = "about a minute: `cargo test -p nebel-experiments --test figure2 -- --ignored`"]
fn the_letter_of_figure_2_gives_every_length_that_the_paper_prints() {
    let listed = run(Reading::PAPER).unwrap();
    assert_eq!(listed.longest(), 41);
    assert_eq!(FILLED.map(|men| listed.filled(&at(men))), [30, 34, 29, 29].map(Some));
    let fastest: Vec<String> = listed.fastest_filled().iter().map(|(_, at)| at.to_string()).collect();
    assert_eq!(fastest, ["Kc2 Ra1", "Kc3 Ra1"]);
    assert!(listed.passes.iter().all(|&passes| passes <= 5));
}

#[test]
fn with_chains_closed_within_a_depth_it_agrees_with_the_exact_table() {
    const DEEPEST: u16 = 10;
    let reading = Reading { refusals: Refusals::AtOnce, deepest: DEEPEST - 1, ..Reading::PAPER };
    let listed = run(reading).unwrap();
    let exact = solve(Board::CHESS, &"KRK".parse().unwrap(), &[], |_| {}).unwrap();
    let mut compared = 0;
    for (number, placement) in exact.index().placements().iter().enumerate() {
        for entry in exact.entries(number).filter(|entry| entry.depth <= DEEPEST) {
            assert_eq!(listed.moves(placement, entry.mask), Some(entry.depth), "{placement}");
            compared += 1;
        }
    }
    assert!(compared > 10_000, "{compared}");
}
