//! Nothing hidden leaks: two games that differ only in what a side may not know sound the same to it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use nebel_kriegspiel::{
    Announcement, Answer, Attempt, Chess, Color, Event, Header, OwnMen, Rules, Transcript, json,
    rules::Refusals,
    start,
    transcript::Record,
    words::{Listener, Words},
};
use rand::{
    RngExt,
    seq::{IndexedRandom, SliceRandom},
};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Two games in step: the listener does the same in both, the other side does not.
struct Pair {
    games: [Transcript; 2],
    listener: Color,
    random: Xoshiro256PlusPlus,
}

/// How a pair ended.
#[derive(PartialEq)]
enum PairOutcome {
    GoesOn,
    /// The listener may know now: a move was legal in one game only, or announced differently.
    Told,
    Stuck,
}

impl Pair {
    fn new(rules: &Rules, start: &str, listener: Color, seed: u64) -> Pair {
        let game = Transcript::new(Header::at(rules.clone(), start::position(start).unwrap()));
        Pair { games: [game.clone(), game], listener, random: common::random(seed) }
    }

    /// The listener's own turn: what makes sense must be the same, nonsense included.
    fn listener_turn(&mut self) -> PairOutcome {
        let [first, second] = &self.games;
        let sensible = first.umpire().sensible_attempts();
        assert_eq!(sensible, second.umpire().sensible_attempts());
        let line = match self.random.random_range(0..12) {
            0 => "any?".to_owned(),
            1 => "h9".to_owned(),
            2 => "e1e8".to_owned(),
            _ => match sensible.choose(&mut self.random) {
                Some(attempt) => attempt.to_string(),
                None => "any?".to_owned(),
            },
        };
        let told = self.games.each_mut().map(|game| game.hear(&line).unwrap().clone());
        let is_nonsense = |event: &Event| matches!(event, Event::Attempt { answer: Answer::Nonsense, .. });
        assert_eq!(is_nonsense(&told[0]), is_nonsense(&told[1]), "{line}");
        if told[0] == told[1] { PairOutcome::GoesOn } else { PairOutcome::Told }
    }

    /// The other side's turn: noise that the listener must not hear, then moves that sound alike.
    fn other_turn(&mut self) -> PairOutcome {
        let rules = self.games[0].header().rules.clone();
        let heard_refusals = usize::from(rules.refusals == Refusals::Heard && self.random.random());
        for index in 0..2 {
            for _ in 0..self.random.random_range(0..3) {
                let nonsense = ["x", "a1a1", "any"].choose(&mut self.random).unwrap();
                self.games[index].hear(nonsense).unwrap();
            }
            let refusals = match rules.refusals {
                Refusals::Silent => self.random.random_range(0..4),
                Refusals::Heard => heard_refusals,
            };
            for _ in 0..refusals {
                let mut sensible = self.games[index].umpire().sensible_attempts();
                sensible.shuffle(&mut self.random);
                let illegal = sensible.into_iter().find(|&attempt| !is_legal(&self.games[index], attempt));
                match illegal {
                    Some(attempt) => drop(self.games[index].hear(&attempt.to_string()).unwrap()),
                    None if rules.refusals == Refusals::Heard => return PairOutcome::Stuck,
                    None => {}
                }
            }
        }
        let [mut first, mut second] = self.games.each_ref().map(moves_with_announcements);
        first.shuffle(&mut self.random);
        second.shuffle(&mut self.random);
        let alike = first.iter().find_map(|(a, said)| {
            // Different moves are wanted; the same move will do where the games differ already.
            let mut others = second.iter().filter(|(_, other)| other == said).map(|(b, _)| b);
            others.clone().find(|b| *b != a).or_else(|| others.next()).map(|b| [*a, *b])
        });
        let Some(moves) = alike else { return PairOutcome::Stuck };
        for (game, attempt) in self.games.iter_mut().zip(moves) {
            game.hear(&attempt.to_string()).unwrap();
        }
        PairOutcome::GoesOn
    }

    fn stream(&self, index: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        json::write(&Record::View(Box::new(self.games[index].view(self.listener))), &mut bytes).unwrap();
        let game = &self.games[index];
        let heard =
            game.events().iter().filter_map(|event| event.heard_by(self.listener, &game.header().rules));
        for event in heard {
            let words = Words::of(&event, Listener::Side(self.listener), &game.header().rules);
            bytes.extend(words.text().bytes());
        }
        bytes
    }
}

fn is_legal(game: &Transcript, attempt: Attempt) -> bool {
    game.umpire().legal_moves().iter().any(|&m| Attempt::of_move(m) == attempt)
}

fn moves_with_announcements(game: &Transcript) -> Vec<(Attempt, Announcement)> {
    let moves = game.umpire().legal_moves().iter().map(|&m| Attempt::of_move(m));
    moves
        .filter_map(|attempt| {
            let event = game.umpire().clone().attempt(attempt).unwrap();
            event.announcement().map(|&announcement| (attempt, announcement))
        })
        .collect()
}

#[test]
fn games_that_differ_only_in_hidden_things_sound_the_same() {
    let (mut different, mut compared) = (0, 0);
    for rules in Rules::KNOWN.map(|rules| rules()) {
        for seed in 0..60 {
            let start = common::STARTS[seed as usize % common::STARTS.len()];
            let listener = if seed % 2 == 0 { Color::White } else { Color::Black };
            let mut pair = Pair::new(&rules, start, listener, seed);
            for _ in 0..60 {
                if pair.games.iter().any(|game| game.umpire().over().is_some()) {
                    break;
                }
                let before = [0, 1].map(|index| pair.stream(index));
                assert_eq!(before[0], before[1], "{} seed {seed}", rules.name);
                let step = if pair.games[0].umpire().to_move() == listener {
                    pair.listener_turn()
                } else {
                    pair.other_turn()
                };
                if step != PairOutcome::GoesOn {
                    break;
                }
                compared += 1;
            }
            let [first, second] = pair.games.each_ref().map(|game| game.umpire().position());
            different += usize::from(first != second);
        }
    }
    println!("{compared} steps compared; {different} of 360 pairs ended in different positions");
    assert!(different > 100 && compared > 1000, "{different} {compared}");
}

#[test]
fn what_makes_sense_is_a_function_of_own_men() {
    // The same white men; Black has an en passant target, a checker, and a blocker, or none of them.
    let hidden = [
        "4k3/8/8/3pP3/8/8/8/R3K2R w KQ d6 0 1",
        "4k3/8/8/4P3/8/8/8/R3K2R w KQ - 0 1",
        "4k3/8/4n3/4P3/7b/8/8/R3K2R w KQ - 0 1",
        "4k3/8/8/4P3/8/8/8/RN2K2R w Q - 0 1",
    ];
    let sets = hidden.map(|fen| {
        let position: Chess = start::position(fen).unwrap();
        let mut attempts = Vec::new();
        OwnMen::of(&position, Color::White).for_each_attempt(|attempt| attempts.push(attempt));
        attempts
    });
    assert_eq!(sets[0], sets[1]);
    assert_eq!(sets[1], sets[2]);
    assert_ne!(sets[2], sets[3], "own men and own rights do matter");
}
