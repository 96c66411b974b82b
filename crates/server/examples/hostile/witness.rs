//! Games that remember what they were told, to be found again after the kill; and whether everything still works.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout};

use crate::{
    crowd::{Against, Game, Person, Report, new_game},
    wire::{Front, head, post},
};

/// How many there are.
const GAMES: usize = 8;
/// How long anything may take when all is quiet again. Proofs that nobody asks for any more go on for up to 75 seconds.
const PATIENCE: Duration = Duration::from_secs(100);

/// A few games that go over the kill.
#[derive(Default)]
pub(crate) struct Witnesses(Vec<Game>);

impl Witnesses {
    /// Sits down at the games again; what was acknowledged must be there. The first time they are begun.
    pub(crate) async fn come_back(&mut self, address: SocketAddr) -> Result<(), String> {
        if self.0.is_empty() {
            for _ in 0..GAMES {
                self.0.push(begin(address).await?);
            }
            return Ok(());
        }
        for person in
            self.0.iter_mut().flat_map(|game| std::iter::once(&mut game.white).chain(&mut game.black))
        {
            let now = person.sit_again(address).await?;
            if now.seen < person.seen {
                return Err(format!("{} events were told and {} are left", person.seen, now.seen));
            }
            *person = now;
        }
        println!("  {GAMES} games of before the kill go on with all that was acknowledged");
        Ok(())
    }

    /// Plays on, an attempt now and then; whether all were answered.
    pub(crate) async fn play(&mut self, address: SocketAddr, time: Duration) -> bool {
        let until = Instant::now() + time;
        let mut choice = 7usize;
        while Instant::now() < until {
            for game in &mut self.0 {
                choice =
                    choice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let step = game.step(choice >> 33, &mut Report::default()).await;
                let is_over = !game.white.now["over"].is_null();
                let began = match step {
                    Ok(()) if is_over => begin(address).await.map(|new| *game = new),
                    Ok(()) => Ok(()),
                    Err(error) => Err(error),
                };
                if let Err(error) = began {
                    println!("  a game of a witness ended: {error}");
                    return false;
                }
            }
            sleep(Duration::from_millis(200)).await;
        }
        true
    }
}

async fn begin(address: SocketAddr) -> Result<Game, String> {
    Game::begin(address, Against::People).await?.ok_or_else(|| TOO_MUCH.to_owned())
}

const TOO_MUCH: &str = "the server has too much to do";

/// Whether everything works once nobody attacks: new games, the machine, proofs, reviews.
pub(crate) async fn all_goes_on(address: SocketAddr) -> bool {
    let front = Front { target: address, from: address.ip(), is_over: Arc::default() };
    let checks = [
        ("a new game", timeout(PATIENCE, new_game_is_played(address)).await),
        ("the machine", timeout(PATIENCE, machine_answers(address)).await),
        ("a proof", timeout(PATIENCE, mate_is_proved(&front)).await),
        ("a review", timeout(PATIENCE, game_is_reviewed(&front)).await),
    ];
    let mut is_good = true;
    for (name, outcome) in checks {
        let wrong = match outcome {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error),
            Err(_) => Some("nothing happens".to_owned()),
        };
        is_good &= wrong.is_none();
        println!(
            "  afterwards: {name} {}",
            wrong.map_or("works".to_owned(), |error| format!("FAILS: {error:.200}"))
        );
    }
    is_good
}

async fn new_game_is_played(address: SocketAddr) -> Result<(), String> {
    begin(address).await?.step(0, &mut Report::default()).await
}

async fn machine_answers(address: SocketAddr) -> Result<(), String> {
    let wanted = json!({"as": "white", "opponent": {"player": "greedy", "move_ms": 100}});
    let game = new_game(address, &wanted).await?.ok_or(TOO_MUCH)?;
    let part = |name: &str| game[name].as_str().unwrap_or_default().to_owned();
    let mut person = Person::sit(address, &part("id"), &part("token")).await?;
    // Attempts until one is legal, then the machine's answer.
    while person.now["turn"] == "white" {
        person.attempt(0).await?;
    }
    while person.now["turn"] != "white" {
        person.hear("event").await?;
    }
    Ok(())
}

async fn mate_is_proved(front: &Front) -> Result<(), String> {
    let mate = json!({"plies": 3, "positions": ["6k1/8/5K2/8/Q7/8/8/8 w - - 0 1"]});
    let (status, body) = front.ask(&post("/api/solve", &mate)).await.map_err(|error| error.to_string())?;
    let job: Value = serde_json::from_str(&body).map_err(|_| format!("{status}: {body}"))?;
    let path = format!("/api/jobs/{}", job["job"].as_str().unwrap_or_default());
    loop {
        let answer = front.ask(head("GET", &path, 0).as_bytes()).await;
        let (_, body) = answer.map_err(|error| error.to_string())?;
        if body.contains("\"guaranteed\":true") {
            return Ok(());
        }
        if !body.contains("\"running\"") {
            return Err(body);
        }
        sleep(Duration::from_millis(100)).await;
    }
}

async fn game_is_reviewed(front: &Front) -> Result<(), String> {
    let review = json!({"text": "[Rules \"icc\"]\n\n1. e4 e5 *\n"});
    let (status, body) = front.ask(&post("/api/review", &review)).await.map_err(|error| error.to_string())?;
    if status == "200" { Ok(()) } else { Err(body) }
}
