//! What a player remembers of its own game: how its men stood, for how long nothing has happened, and its last moves.

use std::collections::VecDeque;

use nebel_kriegspiel::{Answer, Attempt, Event, Input, OwnMen, Role};

/// How many own moves are looked back on for circles; the number is Darkboard's.
const MOVES: usize = 6;

/// The own side's game since the last thing that cannot be undone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Past {
    /// Own men after each own move since a man was captured or an own pawn moved. What stood before cannot come again.
    stood: Vec<OwnMen>,
    /// Own moves since then.
    idle: u32,
    last: VecDeque<Attempt>,
}

impl Past {
    /// Takes in an event of the own view; `before` are the own men as they stood until then.
    pub(crate) fn hear(&mut self, event: &Event, before: &OwnMen) {
        let Some(announcement) = event.announcement() else { return };
        if announcement.capture.is_some() {
            self.begin_anew();
        }
        if let Event::Attempt { said: Some(Input::Attempt(attempt)), answer: Answer::Moved(_), .. } = event {
            self.moved(*attempt, before, announcement.capture.is_some());
        }
    }

    fn begin_anew(&mut self) {
        self.stood.clear();
        self.idle = 0;
    }

    fn moved(&mut self, attempt: Attempt, before: &OwnMen, has_captured: bool) {
        if before.by_role(Role::Pawn).contains(attempt.from) {
            self.begin_anew();
        } else if !has_captured {
            self.idle += 1;
        }
        let mut after = before.clone();
        after.make(attempt);
        self.stood.push(after);
        if self.last.len() == MOVES {
            self.last.pop_front();
        }
        self.last.push_back(attempt);
    }

    /// Own moves since a capture or an own pawn's move; the opponent's pawns may have moved since.
    pub(crate) fn idle(&self) -> u32 {
        self.idle
    }

    /// How often the own men, with their castling rights, stood since then as they would after this attempt.
    pub(crate) fn visits(&self, men: &OwnMen, attempt: Attempt) -> usize {
        let mut after = men.clone();
        after.make(attempt);
        self.stood.iter().filter(|&stood| *stood == after).count()
    }

    /// Whether a move goes in circles: it repeats or undoes one of the last moves, and one of those did already.
    pub(crate) fn loops(&self, attempt: Attempt) -> bool {
        let circles = self.last.iter().filter(|&&last| is_same_way(last, attempt)).count();
        circles >= 2
    }
}

/// Whether one move repeats or undoes the other.
fn is_same_way(a: Attempt, b: Attempt) -> bool {
    (a.from == b.from && a.to == b.to) || (a.from == b.to && a.to == b.from)
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Chess, Color};

    use super::*;

    /// Makes a move of White, and remembers it.
    fn make(past: &mut Past, men: &mut OwnMen, text: &str) {
        let json = format!(r#"{{"by":"white","attempt":"{text}","answer":"moved"}}"#);
        past.hear(&Event::from_json(&json).unwrap(), men);
        men.make(text.parse().unwrap());
    }

    #[test]
    fn going_there_and_back_and_there_again_is_a_loop() {
        let mut men = OwnMen::of(&Chess::new(), Color::White);
        let mut past = Past::default();
        let [there, back] = ["b1c3", "c3b1"].map(|text| text.parse::<Attempt>().unwrap());
        assert!(!past.loops(there));
        make(&mut past, &mut men, "b1c3");
        assert!(!past.loops(back));
        make(&mut past, &mut men, "c3b1");
        assert!(past.loops(there));
        assert_eq!((past.idle(), past.visits(&men, there)), (2, 1));
    }

    #[test]
    fn captures_and_own_pawns_begin_anew() {
        let mut men = OwnMen::of(&Chess::new(), Color::White);
        let mut past = Past::default();
        for text in ["b1c3", "c3b1", "e2e4", "b1c3"] {
            make(&mut past, &mut men, text);
        }
        assert_eq!((past.idle(), past.visits(&men, "c3b1".parse().unwrap())), (1, 1));
        let loss = r#"{"by":"black","answer":"moved","capture":{"square":"e4","kind":"pawn"}}"#;
        past.hear(&Event::from_json(loss).unwrap(), &men);
        assert_eq!((past.idle(), past.visits(&men, "c3b1".parse().unwrap())), (0, 0));
    }
}
