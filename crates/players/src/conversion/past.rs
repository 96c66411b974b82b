//! What the player remembers of its own game: its last moves, to keep out of circles, and how long nothing has happened.

use std::collections::VecDeque;

use nebel_kriegspiel::{Attempt, Event, OwnMen, Role};

/// How many own moves are looked back on.
const MOVES: usize = 6;

/// The player's last moves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    last: VecDeque<Attempt>,
    /// Own men after each own move since a man was captured or an own pawn moved.
    stood: Vec<OwnMen>,
}

impl Memory {
    /// Remembers an own move, made with these men.
    pub(crate) fn moved(&mut self, attempt: Attempt, men_before: &OwnMen, event: &Event) {
        let is_pawn = men_before.by_role(Role::Pawn).contains(attempt.from);
        let captures = event.announcement().is_some_and(|announcement| announcement.capture.is_some());
        if is_pawn || captures {
            self.stood.clear();
        }
        let mut after = men_before.clone();
        after.make(attempt);
        self.stood.push(after);
        if self.last.len() == MOVES {
            self.last.pop_front();
        }
        self.last.push_back(attempt);
    }

    /// An own man was captured.
    pub(crate) fn lost(&mut self) {
        self.stood.clear();
    }

    /// Own moves since a capture or an own pawn's move; the opponent's pawns may have moved since.
    pub(crate) fn quiet(&self) -> u32 {
        self.stood.len() as u32
    }

    /// How often the own men stood since then as they would after this attempt.
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

    #[test]
    fn going_there_and_back_and_there_again_is_a_loop() {
        let men = OwnMen::of(&Chess::new(), Color::White);
        let event = Event::from_json(r#"{"by":"white","attempt":"b1c3","answer":"moved"}"#).unwrap();
        let mut memory = Memory::default();
        let [there, back] = ["b1c3", "c3b1"].map(|text| text.parse::<Attempt>().unwrap());
        assert!(!memory.loops(there));
        memory.moved(there, &men, &event);
        assert!(!memory.loops(back));
        memory.moved(back, &men, &event);
        assert!(memory.loops(there));
        assert_eq!(memory.quiet(), 2);
    }
}
