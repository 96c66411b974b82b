//! What a second thread gains a sampling player: `cargo bench -p nebel-players --bench threads`.
//!
//! One game is heard to the end by an `hs` with one thread and by one with two; the time to hear (the pool's update)
//! and the time to choose are summed over all its turns. Both value the same number of boards.

#![allow(clippy::unwrap_used, reason = "a benchmark fails by panicking")]

use std::time::{Duration, Instant};

use nebel_kriegspiel::{Chess, Color, Rules, Umpire, ViewEvent};
use nebel_players::{Budget, Choice, Game, Player, by_spec};
use rand::{SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

const OPTIONS: &str = "k=400,pool=200000,keep=100000";

fn main() {
    // Criterion-style arguments such as --bench are of no use here.
    for rules in [Rules::icc(), Rules::berkeley()] {
        let view = view(&rules);
        let [one, two] = [1, 2].map(|threads| {
            let mut player = by_spec(&format!("hs:{OPTIONS},threads={threads}")).unwrap();
            measure(&mut *player, &rules, &view)
        });
        let ratio = |a: Duration, b: Duration| a.as_secs_f64() / b.as_secs_f64();
        println!(
            "{}: hearing {:.2?} and {:.2?} (x{:.2}), choosing {:.2?} and {:.2?} (x{:.2}) with one and two threads",
            rules.name,
            one.0,
            two.0,
            ratio(one.0, two.0),
            one.1,
            two.1,
            ratio(one.1, two.1),
        );
    }
}

/// What Black hears of a random game.
fn view(rules: &Rules) -> Vec<(ViewEvent, bool)> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut umpire = Umpire::new(rules.clone());
    let mut heard = Vec::new();
    while umpire.over().is_none() && heard.len() < 60 {
        let attempt = *umpire.sensible_attempts().choose(&mut random).unwrap();
        let event = umpire.attempt(attempt).unwrap();
        let is_next = umpire.over().is_none() && umpire.to_move() == Color::Black;
        heard.extend(event.heard_by(Color::Black, rules).map(|event| (event, is_next)));
    }
    heard
}

/// The time to hear the view, and to choose in each turn of it.
fn measure(player: &mut dyn Player, rules: &Rules, view: &[(ViewEvent, bool)]) -> (Duration, Duration) {
    let game = Game { side: Color::Black, rules: rules.clone(), start: Chess::new(), seed: 1 };
    player.start(game).unwrap();
    let (mut hearing, mut choosing) = (Duration::ZERO, Duration::ZERO);
    for (event, is_next) in view {
        let begin = Instant::now();
        player.hear(event).unwrap();
        hearing += begin.elapsed();
        if *is_next {
            let begin = Instant::now();
            let choice = player.choose(&Budget::unlimited()).unwrap();
            choosing += begin.elapsed();
            assert!(!matches!(choice, Choice::Resign));
        }
    }
    (hearing, choosing)
}
