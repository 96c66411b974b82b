//! Properties of the sampling players over real games.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use nebel_belief::{
    LastObservation,
    particles::{ParticleLimits, Particles},
};
use nebel_kriegspiel::{Answer, Chess, Color, Event, Position, Rules, Umpire, start};
use nebel_players::{Budget, Choice, Game, by_spec};
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A random game, each event shown to the listener.
fn random_game(rules: &Rules, seed: u64, mut listen: impl FnMut(&Umpire, &Event, &mut Xoshiro256PlusPlus)) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut umpire = Umpire::new(rules.clone());
    for _ in 0..60 {
        if umpire.over().is_some() {
            return;
        }
        let asks = umpire.turn().may_ask(rules) && random.random_ratio(1, 3);
        let event = if asks {
            umpire.ask().unwrap()
        } else {
            let attempt = *umpire.sensible_attempts().choose(&mut random).unwrap();
            umpire.attempt(attempt).unwrap()
        };
        listen(&umpire, &event, &mut random);
    }
}

#[test]
fn threads_do_not_change_what_a_pool_holds() {
    let rules = Rules::icc();
    let workers = Arc::new(rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap());
    let alone = Particles::new(rules.clone(), &Chess::new(), Color::Black, ParticleLimits::default());
    let mut pools = [alone.clone(), alone.with_workers(Some(workers))];
    random_game(&rules, 5, |_, event, _| {
        let Some(heard) = event.heard_by(Color::Black, &rules) else { return };
        for pool in &mut pools {
            pool.hear(&heard, &mut Xoshiro256PlusPlus::seed_from_u64(1)).unwrap();
        }
        assert_eq!(pools[0].keys(), pools[1].keys());
    });
    assert!(!pools[0].is_complete(), "the game is long enough to cut the pool");
}

#[test]
fn a_pool_that_was_not_cut_holds_the_true_position_and_one_that_was_holds_possible_ones() {
    for rules in Rules::KNOWN.map(|rules| rules()) {
        for (seed, side) in [(1, Color::White), (2, Color::Black)] {
            let start = Chess::new();
            let small = ParticleLimits::plain(300, 100);
            let whole = ParticleLimits::plain(200_000, 200_000);
            let mut pools = [whole, small].map(|limits| Particles::new(rules.clone(), &start, side, limits));
            random_game(&rules, seed, |umpire, event, random| {
                let Some(heard) = event.heard_by(side, &rules) else { return };
                if event.over().is_some() || !pools[0].is_complete() {
                    return;
                }
                for pool in &mut pools {
                    pool.hear(&heard, random).unwrap();
                    assert!(pool.keys().len() <= 200_000);
                }
                let [whole, small] = &pools;
                if !whole.is_complete() {
                    return;
                }
                let truth = start::fen_without_counters(umpire.position());
                let positions = whole.keys().iter().map(|&key| whole.view().position(key).unwrap());
                assert!(
                    positions.into_iter().any(|position| start::fen_without_counters(&position) == truth)
                );
                assert!(small.keys().iter().all(|key| whole.keys().binary_search(key).is_ok()));
            });
        }
    }
}

#[test]
fn boards_of_the_last_observation_would_be_announced_as_heard() {
    let mut drawn = 0;
    for rules in Rules::KNOWN.map(|rules| rules()) {
        for (seed, side) in (0..6).map(|seed| (seed, if seed % 2 == 0 { Color::White } else { Color::Black }))
        {
            let start = Chess::new();
            let mut last = LastObservation::new(&start, side);
            let mut hearing = nebel_belief::ViewState::new(rules.clone(), &start, side);
            random_game(&rules, 100 + seed, |umpire, event, random| {
                let Some(heard) = event.heard_by(side, &rules) else { return };
                last.hear(&heard, side);
                hearing.hear(&heard).unwrap();
                if umpire.over().is_some() || umpire.to_move() != side {
                    return;
                }
                let Some(key) = last.draw(&hearing, random) else { return };
                drawn += 1;
                let position = hearing.position(key).unwrap();
                assert_eq!(position.turn(), side);
                // A second umpire on the drawn board says what the first one said.
                let mut other = Umpire::at(rules.clone(), position.clone());
                assert!(!other.legal_moves().is_empty());
                for &attempt in umpire.turn().refused() {
                    let event = other.attempt(attempt).unwrap();
                    assert!(matches!(event, Event::Attempt { answer: Answer::Illegal, .. }), "{attempt}");
                }
                let men = |position: &Chess| position.board().by_color(!side).count();
                assert_eq!(men(&position), men(umpire.position()), "as many men as are left");
                assert_eq!(position.is_check(), umpire.position().is_check());
            });
        }
    }
    assert!(drawn > 300, "{drawn}");
}

#[test]
fn every_player_plays_under_every_ruleset_and_repeats() {
    for rules in Rules::KNOWN.map(|rules| rules()) {
        for spec in ["los:k=3", "aos:k=3", "aosp:k=3,pool=200,keep=100", "hs:k=3,rule=answers,depth=0"] {
            let [first, second] = [0, 1].map(|_| choices(spec, &rules));
            assert_eq!(first, second, "{spec} under {}", rules.name);
            assert!(first.iter().any(|choice| matches!(choice, Choice::Try(_))));
        }
    }
}

/// What a player chooses in its first turns against a random opponent.
fn choices(spec: &str, rules: &Rules) -> Vec<Choice> {
    let budget = Budget { nodes: Some(2000), ..Budget::unlimited() };
    let mut players = [by_spec(spec).unwrap(), by_spec("random").unwrap()];
    for (player, side) in players.iter_mut().zip(Color::ALL) {
        let game = Game { side, rules: rules.clone(), start: Chess::new(), seed: 5 };
        player.start(game).unwrap();
    }
    let mut umpire = Umpire::new(rules.clone());
    let mut chosen = Vec::new();
    for _ in 0..40 {
        if umpire.over().is_some() {
            break;
        }
        let mover = usize::from(umpire.to_move() == Color::Black);
        let choice = players[mover].choose(&budget).unwrap();
        if mover == 0 {
            chosen.push(choice);
        }
        let event = match choice {
            Choice::Try(attempt) => umpire.attempt(attempt).unwrap(),
            Choice::Ask => umpire.ask().unwrap(),
            Choice::Resign => break,
        };
        let is_nonsense = matches!(event, Event::Attempt { answer: Answer::Nonsense, .. });
        assert!(!is_nonsense, "{spec} tries {event:?}");
        for (player, side) in players.iter_mut().zip(Color::ALL) {
            if let Some(heard) = event.heard_by(side, rules) {
                player.hear(&heard).unwrap();
            }
        }
    }
    chosen
}

#[test]
fn wrong_options_are_named() {
    let complaint = |spec: &str| by_spec(spec).err().unwrap().to_string();
    assert!(complaint("hs:k=many").contains("`k=many`"));
    assert!(complaint("hs:eval=magic").contains("`eval=magic`"));
    assert!(complaint("hs:colour=red").contains("`colour=red`"));
    assert!(complaint("hs:k").contains("`k`"));
    assert!(complaint("hs:k=1,k=2").contains("k twice"));
}
