//! Walking through what White may know: all positions that it takes for possible at once, sorted by what the umpire
//! says next.
//!
//! This is for people who click through a strategy or solve a problem by themselves. The umpire of `nebel-kriegspiel`
//! judges each attempt, as in a game; the provers are asked only which answer is the worst for White.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use nebel_kriegspiel::rules::Draws;
use nebel_kriegspiel::{
    Answer, AskAnswer, Attempt, Chess, Color, Event, GameResult, Over, OwnMen, Rules, Umpire, start,
};
use nebel_search::{Algorithm, Cancel, Limits, Verdict};
use thiserror::Error;

use crate::problem::Problem;
use crate::strategy::{AfterAttempt, Strategy};

/// The most positions that are followed at once.
pub const MOST_POSITIONS: usize = 50_000;

/// What the word for a refused attempt is.
pub const ILLEGAL: &str = "illegal";

/// The positions that White takes for possible at one moment of a game.
#[derive(Clone, Debug)]
pub struct Walk {
    umpires: Vec<Umpire>,
}

/// Why a step cannot be taken.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum WalkError {
    /// The attempt could not be legal, or was refused before.
    #[error("`{0}` makes no sense here")]
    Nonsense(String),
    /// The rules have no such question, or it was asked.
    #[error("the question makes no sense here")]
    NonsenseQuestion,
    /// Nobody hears this here.
    #[error("`{0}` cannot be heard here")]
    NotHeard(String),
    /// Black has moved, or the game is over.
    #[error("White is not to move here")]
    NotWhite,
    /// White is to move, or the game is over.
    #[error("Black is not to move here")]
    NotBlack,
    /// See [`MOST_POSITIONS`].
    #[error("more than {MOST_POSITIONS} positions")]
    TooMany,
    /// The strategy has nothing of the kind.
    #[error("the strategy says nothing about `{0}`")]
    NotPlanned(String),
}

/// What may be heard, and the positions in which it is heard.
pub type Answers = BTreeMap<String, Walk>;

impl Walk {
    /// The beginning: White to move in every position. Draws by fifty moves and repetition are not considered.
    pub fn new(problem: &Problem) -> Result<Walk, WalkError> {
        let rules = Rules { draws: Draws::Material, ..problem.domain().rules().clone() };
        if problem.positions().len() > MOST_POSITIONS {
            return Err(WalkError::TooMany);
        }
        let umpires = problem.positions().iter().map(|position| Umpire::at(rules.clone(), position.clone()));
        Ok(Walk { umpires: umpires.collect() })
    }

    /// How many positions there are.
    #[expect(clippy::len_without_is_empty, reason = "what can be heard is heard somewhere")]
    pub fn len(&self) -> usize {
        self.umpires.len()
    }

    /// The positions.
    pub fn positions(&self) -> impl Iterator<Item = &Chess> {
        self.umpires.iter().map(Umpire::position)
    }

    /// Whose turn it is; the same everywhere.
    pub fn to_move(&self) -> Color {
        self.umpires.first().map_or(Color::White, Umpire::to_move)
    }

    /// How the game ended, if it did; announced, so the same everywhere.
    pub fn over(&self) -> Option<Over> {
        self.umpires.first().and_then(Umpire::over)
    }

    /// White's men; the same everywhere.
    pub fn white_men(&self) -> Option<OwnMen> {
        self.umpires.first().map(|umpire| OwnMen::of(umpire.position(), Color::White))
    }

    /// The attempts that make sense for White now.
    pub fn attempts(&self) -> Vec<Attempt> {
        let umpire = self.umpires.first().filter(|umpire| umpire.to_move() == Color::White);
        umpire.map(Umpire::sensible_attempts).unwrap_or_default()
    }

    /// Puts an attempt of White: [`ILLEGAL`] or an announcement, with the positions after it.
    pub fn attempt(&self, attempt: Attempt) -> Result<Answers, WalkError> {
        self.split(Color::White, |umpire| match umpire.attempt(attempt).map_err(|_| WalkError::NotWhite)? {
            Event::Attempt { answer: Answer::Moved(announcement), .. } => Ok(announcement.text(Color::Black)),
            Event::Attempt { answer: Answer::Illegal, .. } => Ok(ILLEGAL.to_owned()),
            _ => Err(WalkError::Nonsense(attempt.to_string())),
        })
    }

    /// Asks "any?" for White: `yes` or `no`.
    pub fn ask(&self) -> Result<Answers, WalkError> {
        self.split(Color::White, |umpire| match umpire.ask().map_err(|_| WalkError::NotWhite)? {
            Event::Ask { answer: AskAnswer::Yes, .. } => Ok("yes".to_owned()),
            Event::Ask { answer: AskAnswer::No, .. } => Ok("no".to_owned()),
            _ => Err(WalkError::NonsenseQuestion),
        })
    }

    /// All replies of Black, by what is announced of them.
    pub fn replies(&self) -> Result<Answers, WalkError> {
        if self.to_move() != Color::Black || self.over().is_some() {
            return Err(WalkError::NotBlack);
        }
        let mut answers = Answers::new();
        let mut seen = BTreeSet::new();
        for umpire in &self.umpires {
            for &legal in umpire.legal_moves() {
                let mut after = umpire.clone();
                let event = after.attempt(Attempt::of_move(legal)).map_err(|_| WalkError::NotBlack)?;
                let Some(announcement) = event.announcement() else { continue };
                // Histories do not matter any more: the turn is a new one.
                if !seen.insert(start::fen_without_counters(after.position())) {
                    continue;
                }
                if seen.len() > MOST_POSITIONS {
                    return Err(WalkError::TooMany);
                }
                add(&mut answers, announcement.text(Color::White), after);
            }
        }
        Ok(answers)
    }

    fn split(
        &self,
        mover: Color,
        answer: impl Fn(&mut Umpire) -> Result<String, WalkError>,
    ) -> Result<Answers, WalkError> {
        if self.to_move() != mover || self.over().is_some() {
            return Err(WalkError::NotWhite);
        }
        let mut answers = Answers::new();
        for umpire in &self.umpires {
            let mut umpire = umpire.clone();
            let heard = answer(&mut umpire)?;
            add(&mut answers, heard, umpire);
        }
        Ok(answers)
    }

    /// Whether White can still force mate within so many plies; `None` when that could not be decided in time.
    pub fn can_mate(&self, plies: u32, time: Duration, cancel: &Cancel) -> Option<bool> {
        let rules = self.umpires.first()?.rules().clone();
        let problem = Problem::new(rules, self.positions().cloned().collect()).ok()?;
        let limits = Limits { time: Some(time), cancel: cancel.clone(), ..Limits::default() };
        match problem.solve(plies, Algorithm::Auto, &limits).ok()?.verdict {
            Verdict::Guaranteed => Some(true),
            Verdict::Refuted => Some(false),
            Verdict::Unknown(_) => None,
        }
    }

    /// Whether White has won, in every position.
    pub fn is_won(&self) -> bool {
        self.over().is_some_and(|over| over.result == GameResult::White)
    }
}

fn add(answers: &mut Answers, heard: String, umpire: Umpire) {
    answers.entry(heard).or_insert_with(|| Walk { umpires: Vec::new() }).umpires.push(umpire);
}

/// A place in a strategy: what White takes for possible there, and what comes next.
#[derive(Clone, Debug)]
pub struct Place<'a> {
    /// The positions.
    pub walk: Walk,
    /// What to do, or what may be heard.
    pub next: Next<'a>,
}

/// What a strategy says at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next<'a> {
    /// White's turn.
    Turn(&'a Strategy),
    /// After a legal attempt.
    After(&'a AfterAttempt),
}

/// Follows a strategy along what is heard: `legal:ANNOUNCEMENT`, `then:ANNOUNCEMENT`, `illegal`, `yes`, `no`.
pub fn follow<'a>(
    problem: &Problem,
    strategy: &'a Strategy,
    path: &[String],
) -> Result<Place<'a>, WalkError> {
    let mut place = Place { walk: Walk::new(problem)?, next: Next::Turn(strategy) };
    for heard in path {
        let word = heard.split_once(':').map_or(heard.as_str(), |(_, announcement)| announcement);
        let answers = match place.next {
            Next::Turn(Strategy::Try { attempt, .. }) => {
                let attempt = attempt.parse().map_err(|_| WalkError::Nonsense(attempt.clone()))?;
                place.walk.attempt(attempt)?
            }
            Next::Turn(Strategy::Ask { .. }) => place.walk.ask()?,
            Next::After(_) => place.walk.replies()?,
        };
        let not_planned = || WalkError::NotPlanned(heard.clone());
        let next = match (place.next, heard.as_str()) {
            (Next::Turn(Strategy::Try { illegal: Some(next), .. }), ILLEGAL)
            | (Next::Turn(Strategy::Ask { yes: Some(next), .. }), "yes")
            | (Next::Turn(Strategy::Ask { no: Some(next), .. }), "no") => Next::Turn(next),
            (Next::Turn(Strategy::Try { legal, .. }), _) => {
                Next::After(legal.get(word).ok_or_else(not_planned)?)
            }
            (Next::After(AfterAttempt::Then(strategies)), _) => {
                Next::Turn(strategies.get(word).ok_or_else(not_planned)?)
            }
            _ => return Err(not_planned()),
        };
        place = Place { walk: take(answers, word)?, next };
    }
    Ok(place)
}

/// The positions in which this is heard.
pub fn take(mut answers: Answers, heard: &str) -> Result<Walk, WalkError> {
    answers.remove(heard).ok_or_else(|| WalkError::NotHeard(heard.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem() -> Problem {
        let fens = ["6k1/8/5K2/8/Q7/8/8/8 w - - 0 1", "7k/8/5K2/8/Q7/8/8/8 w - - 0 1"];
        let positions = fens.map(|fen| start::position(fen).unwrap());
        Problem::new(Rules::berkeley(), positions.to_vec()).unwrap()
    }

    #[test]
    fn answers_divide_what_is_possible() {
        let walk = Walk::new(&problem()).unwrap();
        let answers = walk.attempt("f6f7".parse().unwrap()).unwrap();
        assert_eq!(answers.keys().collect::<Vec<_>>(), ["Black to move.", ILLEGAL]);
        let refused = take(answers, ILLEGAL).unwrap();
        assert_eq!(refused.len(), 1);
        assert_eq!(refused.attempt("f6f7".parse().unwrap()).unwrap_err(), WalkError::Nonsense("f6f7".into()));
        assert_eq!(refused.can_mate(3, Duration::from_mins(1), &Cancel::default()), Some(true));
        assert_eq!(refused.can_mate(1, Duration::from_mins(1), &Cancel::default()), Some(false));
    }

    #[test]
    fn a_strategy_is_followed_to_its_mates() {
        let problem = problem();
        let report = problem.solve(3, Algorithm::Auto, &Limits::default()).unwrap();
        let strategy = Strategy::of(&report.strategy.unwrap(), problem.domain().rules());
        let mut ends = 0;
        let mut open = vec![Vec::new()];
        while let Some(path) = open.pop() {
            let place = follow(&problem, &strategy, &path).unwrap();
            let with = |word: String| path.iter().cloned().chain([word]).collect::<Vec<_>>();
            match place.next {
                Next::Turn(Strategy::Try { legal, illegal, .. }) => {
                    open.extend(legal.keys().map(|heard| with(format!("legal:{heard}"))));
                    open.extend(illegal.as_ref().map(|_| with(ILLEGAL.to_owned())));
                }
                Next::After(AfterAttempt::Then(strategies)) => {
                    open.extend(strategies.keys().map(|heard| with(format!("then:{heard}"))));
                }
                Next::After(AfterAttempt::Mate) => {
                    assert!(place.walk.is_won());
                    ends += 1;
                }
                other => panic!("{other:?}"),
            }
        }
        assert!(ends >= 2);
        let elsewhere = follow(&problem, &strategy, &["legal:Checkmate.".to_owned()]);
        assert!(elsewhere.is_err());
    }
}
