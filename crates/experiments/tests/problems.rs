//! Problems gathered from games: games repeat by seed, and threads change nothing.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use nebel_arena::runner::Place;
use nebel_experiments::russell_wolfe::{Generation, Settings, play};
use nebel_prover::{MaterialWins, collection::Entry};
use nebel_tablebase::Store;

fn settings() -> Settings {
    Settings { most_moves: 25, most_belief: 1000, ..Settings::default() }
}

#[test]
fn the_same_seed_gives_the_same_problems() {
    // Nobody asks the tables: material wins do not count in these games.
    let directory = tempfile::tempdir().unwrap();
    let tables = MaterialWins::of_one_man(Store::new(directory.path()));
    let problems = |seed| {
        let store = |(view, kind)| (Entry::new(view, 3, None, 0), kind);
        play(&settings(), &tables, seed).into_iter().map(store).collect::<Vec<_>>()
    };
    for seed in 0..4 {
        assert_eq!(problems(seed), problems(seed));
    }
}

#[test]
fn what_is_gathered_does_not_depend_on_threads() {
    let gathered = |threads| {
        let place = Place::Here(threads);
        let mut games = 0;
        let generation = Generation { settings: settings(), mates: 1, near_misses: 1, seed: 1, place };
        let entries = generation.run(|so_far| games = so_far.games).unwrap();
        assert!(games > 0);
        entries
    };
    let entries = gathered(1);
    let verdicts: Vec<_> = entries.iter().map(|entry| entry.guaranteed.unwrap()).collect();
    assert_eq!(verdicts, [true, false]);
    assert_eq!(gathered(2), entries);
}
