//! The tree-searching players: under all rules, with both colours, on time, and the same again with the same seed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{collections::BTreeMap, time::Instant};

use nebel_kriegspiel::{Answer, Chess, Color, Event, Rules, Umpire, start};
use nebel_players::{Budget, Choice, Game, by_spec};
use rand::{SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Plays a game of a spec against random attempts. Returns what it tried, and how it ended.
fn against_random(
    spec: &str,
    side: Color,
    rules: &Rules,
    fen: &str,
    budget: impl Fn() -> Budget,
    plies: u32,
) -> (Vec<String>, Umpire) {
    let mut player = by_spec(spec).unwrap();
    let position: Chess = start::position(fen).unwrap();
    let mut umpire = Umpire::at(rules.clone(), position.clone());
    player.start(Game { side, rules: rules.clone(), start: position, seed: 5 }).unwrap();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
    let mut tried = Vec::new();
    let mut made = 0;
    while umpire.over().is_none() && made < plies {
        let event = if umpire.to_move() == side {
            let choice = player.choose(&budget()).unwrap();
            tried.push(format!("{choice:?}"));
            match choice {
                Choice::Try(attempt) => umpire.attempt(attempt).unwrap(),
                Choice::Ask => umpire.ask().unwrap(),
                Choice::Resign => panic!("{spec} resigns"),
            }
        } else {
            umpire.attempt(*umpire.sensible_attempts().choose(&mut random).unwrap()).unwrap()
        };
        let is_nonsense = matches!(event, Event::Attempt { answer: Answer::Nonsense, .. });
        assert!(!is_nonsense, "{spec} tries nonsense under {}", rules.name);
        made += u32::from(event.announcement().is_some());
        if let Some(heard) = event.heard_by(side, rules) {
            player.hear(&heard).unwrap();
        }
    }
    (tried, umpire)
}

fn nodes(nodes: u64) -> impl Fn() -> Budget {
    move || Budget { nodes: Some(nodes), ..Budget::unlimited() }
}

#[test]
fn every_approach_plays_under_all_rules_with_both_colours() {
    for rules in Rules::KNOWN.map(|rules| rules()) {
        for side in Color::ALL {
            for (spec, budget) in [
                ("a", 20),
                ("b:k=3", 60),
                ("c", 300),
                ("bc", 60),
                ("c:plans=on,backup=blend", 300),
                ("a:preset=paper", 20),
                ("b:preset=paper,k=3", 60),
                ("c:preset=paper", 300),
                ("c:tree=messages", 300),
            ] {
                against_random(spec, side, &rules, start::STANDARD, nodes(budget), 70);
            }
        }
    }
}

#[test]
fn the_same_seed_and_nodes_give_the_same_game() {
    for spec in [
        "a",
        "a:threads=2",
        "b:k=1",
        "c",
        "bc:k=4",
        "c:threads=2",
        "b:threads=2",
        "c:preset=paper,threads=2",
        "b:preset=paper,k=7",
    ] {
        let game = || against_random(spec, Color::White, &Rules::icc(), start::STANDARD, nodes(100), 30).0;
        assert_eq!(game(), game(), "{spec}");
    }
}

/// Tests are never timed; but where no time is left, no iteration must be begun.
#[test]
fn a_choice_without_time_is_made_without_search() {
    for spec in ["a", "b:k=10", "c", "bc", "c:threads=2"] {
        let mut player = by_spec(spec).unwrap();
        player.start(Game { side: Color::White, rules: Rules::icc(), start: Chess::new(), seed: 1 }).unwrap();
        let now = Instant::now();
        let budget = Budget { aim: Some(now), limit: Some(now), ..Budget::unlimited() };
        assert!(matches!(player.choose(&budget), Ok(Choice::Try(_))));
        let explanation = player.explain().unwrap();
        assert!(explanation.attempts.len() >= 20, "{spec}");
        assert!(explanation.attempts.iter().all(|weighed| weighed.visits == 0), "{spec}");
    }
}

/// Threads share the root's attempts; what these are worth before any search must not depend on who has which.
#[test]
fn attempts_are_valued_alike_by_any_number_of_threads() {
    let values = |spec: &str| {
        let mut player = by_spec(spec).unwrap();
        let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
        let start: Chess = start::position(fen).unwrap();
        player.start(Game { side: Color::White, rules: Rules::icc(), start, seed: 1 }).unwrap();
        player.choose(&Budget { aim: Some(Instant::now()), ..Budget::unlimited() }).unwrap();
        let weighed = player.explain().unwrap().attempts.into_iter();
        weighed.map(|weighed| (weighed.attempt.to_string(), weighed.value)).collect::<BTreeMap<_, _>>()
    };
    assert!(values("c").len() > 20);
    assert_eq!(values("c"), values("c:threads=2"));
    assert_eq!(values("c"), values("c:threads=3"));
}

#[test]
fn a_rook_mates_a_bare_king_for_either_colour() {
    let fens =
        [("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", Color::White), ("4K3/8/8/8/8/8/8/r3k3 b - - 0 1", Color::Black)];
    for (fen, side) in fens {
        for spec in ["c", "b:k=1"] {
            let (_, umpire) = against_random(spec, side, &Rules::icc(), fen, nodes(200), 200);
            let over = umpire.over().unwrap();
            assert_eq!(
                (over.result.winner(), over.reason.as_str()),
                (Some(side), "checkmate"),
                "{spec} {fen}"
            );
        }
    }
}

#[test]
fn a_player_explains_what_it_believes_and_weighs() {
    for spec in ["a", "b", "c", "bc", "hs"] {
        let mut player = by_spec(spec).unwrap();
        player.start(Game { side: Color::Black, rules: Rules::icc(), start: Chess::new(), seed: 1 }).unwrap();
        let mut umpire = Umpire::new(Rules::icc());
        let event = umpire.hear("e2e4").unwrap();
        player.hear(&event.heard_by(Color::Black, umpire.rules()).unwrap()).unwrap();
        let Choice::Try(chosen) = player.choose(&Budget { nodes: Some(500), ..Budget::unlimited() }).unwrap()
        else {
            panic!("{spec}")
        };
        let explanation = player.explain().unwrap();
        assert!(explanation.attempts.iter().any(|weighed| weighed.attempt == chosen), "{spec}");
        let belief = explanation.belief.unwrap();
        let total: f64 =
            nebel_kriegspiel::Bitboard::FULL.into_iter().map(|square| belief.occupied(square)).sum();
        assert!((total - 16.0).abs() < 0.1, "{spec}: {total} men");
    }
}

#[test]
fn wrong_options_are_named() {
    for (spec, named) in [
        ("b:k=0", "k=0"),
        ("c:worth=gold", "worth=gold"),
        ("c:k=10", "k=10"),
        ("b:choice=visits", "choice=visits"),
        ("b:threads=0", "threads=0"),
        ("c:model=/nowhere", "/nowhere"),
        ("a:c=-1", "c=-1"),
        ("c:tables=maybe", "tables=maybe"),
        ("bc:depth=3", "depth=3"),
    ] {
        let error = by_spec(spec).err().unwrap().to_string();
        assert!(error.contains(named), "{error}");
    }
}

/// Few men left: minimax takes over; a bare king: the tables do. Whoever chooses, the choice is listed with all that is
/// said of the others.
#[test]
fn a_choice_is_explained_in_full_after_a_hand_over() {
    for (fen, plays_by) in [
        ("4k3/p7/8/8/8/8/PPP5/R3K3 w - - 0 1", "looked at"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "by the tables"),
        ("4k3/8/8/8/8/8/8/RN2K2R w - - 0 1", "the king may stand on"),
    ] {
        for spec in ["a", "b", "c", "bc", "minimax", "minimax:tables=off"] {
            let (rules, position) = (Rules::icc(), start::position(fen).unwrap());
            let mut player = by_spec(spec).unwrap();
            let game = Game { side: Color::White, rules, start: position, seed: 1 };
            player.start(game).unwrap();
            let choice = player.choose(&nodes(200)()).unwrap();
            let Choice::Try(chosen) = choice else { panic!("{spec} {choice:?}") };
            let explanation = player.explain().unwrap();
            let weighed = explanation.attempts.iter().find(|weighed| weighed.attempt == chosen);
            let weighed = weighed.unwrap_or_else(|| panic!("{spec} hides {chosen} from {fen}"));
            assert!(weighed.visits > 0, "{spec} {fen}");
            for weighed in &explanation.attempts {
                let said: Vec<&str> = weighed.messages.iter().map(|(text, _)| &**text).collect();
                assert!(said.starts_with(&["illegal", "capture", "check"]), "{spec} {said:?}");
                assert!(
                    weighed.messages.iter().all(|(_, share)| (-1e-4..=1.001).contains(share)),
                    "{weighed:?}"
                );
            }
            if !spec.contains("off") {
                assert!(
                    explanation.notes.iter().any(|note| note.contains(plays_by)),
                    "{spec} {explanation:?}"
                );
            }
        }
    }
}

/// A man has just captured on d5, so that the rook cannot pass; no pawn capture was announced; a refused step is an end for
/// what goes further.
#[test]
fn what_is_certainly_illegal_is_not_searched() {
    let fen = "3qk3/ppp5/8/3P4/8/8/5PP1/3RK3 b - - 0 1";
    for spec in ["a", "b", "c", "bc", "minimax"] {
        let mut umpire = Umpire::at(Rules::icc(), start::position(fen).unwrap());
        let mut player = by_spec(spec).unwrap();
        let start = umpire.position().clone();
        player.start(Game { side: Color::White, rules: Rules::icc(), start, seed: 1 }).unwrap();
        let mut listed = |umpire: &mut Umpire, line: &str| -> Vec<String> {
            let event = umpire.hear(line).unwrap();
            player.hear(&event.heard_by(Color::White, umpire.rules()).unwrap()).unwrap();
            player.choose(&nodes(300)()).unwrap();
            let explanation = player.explain().unwrap();
            explanation.attempts.iter().map(|weighed| weighed.attempt.to_string()).collect()
        };
        let attempts = listed(&mut umpire, "d8d5");
        assert!(attempts.contains(&"d1d5".to_owned()) && attempts.contains(&"f2f4".to_owned()), "{spec}");
        for illegal in ["d1d6", "d1d7", "d1d8", "f2g3", "g2h3"] {
            assert!(!attempts.contains(&illegal.to_owned()), "{spec} looks at {illegal}: {attempts:?}");
        }
    }
    let fen = "4k3/pppp4/8/8/8/4n3/4P3/4K3 w - - 0 1";
    for spec in ["c", "minimax"] {
        // The start is seen: nothing need be tried to know that the pawn is blocked.
        let mut player = by_spec(spec).unwrap();
        let start = start::position(fen).unwrap();
        player.start(Game { side: Color::White, rules: Rules::icc(), start, seed: 1 }).unwrap();
        player.choose(&nodes(300)()).unwrap();
        let explanation = player.explain().unwrap();
        assert!(explanation.attempts.iter().all(|w| w.attempt.from.to_string() != "e2"), "{spec}");
    }
}
