//! The rest of the API: review, beliefs, analysis, problems, tables, results, and its description.

use std::{net::SocketAddr, time::Duration};

use crate::common::{get, post, request, start, start_with, text};
use nebel_arena::{
    game::MatchTerms,
    runner::{Place, Run},
    schedule::Schedule,
    store::{Store, Versions},
    time::{TimeControl, Times},
};
use nebel_kriegspiel::{Chess, Rules};
use serde_json::{Value, json};

const GAME: &str = r#"{"nebel":1,"rules":"icc","start":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","white":"a","black":"b"}
{"by":"white","attempt":"e2e4","answer":"moved","tries":{"count":0}}
{"by":"black","attempt":"d7e6","answer":"illegal"}
{"by":"black","attempt":"d7d5","answer":"moved","tries":{"count":1}}
{"by":"white","attempt":"e4d5","answer":"moved","capture":{"square":"d5","kind":"pawn"},"tries":{"count":0}}
"#;

const KINGS: [&str; 2] = ["6k1/8/5K2/8/Q7/8/8/8 w - - 0 1", "7k/8/5K2/8/Q7/8/8/8 w - - 0 1"];

#[tokio::test(flavor = "multi_thread")]
async fn a_line_is_answered_as_one_side_hears_it() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    // A knight on a5 stands in the way of the rook.
    let asked = |said: &[&str], side: &str| json!({"rules": "icc", "start": "4k3/8/8/n7/8/8/8/R3K3 w - - 0 1", "as": side, "said": said});
    let said = ["a1a8", "a1a5", "e8d8"];
    let told = post(server.address, "/api/umpire", &asked(&said, "white")).await.json();
    let words = |told: &Value, index: usize| told["events"][index]["words"]["said"].clone();
    assert_eq!(words(&told, 0), "Illegal: a1a8.");
    assert_eq!(words(&told, 1), "You took a piece on a5.");
    assert_eq!(words(&told, 2), "Black has moved.");
    assert_eq!(
        (&told["now"]["men"], &told["now"]["turn"]),
        (&json!({"a5": "R", "e1": "K"}), &json!("white"))
    );
    let told = post(server.address, "/api/umpire", &asked(&said, "black")).await.json();
    assert_eq!(told["events"].as_array().unwrap().len(), 2, "Black hears no refusal");
    for wrong in
        [asked(&["x"; 101], "white"), asked(&["a1a8a1a8a1a8a1a8a"], "white"), json!({"rules": "icc"})]
    {
        assert_eq!(post(server.address, "/api/umpire", &wrong).await.status, 400);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_reviewed_from_every_side_with_its_beliefs() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let review = post(server.address, "/api/review", &json!({"text": GAME})).await.json();
    let steps = review["steps"].as_array().unwrap();
    assert_eq!((steps.len(), &review["view"], &review["jsonl"]), (4, &json!(null), &json!(GAME)));
    assert_eq!(steps[1]["white"], json!(null), "White does not hear refusals");
    assert_eq!(steps[1]["black"]["words"], json!({"said": "Illegal: d7e6."}));
    let told = ["white", "black", "event"].map(|listener| &steps[2][listener]["words"]["tries"]);
    assert_eq!(told, ["You have 1 pawn try.", "White has 1 pawn try.", "White has 1 pawn try."]);
    assert_eq!(steps[3]["board"], "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2");
    let view = post(server.address, "/api/review", &json!({"text": GAME, "as": "white"})).await.json();
    assert_eq!((view["steps"].as_array().unwrap().len(), &view["view"]), (3, &json!("white")));
    assert_eq!((&view["steps"][1]["board"], &view["steps"][2]["men"]["d5"]), (&json!(null), &json!("P")));
    for (events, states, known) in [(0, 1, true), (1, 1, false), (2, 1, false), (3, 2, false), (4, 1, false)]
    {
        let asked = json!({"text": GAME, "as": "white", "events": events});
        let belief = post(server.address, "/api/belief", &asked).await.json();
        assert_eq!(
            (&belief["states"], &belief["exact"]),
            (&json!(states).clone(), &json!(true)),
            "{events}: {belief}"
        );
        assert_eq!(belief["known_legal"].as_array().unwrap().contains(&json!("e2e4")), known);
    }
    // White has heard of one pawn try: d7d5 or f7f5.
    let belief =
        post(server.address, "/api/belief", &json!({"text": GAME, "as": "white", "events": 3})).await.json();
    let (d5, f5) = (&belief["squares"]["p"][35], &belief["squares"]["p"][37]);
    assert_eq!((d5, f5), (&json!(0.5), &json!(0.5)));
    let chance =
        belief["legal"].as_array().unwrap().iter().find(|chance| chance["attempt"] == "e4d5").unwrap();
    assert_eq!(chance["probability"], 0.5);
    assert!(belief["known_illegal"].as_array().unwrap().contains(&json!("a2b3")));
    let small = json!({"text": GAME, "as": "white", "events": 3, "limit": 1});
    let sampled = post(server.address, "/api/belief", &small).await.json();
    assert_eq!(
        (&sampled["exact"], &sampled["states"]),
        (&json!(true), &json!(2)),
        "a pool that was never cut is all"
    );
    for wrong in [
        "",
        "{",
        "hello",
        "{\"nebel\":1,\"rules\":\"icc\"}\n{\"by\":\"black\",\"attempt\":\"e7e5\",\"answer\":\"moved\"}",
    ] {
        let answer = post(server.address, "/api/review", &json!({"text": wrong})).await;
        assert!(answer.status == 400 && answer.json()["error"].is_string(), "{wrong}: {}", answer.text);
    }
    server.stop().await;
}

async fn solved(address: SocketAddr, question: &Value) -> Value {
    let begun = post(address, "/api/solve", question).await;
    assert_eq!(begun.status, 202, "{}", begun.text);
    let path = format!("/api/jobs/{}", text(&begun.json()["job"]));
    loop {
        let job = get(address, &path).await.json();
        if job["state"] != "running" {
            return job;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mate_is_proved_clicked_through_and_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let question = json!({"rules": "berkeley", "plies": 3, "positions": KINGS});
    let job = solved(server.address, &question).await;
    let result = &job["result"];
    assert_eq!(
        (&result["guaranteed"], &result["plies"], &result["states"]),
        (&json!(true), &json!(3), &json!(2))
    );
    let attempt = text(&result["strategy"]["try"]);
    let heard = result["strategy"]["legal"].as_object().unwrap().keys().next().unwrap().clone();
    let place = json!({"rules": "berkeley", "positions": KINGS, "strategy": result["strategy"], "path": [format!("legal:{heard}")]});
    let place = post(server.address, "/api/strategy/node", &place).await.json();
    assert_eq!(place["turn"], "black", "{attempt}: {place}");
    assert!(place["states"].as_u64().unwrap() >= 1 && place["squares"]["k"].as_array().unwrap().len() == 64);
    let none = solved(server.address, &json!({"plies": 1, "positions": KINGS})).await;
    assert_eq!(none["result"]["guaranteed"], false);
    let long = json!({"plies": 15, "positions": ["4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1"]});
    let begun = post(server.address, "/api/solve", &long).await.json();
    let path = format!("/api/jobs/{}", text(&begun["job"]));
    let headers = "Host: localhost\r\n";
    assert_eq!(request(server.address, "DELETE", &path, headers, "").await.json()["state"], "cancelled");
    // The thread is free again: the next analysis is done.
    assert_eq!(solved(server.address, &question).await["state"], "done");
    for wrong in [
        json!({"plies": 3}),
        json!({"plies": 999, "positions": KINGS}),
        json!({"plies": 3, "positions": ["x"]}),
    ] {
        assert_eq!(post(server.address, "/api/solve", &wrong).await.status, 400, "{wrong}");
    }
    assert_eq!(get(server.address, "/api/jobs/0123456789abcdef").await.status, 404);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_problem_is_solved_by_oneself_or_spoiled() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let collections = get(server.address, "/api/collections").await.json();
    assert_eq!((&collections[0]["name"], &collections[0]["problems"]), (&json!("berkeley-3"), &json!(1000)));
    let some = get(server.address, "/api/collections/berkeley-5?offset=10&limit=2").await.json();
    assert_eq!((some["problems"].as_array().unwrap().len(), &some["problems"][0]["number"]), (2, &json!(11)));
    let shown = get(server.address, "/api/collections/berkeley-3/1").await.json();
    assert_eq!((&shown["guaranteed"], shown["positions"].as_array().unwrap().len()), (&json!(true), 3));
    assert_eq!(get(server.address, "/api/collections/berkeley-3/0").await.status, 404);
    let answer = async |line: Value, attempt: Value| {
        let asked =
            json!({"rules": "berkeley", "positions": KINGS, "plies": 3, "line": line, "try": attempt});
        post(server.address, "/api/problems/answer", &asked).await.json()
    };
    let start = answer(json!([]), json!(null)).await;
    assert_eq!(
        (&start["states"], &start["heard"], &start["failed"]),
        (&json!(2), &json!(null), &json!(null))
    );
    let first = answer(json!([]), json!("f6f7")).await;
    assert_eq!(first["failed"], json!(null), "{first}");
    let mut line = vec![json!({"try": "f6f7", "heard": first["heard"], "then": first["then"]})];
    // Whether the step was refused or not, the queen goes to h4.
    let second = answer(json!(line), json!("a4h4")).await;
    assert_eq!(second["failed"], json!(null), "{second}");
    if second["mate"] == false {
        line.push(json!({"try": "a4h4", "heard": second["heard"], "then": second["then"]}));
        assert_eq!(answer(json!(line), json!("h4h8")).await["mate"], true);
    }
    // The king's step is refused or not: whichever was told, the other answer is still to be solved.
    let other = &first["others"][0];
    assert_eq!(first["others"].as_array().unwrap().len(), 1, "{first}");
    let step = json!({"try": "f6f7", "heard": other["heard"], "then": other["then"]});
    assert_eq!(answer(json!([step]), json!(null)).await["states"], 1);
    let asked = json!({"positions": KINGS, "plies": 3, "line": [step], "list": true});
    let listed = post(server.address, "/api/problems/answer", &asked).await.json();
    assert_eq!(listed["positions"].as_array().unwrap().len(), 1, "{listed}");
    let spoiled = answer(json!([]), json!("a4a1")).await;
    assert!(spoiled["failed"].is_string() && spoiled["mate"] == false, "{spoiled}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_are_built_and_explored() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let before = get(server.address, "/api/tables").await.json();
    let queen = |list: &Value| {
        list["endings"].as_array().unwrap().iter().find(|e| e["name"] == "KQK").unwrap().clone()
    };
    assert_eq!(queen(&before)["built"], false);
    let probed =
        post(server.address, "/api/tables/probe", &json!({"men": "Kf6 Qa4", "king": ["g8", "h8"]})).await;
    assert_eq!(probed.status, 200, "{}", probed.text);
    let probed = probed.json();
    assert_eq!(
        (&probed["mate_in"], &probed["exact"], &probed["king"]),
        (&json!(2), &json!(true), &json!(["g8", "h8"]))
    );
    for answer in probed["answers"].as_array().unwrap() {
        let worst = if answer["mate"] == true { 0 } else { answer["mate_in"].as_u64().unwrap() };
        let this_move = u64::from(answer["announcement"] != "illegal");
        assert!(worst + this_move <= 2, "{answer}");
        // What is said of the next turn is what probing there says.
        if answer["mate"] == false {
            let next = json!({"men": answer["men"], "king": answer["king"]});
            let next = post(server.address, "/api/tables/probe", &next).await.json();
            assert_eq!(next["mate_in"], answer["mate_in"]);
        }
    }
    assert!(probed["answers"].as_array().unwrap().iter().all(|answer| answer["exact"] == true), "{probed}");
    // The numbers of a merged table are bounds, one move later too.
    let store = nebel_tablebase::Store::new(folder.path().join("tablebases"));
    let queens = store.open(&"KQK".parse().unwrap()).unwrap();
    store.keep(&queens.merged().unwrap()).unwrap();
    std::fs::remove_file(store.path(queens.index().ending())).unwrap();
    let bounded =
        post(server.address, "/api/tables/probe", &json!({"men": "Kf6 Qa4", "king": "all"})).await.json();
    assert!(bounded["mate_in"].is_u64() && bounded["exact"] == false, "{bounded}");
    for answer in bounded["answers"].as_array().unwrap() {
        assert_eq!(answer["exact"], answer["mate"], "{answer}");
    }
    store.keep(&queens).unwrap();
    assert_eq!(queen(&get(server.address, "/api/tables").await.json())["built"], true);
    for wrong in [
        json!({"men": "Kf6", "king": "some"}),
        json!({"men": "x", "king": "all"}),
        json!({"men": "Kf6 Qa4", "king": ["f7"]}),
    ] {
        assert_eq!(post(server.address, "/api/tables/probe", &wrong).await.status, 400, "{wrong}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn results_of_the_arena_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("results.db");
    let config = nebel_server::Config {
        results: Some(store.clone()),
        limits: crate::common::generous(),
        ..nebel_server::Config::new(folder.path())
    };
    let server = start_with(config).await;
    let empty = get(server.address, "/api/results").await.json();
    assert_eq!(empty["matches"], json!([]));
    assert!(!store.exists(), "a store is not begun by looking at it");
    tokio::task::spawn_blocking(move || {
        let terms = MatchTerms { rules: Rules::icc(), start: Chess::new(), max_moves: Some(20) };
        let run = Run {
            schedule: Schedule::of_two("greedy", "random", 4, vec![Chess::new()], 1),
            terms,
            times: Times::alike(TimeControl::Nodes(1)),
            place: Place::Here(1),
            sprt: None,
            versions: Versions::Same,
        };
        run.play(&Store::open(&store).unwrap(), |_| {}).unwrap();
    })
    .await
    .unwrap();
    let results = get(server.address, "/api/results").await.json();
    let first = &results["matches"][0];
    assert_eq!((&first["a"], &first["b"], &first["games"]), (&json!("greedy"), &json!("random"), &json!(4)));
    assert_eq!(results["table"]["players"], json!(["greedy", "random"]));
    let shown = get(server.address, "/api/results/1").await.json();
    assert_eq!((shown["games"].as_array().unwrap().len(), shown["curve"].as_array().unwrap().len()), (4, 4));
    let number = &shown["games"][0]["number"];
    let review = get(server.address, &format!("/api/results/1/games/{number}")).await.json();
    assert!(review["steps"].as_array().unwrap().len() > 10 && review["over"].is_object());
    assert_eq!(get(server.address, "/api/results/9").await.status, 404);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn routes_and_their_description_agree() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let description = get(server.address, "/openapi.json").await.json();
    let mut described: Vec<String> = Vec::new();
    for (path, methods) in description["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            described.push(format!("{} {path}", method.to_uppercase()));
            assert!(operation["summary"].is_string(), "{method} {path} says what it does");
            let real = path.replace("{id}", "1").replace("{name}", "x").replace("{number}", "1");
            let headers = "Host: localhost\r\nContent-Type: application/json\r\n";
            let answer = request(server.address, &method.to_uppercase(), &real, headers, "{}").await;
            assert!(
                answer.status != 405 && !answer.text.contains("no such page"),
                "{method} {path}: {}",
                answer.text
            );
            if answer.status >= 400 {
                assert!(answer.json()["error"].is_string(), "{method} {path}: {}", answer.text);
            }
        }
    }
    described.sort();
    let expected = [
        "DELETE /api/jobs/{id}",
        "GET /api/collections",
        "GET /api/collections/{name}",
        "GET /api/collections/{name}/{number}",
        "GET /api/farm",
        "GET /api/games/{id}",
        "GET /api/games/{id}/review",
        "GET /api/games/{id}/socket",
        "GET /api/games/{id}/transcript",
        "GET /api/jobs/{id}",
        "GET /api/meta",
        "GET /api/opinions/{id}",
        "GET /api/results",
        "GET /api/results/{id}",
        "GET /api/results/{id}/games/{number}",
        "GET /api/studies/{id}",
        "GET /api/studies/{id}/{step}",
        "GET /api/tables",
        "POST /api/belief",
        "POST /api/games",
        "POST /api/opinions",
        "POST /api/problems/answer",
        "POST /api/review",
        "POST /api/solve",
        "POST /api/strategy/node",
        "POST /api/studies",
        "POST /api/tables/probe",
        "POST /api/umpire",
    ];
    assert_eq!(described, expected);
    for schema in ["Request", "Told", "NewGame", "Belief"] {
        assert!(description["components"]["schemas"][schema].is_object(), "{schema} is described");
    }
    server.stop().await;
}
