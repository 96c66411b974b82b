//! Properties of the sampling players over real games.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use nebel_belief::{
    History, HistorySampler, Key, LastObservation, ViewState,
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

/// What a player notes of its choice in a position that it knows, or after these moves of a game from the start.
fn notes(spec: &str, side: Color, fen: &str, line: &[&str], nodes: Option<u64>) -> (Choice, Vec<String>) {
    let mut player = by_spec(spec).unwrap();
    let start: Chess = start::position(fen).unwrap();
    let mut umpire = Umpire::at(Rules::icc(), start.clone());
    player.start(Game { side, rules: Rules::icc(), start, seed: 3 }).unwrap();
    for said in line {
        let event = umpire.hear(said).unwrap();
        player.hear(&event.heard_by(side, umpire.rules()).unwrap()).unwrap();
    }
    let choice = player.choose(&Budget { nodes, ..Budget::unlimited() }).unwrap();
    (choice, player.explain().unwrap().notes)
}

/// "At the beginning of the game, HS will behave identically to AOSP" (section 2).
#[test]
fn hybrid_sampling_is_the_pool_while_the_pool_is_the_whole_belief() {
    for nodes in [None, Some(5_000)] {
        let [hybrid, pool] =
            ["hs", "aosp"].map(|spec| notes(spec, Color::Black, start::STANDARD, &["e2e4"], nodes));
        assert_eq!(hybrid, pool);
        assert!(hybrid.1.iter().any(|note| note.contains("and 0 boards of the last observation")));
    }
}

#[test]
fn the_papers_preset_values_its_boards_whatever_the_nodes() {
    let line = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "d2d3", "f8c5"];
    for spec in ["los:preset=paper", "hs:preset=paper", "aosp:preset=paper"] {
        let (_, notes) = notes(spec, Color::White, start::STANDARD, &line, Some(100));
        let boards: usize = notes
            .iter()
            .flat_map(|note| note.split(' '))
            .filter_map(|word| word.parse::<usize>().ok())
            .max()
            .unwrap();
        assert!(boards >= 350, "{spec}: {notes:?}");
    }
}

/// "If there are fewer than k last-observation consistent states, then let S contain all of them" (section 2).
#[test]
fn last_observation_sampling_takes_all_boards_where_they_are_few() {
    let fen = "7k/8/8/8/8/8/8/K2Q4 w - - 0 1";
    let start: Chess = start::position(fen).unwrap();
    let own = start.us();
    let possible = (!own).into_iter().filter(|&king| {
        let board = start.board();
        let occupied = own | nebel_kriegspiel::Bitboard::from_square(king);
        !shakmaty::attacks::queen_attacks(nebel_kriegspiel::Square::D1, occupied).contains(king)
            && !shakmaty::attacks::king_attacks(board.king_of(Color::White).unwrap()).contains(king)
    });
    let by_hand = possible.count();
    let last = LastObservation::new(&start, Color::White);
    let view = ViewState::new(Rules::icc(), &start, Color::White);
    let all = last.all(&view, 100).unwrap();
    assert_eq!(all.len(), by_hand);
    assert_eq!(all.iter().collect::<std::collections::BTreeSet<_>>().len(), by_hand);
    assert!(last.all(&view, by_hand - 1).is_none(), "more than are asked for are drawn");
    let (_, notes) = notes("los", Color::White, fen, &[], None);
    assert!(notes.iter().any(|note| note.contains(&format!("and {by_hand} boards"))), "{notes:?}");
}

/// Depth-first with backing up (section 4.2): what is found agrees with everything, and nothing that agrees is out of reach.
#[test]
fn a_search_for_histories_finds_consistent_ones_and_all_of_them_in_time() {
    let rules = Rules::icc();
    for seed in 0..4 {
        let side = if seed % 2 == 0 { Color::White } else { Color::Black };
        let mut pool =
            Particles::new(rules.clone(), &Chess::new(), side, ParticleLimits::plain(200_000, 200_000));
        let mut heard_events = Vec::new();
        let mut compared = 0;
        random_game(&rules, 40 + seed, |_, event, random| {
            let Some(heard) = event.heard_by(side, &rules) else { return };
            if event.over().is_some() || pool.keys().len() > 300 {
                return;
            }
            pool.hear(&heard, random).unwrap();
            heard_events.push((*heard).clone());
            let history = History::new(rules.clone(), &Chess::new(), side, &heard_events).unwrap();
            let mut search = HistorySampler::new(&history, seed, 1);
            let mut found = std::collections::BTreeSet::<Key>::new();
            for _ in 0..20 * pool.keys().len().min(20) {
                let key = search.search(|| true).unwrap();
                assert!(pool.keys().binary_search(&key).is_ok());
                found.insert(key);
            }
            if pool.keys().len() <= 20 {
                assert_eq!(found.len(), pool.keys().len());
                compared += 1;
            }
            assert!(search.search(|| false).is_none() || history.steps().is_empty());
        });
        assert!(compared > 0);
    }
}
