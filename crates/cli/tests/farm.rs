//! The farm as a user meets it: workers, brokers and collectors that are killed, programs that are not for everybody,
//! and what is said of all of them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../arena/tests/common/mod.rs"]
mod common;
#[path = "common/program.rs"]
mod program;

use std::{
    ffi::OsStr,
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use common::Nats;
use program::{NEBEL, nebel, printed};
use serde_json::Value;

/// Something that runs beside the test, and is killed with it.
struct Running(Child);

impl Running {
    fn start(folder: &Path, args: &[impl AsRef<OsStr>]) -> Running {
        let child = Command::new(NEBEL)
            .current_dir(folder)
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        Running(child.unwrap())
    }

    fn worker(folder: &Path, url: &str) -> Running {
        Running::start(folder, &["worker", "--nats", url, "--jobs", "1"])
    }

    fn signal(&self, name: &str) {
        assert!(Command::new("kill").args([name, &self.0.id().to_string()]).status().unwrap().success());
    }

    fn has_ended(&mut self) -> bool {
        self.0.try_wait().unwrap().is_some()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn status(folder: &Path, url: &str) -> Value {
    serde_json::from_str(&printed(folder, &["farm", "status", url, "--json"])).unwrap()
}

/// Waits until something is so.
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < Duration::from_mins(3), "never: {what}");
        thread::sleep(Duration::from_millis(50));
    }
}

/// When the next worker is killed.
#[derive(Clone, Copy)]
enum Pace {
    /// After so long.
    Time(Duration),
    /// After so many games more, however slow the machine is.
    Games(usize),
}

/// Three workers of which one is killed again and again, a broker that is killed and restarted twice, a collector that is
/// killed twice: exactly the games of a local run, byte for byte.
fn survives_a_storm(mut games: u32, pace: Pace) {
    let Some(mut nats) = Nats::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (folder, url) = (folder.path(), nats.url());
    let run = |games: u32, more: &[&str]| -> Vec<String> {
        let terms = ["match", "c", "hs", "--nodes", "600", "--max-moves", "60", "--seed", "11", "--games"];
        let games = games.to_string();
        [&terms[..], &[&games], more].concat().into_iter().map(str::to_owned).collect()
    };
    let on_farm = |games| run(games, &["--store", "farm.db", "--farm", &url]);
    let mut workers: Vec<Running> = (0..3).map(|_| Running::worker(folder, &url)).collect();
    let mut collector = Running::start(folder, &on_farm(games));
    let done = || {
        let csv = nebel(folder, &["results", "farm.db", "--export", "csv"]).stdout;
        String::from_utf8(csv).unwrap().lines().count().saturating_sub(1)
    };
    let begin = Instant::now();
    let (mut kills, mut last) = (0, Instant::now());
    // What is killed when so many games are there, one after the other: early, so that a fast machine is not through before.
    let mut blows = 1..=4_usize;
    let mut next = blows.next();
    loop {
        if collector.has_ended() {
            if next.is_none() {
                break;
            }
            // A machine that plays faster than this looks was through too early: the run is made longer.
            games += games;
            collector = Running::start(folder, &on_farm(games));
        }
        assert!(begin.elapsed() < Duration::from_mins(30), "the run does not end");
        thread::sleep(Duration::from_millis(200));
        let there = done();
        let is_time = match pace {
            Pace::Time(pause) => last.elapsed() >= pause,
            Pace::Games(games) => there >= (kills + 1) * games,
        };
        if is_time {
            workers[kills % 3].signal("-KILL");
            workers[kills % 3] = Running::worker(folder, &url);
            kills += 1;
            last = Instant::now();
        }
        if let Some(blow) = next.filter(|&blow| there >= games as usize * blow / 10) {
            if blow % 2 == 1 {
                nats.kill();
                thread::sleep(Duration::from_secs(1));
                nats.restart();
            } else {
                collector.signal("-KILL");
                collector = Running::start(folder, &on_farm(games));
            }
            next = blows.next();
        }
    }
    let took = begin.elapsed();
    // The run is there, so that the same command only says what it shows.
    let said = printed(folder, &on_farm(games));
    assert_eq!(said, printed(folder, &run(games, &["--store", "local.db", "--jobs", "2"])));
    let [farm, here] =
        ["farm.db", "local.db"].map(|store| printed(folder, &["results", store, "--export", "jsonl"]));
    assert!(farm == here, "the games differ");
    assert_eq!(farm.matches("\"nebel\":1").count(), games as usize);
    assert_eq!(status(folder, &url)["runs"].as_array().unwrap().len(), 0, "nothing is left on the broker");
    println!("{games} games, {kills} workers killed, in {:.1} s", took.as_secs_f64());
}

#[test]
fn a_run_survives_the_death_of_everybody_in_turn() {
    survives_a_storm(48, Pace::Games(6));
}

/// The same at length: `cargo test -p nebel-cli --test farm -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn a_long_run_survives_the_death_of_everybody_in_turn() {
    survives_a_storm(400, Pace::Time(Duration::from_secs(3)));
}

/// Rows of a measurement without what is of the machine: times and memory.
fn verdicts(rows: &str) -> Vec<String> {
    let mut verdicts: Vec<String> = rows
        .lines()
        .map(|row| {
            let fields: Vec<&str> = row.split(',').collect();
            [&fields[..5], &fields[6..9], &fields[10..]].concat().join(",")
        })
        .collect();
    verdicts.sort_unstable();
    verdicts
}

#[test]
fn problems_are_gathered_deepened_and_measured_alike() {
    let Some(nats) = Nats::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (folder, url) = (folder.path(), nats.url());
    let _worker = Running::start(folder, &["worker", "--nats", &url, "--jobs", "2"]);
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../collections/berkeley-3.jsonl");
    let shipped = fs::read_to_string(shipped).unwrap();
    let is_miss = |line: &&str| line.contains("\"guaranteed\":false");
    let some: Vec<&str> = shipped.lines().take(3).chain(shipped.lines().filter(is_miss).take(3)).collect();
    fs::write(folder.join("some.jsonl"), some.join("\n")).unwrap();
    let both = |args: &[&str]| {
        let here = printed(folder, args);
        (here, printed(folder, &[args, &["--farm", &url]].concat()))
    };
    let (here, there) = both(&["problems", "bench", "some.jsonl", "--algorithms", "gl-dbu,pns"]);
    assert_eq!(verdicts(&here), verdicts(&there));
    assert_eq!(here.lines().count(), 1 + 2 * 6);
    let (here, there) = both(&["problems", "deepen", "some.jsonl", "--plies", "5"]);
    assert_eq!(here, there);
    assert!(here.lines().count() > 0);
    let (here, there) = both(&["problems", "generate", "--count", "2", "--seed", "3"]);
    assert_eq!(here, there);
    assert_eq!(here.lines().count(), 4);
}

#[test]
fn programs_are_started_only_where_that_is_allowed() {
    let Some(nats) = Nats::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let [strict_folder, willing_folder] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let (folder, url) = (folder.path(), nats.url());
    let bot = format!("exec:sh -c 'touch started; exec \"{NEBEL}\" bot greedy'");
    let args = ["match", &bot, "random", "--games", "2", "--json", "--max-moves", "20", "--farm", &url];
    let mut strict = Running::worker(strict_folder.path(), &url);
    let mut collector = Running::start(folder, &args);
    until("the worker refuses the run", || {
        status(folder, &url)["workers"][0]["refused"].as_array().is_some_and(|refused| refused.len() == 1)
    });
    // The collector asked the program who it is, in its own folder.
    assert!(!strict_folder.path().join("started").exists(), "the worker started the program");
    assert!(!collector.has_ended() && !strict.has_ended());
    let _willing = Running::start(willing_folder.path(), &["worker", "--nats", &url, "--allow-exec"]);
    until("a worker that may does it", || collector.has_ended());
    assert!(willing_folder.path().join("started").exists());
}

#[test]
fn who_is_told_to_end_gives_back_what_it_holds() {
    let Some(nats) = Nats::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (folder, url) = (folder.path(), nats.url());
    // Two games of minutes each.
    let args = ["match", "c", "c", "--games", "2", "--move-time", "20s", "--store", "m.db", "--farm", &url];
    let run = |field: &str| status(folder, &url)["runs"][0][field].as_u64();
    let mut collector = Running::start(folder, &args);
    let mut worker = Running::start(folder, &["worker", "--nats", &url, "--jobs", "2"]);
    until("both games are being played", || run("in_hand") == Some(2));
    for (running, what) in [(&mut worker, "the worker"), (&mut collector, "the collector")] {
        let begin = Instant::now();
        running.signal("-INT");
        until("it ends", || running.has_ended());
        assert!(begin.elapsed() < Duration::from_secs(3), "{what} took {:?}", begin.elapsed());
    }
    assert!(status(folder, &url)["runs"][0]["standing"].is_null(), "its collector is away");
    let other = Running::start(folder, &["worker", "--nats", &url, "--jobs", "2"]);
    until("another worker has both games", || {
        run("redelivered") == Some(2) && status(folder, &url)["workers"][0]["busy"] == 2
    });
    drop(other);
    // Without a store, nobody can go on with a run: it goes with its collector.
    let mut forgetful = Running::start(folder, &["match", "c", "c", "--move-time", "20s", "--farm", &url]);
    until("a second run is there", || status(folder, &url)["runs"].as_array().unwrap().len() == 2);
    forgetful.signal("-INT");
    until("it ends", || forgetful.has_ended());
    assert_eq!(status(folder, &url)["runs"].as_array().unwrap().len(), 1);
}

#[test]
fn what_cannot_be_used_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let nobody = "nats://me:secret@127.0.0.1:1";
    for (args, code, wanted) in [
        (&["match", "random", "random", "--farm", nobody][..], 1, "no broker at nats://127.0.0.1:1: "),
        (&["farm", "status", nobody], 1, "no broker at nats://127.0.0.1:1: "),
        (&["match", "random", "random", "--farm", nobody, "--verify", "101"], 2, "--verify: 101 is no share"),
        (&["match", "random", "random", "--farm", nobody, "--creds", "none.creds"], 2, "none.creds: "),
        (&["worker", "--nats", nobody, "--jobs", "0"], 2, "--jobs: 0 is no number from 1 to 1024"),
        (&["worker", "--nats", "no url at all"], 1, "no broker at no url at all: "),
    ] {
        let output = nebel(folder.path(), args);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
        assert!(said.contains(wanted) && said.lines().count() == 1, "{args:?}: {said}");
        assert!(!said.contains("secret"), "{said}");
    }
    let alone = Command::new(NEBEL)
        .args(["farm", "up", "--dir"])
        .arg(folder.path().join("js"))
        .env("PATH", folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8(alone.stderr).unwrap();
    assert_eq!(alone.status.code(), Some(1), "{said}");
    assert!(said.contains("there is no `nats-server` on the path"), "{said}");
}

#[test]
fn a_broker_of_ones_own_is_started_and_ended() {
    if Nats::start().is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let mut up = Running::start(folder.path(), &["farm", "up", "--port", &port, "--dir", "js"]);
    let url = format!("nats://127.0.0.1:{port}");
    until("the broker answers", || nebel(folder.path(), &["farm", "status", &url]).status.success());
    let text = printed(folder.path(), &["farm", "status", &url]);
    assert_eq!(text, "0 workers, 0 units at a time\n0 runs\n");
    assert!(fs::read_dir(folder.path().join("js")).unwrap().count() > 0, "its store is where it was told");
    up.signal("-INT");
    until("the broker ends with us", || {
        up.has_ended() && !nebel(folder.path(), &["farm", "status", &url]).status.success()
    });
}
