//! The umpire against the belief, under rules that nobody has thought of: whatever is announced, the belief holds the truth,
//! and counts of each attempt what the umpire would say in each of its positions.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::{SIDES, STARTS, fens, random_game};
use nebel_belief::{Announce, Limit, Statistics, TrackError, Tracker};
use nebel_kriegspiel::{Chess, Rules, Umpire, rules::Refusals, start};
use proptest::{prelude::*, sample::select};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Any rules that can be written down.
fn rules() -> impl Strategy<Value = Rules> {
    let heard = || select(&["heard", "silent"][..]);
    (
        heard(),
        select(&["nonsense", "illegal"][..]),
        select(&["square", "kind"][..]),
        select(&["captured-square", "landing-square"][..]),
        select(&["never", "ask-binding", "ask-one-try", "count", "any", "from"][..]),
        heard(),
        select(&["draw", "loss"][..]),
        select(&["material", "material-fifty-repetition"][..]),
    )
        .prop_map(|(refusals, nonsense, capture, en_passant, tries, promotion, stalemate, draws)| {
            let text = serde_json::json!({
                "name": "any", "refusals": refusals, "nonsense": nonsense, "capture": capture, "en_passant": en_passant,
                "tries": tries, "promotion": promotion, "stalemate": stalemate, "draws": draws,
            });
            Rules::from_json(&text.to_string()).unwrap()
        })
}

/// Beliefs up to this size are asked position by position.
const ASKED: usize = 60;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn the_belief_holds_the_truth_and_agrees_with_the_umpire(
        rules in rules(), start in select(&STARTS[..]), seed in any::<u64>(), moves in 1..14usize,
    ) {
        compare(&rules, start, seed, moves)?;
    }
}

/// No known rules are like that: nobody hears whether the pawn capture that must be tried after "yes" was refused.
#[test]
fn the_belief_holds_the_truth_where_the_try_after_yes_is_not_heard() {
    let rules = Rules { refusals: Refusals::Silent, ..Rules::english() };
    compare(&rules, "8/1p6/k1P5/8/8/5p1K/6P1/8 b - - 0 1", 5_078_423_863_665_528_292, 1).unwrap();
}

fn compare(rules: &Rules, start: &str, seed: u64, moves: usize) -> Result<(), TestCaseError> {
    let game = random_game(rules.clone(), start, moves, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
    for side in SIDES {
        let view = game.view(side);
        let mut tracker = Tracker::new(rules.clone(), &view.header().start, side, Limit::positions(5000));
        let failed = view.events().iter().find_map(|event| tracker.hear(event).err());
        if let Some(error) = failed {
            prop_assert!(
                matches!(error, TrackError::Positions(_)),
                "only its size may end a belief: {}",
                error
            );
            continue;
        }
        let truth = start::fen_without_counters(game.umpire().position());
        prop_assert!(fens(tracker.positions()).binary_search(&truth).is_ok(), "{truth}");
        if tracker.len() > ASKED || !tracker.own().is_to_move() || game.umpire().over().is_some() {
            continue;
        }
        let positions: Vec<Chess> = tracker.positions().collect();
        let statistics = Statistics::gather(tracker.hearing(), tracker.set().iter(), Announce::Nothing);
        for attempt in statistics.attempts() {
            let is_legal = |position: &&Chess| {
                let answer = Umpire::at(rules.clone(), (*position).clone()).attempt(attempt.attempt).unwrap();
                answer.announcement().is_some()
            };
            let legal = positions.iter().filter(is_legal).count() as u64;
            prop_assert_eq!(attempt.legal, legal, "{}", attempt.attempt);
            if is_legal(&game.umpire().position()) {
                prop_assert!(attempt.legal > 0, "what can be done is held for possible: {}", attempt.attempt);
            }
        }
    }
    Ok(())
}
