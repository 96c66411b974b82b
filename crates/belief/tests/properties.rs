//! Properties of beliefs over random games under every ruleset, questions and nonsense included.

mod common;

use common::{SIDES, STARTS, fens, naive::Naive, random_game};
use nebel_belief::{Limit, Tracker};
use nebel_kriegspiel::{Rules, Transcript, start};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Random games under every ruleset from every start, so many of each.
fn games(each: u64, moves: usize) -> impl Iterator<Item = Transcript> {
    let count = Rules::KNOWN.len() * STARTS.len();
    (0..count as u64 * each).map(move |number| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(number);
        let number = number as usize;
        let rules = Rules::KNOWN[number % Rules::KNOWN.len()]();
        let start = STARTS[number / Rules::KNOWN.len() % STARTS.len()];
        random_game(rules, start, moves, &mut rng)
    })
}

#[test]
fn belief_equals_the_naive_estimate_after_every_event() {
    let (mut events, mut positions) = (0, 0);
    for game in games(6, 10) {
        for side in SIDES {
            let view = game.view(side);
            let header = view.header();
            let mut naive = Naive::new(header.rules.clone(), &header.start, side);
            let mut tracker = Tracker::new(header.rules.clone(), &header.start, side, Limit::default());
            for event in view.events() {
                naive.hear(event);
                tracker.hear(event).unwrap();
                let expected: Vec<String> = naive.positions.keys().cloned().collect();
                assert_eq!(
                    fens(tracker.positions()),
                    expected,
                    "{}\n{:?}",
                    header.to_json(Some(side)),
                    view.events()
                );
                events += 1;
                positions += expected.len();
                if expected.len() > 300 {
                    break;
                }
            }
        }
    }
    println!("{events} events, {positions} positions");
}

#[test]
fn belief_always_contains_the_true_position() {
    for game in games(4, 24) {
        for side in SIDES {
            let view = game.view(side);
            let header = view.header();
            let mut tracker =
                Tracker::new(header.rules.clone(), &header.start, side, Limit::positions(20_000));
            let mut complete = true;
            for event in view.events() {
                if tracker.hear(event).is_err() {
                    complete = false;
                    break;
                }
            }
            if complete {
                let truth = start::fen_without_counters(game.umpire().position());
                assert!(fens(tracker.positions()).binary_search(&truth).is_ok(), "{truth}");
            }
        }
    }
}
