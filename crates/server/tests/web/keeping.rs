//! The file of games: more in it than the memory holds, damaged ones, old ones, a disk that fails, a second server.

use std::time::Duration;

use crate::common::{Person, generous, get, link_game, post, start, start_with, text};
use nebel_server::{Config, Server, ServerLimits};
use rusqlite::Connection;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn more_games_than_the_memory_holds_stop_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let mut games = Vec::new();
    for _ in 0..5 {
        games.push(link_game(server.address, "icc", None).await);
    }
    server.stop().await;
    let limits = ServerLimits { games: 3, ..generous() };
    let server = start_with(Config { limits, ..Config::new(folder.path()) }).await;
    let (id, white, _) = &games[4];
    let mut person = Person::sit(server.address, id, white).await;
    assert_eq!(person.attempt("e2e4").await["event"]["answer"], "moved");
    server.stop().await;
}

/// Not UTF-8, no JSON, terms that nobody may have, an event that the umpire did not say.
#[tokio::test(flavor = "multi_thread")]
async fn damaged_games_are_set_aside_and_the_others_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let damages = [
        "UPDATE games SET header = CAST(x'7bff' AS TEXT) WHERE id = ?1",
        "UPDATE games SET terms = 'none' WHERE id = ?1",
        "UPDATE games SET terms = '{\"machine\":{\"is_white\":true,\"spec\":\"random\",\"move_ms\":0,\"seed\":1},\
         \"clock\":null,\"practice\":false}' WHERE id = ?1",
        "INSERT INTO events VALUES (?1, 0, '{\"by\":\"white\",\"attempt\":\"a1a8\",\"answer\":\"moved\"}')",
        "INSERT INTO events VALUES (?1, 0, CAST(x'ff' AS TEXT))",
    ];
    let mut games = Vec::new();
    for _ in 0..=damages.len() {
        games.push(link_game(server.address, "icc", None).await);
    }
    server.stop().await;
    let file = Connection::open(folder.path().join("games.db")).unwrap();
    for (damage, (id, ..)) in damages.iter().zip(&games) {
        assert_eq!(file.execute(damage, [id]).unwrap(), 1);
    }
    let server = start(folder.path()).await;
    for (id, white, _) in &games[..damages.len()] {
        for _ in 0..2 {
            let mut person = Person::connect(server.address, id).await;
            person.send(&json!({"type": "hello", "token": white})).await;
            assert_eq!(person.next().await, None, "a damaged game is closed");
        }
    }
    let (id, white, _) = games.last().unwrap();
    let mut person = Person::sit(server.address, id, white).await;
    assert_eq!(person.attempt("e2e4").await["event"]["answer"], "moved");
    server.stop().await;
    let count = |sql: &str| file.query_row::<i64, _, _>(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(count("SELECT COUNT(*) FROM damaged"), damages.len() as i64);
    assert_eq!(count("SELECT COUNT(*) FROM games"), games.len() as i64, "nothing is thrown away");
}

#[tokio::test(flavor = "multi_thread")]
async fn finished_games_are_forgotten_by_number_and_by_age() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let mut games = Vec::new();
    for _ in 0..5 {
        let (id, white, _) = link_game(server.address, "icc", None).await;
        let mut person = Person::sit(server.address, &id, &white).await;
        person.send(&json!({"type": "resign"})).await;
        person.hear("event").await;
        games.push(id);
    }
    server.stop().await;
    let file = Connection::open(folder.path().join("games.db")).unwrap();
    for (age, id) in games.iter().rev().enumerate() {
        let sql = "UPDATE games SET touched = unixepoch() - 86400 * ?1 WHERE id = ?2";
        file.execute(sql, rusqlite::params![age as i64, id]).unwrap();
    }
    let there = |folder: std::path::PathBuf, limits: ServerLimits| {
        let games = games.clone();
        async move {
            let server = start_with(Config { limits, ..Config::new(&folder) }).await;
            let mut there = Vec::new();
            for id in &games {
                there.push(get(server.address, &format!("/api/games/{id}")).await.status == 200);
            }
            server.stop().await;
            there
        }
    };
    let by_age = ServerLimits { finished_age: Duration::from_hours(84), ..generous() };
    assert_eq!(there(folder.path().into(), by_age).await, [false, true, true, true, true]);
    let by_number = ServerLimits { finished_games: 2, ..generous() };
    assert_eq!(there(folder.path().into(), by_number).await, [false, false, false, true, true]);
}

#[tokio::test(flavor = "multi_thread")]
async fn unfinished_games_in_the_file_are_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let (begun, white, _) = link_game(server.address, "icc", None).await;
    Person::sit(server.address, &begun, &white).await.attempt("e2e4").await;
    let (old, ..) = link_game(server.address, "icc", None).await;
    server.stop().await;
    let file = Connection::open(folder.path().join("games.db")).unwrap();
    file.execute("UPDATE games SET touched = touched - 100", []).unwrap();
    let limits = ServerLimits { unfinished_games: 2, ..generous() };
    let server = start_with(Config { limits, ..Config::new(folder.path()) }).await;
    let (new, ..) = link_game(server.address, "icc", None).await;
    for (id, status, what) in [
        (&begun, 200, "was begun"),
        (&old, 404, "makes room, since nobody ever moved"),
        (&new, 200, "is new"),
    ] {
        assert_eq!(get(server.address, &format!("/api/games/{id}")).await.status, status, "it {what}");
    }
    let refused = post(server.address, "/api/games", &json!({"opponent": {"link": true}})).await;
    assert_eq!(refused.status, 503, "one is begun, one is being played: {}", refused.text);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_fails_is_said_and_the_game_waits() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let (id, white, _) = link_game(server.address, "icc", None).await;
    let mut person = Person::sit(server.address, &id, &white).await;
    let file = Connection::open(folder.path().join("games.db")).unwrap();
    file.busy_timeout(Duration::from_secs(10)).unwrap();
    file.execute_batch(
        "CREATE TRIGGER broken BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'the disk is broken'); END",
    )
    .unwrap();
    let told = person.attempt("e2e4").await;
    let why = text(&told["why"]);
    assert!(told["type"] == "refused" && why.contains("the disk is broken"), "{told}");
    while person.next().await.is_some() {}
    file.execute_batch("DROP TRIGGER broken").unwrap();
    let mut person = Person::sit(server.address, &id, &white).await;
    assert_eq!(person.seen, 0, "what was not kept did not happen");
    assert_eq!(person.attempt("e2e4").await["event"]["answer"], "moved");
    server.stop().await;
}

/// A disk that is busy holds up those who write, and nobody else.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_waits_for_the_disk_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let address = server.address;
    let (id, white, _) = link_game(address, "icc", None).await;
    let file = Connection::open(folder.path().join("games.db")).unwrap();
    file.execute_batch("BEGIN IMMEDIATE").unwrap();
    let begins = tokio::spawn(async move { link_game(address, "icc", None).await });
    tokio::time::sleep(Duration::from_millis(300)).await;
    let sits = tokio::time::timeout(Duration::from_secs(5), Person::sit(address, &id, &white)).await;
    assert!(sits.is_ok(), "sitting down needs no disk");
    assert!(!begins.is_finished());
    file.execute_batch("ROLLBACK").unwrap();
    begins.await.unwrap();
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_serves_one_server() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let second = Server::bind("127.0.0.1:0", Config::new(folder.path())).await;
    let error = second.map(|_| ()).unwrap_err().to_string();
    assert_eq!(error, format!("{}: another server uses this folder", folder.path().display()));
    server.stop().await;
    start(folder.path()).await.stop().await;
}
