//! The figures and theorems of Russell & Wolfe (2005) that can be run.

use std::collections::BTreeMap;

use nebel_search::domains::mini_chess::{Board, MiniChess, announce};
use nebel_search::domains::tree::{Measures, Tree, Witness};
use nebel_search::{Algorithm, Domain, Limits, Outcome, Step, Verdict, exhaustive, solve, verify};
use proptest::prelude::{ProptestConfig, any, prop, prop_assert, prop_assert_eq, proptest};

const WON: Outcome<u32> = Outcome::Won(9);
const C: u64 = 1;
const D: u64 = 2;

/// The states that an algorithm expands, in its order.
fn expanded<T: Domain>(
    domain: &T,
    belief: &[T::State],
    plies: u32,
    algorithm: Algorithm,
) -> (Verdict, Vec<u128>) {
    let witness = Witness::new(domain);
    let report = solve(&witness, belief.iter().cloned(), plies, algorithm, &Limits::default())
        .expect("a belief that is not empty");
    // Completing the strategy asks the domain again, but of no state for the first time.
    (report.verdict, witness.expanded())
}

/// A tree as Figure 5 describes it: two states at the root, moves a and b (0 and 1), percepts c and d, then the move e
/// (0). Below a, e fails in the second outcome of nature; below b lies a proof with two percepts. The figure itself is
/// an image that its text does not spell out; this is the smallest tree in which DUB and DBU part at the seventh state.
#[test]
fn figure_5_expansion_orders_of_udb_dub_and_dbu() {
    let mut tree = Tree::default();
    let mut names: Vec<&str> = Vec::new();
    let mut roots = Vec::new();
    for (root, a, a_states, b, b_c, b_d) in
        [("1", "1a", ["1a'", "1a''"], "1b", "1bc", "1bd"), ("2", "2a", ["2a'", "2a''"], "2b", "2bc", "2bd")]
    {
        let wins = tree.add_turn(vec![WON]);
        let fails = tree.add_turn(vec![Outcome::Failed]);
        let after_a = tree.add_replies(&[(C, wins), (C, fails)]);
        let at_c = tree.add_turn(vec![WON]);
        let at_d = tree.add_turn(vec![WON]);
        let after_b = tree.add_replies(&[(C, at_c), (D, at_d)]);
        let moved = |state| Outcome::Moved { percept: 0, state };
        roots.push(tree.add_turn(vec![moved(after_a), moved(after_b)]));
        names.extend([a_states[0], a_states[1], a, b_c, b_d, b, root]);
    }
    let order = |algorithm| {
        let (verdict, keys) = expanded(&tree, &roots, 3, algorithm);
        assert_eq!(verdict, Verdict::Guaranteed);
        keys.iter().map(|&key| names[key as usize]).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(order(Algorithm::LeDfs), "1 2 1a 2a 1a' 1a'' 1b 2b 1bc 2bc 1bd 2bd");
    assert_eq!(order(Algorithm::LDub), "1 1a 1a' 1a'' 1b 1bc 2 2b 2bc 1bd 2bd");
    assert_eq!(order(Algorithm::LDbu), "1 1a 1a' 1a'' 1b 1bc 1bd 2 2b 2bc 2bd");
    assert_eq!(order(Algorithm::GlDbu), order(Algorithm::LDbu));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn theorem_3_dub_expands_a_subset_of_udb(
        states in 1u32..6,
        plies in prop::sample::select(vec![1u32, 3, 5]),
        attempts in 1u64..4,
        replies in 1u64..4,
        percepts in 1u64..4,
        won in 8u64..60,
        seed in any::<u64>(),
    ) {
        let (tree, belief) = Tree::random(Measures { states, plies, attempts, replies, percepts, won }, seed);
        let (udb_verdict, udb) = expanded(&tree, &belief, plies, Algorithm::LeDfs);
        let (dub_verdict, dub) = expanded(&tree, &belief, plies, Algorithm::LDub);
        prop_assert_eq!(udb_verdict, dub_verdict);
        for key in dub {
            prop_assert!(udb.contains(&key), "DUB alone expands {}", key);
        }
    }
}

/// The strategy that Figure 1 describes, on positions constructed to fit its text: the figure prints them as a picture.
#[test]
fn figure_1_a_mate_in_three_plies_on_four_by_four() {
    let attempt = |text: &str| Board::attempt(text).unwrap();
    let belief = ["..../r.../QBBk/.K.n", ".k../q.../QBB./bK..", ".k../..r./QBB./nK.."]
        .map(|text| Board::parse(text).unwrap());
    let report = |algorithm| solve(&MiniChess, belief, 3, algorithm, &Limits::default()).unwrap();
    for algorithm in Algorithm::ALL {
        let report = report(algorithm);
        assert_eq!(report.verdict, Verdict::Guaranteed, "{algorithm}");
        verify(&MiniChess, &belief, &report.strategy.unwrap(), 3).unwrap();
        // No strategy is shorter.
        let shorter = solve(&MiniChess, belief, 2, algorithm, &Limits::default()).unwrap();
        assert_eq!(shorter.verdict, Verdict::Refuted, "{algorithm}");
    }

    // 1. Qa4 mates in the third position and is illegal in the others.
    let first = attempt("a2a4");
    assert_eq!(exhaustive::winning_attempts(&MiniChess, &belief, 3), [first]);
    let strategy = report(Algorithm::LDbu).strategy.unwrap();
    assert_eq!(strategy.attempt, first);
    let mated = |step: &BTreeMap<u64, Step>| {
        step.iter().all(|(&percept, step)| *step == Step::Won && announce(percept).ends_with("Checkmate."))
    };
    assert!(mated(&strategy.heard));

    // 2. Otherwise Qa3, which captures there.
    let second = strategy.refused.unwrap();
    assert_eq!((second.attempt, &second.refused), (attempt("a2a3"), &None));
    let next = |said: &str| {
        let (_, step) = second.heard.iter().find(|&(&percept, _)| announce(percept) == said).unwrap();
        let Step::Replied(next) = step else { panic!("no reply after {said}") };
        assert!(next.values().all(|strategy| mated(&strategy.heard) && strategy.refused.is_none()));
        next.keys().map(|&percept| announce(percept)).collect::<Vec<_>>()
    };
    let mates_with = |board: &str, text: &str| {
        let board = Board::parse(board).unwrap();
        assert!(matches!(MiniChess.outcome(&board, attempt(text)), Outcome::Won(_)), "{text}");
    };
    assert_eq!(second.heard.len(), 2);
    // (a) Black has two moves, Nb2 and Nc3; White mates with Qb4 and with Qc3 (Bc3 would do as well).
    assert_eq!(next("Capture on a3."), ["Knight Check.", "Capture on b2."]);
    mates_with("..../Q.../.nBk/.K..", "a3b4");
    mates_with("..../Q.n./.BBk/.K..", "a3c3");
    // (b) Black has only Kc4; White mates with Qb3.
    assert_eq!(next("Capture on a3. Short Check."), [""]);
    mates_with("..k./Q.../.BB./bK..", "a3b3");
}
