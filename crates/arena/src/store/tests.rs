//! Stores of this version and of earlier ones.

use nebel_kriegspiel::{Chess, Reason, Rules};
use serde_json::json;

use super::*;
use crate::{
    game::{Contestant, MatchTerms, play},
    schedule::Schedule,
    time::TimeControl,
};

/// The tables of version 1, as that program made them.
const VERSION_1: &str = "
    CREATE TABLE matches (id INTEGER PRIMARY KEY, terms TEXT NOT NULL UNIQUE);
    CREATE TABLE games (id INTEGER PRIMARY KEY, match_id INTEGER NOT NULL REFERENCES matches(id), number INTEGER NOT NULL,
        white TEXT NOT NULL, black TEXT NOT NULL, result TEXT NOT NULL, reason TEXT NOT NULL, bare_king INTEGER NOT NULL,
        plies INTEGER NOT NULL, white_ms INTEGER NOT NULL, black_ms INTEGER NOT NULL, white_refusals INTEGER NOT NULL,
        black_refusals INTEGER NOT NULL, white_nonsense INTEGER NOT NULL, black_nonsense INTEGER NOT NULL, fault TEXT,
        transcript TEXT NOT NULL, UNIQUE (match_id, number));
    PRAGMA user_version = 1;";

fn old_store(path: &Path, terms: &Value) {
    let connection = Connection::open(path).unwrap();
    connection.pragma_update(None, "journal_mode", "WAL").unwrap();
    connection.execute_batch(VERSION_1).unwrap();
    connection.execute("INSERT INTO matches (terms) VALUES (?1)", [terms.to_string()]).unwrap();
    for (number, result, reason) in
        [(0, "1-0", "checkmate"), (1, "1/2-1/2", "fifty"), (2, "0-1", "checkmate")]
    {
        let values = params![number, result, reason];
        let sql = "INSERT INTO games (match_id, number, white, black, result, reason, bare_king, plies, white_ms, black_ms,
            white_refusals, black_refusals, white_nonsense, black_nonsense, transcript)
            VALUES (1, ?1, 'random', 'greedy', ?2, ?3, 0, 40, 1, 1, 0, 0, 0, 0, 'kept')";
        connection.execute(sql, values).unwrap();
    }
}

fn who(spec: &str, signature: &str) -> Identity {
    Identity { signature: Some(signature.to_owned()), ..Identity::of(spec).unwrap() }
}

/// Plays a short game and keeps it.
fn keep(store: &Store, id: i64, schedule: &Schedule, number: u32) {
    let fixture = schedule.fixture(number);
    let terms = MatchTerms { rules: Rules::icc(), start: fixture.start.clone(), max_moves: Some(1) };
    let [mut white, mut black] =
        [&fixture.white, &fixture.black].map(|spec| nebel_players::by_spec(spec).unwrap());
    let time = TimeControl::Nodes(1);
    let [white_seed, black_seed] = fixture.seeds;
    let played = play(
        &terms,
        Contestant { player: &mut *white, seed: white_seed, time },
        Contestant { player: &mut *black, seed: black_seed, time },
        |_| {},
    );
    store.keep(id, &fixture, &played).unwrap();
}

#[test]
fn a_store_of_version_1_is_read_as_it_is_and_becomes_one_of_this_version_when_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.db");
    let terms = json!({"players": ["random", "greedy"], "pairs": [[0, 1]], "seed": 1});
    old_store(&path, &terms);
    let check = |store: &Store| {
        let matches = store.matches().unwrap();
        assert_eq!(matches, [KeptMatch { id: 1, terms: terms.clone(), contestants: None, games: 3 }]);
        let rows = store.games(Some(1)).unwrap();
        assert_eq!(
            rows.iter().map(|row| (row.number, row.round)).collect::<Vec<_>>(),
            [(0, 0), (1, 1), (2, 2)]
        );
        assert_eq!((rows[1].over.reason, &*rows[2].transcript), (Reason::Fifty, "kept"));
    };
    check(&Store::open_to_read(&path).unwrap());
    let version = |path| schema::version(&Connection::open(path).unwrap()).unwrap();
    assert_eq!(version(&path), 1, "reading changes nothing");
    check(&Store::open(&path).unwrap());
    assert_eq!(version(&path), VERSION);
    let store = Store::open(&path).unwrap();
    check(&store);
    assert!(store.is_kept() && !Store::in_memory().unwrap().is_kept());
    // The old games are of an unknown version: they are not continued, unless one wants it.
    let new = store.match_of(&terms, &[who("random", "a"), who("greedy", "a")]).unwrap();
    assert_eq!(new, 2);
    assert!(store.counted(new, Versions::Same).unwrap().is_empty());
    assert_eq!(store.counted(new, Versions::Mixed).unwrap().len(), 3);
    // Games still belong to matches that exist.
    let orphan = store.connection.execute("UPDATE games SET match_id = 77", []);
    assert!(orphan.is_err(), "{orphan:?}");
}

#[test]
fn a_changed_player_begins_anew_and_the_games_of_the_others_count() {
    let store = Store::in_memory().unwrap();
    let players: Vec<String> = ["random", "greedy", "wolfe-black"].map(str::to_owned).into();
    let form = crate::schedule::Form::RoundRobin;
    let schedule = Schedule::of_many(players, form, 2, vec![Chess::new()], 1);
    let terms = json!({"players": schedule.players, "pairs": schedule.pairs});
    let old = [who("random", "1"), who("greedy", "1"), who("wolfe-black", "1")];
    let first = store.match_of(&terms, &old).unwrap();
    (0..6).for_each(|number| keep(&store, first, &schedule, number));
    assert_eq!(store.match_of(&terms, &old).unwrap(), first, "the same again");
    assert_eq!(
        store.games(Some(first)).unwrap().iter().map(|row| row.round).collect::<Vec<_>>(),
        [0, 0, 0, 1, 1, 1]
    );

    let second =
        store.match_of(&terms, &[who("random", "1"), who("greedy", "2"), who("wolfe-black", "1")]).unwrap();
    assert_ne!(first, second);
    let counted = |versions| store.counted(second, versions).unwrap();
    let kept = counted(Versions::Same);
    assert_eq!(kept.len(), 2, "random against wolfe-black");
    assert!(kept.iter().all(|row| row.white != "greedy" && row.black != "greedy" && row.match_id == first));
    keep(&store, second, &schedule, 0);
    assert_eq!(counted(Versions::Same).len(), 3);
    let mixed = counted(Versions::Mixed);
    assert_eq!(mixed.len(), 6, "each number once");
    assert_eq!(mixed[0].match_id, second, "its own games come first");
    let other_terms = store.match_of(&json!({"seed": 2}), &old).unwrap();
    assert!(store.counted(other_terms, Versions::Mixed).unwrap().is_empty());
}

#[test]
fn a_store_of_a_later_version_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("later.db");
    drop(Store::open(&path).unwrap());
    Connection::open(&path).unwrap().pragma_update(None, "user_version", VERSION + 1).unwrap();
    for opened in [Store::open(&path), Store::open_to_read(&path)] {
        assert!(matches!(opened, Err(StoreError::Version(version)) if version == VERSION + 1));
    }
}
