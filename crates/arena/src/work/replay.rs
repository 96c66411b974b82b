//! A game answered by the umpire once more, from what the players said.

use nebel_kriegspiel::{Answer, AskAnswer, Color, Event, Header, Over, Reason, Transcript, side};
use nebel_players::{MOST_NONSENSE, TimeControl};

use super::game::End;
use crate::game::{Account, Played};

/// What was put to the umpire in a game, and how it ended off the board.
pub fn words(transcript: &Transcript) -> (String, Option<End>) {
    let (mut said, mut end) = (Vec::new(), None);
    for event in transcript.events() {
        match event {
            Event::Attempt { said: Some(text), .. } => said.push(text.to_string()),
            Event::Attempt { said: None, .. } => {}
            Event::Ask { .. } => said.push("any?".to_owned()),
            Event::End { by, over } => end = Some(End { loser: *by, reason: over.reason }),
        }
    }
    (said.join(" "), end)
}

/// A game that is replayed, with what [`play`] looks at.
pub(super) struct Replay {
    transcript: Transcript,
    plies_allowed: Option<u32>,
    plies: u32,
    nonsense_in_turn: u32,
    /// White's, then Black's.
    pub(super) accounts: [Account; 2],
}

impl Replay {
    pub(super) fn new(header: Header, max_moves: Option<u32>) -> Replay {
        Replay {
            transcript: Transcript::new(header),
            plies_allowed: max_moves.map(|moves| moves.saturating_mul(2)),
            plies: 0,
            nonsense_in_turn: 0,
            accounts: [Account::default(), Account::default()],
        }
    }

    /// The game, if it is over.
    pub(super) fn played(self) -> Result<Played, String> {
        let over = self.transcript.umpire().over().ok_or("the game is not over")?;
        let [white, black] = self.accounts;
        Ok(Played { transcript: self.transcript, over, white, black })
    }

    fn is_too_long(&self) -> bool {
        self.plies_allowed.is_some_and(|allowed| self.plies >= allowed)
            && !self.transcript.events().is_empty()
    }

    /// Has the umpire answer a word again.
    pub(super) fn hear(&mut self, word: &str) -> Result<(), String> {
        if self.is_too_long() || self.nonsense_in_turn > MOST_NONSENSE {
            return Err("it goes on after its end".to_owned());
        }
        let by = self.transcript.umpire().to_move();
        let event = self.transcript.hear(word).map_err(|error| error.to_string())?;
        let account = &mut self.accounts[usize::from(by == Color::Black)];
        match event {
            Event::Attempt { answer: Answer::Moved(_), .. } => {
                self.nonsense_in_turn = 0;
                self.plies += 1;
            }
            Event::Attempt { answer: Answer::Illegal, .. } => account.refusals += 1,
            Event::Attempt { .. } | Event::Ask { answer: AskAnswer::Nonsense, .. } => {
                account.nonsense += 1;
                self.nonsense_in_turn += 1;
            }
            Event::Ask { .. } | Event::End { .. } => {}
        }
        Ok(())
    }

    /// Ends it off the board, if it could end so.
    pub(super) fn end(&mut self, end: End, times: [TimeControl; 2]) -> Result<(), String> {
        let End { loser, reason } = end;
        let place = usize::from(loser == Some(Color::Black));
        let is_possible = match (loser, reason) {
            (None, Reason::Length) => self.is_too_long(),
            (Some(_), Reason::Time) => {
                !matches!(times[place], TimeControl::Unlimited | TimeControl::Nodes(_))
            }
            (Some(_), Reason::Forfeit) => {
                self.nonsense_in_turn > MOST_NONSENSE || self.accounts[place].fault.is_some()
            }
            (Some(loser), Reason::Resignation) => loser == self.transcript.umpire().to_move(),
            _ => false,
        };
        if !is_possible {
            let who = loser.map_or("nobody", side::name);
            return Err(format!("it cannot end by {} of {who} here", reason.as_str()));
        }
        let over = loser.map_or_else(|| Over::draw(reason), |loser| Over::lost_by(loser, reason));
        self.transcript.end(loser, over).map(|_| ()).map_err(|error| error.to_string())
    }
}
