//! The machine's turns: for whom they are thought about, when they are shown, and what happens when there are many.

use std::time::{Duration, Instant};

use crate::common::{Person, generous, get, link_game, new_game, post, start, start_with, text};
use nebel_server::{Config, ServerLimits};
use serde_json::{Value, json};

/// A game against the machine, and the person's way to it.
async fn against(address: std::net::SocketAddr, side: &str, player: &str, move_ms: u64) -> (String, String) {
    let wanted = json!({"as": side, "opponent": {"player": player, "move_ms": move_ms}});
    let game = new_game(address, &wanted).await;
    (text(&game["id"]), text(&game["token"]))
}

/// A person who has just moved, and when.
async fn after_a_move(person: &mut Person) -> Instant {
    for attempt in person.now["attempts"].as_array().unwrap().clone() {
        let asked = Instant::now();
        if person.attempt(attempt.as_str().unwrap()).await["event"]["answer"] == "moved" {
            return asked;
        }
    }
    panic!("nothing can be played");
}

/// How long the machine's answer takes, from the move before it.
async fn answer_time(person: &mut Person) -> Duration {
    let moved = after_a_move(person).await;
    person.hear("event").await;
    moved.elapsed()
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_thought_for_before_he_comes() {
    let folder = tempfile::tempdir().unwrap();
    let limits = ServerLimits { player_threads: 1, ..generous() };
    let server = start_with(Config { limits, ..Config::new(folder.path()) }).await;
    let (id, token) = against(server.address, "black", "random", 100).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let mut person = Person::sit(server.address, &id, &token).await;
    assert_eq!(person.seen, 0, "the machine has waited");
    person.hear("event").await;
    for _ in 0..2 {
        against(server.address, "black", "c", 60_000).await;
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    let time = answer_time(&mut person).await;
    assert!(time < Duration::from_secs(5), "{time:?}");

    // The same after a restart: games that nobody comes back to take nothing from the others.
    server.stop().await;
    let limits = ServerLimits { player_threads: 1, ..generous() };
    let server = start_with(Config { limits, ..Config::new(folder.path()) }).await;
    let mut person = Person::sit(server.address, &id, &token).await;
    let time = answer_time(&mut person).await;
    assert!(time < Duration::from_secs(5), "{time:?}");
    server.stop().await;
}

/// One thread, and two long turns that somebody waits for: they make way for a short one.
#[tokio::test(flavor = "multi_thread")]
async fn long_turns_make_way_for_short_ones() {
    let folder = tempfile::tempdir().unwrap();
    let limits = ServerLimits { player_threads: 1, ..generous() };
    let server = start_with(Config { limits, ..Config::new(folder.path()) }).await;
    let mut waiting = Vec::new();
    for _ in 0..2 {
        let (id, token) = against(server.address, "black", "a", 60_000).await;
        waiting.push(Person::sit(server.address, &id, &token).await);
    }
    let (id, token) = against(server.address, "white", "greedy", 1000).await;
    let mut person = Person::sit(server.address, &id, &token).await;
    for _ in 0..2 {
        let time = answer_time(&mut person).await;
        assert!(time < Duration::from_millis(1900), "{time:?} instead of a second");
    }
    server.stop().await;
}

/// Who has gone is not thought for, and hears the answer when he is back.
#[tokio::test(flavor = "multi_thread")]
async fn a_turn_is_put_off_while_nobody_waits_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    // This player uses all of its time, however fast the machine.
    let wanted = json!({"as": "white", "opponent": {"player": "a", "move_ms": 12_000},
        "clock": {"initial_ms": 600_000}});
    let game = new_game(server.address, &wanted).await;
    let (id, token) = (text(&game["id"]), text(&game["token"]));
    let mut person = Person::sit(server.address, &id, &token).await;
    after_a_move(&mut person).await;
    drop(person);
    tokio::time::sleep(Duration::from_millis(13_500)).await;
    let mut person = Person::sit(server.address, &id, &token).await;
    assert_eq!((person.seen, &person.now["thinking"]), (1, &json!(true)), "it has waited");
    let left = person.now["clock"]["black_ms"].as_u64().unwrap();
    assert!(left > 590_000, "the time that nobody was there is charged to nobody: {left} ms left");
    assert_eq!(person.hear("event").await["event"]["by"], "black");
    server.stop().await;
}

/// A player that is slow and often refused, where nobody hears refusals: its answer comes on the first tick.
#[tokio::test(flavor = "multi_thread")]
async fn a_slow_player_answers_on_its_tick_whatever_was_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    for (fen, what) in [
        ("4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1", "few refusals"),
        ("r3k2r/pppppppp/PPPPPPPP/8/8/8/8/4K3 w kq - 0 1", "many refusals"),
    ] {
        for _ in 0..2 {
            let wanted = json!({"as": "white", "start": fen, "opponent": {"player": "c", "move_ms": 600}});
            let game = new_game(server.address, &wanted).await;
            let mut person = Person::sit(server.address, &text(&game["id"]), &text(&game["token"])).await;
            let time = answer_time(&mut person).await.as_millis();
            assert!((600..1100).contains(&time), "{what}: shown {time} ms after the move");
        }
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn turns_shrink_so_that_all_are_shown_on_their_tick() {
    let folder = tempfile::tempdir().unwrap();
    let limits = ServerLimits { player_threads: 2, ..generous() };
    let server = start_with(Config { limits, ..Config::new(folder.path()) }).await;
    let mut people = Vec::new();
    for _ in 0..40 {
        let (id, token) = against(server.address, "white", "los", 1000).await;
        people.push(Person::sit(server.address, &id, &token).await);
    }
    let mut times = Vec::new();
    let mut hurried: Vec<Value> = Vec::new();
    for _ in 0..2 {
        let turns: Vec<_> = people
            .drain(..)
            .map(|mut person| {
                tokio::spawn(async move {
                    let time = answer_time(&mut person).await;
                    (person, time)
                })
            })
            .collect();
        for turn in turns {
            let (person, time) = turn.await.unwrap();
            times.push(time);
            hurried.push(person.now["machine_ms"].clone());
            people.push(person);
        }
    }
    times.sort_unstable();
    let late = times.iter().filter(|time| **time > Duration::from_millis(1900)).count();
    assert!(late < 8, "{late} of {} turns missed their tick: {times:?}", times.len());
    assert!(times[0] >= Duration::from_secs(1));
    assert!(hurried.iter().any(|ms| ms.as_u64().is_some_and(|ms| ms < 700)), "it is said: {hurried:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_more_machine_games_begin_than_the_machine_can_answer() {
    let folder = tempfile::tempdir().unwrap();
    let limits = ServerLimits { player_threads: 1, shortest_turn: Duration::from_millis(400), ..generous() };
    let server = start_with(Config { limits, ..Config::new(folder.path()) }).await;
    let wanted = json!({"as": "white", "opponent": {"player": "random"}});
    let mut begun = 0;
    let refused = loop {
        let answer = post(server.address, "/api/games", &wanted).await;
        if answer.status != 201 {
            break answer;
        }
        begun += 1;
        assert!(begun < 10, "nobody says stop");
    };
    assert!(begun >= 2, "{begun}");
    assert_eq!(refused.status, 503);
    assert!(text(&refused.json()["error"]).contains("machine"), "{}", refused.text);
    let (id, ..) = link_game(server.address, "icc", None).await;
    assert_eq!(get(server.address, &format!("/api/games/{id}")).await.status, 200, "people play on");
    server.stop().await;
    let file = rusqlite::Connection::open(folder.path().join("games.db")).unwrap();
    let rows: i64 = file.query_row("SELECT COUNT(*) FROM games", [], |row| row.get(0)).unwrap();
    assert_eq!(rows, begun + 1, "what was refused left nothing behind");
}
