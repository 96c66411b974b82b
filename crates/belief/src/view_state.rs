//! From events to steps: what each event of a view asks of the positions of a belief.

use nebel_kriegspiel::{
    Answer, AskAnswer, Attempt, Chess, Color, Event, OwnSide, Rules, side::Contradiction,
};
use nebel_position::{Key, Men, men};

use crate::{
    announced::Announced,
    hidden::HiddenMove,
    own_move::OwnAttempt,
    refusals::{OtherTurn, RefusedAttempts},
    step::{Answered, Step},
};

/// One side's listening: its own men, its turn, and what it heard of the other's.
#[derive(Clone, Debug)]
pub struct ViewState {
    own: OwnSide,
    men: Men,
    other: OtherTurn,
    start: Key,
    /// Where the game began, until the first move.
    unmoved: Option<Chess>,
}

impl ViewState {
    /// At the start of a game.
    pub fn new(rules: Rules, start: &Chess, side: Color) -> ViewState {
        ViewState {
            own: OwnSide::new(rules, start, side),
            men: Men::of(start, side),
            other: OtherTurn::default(),
            start: Key::pack(&Men::of(start, !side)),
            unmoved: Some(start.clone()),
        }
    }

    /// The only position at the start.
    pub fn start(&self) -> Key {
        self.start
    }

    /// What this side knows of itself.
    pub fn own(&self) -> &OwnSide {
        &self.own
    }

    /// The own men, as all positions share them.
    pub fn men(&self) -> &Men {
        &self.men
    }

    /// Whose men are shared.
    pub fn side(&self) -> Color {
        self.own.men().color()
    }

    /// The position with these hidden men.
    pub fn position(&self, key: Key) -> Option<Chess> {
        let hidden = key.unpack();
        let (white, black) = match self.side() {
            Color::White => (&self.men, &hidden),
            Color::Black => (&hidden, &self.men),
        };
        men::position(white, black, self.own.to_move())
    }

    /// The same, but also the start of a game that was refereed elsewhere, in which the side not to move may be in check.
    /// Nobody can go on from it here; it can be shown.
    pub fn position_or_start(&self, key: Key) -> Option<Chess> {
        self.position(key).or_else(|| self.unmoved.clone())
    }

    /// Takes in an event; what it asks of each position, if anything. On an error nothing has changed.
    pub fn hear(&mut self, event: &Event) -> Result<Option<Step>, Contradiction> {
        let mut next = self.own.clone();
        // Own nonsense is told from other refusals here, where the rules use one word for both.
        let heard = next.take(event.clone())?;
        let step = match *heard {
            Event::End { .. } => None,
            Event::Attempt { by, ref said, answer } if by == self.side() => {
                let attempt = said.as_ref().and_then(nebel_kriegspiel::Input::attempt);
                attempt.and_then(|attempt| self.hear_own(attempt, answer))
            }
            Event::Attempt { by, answer, .. } => self.hear_other(by, answer, &next),
            Event::Ask { by, answer } => self.hear_question(by, answer),
        };
        self.own = next;
        Ok(step)
    }

    fn hear_own(&mut self, attempt: Attempt, answer: Answer) -> Option<Step> {
        if answer == Answer::Nonsense {
            return None;
        }
        let tried = OwnAttempt::new(self.own.men(), attempt)?;
        match answer {
            Answer::Moved(announcement) => {
                self.unmoved = None;
                self.men = *tried.after();
                self.other = OtherTurn::default();
                let heard = Announced::new(self.own.rules().clone(), announcement);
                Some(Step::Made(tried, heard))
            }
            _ => Some(Step::Refused(tried)),
        }
    }

    fn hear_other(&mut self, color: Color, answer: Answer, next: &OwnSide) -> Option<Step> {
        let rules = self.own.rules();
        match answer {
            Answer::Moved(announcement) => {
                let after = Men::own(next.men());
                let heard = Announced::new(rules.clone(), announcement);
                let allowed = self.other.allowed(rules);
                let step = HiddenMove::new(color, self.men, after, heard, allowed);
                self.unmoved = None;
                self.men = after;
                Some(Step::Hidden(Box::new(step)))
            }
            Answer::Illegal => {
                self.other.refuse();
                Some(Step::OthersRefused(RefusedAttempts {
                    color,
                    own: self.men,
                    needed: self.other.needed(rules),
                }))
            }
            Answer::Nonsense => None,
        }
    }

    fn hear_question(&mut self, by: Color, answer: AskAnswer) -> Option<Step> {
        if by != self.side() {
            self.other.answer(answer);
        }
        let yes = match answer {
            AskAnswer::Yes => true,
            AskAnswer::No => false,
            AskAnswer::Nonsense => return None,
        };
        Some(Step::Answered(Answered { by, side: self.side(), own: self.men, yes }))
    }
}
