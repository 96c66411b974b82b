//! One side's running knowledge of its own men, kept from its view alone.
//!
//! [`OwnSide`] is to a player what [`crate::Umpire`] is to the referee: it says what makes sense to
//! ask. It is fed with the events of a view and refuses those that contradict what came before.

use shakmaty::{Chess, Color, Position};
use thiserror::Error;

use crate::{
    announcement::{Announcement, Tries},
    attempt::Attempt,
    event::{Answer, AskAnswer, Event, Input, ViewEvent},
    men::OwnMen,
    over::Over,
    rules::{CaptureDetail, EnPassant, NonsenseWord, PromotionAnnounced, Refusals, Rules, TriesAnnounced},
    turn::Turn,
};

/// What a side knows of its own men, its turn, and whose move it is.
#[derive(Clone, Debug)]
pub struct OwnSide {
    rules: Rules,
    men: OwnMen,
    turn: Turn,
    to_move: Color,
    over: Option<Over>,
}

/// An event that cannot follow what this side has heard before.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Contradiction {
    /// Something happens after the end.
    #[error("an event after the end of the game")]
    AfterEnd,
    /// The other side is to move.
    #[error("it is not {}'s turn", name(*.0))]
    OutOfTurn(Color),
    /// An own event does not say what was tried.
    #[error("an own attempt is missing")]
    AttemptMissing,
    /// An event of the other side says what was tried.
    #[error("the other side's attempt stands in the view")]
    AttemptShown,
    /// The umpire cannot have answered this.
    #[error("the attempt `{0}` makes no sense and cannot have been answered so")]
    MakesNoSense(String),
    /// The umpire cannot have called this nonsense.
    #[error("the attempt `{0}` makes sense and cannot have been called nonsense")]
    MakesSense(String),
    /// An answer to a question that was not due.
    #[error("the question \"any?\" cannot have been answered so")]
    Question,
    /// This side does not hear such things.
    #[error("under these rules the event is not heard by this side")]
    NotHeard,
    /// The other side captures nothing.
    #[error("a capture on {0}, where no own man stands that can be captured")]
    NothingToCapture(shakmaty::Square),
    /// An own capture is announced elsewhere than where the man went.
    #[error("a capture on {0}, which the attempt does not reach")]
    CaptureElsewhere(shakmaty::Square),
    /// The announcement does not have the form of these rules.
    #[error("{0}")]
    Form(&'static str),
}

impl OwnSide {
    /// The knowledge of one side at the start of a game.
    pub fn new(rules: Rules, start: &Chess, side: Color) -> OwnSide {
        OwnSide {
            rules,
            men: OwnMen::of(start, side),
            turn: Turn::default(),
            to_move: start.turn(),
            over: None,
        }
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The own men.
    pub fn men(&self) -> &OwnMen {
        &self.men
    }

    /// What this side has heard in its turn.
    pub fn turn(&self) -> &Turn {
        &self.turn
    }

    /// The side to move.
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// Whether this side is to move and the game goes on.
    pub fn is_to_move(&self) -> bool {
        self.over.is_none() && self.to_move == self.men.color()
    }

    /// The end of the game, if it has come.
    pub fn over(&self) -> Option<Over> {
        self.over
    }

    /// Whether the attempt makes sense now.
    pub fn makes_sense(&self, attempt: Attempt) -> bool {
        self.is_to_move() && self.turn.makes_sense(attempt, &self.men, &self.rules)
    }

    /// All attempts that make sense now.
    pub fn sensible_attempts(&self) -> Vec<Attempt> {
        let mut attempts = Vec::new();
        if self.is_to_move() {
            self.turn.for_each_sensible(&self.men, &self.rules, |attempt| attempts.push(attempt));
        }
        attempts
    }

    /// Whether asking "any?" makes sense now.
    pub fn may_ask(&self) -> bool {
        self.is_to_move() && self.turn.may_ask(&self.rules)
    }

    /// Tells nonsense from other refusals where the rules use one word for both.
    fn classify(&self, said: &Input, answer: Answer) -> Answer {
        let one_word = self.rules.nonsense == NonsenseWord::Illegal;
        match answer {
            Answer::Illegal if one_word && !said.attempt().is_some_and(|a| self.makes_sense(a)) => {
                Answer::Nonsense
            }
            other => other,
        }
    }

    /// Takes in an event of this side's view. On an error nothing has changed.
    pub fn hear(&mut self, event: &Event) -> Result<(), Contradiction> {
        if self.over.is_some() {
            return Err(Contradiction::AfterEnd);
        }
        match *event {
            Event::Attempt { by, .. } | Event::Ask { by, .. } if by != self.to_move => {
                return Err(Contradiction::OutOfTurn(by));
            }
            Event::Attempt { by, ref said, answer } if by == self.men.color() => {
                let said = said.as_ref().ok_or(Contradiction::AttemptMissing)?;
                self.hear_own(said, answer)?;
            }
            Event::Attempt { ref said, answer, .. } => {
                if said.is_some() {
                    return Err(Contradiction::AttemptShown);
                }
                self.hear_other(answer)?;
            }
            Event::Ask { by, answer } => self.hear_question(by, answer)?,
            Event::End { over, .. } => self.over = Some(over),
        }
        Ok(())
    }

    /// Takes in an event from elsewhere (a file, a protocol), told apart from nonsense where the rules
    /// use one word, and passes it on as heard.
    pub fn take(&mut self, mut event: Event) -> Result<ViewEvent, Contradiction> {
        if let Event::Attempt { by, said: Some(ref said), ref mut answer } = event
            && by == self.men.color()
        {
            *answer = self.classify(said, *answer);
        }
        self.hear(&event)?;
        Ok(ViewEvent(event))
    }

    fn hear_own(&mut self, said: &Input, answer: Answer) -> Result<(), Contradiction> {
        let sensible = said.attempt().filter(|&attempt| self.makes_sense(attempt));
        match (answer, sensible) {
            (Answer::Nonsense, None) => Ok(()),
            (Answer::Nonsense, Some(_)) => Err(Contradiction::MakesSense(said.to_string())),
            (_, None) => Err(Contradiction::MakesNoSense(said.to_string())),
            (Answer::Illegal, Some(attempt)) => {
                self.turn.refuse(attempt, &self.men);
                Ok(())
            }
            (Answer::Moved(announcement), Some(attempt)) => {
                check_form(&announcement, &self.rules)?;
                if let Some(capture) = announcement.capture {
                    let square = capture.captured_square(!self.men.color());
                    let en_passant = self.men.is_pawn_capture(attempt) && square == passed_square(attempt);
                    if square != attempt.to && !en_passant {
                        return Err(Contradiction::CaptureElsewhere(capture.square));
                    }
                } else if self.men.is_pawn_capture(attempt) {
                    return Err(Contradiction::Form("a pawn's capture without its announcement"));
                }
                self.men.make(attempt);
                self.next_turn(&announcement);
                Ok(())
            }
        }
    }

    fn hear_other(&mut self, answer: Answer) -> Result<(), Contradiction> {
        match answer {
            Answer::Nonsense => Err(Contradiction::NotHeard),
            Answer::Illegal if self.rules.refusals == Refusals::Silent => Err(Contradiction::NotHeard),
            Answer::Illegal => Ok(()),
            Answer::Moved(announcement) => {
                check_form(&announcement, &self.rules)?;
                if let Some(capture) = announcement.capture {
                    let square = capture.captured_square(self.men.color());
                    self.men.lose(square).ok_or(Contradiction::NothingToCapture(capture.square))?;
                }
                self.next_turn(&announcement);
                Ok(())
            }
        }
    }

    fn hear_question(&mut self, by: Color, answer: AskAnswer) -> Result<(), Contradiction> {
        let own = by == self.men.color();
        let may_ask = self.turn.may_ask(&self.rules);
        match answer {
            AskAnswer::Nonsense if !own => Err(Contradiction::NotHeard),
            AskAnswer::Nonsense if may_ask => Err(Contradiction::Question),
            AskAnswer::Yes | AskAnswer::No if !may_ask => Err(Contradiction::Question),
            _ => {
                self.turn.answer(answer);
                Ok(())
            }
        }
    }

    fn next_turn(&mut self, announcement: &Announcement) {
        self.turn.clear();
        self.to_move = !self.to_move;
        self.over = announcement.over;
    }
}

/// The square of a pawn captured en passant by this attempt.
pub fn passed_square(attempt: Attempt) -> shakmaty::Square {
    shakmaty::Square::from_coords(attempt.to.file(), attempt.from.rank())
}

/// Whether the announcement says what these rules say, no more and no less.
fn check_form(announcement: &Announcement, rules: &Rules) -> Result<(), Contradiction> {
    let wrong = |sentence| Err(Contradiction::Form(sentence));
    if let Some(capture) = announcement.capture {
        if capture.kind.is_some() != (rules.capture == CaptureDetail::Kind) {
            return wrong("under these rules a capture is not announced so (kind of the man)");
        }
        if capture.en_passant && rules.en_passant != EnPassant::LandingSquare {
            return wrong("under these rules \"en passant\" is not announced");
        }
    }
    if announcement.promotion && rules.promotion == PromotionAnnounced::Silent {
        return wrong("under these rules promotions are not announced");
    }
    let tries_fit = matches!(
        (announcement.tries, rules.tries, announcement.over),
        (None, _, Some(_))
            | (None, TriesAnnounced::Never | TriesAnnounced::AskBinding | TriesAnnounced::AskOneTry, None)
            | (Some(Tries::Count(_)), TriesAnnounced::Count, None)
            | (Some(Tries::Any(_)), TriesAnnounced::Any, None)
            | (Some(Tries::From(_)), TriesAnnounced::From, None)
    );
    if tries_fit { Ok(()) } else { wrong("pawn tries are not announced as these rules demand") }
}

/// `white` or `black`.
pub const fn name(side: Color) -> &'static str {
    match side {
        Color::White => "white",
        Color::Black => "black",
    }
}
