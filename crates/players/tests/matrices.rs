//! Belief matrices over real games: normalised after every event, and better than knowing nothing, measured against
//! the exact belief.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use nebel_belief::{
    Estimate, Limit, Men, Tracker,
    matrices::{Matrices, MatrixTracker},
    opponent::Model,
};
use nebel_kriegspiel::{Bitboard, Chess, Color, Event, Position, Rules, Square, Umpire};
use nebel_players::{Budget, Choice, Game, by_spec};

/// A game between two players of few nodes; each event shown with the umpire behind it.
fn game(rules: &Rules, specs: [&str; 2], seed: u64, mut listen: impl FnMut(&Umpire, &Event)) {
    let mut players = specs.map(|spec| by_spec(spec).unwrap());
    let mut umpire = Umpire::new(rules.clone());
    for (player, side) in players.iter_mut().zip([Color::White, Color::Black]) {
        let start = Chess::new();
        player.start(Game { side, rules: rules.clone(), start, seed: seed * 2 + side as u64 }).unwrap();
    }
    let budget = Budget { nodes: Some(200), ..Budget::unlimited() };
    for _ in 0..150 {
        if umpire.over().is_some() {
            return;
        }
        let index = usize::from(umpire.to_move() == Color::Black);
        let event = match players[index].choose(&budget).unwrap() {
            Choice::Try(attempt) => umpire.attempt(attempt).unwrap(),
            Choice::Ask => umpire.ask().unwrap(),
            Choice::Resign => return,
        };
        for (player, side) in players.iter_mut().zip([Color::White, Color::Black]) {
            if let Some(heard) = event.heard_by(side, rules) {
                player.hear(&heard).unwrap();
            }
        }
        listen(&umpire, &event);
    }
}

fn check_normalised(listener: &MatrixTracker, true_king: Square) {
    let (matrices, own) = (listener.matrices(), listener.own().men().squares());
    let sum = |of: &dyn Fn(Square) -> f32| Bitboard::FULL.into_iter().map(of).sum::<f32>();
    let (pawns, pieces) = matrices.left();
    assert!((sum(&|square| matrices.king(square)) - 1.0).abs() < 1e-3);
    assert!((sum(&|square| matrices.pawn(square)) - pawns).abs() < 0.02 * (1.0 + pawns));
    assert!((sum(&|square| matrices.piece(square)) - pieces).abs() < 0.02 * (1.0 + pieces));
    assert!((pawns + pieces - listener.men_left() as f32).abs() < 1e-2);
    for square in Bitboard::FULL {
        let all =
            [matrices.king(square), matrices.pawn(square), matrices.piece(square), matrices.empty(square)];
        assert!(all.iter().all(|value| (0.0..=1.0).contains(value)), "{square}: {all:?}");
        assert!(!own.contains(square) || all[..3] == [0.0; 3], "{square}: {all:?}");
        assert!(all[..3].iter().sum::<f32>() < 1.1, "{square}: {all:?}");
    }
    assert!(listener.king_may_be().contains(true_king), "the king is on {true_king}");
}

#[test]
fn matrices_stay_normalised_and_never_exclude_the_king_under_all_rules() {
    for rules in Rules::KNOWN.map(|rules| rules()) {
        for seed in 0..4 {
            let specs = [["greedy", "random"], ["random", "greedy"]][seed as usize % 2];
            let mut listeners = [Color::White, Color::Black].map(|side| {
                (side, MatrixTracker::new(rules.clone(), &Chess::new(), side, Model::standard()))
            });
            game(&rules, specs, seed, |umpire, event| {
                for (side, listener) in &mut listeners {
                    if let Some(heard) = event.heard_by(*side, &rules) {
                        listener.hear(&heard).unwrap();
                        check_normalised(listener, umpire.position().board().king_of(!*side).unwrap());
                    }
                }
            });
        }
    }
}

/// No probability counts as less.
const LEAST: f64 = 1e-4;

/// Log-likelihoods of the true position, summed over turns: uniform, matrices without a model, matrices, exact.
fn compare(games: u64, positions: usize) -> ([f64; 4], u32) {
    let rules = Rules::icc();
    let (mut sums, mut turns) = ([0.0; 4], 0);
    for seed in 0..games {
        let side = if seed % 2 == 0 { Color::White } else { Color::Black };
        let limit = Limit::positions(positions);
        let mut tracker = Some(Tracker::new(rules.clone(), &Chess::new(), side, limit));
        let even = MatrixTracker::new(rules.clone(), &Chess::new(), side, Arc::new(Model::even()));
        let taught = MatrixTracker::new(rules.clone(), &Chess::new(), side, Model::standard());
        let mut listeners = [even, taught];
        game(&rules, ["hs:k=10", "hs:k=10"], seed, |umpire, event| {
            let Some(heard) = event.heard_by(side, &rules) else { return };
            if tracker.as_mut().is_some_and(|tracker| tracker.hear(&heard).is_err()) {
                tracker = None;
            }
            let Some(tracker) = &tracker else { return };
            for listener in &mut listeners {
                listener.hear(&heard).unwrap();
            }
            if umpire.over().is_some() || umpire.to_move() != side || event.announcement().is_none() {
                return;
            }
            let [even, taught] = &listeners;
            let uniform = taught.matrices().uniform(taught.own().men().squares());
            let own = taught.own().men().squares();
            let truth = Men::of(umpire.position(), !side);
            let beliefs = [&uniform, even.matrices(), taught.matrices()].map(Matrices::marginals);
            let beliefs = beliefs.into_iter().chain([tracker.marginals()]);
            for (sum, belief) in sums.iter_mut().zip(beliefs) {
                *sum += belief.log_likelihood(&truth, own, LEAST);
            }
            turns += 1;
        });
    }
    (sums, turns)
}

#[test]
fn matrices_know_more_than_nothing_and_the_exact_belief_knows_more_in_the_opening() {
    let ([uniform, even, taught, exact], turns) = compare(6, 100_000);
    let mean = |sum: f64| sum / f64::from(turns);
    println!(
        "{turns} turns: uniform {:.2}, even {:.2}, taught {:.2}, exact {:.2}",
        mean(uniform),
        mean(even),
        mean(taught),
        mean(exact)
    );
    assert!(turns > 20);
    assert!(mean(even) > mean(uniform) + 10.0 && mean(taught) > mean(uniform) + 10.0);
}

/// The numbers of `docs/players.md`: `cargo test --release -p nebel-players --test matrices -- --ignored --nocapture`.
#[test]
#[ignore = "a report: some minutes"]
fn report_of_log_likelihoods() {
    let ([uniform, even, taught, exact], turns) = compare(40, 3_000_000);
    let mean = |sum: f64| sum / f64::from(turns);
    println!(
        "turns {turns}: uniform {:.2}, without a model {:.2}, standard model {:.2}, exact {:.2}",
        mean(uniform),
        mean(even),
        mean(taught),
        mean(exact)
    );
}
