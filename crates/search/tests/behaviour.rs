//! What holds of the solvers whatever the domain: limits, streaming, memory, and a verifier that finds flaws.

use std::cell::Cell;
use std::time::Duration;

use nebel_search::domains::table::{Shape, TableDomain};
use nebel_search::domains::vacuum::{Vacuum, World};
use nebel_search::{
    Algorithm, Cancel, Limits, Meter, SolveError, Source, Step, Stop, Strategy, Verdict, exhaustive, solve,
    solve_from, verify,
};

const HARD: Shape =
    Shape { rows: 60_000, attempts: 12, percepts: 3, replies: 8, refused: 16, won: 2, failed: 0 };

fn hard() -> (TableDomain, Vec<nebel_search::domains::table::Cell>) {
    let table = TableDomain::random(HARD, 11);
    let belief = (0..12).map(|row| table.cell(row * 7)).collect();
    (table, belief)
}

#[test]
fn the_vacuum_world_is_cleaned_as_soon_as_it_can_be() {
    let vacuum = Vacuum::new(2);
    let belief: Vec<World> = vacuum.all_worlds().collect();
    let least = (1..20).step_by(2).find(|&plies| exhaustive::is_guaranteed(&vacuum, &belief, plies)).unwrap();
    assert!(least > 1);
    for algorithm in Algorithm::ALL {
        let run =
            |plies| solve(&vacuum, belief.iter().copied(), plies, algorithm, &Limits::default()).unwrap();
        assert_eq!(run(least - 1).verdict, Verdict::Refuted, "{algorithm}");
        let report = run(least);
        assert_eq!((report.verdict, report.states), (Verdict::Guaranteed, belief.len()), "{algorithm}");
        let strategy = report.strategy.unwrap();
        assert_eq!(strategy.plies(), least, "{algorithm}");
        verify(&vacuum, &belief, &strategy, least).unwrap();
        // Deeper searches prove it too, and the default finds the shortest way.
        let deeper = run(least + 2).strategy.unwrap();
        assert!(algorithm != Algorithm::Auto || deeper.plies() == least);
    }
}

#[test]
fn every_limit_stops_every_solver() {
    let (table, belief) = hard();
    let cancelled = Cancel::default();
    cancelled.cancel();
    let stops = [
        (Limits { nodes: Some(3000), ..Limits::default() }, Stop::Nodes),
        (Limits { time: Some(Duration::ZERO), ..Limits::default() }, Stop::Time),
        (Limits { cancel: cancelled, ..Limits::default() }, Stop::Cancelled),
    ];
    for algorithm in Algorithm::ALL {
        for threads in [1, 2] {
            for (limits, stop) in &stops {
                let limits = Limits { threads, ..limits.clone() };
                let report = solve(&table, belief.iter().copied(), 41, algorithm, &limits).unwrap();
                assert_eq!(report.verdict, Verdict::Unknown(*stop), "{algorithm}");
                assert!(report.strategy.is_none());
            }
        }
    }
}

#[test]
fn best_first_solvers_keep_their_memory_limit_and_depth_first_ones_need_none() {
    let (table, belief) = hard();
    let nodes = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
    for algorithm in [Algorithm::Pns, Algorithm::EPns, Algorithm::Ipns] {
        let limits = Limits { memory: Some(1 << 20), ..Limits::default() };
        let report = solve(&table, belief.iter().copied(), 41, algorithm, &limits).unwrap();
        assert_eq!(report.verdict, Verdict::Unknown(Stop::Memory), "{algorithm}");
        assert!(report.counters.peak_memory < 3 << 20, "{algorithm}: {:?}", report.counters);
    }
    for algorithm in [
        Algorithm::Dfs,
        Algorithm::LDfs,
        Algorithm::GlDfs,
        Algorithm::GxDfs,
        Algorithm::LeDfs,
        Algorithm::LDub,
    ] {
        let peak = |limits| {
            solve(&table, belief.iter().copied(), 9, algorithm, &limits).unwrap().counters.peak_memory
        };
        let (short, long) = (peak(nodes(50_000)), peak(nodes(2_000_000)));
        assert!(long <= 2 * short + (1 << 16), "{algorithm}: {short} bytes, forty times longer {long}");
    }
}

#[test]
fn the_same_node_limit_gives_the_same_search() {
    let (table, belief) = hard();
    for algorithm in Algorithm::ALL {
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let run = || solve(&table, belief.iter().copied(), 9, algorithm, &limits).unwrap();
        assert_eq!(run().counters, run().counters, "{algorithm}");
    }
}

#[test]
fn incremental_solvers_stop_the_stream_at_the_first_refutation() {
    let vacuum = Vacuum::new(3);
    for algorithm in [Algorithm::LDub, Algorithm::LDbu, Algorithm::GlDbu, Algorithm::Auto] {
        let asked = Cell::new(0);
        // The third world is too dirty to be cleaned in time.
        let worlds = [vacuum.world(0, 0b001), vacuum.world(0, 0b001), vacuum.world(0, 0b111)];
        let endless = worlds.into_iter().chain(std::iter::repeat_with(|| vacuum.world(2, 0b100)));
        let belief = endless.inspect(|_| asked.set(asked.get() + 1));
        let report = solve(&vacuum, belief, 3, algorithm, &Limits::default()).unwrap();
        assert_eq!(report.verdict, Verdict::Refuted, "{algorithm}");
        assert!(asked.get() <= 4 && report.states == 2, "{algorithm} asked for {}", asked.get());
    }
}

/// States that are far apart, as an estimation may find them.
struct Far<I> {
    states: I,
    apart: u64,
}

impl<I: Iterator> Source for Far<I> {
    type State = I::Item;

    fn find_next(&mut self, meter: &mut Meter) -> Result<Option<I::Item>, Stop> {
        (0..self.apart).try_for_each(|_| meter.estimate())?;
        Ok(self.states.next())
    }
}

#[test]
fn limits_hold_while_the_belief_is_computed() {
    let (table, belief) = hard();
    for algorithm in Algorithm::ALL {
        for (limits, stop) in [
            (
                Limits { nodes: Some(1 << 40), time: Some(Duration::from_millis(20)), ..Limits::default() },
                Stop::Time,
            ),
            (Limits { nodes: Some(3000), ..Limits::default() }, Stop::Nodes),
        ] {
            let mut source = Far { states: belief.iter().copied(), apart: u64::MAX };
            let mut meter = Meter::new(&limits);
            let report = solve_from(&table, &mut source, 41, algorithm, &mut meter).unwrap();
            assert_eq!(report.verdict, Verdict::Unknown(stop), "{algorithm}");
            assert_eq!((report.states, report.whole), (0, false), "{algorithm}");
            assert_eq!(
                (report.estimated, report.counters.constructed),
                (meter.estimated(), 0),
                "{algorithm}"
            );
        }
        // What the belief takes is not left for the search.
        let mut source = Far { states: belief.iter().copied(), apart: 100 };
        let limits = Limits { nodes: Some(3000), ..Limits::default() };
        let report = solve_from(&table, &mut source, 41, algorithm, &mut Meter::new(&limits)).unwrap();
        assert_eq!(report.verdict, Verdict::Unknown(Stop::Nodes), "{algorithm}");
        assert_eq!(report.estimated + report.counters.constructed, 3000, "{algorithm}");
        assert!(report.states == belief.len() || !report.whole, "{algorithm}");
    }
}

#[test]
fn ipns_stops_at_a_limit_of_its_own() {
    let (table, belief) = hard();
    let mut meter = Meter::new(&Limits::default());
    // All but a little of the memory that it may hold is taken.
    meter.hold((1 << 30) - (1 << 20));
    let mut source = Far { states: belief.iter().copied(), apart: 0 };
    let report = solve_from(&table, &mut source, 41, Algorithm::Ipns, &mut meter).unwrap();
    assert_eq!(report.verdict, Verdict::Unknown(Stop::Memory));
    assert_eq!((report.states, report.whole), (belief.len(), true));
}

#[test]
fn nothing_to_prove_and_too_much_are_errors() {
    let vacuum = Vacuum::new(2);
    let world = vacuum.world(0, 1);
    let run = |belief: Vec<World>, plies| solve(&vacuum, belief, plies, Algorithm::Auto, &Limits::default());
    assert_eq!(run(vec![], 3).unwrap_err(), SolveError::EmptyBelief);
    assert_eq!(run(vec![world], 1000).unwrap_err(), SolveError::TooManyPlies(1000));
    assert_eq!(run(vec![world], 0).unwrap().verdict, Verdict::Refuted);
}

#[test]
fn the_verifier_finds_what_is_missing_wrong_or_late() {
    let vacuum = Vacuum::new(2);
    let belief: Vec<World> = vacuum.all_worlds().collect();
    let report = solve(&vacuum, belief.iter().copied(), 9, Algorithm::Auto, &Limits::default()).unwrap();
    let strategy = report.strategy.unwrap();
    let plies = strategy.plies();
    verify(&vacuum, &belief, &strategy, plies).unwrap();
    assert!(verify(&vacuum, &belief, &strategy, plies - 2).is_err(), "too late");
    let mut checked = 0;
    for flawed in damaged(&strategy) {
        assert!(verify(&vacuum, &belief, &flawed, plies).is_err(), "{flawed:?}");
        checked += 1;
    }
    assert!(checked >= 3);
}

/// The strategy with one branch left out, once for each branch of its first two turns.
fn damaged(strategy: &Strategy) -> Vec<Strategy> {
    let mut all = Vec::new();
    for &percept in strategy.heard.keys() {
        let mut flawed = strategy.clone();
        flawed.heard.remove(&percept);
        all.push(flawed);
        if let Some(Step::Replied(next)) = strategy.heard.get(&percept) {
            for (&reply, below) in next {
                for below in damaged(below) {
                    let mut flawed = strategy.clone();
                    if let Some(Step::Replied(next)) = flawed.heard.get_mut(&percept) {
                        next.insert(reply, below);
                    }
                    all.push(flawed);
                }
            }
        }
    }
    if strategy.refused.is_some() {
        all.push(Strategy { refused: None, ..strategy.clone() });
    }
    all
}
