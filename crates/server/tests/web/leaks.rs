//! Nothing hidden leaks through a side's WebSocket: two games that differ only in what a side may not know give it
//! the same bytes.

use crate::common::{Person, link_game, new_game, start, text};
use nebel_kriegspiel::{Attempt, Rules, Umpire, rules::Refusals, start as position};
use rand::{SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::json;

/// Hidden differences to start from are not allowed: the start is known to both. So games begin alike, and Black does
/// different things that sound the same.
struct Pair {
    ids: [String; 2],
    umpires: [Umpire; 2],
    white: [Person; 2],
    black: [Person; 2],
    random: Xoshiro256PlusPlus,
}

/// The messages of a person, byte for byte but for the name of the game, which is a random number.
fn stream(person: &Person, id: &str) -> Vec<String> {
    // The secret of those who watch is drawn by lot, as the name of the game is.
    let without_secret = |message: String| match message.split_once("\"watch\":\"") {
        Some((before, after)) => format!("{before}{}", &after[32..]),
        None => message,
    };
    person.stream.iter().map(|message| without_secret(message.replace(id, "ID"))).collect()
}

impl Pair {
    /// White tries the same in both; true while it hears the same.
    async fn white_turn(&mut self) -> bool {
        let mut attempts = self.umpires[0].sensible_attempts();
        assert_eq!(attempts, self.umpires[1].sensible_attempts());
        attempts.shuffle(&mut self.random);
        for attempt in attempts {
            let line = attempt.to_string();
            let events = self.umpires.each_mut().map(|umpire| umpire.hear(&line).unwrap());
            for person in &mut self.white {
                assert_eq!(person.attempt(&line).await["type"], "event");
            }
            if events[0] != events[1] {
                return false;
            }
            if events[0].announcement().is_some() {
                return true;
            }
        }
        false
    }

    /// Black makes noise that White does not hear and then moves that sound alike; false when there are none.
    async fn black_turn(&mut self) -> bool {
        let moves = self.umpires.each_ref().map(|umpire| {
            let attempts = umpire.legal_moves().iter().map(|&m| Attempt::of_move(m));
            attempts
                .map(|attempt| (attempt, umpire.clone().attempt(attempt).unwrap().announcement().copied()))
                .collect::<Vec<_>>()
        });
        let mut first = moves[0].clone();
        first.shuffle(&mut self.random);
        let alike = first.iter().find_map(|(a, said)| {
            let mut others = moves[1].iter().filter(|(_, other)| other == said).map(|(b, _)| b);
            others.clone().find(|b| *b != a).or_else(|| others.next()).map(|b| [*a, *b])
        });
        let Some(chosen) = alike else { return false };
        for (index, chosen) in chosen.into_iter().enumerate() {
            // The second Black fumbles, the first does not.
            let mut lines: Vec<String> = Vec::new();
            if index == 1 {
                let sensible = self.umpires[1].sensible_attempts();
                let is_legal = |attempt: &Attempt| moves[1].iter().any(|(legal, _)| legal == attempt);
                lines.push("h9".to_owned());
                let silent = self.umpires[1].rules().refusals == Refusals::Silent;
                lines.extend(
                    sensible
                        .iter()
                        .filter(|attempt| silent && !is_legal(attempt))
                        .take(3)
                        .map(ToString::to_string),
                );
            }
            lines.push(chosen.to_string());
            for line in lines {
                self.umpires[index].hear(&line).unwrap();
                let person = &mut self.black[index];
                person.my_turn("black").await;
                assert_eq!(person.attempt(&line).await["type"], "event");
            }
        }
        true
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_side_hears_the_same_bytes_whatever_it_may_not_know() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    let (mut compared, mut different) = (0, 0);
    for rules in ["icc", "berkeley", "rand", "english"] {
        for seed in 0..4 {
            let (mut people, mut ids) = (Vec::new(), Vec::new());
            for _ in 0..2 {
                let (id, white, black) = link_game(server.address, rules, None).await;
                let white = Person::sit(server.address, &id, &white).await;
                ids.push(id.clone());
                people.push((white, Person::sit(server.address, &id, &black).await));
            }
            let (second, first) = (people.pop().unwrap(), people.pop().unwrap());
            let umpire =
                Umpire::at(Rules::by_name(rules).unwrap(), position::position(position::STANDARD).unwrap());
            let mut pair = Pair {
                ids: ids.try_into().unwrap(),
                umpires: [umpire.clone(), umpire],
                white: [first.0, second.0],
                black: [first.1, second.1],
                random: Xoshiro256PlusPlus::seed_from_u64(seed),
            };
            for _ in 0..12 {
                if !pair.white_turn().await || pair.umpires.iter().any(|umpire| umpire.over().is_some()) {
                    break;
                }
                if !pair.black_turn().await {
                    break;
                }
                for person in &mut pair.white {
                    person.my_turn("white").await;
                }
                let [one, other] = [0, 1].map(|index| stream(&pair.white[index], &pair.ids[index]));
                assert_eq!(one, other, "seed {seed}");
                compared += one.len();
                different += usize::from(pair.umpires[0].position() != pair.umpires[1].position());
            }
        }
    }
    println!("{compared} messages compared, {different} times with different positions");
    assert!(compared > 200 && different > 30, "{compared} {different}");
    server.stop().await;
}

/// The machine's turn is shown at a tick counted from the move before: the time tells nothing of refusals on the way.
#[tokio::test(flavor = "multi_thread")]
async fn the_machine_answers_on_the_tick_whatever_was_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path()).await;
    // Black's rook is free or walled in by hidden men: the random player needs one attempt, or many.
    let starts = [
        ("4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1", "few refusals"),
        ("4k3/pppppppp/PPPPPPPP/8/8/8/8/4K3 w - - 0 1", "many refusals"),
    ];
    for (fen, what) in starts {
        for _ in 0..3 {
            let wanted =
                json!({"as": "white", "start": fen, "opponent": {"player": "random", "move_ms": 400}});
            let game = new_game(server.address, &wanted).await;
            let mut person = Person::sit(server.address, &text(&game["id"]), &text(&game["token"])).await;
            let attempts = person.now["attempts"].as_array().unwrap().clone();
            let mut moved_at = std::time::Instant::now();
            for attempt in attempts {
                let begun = std::time::Instant::now();
                let answer = person.attempt(attempt.as_str().unwrap()).await;
                if answer["event"]["answer"] == "moved" {
                    moved_at = begun;
                    break;
                }
            }
            let reply = person.hear("event").await;
            assert_eq!(reply["event"]["by"], "black");
            let taken = moved_at.elapsed().as_millis();
            let late = taken % 400;
            assert!((400..4000).contains(&taken) && late < 300, "{what}: shown {taken} ms after the move");
        }
    }
    server.stop().await;
}
