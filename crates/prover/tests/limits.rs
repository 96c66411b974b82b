//! Limits count from the start: the belief of a view is computed within them too.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::{Duration, Instant};

use nebel_kriegspiel::{Color, Header, Rules, Transcript, View};
use nebel_prover::{Kriegspiel, ViewBelief};
use nebel_search::{Algorithm, Cancel, Limits, Meter, Report, Source, Stop, Verdict, solve_from};
use rand::{SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;
use shakmaty::CastlingMode;

/// What White has heard of a game of random moves, with White to move at the end: with ten moves under Berkeley rules
/// the belief is far too large to be computed in a test.
fn random_view(moves: usize) -> View {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    let mut transcript = Transcript::new(Header::new(Rules::berkeley()));
    for _ in 0..2 * moves {
        let chosen =
            transcript.umpire().legal_moves().choose(&mut rng).unwrap().to_uci(CastlingMode::Standard);
        transcript.hear(&chosen.to_string()).unwrap();
    }
    transcript.view(Color::White)
}

fn search(view: &View, algorithm: Algorithm, limits: &Limits) -> (Report, Duration) {
    let begun = Instant::now();
    let mut belief = ViewBelief::new(view).unwrap();
    let game = Kriegspiel::new(Rules::berkeley());
    let report = solve_from(&game, &mut belief, 3, algorithm, &mut Meter::new(limits)).unwrap();
    (report, begun.elapsed())
}

#[test]
fn a_view_whose_belief_is_too_large_stops_every_solver_in_time() {
    let view = random_view(10);
    let limit = Duration::from_millis(200);
    for algorithm in Algorithm::ALL {
        let limits = Limits { time: Some(limit), ..Limits::default() };
        let (report, taken) = search(&view, algorithm, &limits);
        // Those that take states one by one may refute the belief by its first states.
        if report.verdict == Verdict::Refuted {
            assert!(!report.whole, "{algorithm}");
            continue;
        }
        assert_eq!(report.verdict, Verdict::Unknown(Stop::Time), "{algorithm}");
        assert!(taken >= limit && taken < limit + Duration::from_secs(2), "{algorithm}: {taken:?}");
        assert!(!report.whole && report.states > 0 && report.estimated > 0, "{algorithm}: {report:?}");
    }
}

#[test]
fn memory_nodes_and_the_flag_bound_the_belief_too() {
    let view = random_view(10);
    let cancelled = Cancel::default();
    cancelled.cancel();
    for algorithm in [Algorithm::Dfs, Algorithm::Pns, Algorithm::Ipns] {
        let limits = Limits { memory: Some(8 << 20), ..Limits::default() };
        let (report, _) = search(&view, algorithm, &limits);
        assert_eq!(report.verdict, Verdict::Unknown(Stop::Memory), "{algorithm}");
        // What is looked at before it is allocated is never exceeded; the states themselves by one growth at most.
        assert!(report.counters.peak_memory < 12 << 20, "{algorithm}: {report:?}");

        let (report, _) = search(&view, algorithm, &Limits { nodes: Some(5000), ..Limits::default() });
        assert_eq!(report.verdict, Verdict::Unknown(Stop::Nodes), "{algorithm}");
        assert_eq!((report.estimated, report.counters.constructed), (5000, 0), "{algorithm}");

        let (report, _) =
            search(&view, algorithm, &Limits { cancel: cancelled.clone(), ..Limits::default() });
        assert_eq!(report.verdict, Verdict::Unknown(Stop::Cancelled), "{algorithm}");
        assert!(report.estimated < 100 && !report.whole, "{algorithm}: {report:?}");
    }
}

#[test]
fn a_belief_that_is_computed_under_limits_is_the_whole_one() {
    let view = random_view(2);
    let expected = ViewBelief::new(&view).unwrap().count();
    let mut meter = Meter::new(&Limits::default());
    let mut belief = ViewBelief::new(&view).unwrap();
    while belief.find_next(&mut meter).unwrap().is_some() {}
    for algorithm in [Algorithm::Dfs, Algorithm::Pns, Algorithm::Ipns] {
        // A node limit that the belief leaves nothing of.
        let limits = Limits { nodes: Some(meter.estimated()), ..Limits::default() };
        let (report, _) = search(&view, algorithm, &limits);
        assert_eq!(report.verdict, Verdict::Unknown(Stop::Nodes), "{algorithm}");
        assert_eq!((report.states, report.whole), (expected, true), "{algorithm}");
    }
}
