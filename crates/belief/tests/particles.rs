//! Particles against the exact belief: whatever they claim to know is so.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::{collections::HashSet, sync::Arc};

use common::{SIDES, STARTS, random_game};
use nebel_belief::{
    Belief, BeliefLimits, Key, Limit, Man, Tracker,
    opponent::Model,
    particles::{Diversity, HowKnown, ParticleLimits},
};
use nebel_kriegspiel::{Bitboard, Rules, Transcript};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// So few that they are cut, killed and refilled all the time.
const TINY: ParticleLimits = ParticleLimits {
    most: 60,
    keep: 30,
    low: 20,
    changes: 200,
    rescues: 500,
    diversity: Diversity::EveryKind,
};
/// So few that the last is lost now and then.
const FRAIL: ParticleLimits =
    ParticleLimits { most: 12, keep: 6, low: 4, changes: 4, rescues: 4, diversity: Diversity::EveryKind };

#[derive(Default)]
struct Seen {
    some: usize,
    proved: usize,
    since: usize,
    last: usize,
    enclosed: usize,
    found_again: usize,
}

/// Follows a game with both, and compares after every event. Tracking stops where the exact belief grows too large.
fn compare(game: &Transcript, belief: impl Fn(usize) -> Belief, seen: &mut Seen) {
    let header = game.header();
    for side in SIDES {
        let mut exact = Tracker::new(header.rules.clone(), &header.start, side, Limit::positions(50_000));
        let mut belief = belief(usize::from(side == SIDES[1]));
        let (mut was_cut, mut was_lost) = (false, false);
        for event in game.events() {
            let Some(heard) = event.heard_by(side, &header.rules) else { continue };
            if exact.hear(&heard).is_err() {
                break;
            }
            belief.hear(&heard).unwrap();
            let all: HashSet<Key> = exact.set().iter().collect();
            let keys: Vec<Key> = belief.keys().collect();
            assert_eq!(keys.iter().collect::<HashSet<_>>().len(), keys.len(), "no position twice");
            match belief.how_known() {
                HowKnown::All => {
                    assert_eq!(keys.len(), all.len(), "all are there");
                    assert!(keys.iter().all(|key| all.contains(key)));
                    seen.proved += usize::from(was_cut);
                }
                HowKnown::Some => {
                    assert!(keys.iter().all(|key| all.contains(key)), "each agrees with everything");
                    seen.some += 1;
                    was_cut = true;
                }
                HowKnown::Since => seen.since += 1,
                HowKnown::LastEvent => seen.last += 1,
            }
            let is_lost = belief.how_known() < HowKnown::Some;
            seen.found_again += usize::from(was_lost && belief.how_known() == HowKnown::Some);
            was_lost = is_lost;
            if let Some(enclosing) = belief.enclosing() {
                let enclosing: HashSet<&Key> = enclosing.iter().collect();
                assert!(all.iter().all(|key| enclosing.contains(key)), "nothing that may be is left out");
                seen.enclosed += 1;
            }
            let total: f64 = belief.weighted().map(|(_, weight)| weight).sum();
            assert!(keys.is_empty() || (total - 1.0).abs() < 1e-6, "{total}");
            let marginals = belief.marginals();
            let kings: f64 = Bitboard::FULL
                .into_iter()
                .map(|square| marginals.get(square, Man::Of(nebel_kriegspiel::Role::King)))
                .sum();
            assert!(keys.is_empty() || (kings - 1.0).abs() < 1e-6, "one king: {kings}");
        }
    }
}

fn games(moves: usize, each: impl Fn(&Transcript, u64, &mut Seen)) -> Seen {
    let mut seen = Seen::default();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    for (seed, rules) in Rules::KNOWN.iter().cycle().take(36).enumerate() {
        let start = STARTS[seed % STARTS.len()];
        let game = random_game(rules(), start, moves, &mut random);
        each(&game, seed as u64, &mut seen);
    }
    seen
}

#[test]
fn particles_never_claim_more_than_is_so() {
    let limits = BeliefLimits { exact: 0, particles: TINY };
    let seen = games(60, |game, seed, seen| {
        let header = game.header();
        let belief =
            |index: usize| Belief::new(header.rules.clone(), &header.start, SIDES[index], limits, seed);
        compare(game, belief, seen);
    });
    assert!(seen.some > 500, "a part of the belief: {}", seen.some);
    assert!(seen.enclosed > 100, "enclosed: {}", seen.enclosed);
    assert!(seen.proved > 20, "proved to be whole again: {}", seen.proved);
}

#[test]
fn weighted_particles_are_consistent_too() {
    let limits = BeliefLimits { exact: 0, particles: TINY };
    let policy = Arc::clone(&Model::standard().policy);
    let seen = games(40, |game, seed, seen| {
        let header = game.header();
        let belief = |index: usize| {
            Belief::new(header.rules.clone(), &header.start, SIDES[index], limits, seed)
                .with_policy(Arc::clone(&policy))
        };
        compare(game, belief, seen);
    });
    assert!(seen.some > 300, "a part of the belief: {}", seen.some);
}

#[test]
fn what_is_lost_is_marked_and_found_again() {
    let limits = BeliefLimits { exact: 0, particles: FRAIL };
    let policy = Arc::clone(&Model::standard().policy);
    for is_weighted in [false, true] {
        let seen = games(60, |game, seed, seen| {
            let header = game.header();
            let belief = |index: usize| {
                let belief = Belief::new(header.rules.clone(), &header.start, SIDES[index], limits, seed);
                if is_weighted { belief.with_policy(Arc::clone(&policy)) } else { belief }
            };
            compare(game, belief, seen);
        });
        assert!(seen.since + seen.last > 0, "boards where nothing better is found");
        assert!(seen.found_again > 0, "found again: {}", seen.found_again);
    }
}

#[test]
fn the_exact_belief_hands_over() {
    let limits = BeliefLimits { exact: 500, particles: TINY };
    let seen = games(40, |game, seed, seen| {
        let header = game.header();
        let belief =
            |index: usize| Belief::new(header.rules.clone(), &header.start, SIDES[index], limits, seed);
        compare(game, belief, seen);
    });
    assert!(seen.some > 100, "a part of the belief: {}", seen.some);
}
