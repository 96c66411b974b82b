//! Games worked through in the background: what could be known at each step, and what the machine thinks. Of a game that runs
//! neither is to be had.

use std::time::Duration;

use serde_json::{Value, json};

use crate::common::{Person, get, link_game, post, start};

/// Plays some moves, checks that nothing is told of a game that runs, and ends it.
async fn finished(address: std::net::SocketAddr) -> String {
    let (id, white, black) = link_game(address, "icc", None).await;
    let mut white = Person::sit(address, &id, &white).await;
    let mut black = Person::sit(address, &id, &black).await;
    white.attempt("e2e4").await;
    black.hear("event").await;
    for path in ["/api/studies", "/api/opinions"] {
        let asked = json!({"game": id, "as": "white", "begin": true});
        let asked = if path == "/api/studies" { json!({"game": id, "as": "white"}) } else { asked };
        let answer = post(address, path, &asked).await;
        assert_eq!(answer.status, 409, "{path} of a game that runs: {}", answer.text);
    }
    black.attempt("d7e6").await;
    black.attempt("d7d5").await;
    white.hear("event").await;
    white.attempt("d2d3").await;
    black.hear("event").await;
    black.attempt("d5e4").await;
    white.hear("event").await;
    white.send(&json!({"type": "resign"})).await;
    white.hear("event").await;
    id
}

/// Asks until an answer is what is wanted.
async fn until(mut ask: impl AsyncFnMut() -> Value, wanted: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..600 {
        let answer = ask().await;
        if wanted(&answer) {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("it does not come");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_game_is_worked_through_step_by_step() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let game = finished(server.address).await;
    let begun = post(server.address, "/api/studies", &json!({"game": game, "as": "white"})).await.json();
    let id = begun["id"].as_str().unwrap().to_owned();
    let look = format!("/api/studies/{id}");
    let done = until(
        async || get(server.address, &look).await.json(),
        |progress| progress["done"] == progress["total"],
    )
    .await;
    // The start and all steps but Black's refusal, which White does not hear.
    let steps: Vec<u64> =
        done["sizes"].as_array().unwrap().iter().map(|size| size["step"].as_u64().unwrap()).collect();
    assert_eq!(steps, [0, 1, 3, 4, 5, 6]);
    let at = async |step: usize| get(server.address, &format!("{look}/{step}")).await.json();
    let (third, second) = (at(3).await, at(2).await);
    assert_eq!((&third["states"], &third["exact"]), (&json!(2), &json!(true)), "d7d5 or f7f5");
    assert_eq!(third["effective"], 2.0);
    assert_eq!(third["boards"].as_array().unwrap().len(), 2);
    assert_eq!(second["states"], 1, "a step that is not heard changes nothing");
    // The text of the game gives the same, by the same name.
    let text = get(server.address, &format!("/api/games/{game}/transcript")).await.text;
    let again = post(server.address, "/api/studies", &json!({"text": text, "as": "white"})).await.json();
    assert_eq!(again["id"], id.as_str());
    let black = post(server.address, "/api/studies", &json!({"text": text, "as": "black"})).await.json();
    assert_ne!(black["id"], id.as_str());
    for (body, word) in [
        (json!({"as": "white"}), "one of them"),
        (json!({"game": "0123456789abcdef", "as": "white"}), "no such game"),
        (json!({"text": "{}", "as": "white"}), ""),
    ] {
        let answer = post(server.address, "/api/studies", &body).await;
        assert!((400..500).contains(&answer.status) && answer.text.contains(word), "{}", answer.text);
    }
    assert_eq!(get(server.address, "/api/studies/nothing").await.status, 404);
    assert_eq!(get(server.address, "/api/studies/nothing/3").await.status, 404);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_machine_thinks_of_a_finished_game_and_its_opinion_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let game = finished(server.address).await;
    let asked = |begin: bool| json!({"game": game, "as": "white", "begin": begin});
    assert_eq!(post(server.address, "/api/opinions", &asked(false)).await.json()["state"], "none");
    post(server.address, "/api/opinions", &asked(true)).await;
    let ask = async || post(server.address, "/api/opinions", &asked(false)).await.json();
    let done = until(ask, |told| told["state"] == "done").await;
    let turns = done["opinion"]["turns"].as_array().unwrap();
    let steps: Vec<u64> = turns.iter().map(|turn| turn["step"].as_u64().unwrap()).collect();
    assert_eq!(steps, [0, 3, 5], "the turns of White");
    assert_eq!((&turns[0]["truth"], &turns[0]["men"]), (&json!(1.0), &json!(1.0)), "the start is known");
    assert_eq!(turns[1]["positions"], 2);
    let truth = turns[1]["truth"].as_f64().unwrap();
    assert!(truth > 0.0 && truth < 1.0, "one of two: {truth}");
    for turn in turns {
        let chance = turn["chance"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&chance) && !turn["weighed"].as_array().unwrap().is_empty());
    }
    let text = get(server.address, &format!("/api/games/{game}/transcript")).await.text;
    server.stop().await;
    // It is kept with the game, and the same comes of the text.
    let server = start(folder.path()).await;
    let kept = post(server.address, "/api/opinions", &asked(false)).await.json();
    assert_eq!(kept, done);
    let told =
        post(server.address, "/api/opinions", &json!({"text": text, "as": "white", "begin": true})).await;
    let id = told.json()["id"].as_str().unwrap().to_owned();
    let look = async || get(server.address, &format!("/api/opinions/{id}")).await.json();
    assert_eq!(until(look, |told| told["state"] == "done").await, done, "the same game, the same opinion");
    server.stop().await;
}
