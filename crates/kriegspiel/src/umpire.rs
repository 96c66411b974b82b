//! The umpire: the only holder of the position.
//!
//! An attempt is judged in two steps that must not be mixed. Whether it *makes sense* is decided by
//! [`Turn::makes_sense`] from the mover's own men and the answers heard in this turn; only then is it
//! looked up among the legal moves of the position. The legal moves are generated once a move: they
//! also give the pawn tries and the end of the game.

use shakmaty::{Chess, Color, Move, Position};
use thiserror::Error;

use crate::{
    announcement::{self, Announcement, Capture, PawnCaptures},
    attempt::Attempt,
    direction::Directions,
    event::{Answer, AskAnswer, Event, Input},
    men::OwnMen,
    over::{self, Over, Reason},
    rules::Rules,
    turn::Turn,
};

/// The referee of one game.
#[derive(Clone, Debug)]
pub struct Umpire {
    rules: Rules,
    position: Chess,
    /// The legal moves of the side to move. A `Vec`, because moving the library's list moves its whole
    /// capacity.
    legal: Vec<Move>,
    /// The men of the side to move.
    men: OwnMen,
    turn: Turn,
    /// The positions since the last capture or pawn's move, the current one last. Kept only where
    /// the rules know repetition.
    repeatable: Vec<Chess>,
    over: Option<Over>,
}

/// The game is over: nothing can be tried or asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the game is over: {0}")]
pub struct GameOver(pub Over);

impl Umpire {
    /// An umpire at the ordinary starting position.
    pub fn new(rules: Rules) -> Umpire {
        Umpire::at(rules, Chess::new())
    }

    /// An umpire at any position. The game may be over already.
    pub fn at(rules: Rules, position: Chess) -> Umpire {
        let mut umpire = Umpire {
            rules,
            legal: position.legal_moves().to_vec(),
            men: OwnMen::of(&position, position.turn()),
            position,
            turn: Turn::default(),
            repeatable: Vec::new(),
            over: None,
        };
        umpire.remember_position();
        umpire.over = umpire.end_on_the_board();
        umpire
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The position, which neither side may see.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The side to move.
    pub fn to_move(&self) -> Color {
        self.position.turn()
    }

    /// The end of the game, if it has come.
    pub fn over(&self) -> Option<Over> {
        self.over
    }

    /// The men of the side to move.
    pub fn men(&self) -> &OwnMen {
        &self.men
    }

    /// What the side to move has heard in this turn.
    pub fn turn(&self) -> &Turn {
        &self.turn
    }

    /// The legal moves of the side to move.
    pub fn legal_moves(&self) -> &[Move] {
        &self.legal
    }

    /// All attempts that make sense for the side to move; none after the end.
    pub fn sensible_attempts(&self) -> Vec<Attempt> {
        let mut attempts = Vec::new();
        if self.over.is_none() {
            self.turn.for_each_sensible(&self.men, &self.rules, |attempt| attempts.push(attempt));
        }
        attempts
    }

    /// Takes a line as a person says it: `any?`, or else an attempt.
    pub fn hear(&mut self, text: &str) -> Result<Event, GameOver> {
        if text == "any?" { self.ask() } else { self.try_said(Input::parse(text)) }
    }

    /// Answers an attempt.
    pub fn attempt(&mut self, attempt: Attempt) -> Result<Event, GameOver> {
        self.try_said(Input::Attempt(attempt))
    }

    /// Answers something that may not even be an attempt.
    #[inline]
    pub fn try_said(&mut self, said: Input) -> Result<Event, GameOver> {
        self.require_running()?;
        let by = self.to_move();
        let answer = said.attempt().map_or(Answer::Nonsense, |attempt| self.answer(attempt));
        Ok(Event::Attempt { by, said: Some(said), answer })
    }

    /// Answers the question "any?".
    pub fn ask(&mut self) -> Result<Event, GameOver> {
        self.require_running()?;
        let answer = if !self.turn.may_ask(&self.rules) {
            AskAnswer::Nonsense
        } else if PawnCaptures::among(&self.legal).count > 0 {
            AskAnswer::Yes
        } else {
            AskAnswer::No
        };
        self.turn.answer(answer);
        Ok(Event::Ask { by: self.to_move(), answer })
    }

    /// Ends the game for a reason off the board: resignation, time, forfeit, length, agreement.
    pub fn end(&mut self, by: Option<Color>, over: Over) -> Result<Event, GameOver> {
        self.require_running()?;
        self.over = Some(over);
        Ok(Event::End { by, over })
    }

    fn require_running(&self) -> Result<(), GameOver> {
        self.over.map_or(Ok(()), |over| Err(GameOver(over)))
    }

    #[inline]
    fn answer(&mut self, attempt: Attempt) -> Answer {
        if !self.turn.makes_sense(attempt, &self.men, &self.rules) {
            return Answer::Nonsense;
        }
        let Some(&m) = self.legal.iter().find(|&&m| Attempt::of_move(m) == attempt) else {
            self.turn.refuse(attempt, &self.men);
            return Answer::Illegal;
        };
        Answer::Moved(self.make(m))
    }

    #[inline]
    fn make(&mut self, m: Move) -> Announcement {
        // All earlier positions become unreachable.
        if m.is_zeroing() {
            self.repeatable.clear();
        }
        self.position.play_unchecked(m);
        self.remember_position();
        self.legal.clear();
        self.legal.extend_from_slice(&self.position.legal_moves());
        self.men = OwnMen::of(&self.position, self.position.turn());
        self.turn.clear();
        self.over = self.end_on_the_board();
        let goes_on = self.over.is_none();
        Announcement {
            capture: Capture::by_move(m, &self.rules),
            promotion: announcement::announces_promotion(m, &self.rules),
            check: Directions::on_king(self.position.board(), self.to_move()),
            tries: goes_on.then(|| PawnCaptures::among(&self.legal).announced(&self.rules)).flatten(),
            over: self.over,
        }
    }

    /// Keeps the current position where it may count when it comes again.
    fn remember_position(&mut self) {
        if over::counts_moves(&self.rules) {
            self.repeatable.push(self.position.clone());
        }
    }

    /// The end of the game as the board and its history show it, in the order of precedence.
    fn end_on_the_board(&self) -> Option<Over> {
        if self.legal.is_empty() {
            return Some(Over::without_moves(&self.rules, self.to_move(), self.position.is_check()));
        }
        if over::is_dead(self.position.board()) {
            return Some(Over::draw(Reason::Material));
        }
        if !over::counts_moves(&self.rules) {
            return None;
        }
        if self.position.halfmoves() >= 100 {
            return Some(Over::draw(Reason::Fifty));
        }
        // With the same side to move: every other one before the last, which is the current.
        let earlier = self.repeatable.iter().rev().skip(2).step_by(2);
        let times = earlier.filter(|&earlier| *earlier == self.position).count();
        (times >= 2).then_some(Over::draw(Reason::Repetition))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_current_position_ends_the_list_of_those_that_may_come_again() {
        let mut umpire = Umpire::new(Rules::icc());
        let mut lengths = Vec::new();
        for attempt in ["g1f3", "g8f6", "f3g1", "f6g8", "e2e4", "b8c6"] {
            umpire.hear(attempt).unwrap();
            assert_eq!(umpire.repeatable.last(), Some(umpire.position()), "{attempt}");
            lengths.push(umpire.repeatable.len());
        }
        assert_eq!(lengths, [2, 3, 4, 5, 1, 2]);
        let mut umpire = Umpire::new(Rules::berkeley());
        umpire.hear("g1f3").unwrap();
        assert!(umpire.repeatable.is_empty(), "berkeley knows no repetition");
    }
}
