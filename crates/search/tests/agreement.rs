//! All algorithms agree with the definition on random tables, and every proof holds when replayed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ops::ControlFlow;

use nebel_search::domains::table::{Cell, Shape, TableDomain};
use nebel_search::{
    Algorithm, AttemptId, Domain, Limits, Meter, Outcome, Reply, Step, Verdict, exhaustive, largest_part,
    part_of, solve, verify,
};
use proptest::prelude::*;

fn shapes() -> impl Strategy<Value = Shape> {
    (4u16..40, 2u16..6, 1u64..4, 1u16..4, 0u64..30, 2u64..24, 0u64..6).prop_map(
        |(rows, attempts, percepts, replies, refused, won, failed)| Shape {
            rows,
            attempts,
            percepts,
            replies,
            refused,
            won,
            failed,
        },
    )
}

prop_compose! {
    fn problems()(shape in shapes(), seed: u64, rows in prop::collection::vec(0u16..40, 1..6)) -> (TableDomain, Vec<Cell>) {
        let table = TableDomain::random(shape, seed);
        let belief = rows.into_iter().map(|row| table.cell(row)).collect();
        (table, belief)
    }
}

/// A table in which some small sets are known to be won.
struct Settling(TableDomain);

impl Domain for Settling {
    type State = Cell;

    const SETTLES: bool = true;

    fn settled(&self, states: &[Cell]) -> bool {
        let mut rows: Vec<u16> = states.iter().map(|cell| cell.row).collect();
        rows.sort_unstable();
        rows.dedup();
        rows.len() <= 2 && rows.iter().all(|row| row % 4 != 3)
    }

    fn key(&self, state: &Cell) -> u128 {
        self.0.key(state)
    }

    fn attempts(&self, state: &Cell, attempts: &mut Vec<AttemptId>) {
        self.0.attempts(state, attempts);
    }

    fn outcome(&self, state: &Cell, attempt: AttemptId) -> Outcome<Cell> {
        self.0.outcome(state, attempt)
    }

    fn replies(&self, state: &Cell, visit: impl FnMut(Reply<Cell>) -> ControlFlow<()>) {
        self.0.replies(state, visit);
    }
}

fn all_agree<D: Domain<State = Cell>>(domain: &D, belief: &[Cell], plies: u32) -> Result<(), TestCaseError> {
    let truth = exhaustive::is_guaranteed(domain, belief, plies);
    let two_threads = Limits { threads: 2, ..Limits::default() };
    let runs = Algorithm::ALL.into_iter().chain(Algorithm::NAMED);
    let runs = runs.map(|algorithm| (algorithm, Limits::default()));
    let ablations = Algorithm::ABLATIONS.map(|algorithm| (algorithm, Limits::default()));
    let two_threads = [(Algorithm::Auto, two_threads)];
    for (algorithm, limits) in runs.chain(ablations).chain(two_threads) {
        let report = solve(domain, belief.iter().copied(), plies, algorithm, &limits).unwrap();
        let expected = if truth { Verdict::Guaranteed } else { Verdict::Refuted };
        prop_assert_eq!(report.verdict, expected, "{} on {:?}", algorithm, belief);
        prop_assert_eq!(report.strategy.is_some(), truth, "{}", algorithm);
        if let Some(strategy) = report.strategy {
            prop_assert!(strategy.plies() <= plies, "{}", algorithm);
            let verified = verify(domain, belief, &strategy, plies);
            prop_assert!(verified.is_ok(), "{}: {}", algorithm, verified.unwrap_err());
            let winning = exhaustive::winning_attempts(domain, belief, plies);
            prop_assert!(winning.contains(&strategy.attempt), "{}", algorithm);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn every_algorithm_agrees_with_the_definition((table, belief) in problems(), plies in 1u32..8) {
        all_agree(&table, &belief, plies)?;
    }

    #[test]
    fn every_algorithm_agrees_where_sets_are_settled((table, belief) in problems(), plies in 1u32..6) {
        all_agree(&Settling(table), &belief, plies)?;
    }

    #[test]
    fn the_largest_part_is_found_whatever_the_order(
        (table, belief) in problems(),
        plies in 1u32..8,
        least in 1usize..6,
    ) {
        let part = |some: u32| -> Vec<Cell> {
            belief.iter().enumerate().filter(|(at, _)| some >> at & 1 == 1).map(|(_, &cell)| cell).collect()
        };
        let won = (1..1u32 << belief.len()).filter(|&some| exhaustive::is_guaranteed(&table, &part(some), plies));
        let largest = won.map(u32::count_ones).max().unwrap_or(0) as usize;
        let part = part_of(&table, &belief, plies, least, &Limits::default()).unwrap();
        prop_assert_eq!(part.is_some(), largest >= least);
        if let Some((wins, strategy)) = part {
            let won: Vec<Cell> = wins.iter().map(|&place| belief[place]).collect();
            prop_assert!(won.len() >= least && verify(&table, &won, &strategy, plies).is_ok());
        }
        let weights = vec![1.0; belief.len()];
        let share = largest_part(&table, &belief, &weights, plies, &mut Meter::new(&Limits::default()));
        prop_assert_eq!((share.wins.len(), share.exact, share.stopped), (largest, true, None));
        prop_assert_eq!(share.strategy.is_some(), largest > 0);
        if let Some(strategy) = share.strategy {
            let won: Vec<Cell> = share.wins.iter().map(|&place| belief[place]).collect();
            prop_assert!(verify(&table, &won, &strategy, plies).is_ok());
        }
    }

    #[test]
    fn a_subset_of_a_proved_belief_is_never_refuted(
        (table, belief) in problems(),
        plies in 1u32..8,
        keep in prop::collection::vec(any::<bool>(), 6),
    ) {
        let mut part: Vec<Cell> =
            belief.iter().zip(&keep).filter(|&(_, &keep)| keep).map(|(&cell, _)| cell).collect();
        part.push(belief[0]);
        for algorithm in [Algorithm::GlDbu, Algorithm::Ipns, Algorithm::Auto] {
            let verdict = |belief: &[Cell]| {
                solve(&table, belief.iter().copied(), plies, algorithm, &Limits::default()).unwrap().verdict
            };
            prop_assert!(verdict(&belief) != Verdict::Guaranteed || verdict(&part) == Verdict::Guaranteed);
        }
    }

    #[test]
    fn a_strategy_opens_with_a_question_only_where_some_states_need_it(
        (table, belief) in problems(),
        plies in prop::sample::select(vec![1u32, 3, 5]),
    ) {
        for algorithm in [Algorithm::LDub, Algorithm::LDbu, Algorithm::GlDbu, Algorithm::Auto] {
            let report = solve(&table, belief.iter().copied(), plies, algorithm, &Limits::default()).unwrap();
            let Some(strategy) = report.strategy.filter(|strategy| table.is_question(strategy.attempt)) else {
                continue;
            };
            // The depth at which it was found: a reply that wins for the solver ends a strategy on an even ply.
            let depth = if algorithm == Algorithm::Auto { strategy.plies() | 1 } else { plies };
            let needed = (1..1u32 << belief.len()).any(|some| {
                let part = belief.iter().enumerate().filter(|(index, _)| some >> index & 1 == 1);
                let part: Vec<Cell> = part.map(|(_, &cell)| cell).collect();
                exhaustive::winning_attempts(&table, &part, depth) == [strategy.attempt]
            });
            prop_assert!(needed, "{algorithm} asks needlessly");
        }
    }
}

#[test]
fn the_random_problems_are_a_fair_mix() {
    let (mut proved, mut long, mut with_refusal, mut with_question) = (0, 0, 0, 0);
    let total = 2000u64;
    for seed in 0..total {
        let shape = Shape {
            rows: 8 + (seed % 24) as u16,
            attempts: 3 + (seed % 3) as u16,
            percepts: 1 + seed % 3,
            replies: 2,
            refused: 8 + seed % 20,
            won: 6 + seed % 12,
            failed: seed % 4,
        };
        let table = TableDomain::random(shape, seed);
        let belief: Vec<Cell> = (0..=(seed % 5) as u16).map(|row| table.cell(row)).collect();
        let report = solve(&table, belief, 7, Algorithm::GlDbu, &Limits::default()).unwrap();
        if let Some(strategy) = report.strategy {
            proved += 1;
            long += u32::from(strategy.plies() >= 3);
            with_refusal += u32::from(strategy.refused.is_some());
            with_question += u32::from(strategy.heard.values().any(|step| matches!(step, Step::Answered(_))));
        }
    }
    assert!(proved > total / 4 && proved < total * 3 / 4, "{proved} of {total} proved");
    // Strategies open with a question only where some states need it.
    assert!(long > 200 && with_refusal > 100 && with_question > 5, "{long} {with_refusal} {with_question}");
}
