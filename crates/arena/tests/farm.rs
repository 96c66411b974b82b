//! The farm against workers that lie, and runs that are not for everybody.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::{
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use async_nats::jetstream::{self, consumer::PullConsumer, message::PublishMessage};
use common::Nats;
use futures_util::StreamExt;
use nebel_arena::{
    farm::{
        Broker, Farm,
        status::{self, Status},
        worker::{WorkerTerms, work},
    },
    game::MatchTerms,
    runner::{Place, Run},
    schedule::Schedule,
    store::{Row, Store, Versions},
    time::{TimeControl, Times},
    work::{
        Cancel, Kinds, Trust, Work,
        game::{GameUnit, Games},
    },
};
use nebel_kriegspiel::{Chess, Rules};
use serde_json::{Value, json};

const GAMES: u32 = 40;

fn run(place: Place) -> Run {
    Run {
        schedule: Schedule::of_two("greedy", "random", GAMES, vec![Chess::new()], 3),
        terms: MatchTerms { rules: Rules::icc(), start: Chess::new(), max_moves: Some(60) },
        times: Times::alike(TimeControl::Nodes(1)),
        place,
        sprt: None,
        versions: Versions::Same,
    }
}

fn farm(url: &str, home: Option<&Path>, verify: f64) -> Place {
    Place::Farm(Farm {
        broker: Broker::at(url),
        verify,
        home: home.map(Path::to_owned),
        stop: Cancel::default(),
        say: |_| {},
    })
}

/// What a run is known by: each game with all that the umpire said.
fn transcripts(rows: &[Row]) -> Vec<(u32, String)> {
    rows.iter().map(|row| (row.number, row.transcript.clone())).collect()
}

fn local() -> Vec<(u32, String)> {
    transcripts(&run(Place::Here(1)).play(&Store::in_memory().unwrap(), |_| {}).unwrap())
}

/// A worker in a thread, which ends when it is told to.
struct Worker(Cancel, Option<JoinHandle<u64>>);

impl Worker {
    fn start(url: &str, trust: Trust) -> Worker {
        let stop = Cancel::default();
        let terms = WorkerTerms {
            broker: Broker::at(url),
            jobs: 2,
            trust,
            kinds: Kinds::of_the_arena(),
            stop: stop.clone(),
            say: |_| {},
        };
        Worker(stop, Some(thread::spawn(move || work(terms).unwrap())))
    }

    /// How many units it has done.
    fn end(mut self) -> u64 {
        self.0.cancel();
        self.1.take().unwrap().join().unwrap()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

fn status(url: &str) -> Status {
    status::ask(&Broker::at(url), Duration::from_millis(300)).unwrap()
}

/// Asks until something is so.
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < Duration::from_mins(1), "never: {what}");
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_run_on_the_farm_is_the_same_run() {
    let Some(nats) = Nats::start() else { return };
    let workers = [(); 2].map(|()| Worker::start(&nats.url(), Trust::Stranger));
    let store = Store::in_memory().unwrap();
    let rows = run(farm(&nats.url(), None, 0.0)).play(&store, |_| {}).unwrap();
    assert_eq!(transcripts(&rows), local());
    assert!(status(&nats.url()).runs.is_empty(), "the run is off the broker");
    assert_eq!(status(&nats.url()).workers.len(), 2);
    assert!(workers.map(Worker::end).iter().sum::<u64>() >= u64::from(GAMES));
}

#[test]
fn only_those_whom_the_broker_knows_are_let_in() {
    let asked = |url: &str| status::ask(&Broker::at(url), Duration::from_millis(100));
    let Some(nats) = Nats::start_with(&["--user", "me", "--pass", "p@ss"]) else { return };
    let with = |who: &str| nats.url().replace("nats://", &format!("nats://{who}@"));
    assert_eq!(asked(&with("me:p%40ss")), Ok(Status::default()));
    for who in ["me:wrong", "you:p%40ss", "me"] {
        let refused = asked(&with(who)).unwrap_err().to_string();
        assert!(refused.contains("authorization violation") && !refused.contains("wrong"), "{refused}");
    }
    let nats = Nats::start_with(&["--auth", "token"]).unwrap();
    assert_eq!(asked(&nats.url().replace("nats://", "nats://token@")), Ok(Status::default()));
    assert!(asked(&nats.url()).is_err());
}

/// Somebody with credentials who takes units and says what he likes.
struct Hostile {
    context: jetstream::Context,
    run: String,
}

impl Hostile {
    async fn at(url: &str) -> Hostile {
        let context = jetstream::new(async_nats::connect(url).await.unwrap());
        loop {
            let mut names = context.stream_names();
            while let Some(Ok(name)) = names.next().await {
                if let Some(run) = name.strip_prefix("nebel-units-") {
                    return Hostile { context: context.clone(), run: run.to_owned() };
                }
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Takes up to so many units, says something of each, and acknowledges them.
    async fn answer(&self, count: usize, say: impl Fn(u64, &GameUnit) -> (String, Vec<u8>)) {
        let stream = format!("nebel-units-{}", self.run);
        let Ok(consumer): Result<PullConsumer, _> =
            self.context.get_consumer_from_stream("workers", stream).await
        else {
            return;
        };
        let Ok(mut units) =
            consumer.batch().max_messages(count).expires(Duration::from_secs(1)).messages().await
        else {
            return;
        };
        while let Some(Ok(unit)) = units.next().await {
            let number = unit.subject.rsplit('.').next().unwrap().parse().unwrap();
            let (worker, result) = say(number, &serde_json::from_slice(&unit.payload).unwrap());
            self.publish(number, &worker, result).await;
            let _ = unit.ack().await;
        }
    }

    async fn publish(&self, number: u64, worker: &str, result: Vec<u8>) {
        let message = PublishMessage::build()
            .payload(result.into())
            .header("Nebel-Unit", number.to_string())
            .header("Nebel-Worker", worker);
        if let Ok(published) = self.context.send_publish(format!("nebel.results.{}", self.run), message).await
        {
            let _ = published.await;
        }
    }
}

/// The result of a unit by whoever does it honestly.
fn honest(unit: &GameUnit) -> Vec<u8> {
    let payload = serde_json::to_vec(unit).unwrap();
    Games::default().hand(Trust::Own).work(&payload, &Cancel::default()).unwrap()
}

/// A game that can be, but was not played by those it names: other seeds, or other players.
fn forged(unit: &GameUnit) -> Vec<u8> {
    honest(&GameUnit {
        seeds: [99, 98],
        white: "random".to_owned(),
        black: "random".to_owned(),
        ..unit.clone()
    })
}

/// A game that was played, changed in one place.
fn changed(unit: &GameUnit, change: impl Fn(&mut Value)) -> Vec<u8> {
    let mut result = serde_json::from_slice(&honest(unit)).unwrap();
    change(&mut result);
    serde_json::to_vec(&result).unwrap()
}

#[test]
fn hostile_workers_change_no_result() {
    let Some(nats) = Nats::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.db");
    let (url, home) = (nats.url(), path.clone());
    let collector = thread::spawn(move || {
        run(farm(&url, Some(&home), 1.0)).play(&Store::open(&home).unwrap(), |_| {}).unwrap()
    });
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let attack = nats.url();
    runtime.block_on(async {
        let hostile = Hostile::at(&attack).await;
        // Whole games that somebody else played, and games that end as it suits.
        hostile.answer(6, |_, unit| ("forger".to_owned(), forged(unit))).await;
        hostile
            .answer(3, |_, _| {
                let resigned = json!({"said": "", "end": {"loser": "white", "reason": "resignation"}, "sides": [{"micros": 0}, {"micros": 0}]});
                ("resigner".to_owned(), resigned.to_string().into_bytes())
            })
            .await;
        // Honest at first; the lies come later, one name or a new one for each.
        let count = AtomicU64::new(0);
        hostile
            .answer(6, |_, unit| {
                let is_first = count.fetch_add(1, Ordering::Relaxed) < 3;
                ("sleeper".to_owned(), if is_first { honest(unit) } else { forged(unit) })
            })
            .await;
        hostile.answer(4, |number, unit| (format!("many-{number}"), forged(unit))).await;
        // What cannot be: cut off, gone on with, another end, another form.
        let wrong: [fn(&mut Value); 5] = [
            |result| result["said"] = json!(result["said"].as_str().unwrap().rsplit_once(' ').unwrap().0),
            |result| result["said"] = json!(format!("{} e2e4", result["said"].as_str().unwrap())),
            |result| result["end"] = json!({"loser": "black", "reason": "time"}),
            |result| result["end"] = json!({"reason": "checkmate"}),
            |result| result["over"] = json!("1-0"),
        ];
        for (place, wrong) in wrong.into_iter().enumerate() {
            hostile.answer(2, |_, unit| (format!("wrong-{place}"), changed(unit, wrong))).await;
        }
        hostile.answer(2, |_, _| ("rubbish".to_owned(), vec![0xff; 100_000])).await;
        // A flood: of units that are none, and of rubbish for those that are.
        let flood = (0..5000_u64).map(|index| hostile.publish(index * 7919 % 5000, "flood", vec![b'{'; 200]));
        futures_util::stream::iter(flood).buffer_unordered(200).collect::<Vec<()>>().await;
    });
    let worker = Worker::start(&nats.url(), Trust::Stranger);
    let rows = collector.join().unwrap();
    assert_eq!(transcripts(&rows), local());
    let kept = Store::open_to_read(&path).unwrap().games(None).unwrap();
    assert_eq!(transcripts(&kept), local());
    worker.end();
}

#[test]
fn a_worker_takes_nothing_of_a_run_that_is_not_its_own() {
    let Some(nats) = Nats::start() else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let signature = Games::default().signature("greedy", Trust::Own).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    let runs = [
        ("0000000000000001", json!({"version": "0.0.9", "signatures": [["greedy", signature]]})),
        ("0000000000000002", json!({"version": version, "signatures": [["greedy", "0123456789abcdef"]]})),
        ("0000000000000003", json!({"version": version, "signatures": [["exec:sh -c 'touch started'", ""]]})),
        ("0000000000000004", json!({"version": version, "kind": "unheard", "signatures": []})),
    ];
    runtime.block_on(async {
        let context = jetstream::new(async_nats::connect(nats.url()).await.unwrap());
        for (run, mut notice) in runs.clone() {
            notice["title"] = json!("a test");
            if notice["kind"].is_null() {
                notice["kind"] = json!("game");
            }
            let config = jetstream::stream::Config {
                name: format!("nebel-units-{run}"),
                subjects: vec![format!("nebel.units.{run}.*")],
                retention: jetstream::stream::RetentionPolicy::WorkQueue,
                description: Some(notice.to_string()),
                ..jetstream::stream::Config::default()
            };
            let stream = context.create_stream(config).await.unwrap();
            let config = jetstream::consumer::pull::Config {
                durable_name: Some("workers".to_owned()),
                ..jetstream::consumer::pull::Config::default()
            };
            stream.create_consumer(config).await.unwrap();
            context.publish(format!("nebel.units.{run}.0"), "{}".into()).await.unwrap().await.unwrap();
        }
    });
    let worker = Worker::start(&nats.url(), Trust::Stranger);
    until("the worker refuses all four", || {
        status(&nats.url()).workers.first().is_some_and(|worker| worker.refused.len() == runs.len())
    });
    let told = status(&nats.url());
    let refused = told.workers[0].refused.join("\n");
    for why in ["wants version 0.0.9", "plays otherwise here", "starts a program", "`unheard` are not known"]
    {
        assert!(refused.contains(why), "{refused}");
    }
    assert!(told.runs.iter().all(|run| run.waiting == 1 && run.in_hand == 0), "{told:?}");
    assert!(told.runs.iter().all(|run| run.standing.is_none()), "nobody collects them");
    assert_eq!(worker.end(), 0);
}
