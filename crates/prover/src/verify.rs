//! Replays a plan before the umpire, from every position and against every reply.
//!
//! Nothing here comes from the solvers or from their fast positions: the umpire of `nebel-kriegspiel` judges each attempt,
//! as in a game.

use nebel_kriegspiel::rules::Draws;
use nebel_kriegspiel::{Announcement, Answer, AskAnswer, Attempt, Chess, Color, Event, Rules, Umpire, start};
use thiserror::Error;

use crate::plan::{Plan, Step};

/// Where a plan fails.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("from {position}: {}{kind}", said(line))]
pub struct Flaw {
    /// The position of the belief, as FEN.
    pub position: String,
    /// What was tried and announced, Black's moves included.
    pub line: Vec<String>,
    /// What is wrong then.
    pub kind: FlawKind,
}

fn said(line: &[String]) -> String {
    line.iter().flat_map(|words| [words, "; "]).collect()
}

/// What is wrong at the end of the line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FlawKind {
    /// The game was over before it began.
    #[error("the game is over here")]
    OverBefore,
    /// No text of an attempt.
    #[error("`{0}` is no attempt")]
    NoAttempt(String),
    /// The umpire calls it nonsense.
    #[error("`{0}` makes no sense here")]
    Nonsense(String),
    /// The question makes no sense under these rules or at this time.
    #[error("the question makes no sense here")]
    NonsenseQuestion,
    /// No branch for what happened.
    #[error("the plan says nothing about `{0}`")]
    Unforeseen(String),
    /// The branch says something else than what happened.
    #[error("the plan takes `{0}` for mate, and it is not")]
    NotMate(String),
    /// The branch goes on after the end.
    #[error("the game is over with `{0}`, and the plan goes on")]
    GoesOn(String),
    /// White does not win in time.
    #[error("no mate within the plies allowed")]
    TooLong,
    /// No table can be asked.
    #[error("material wins cannot be checked without tables")]
    NoTables,
}

/// Whether the plan wins from every position within `plies`. Draws by fifty moves and repetition are not considered.
pub fn verify(rules: &Rules, positions: &[Chess], plan: &Plan, plies: u32) -> Result<(), Flaw> {
    let rules = Rules { draws: Draws::Material, ..rules.clone() };
    for position in positions {
        let mut replay = Replay { line: Vec::new() };
        let umpire = Umpire::at(rules.clone(), position.clone());
        replay.turn(umpire, plan, plies).map_err(|kind| Flaw {
            position: start::fen_without_counters(position),
            line: std::mem::take(&mut replay.line),
            kind,
        })?;
    }
    Ok(())
}

struct Replay {
    line: Vec<String>,
}

impl Replay {
    /// One attempt or question, with all that may follow. The line grows on the way and is cut back on success.
    fn turn(&mut self, mut umpire: Umpire, plan: &Plan, plies: u32) -> Result<(), FlawKind> {
        let length = self.line.len();
        if plies == 0 {
            return Err(FlawKind::TooLong);
        }
        match plan {
            Plan::Ask { yes, no, .. } => {
                let event = umpire.ask().map_err(|_| FlawKind::OverBefore)?;
                let (answer, next) = match event {
                    Event::Ask { answer: AskAnswer::Yes, .. } => ("Yes", yes),
                    Event::Ask { answer: AskAnswer::No, .. } => ("No", no),
                    _ => return Err(FlawKind::NonsenseQuestion),
                };
                self.line.push(format!("any? {answer}."));
                let next = next.as_deref().ok_or_else(|| FlawKind::Unforeseen(answer.to_owned()))?;
                self.turn(umpire, next, plies)?;
            }
            Plan::Try { attempt: text, legal, illegal } => {
                let attempt: Attempt = text.parse().map_err(|_| FlawKind::NoAttempt(text.clone()))?;
                match answer(&umpire.attempt(attempt).map_err(|_| FlawKind::OverBefore)?) {
                    Some(Answer::Moved(announcement)) => {
                        self.line.push(format!("{text} {}", announcement.text(Color::Black)));
                        let said = announcement.text(Color::Black);
                        let step = legal.get(&said).ok_or_else(|| FlawKind::Unforeseen(said.clone()))?;
                        self.step(&umpire, &announcement, said, step, plies)?;
                    }
                    Some(Answer::Illegal) => {
                        self.line.push(format!("{text} Illegal."));
                        let next = illegal.as_deref();
                        let next = next.ok_or_else(|| FlawKind::Unforeseen("Illegal.".to_owned()))?;
                        self.turn(umpire, next, plies)?;
                    }
                    Some(Answer::Nonsense) | None => return Err(FlawKind::Nonsense(text.clone())),
                }
            }
        }
        self.line.truncate(length);
        Ok(())
    }

    fn step(
        &mut self,
        umpire: &Umpire,
        announcement: &Announcement,
        said: String,
        step: &Step,
        plies: u32,
    ) -> Result<(), FlawKind> {
        let won = announcement.over.is_some_and(|over| over.result.winner() == Some(Color::White));
        match step {
            Step::Mate if won => Ok(()),
            Step::Mate => Err(FlawKind::NotMate(said)),
            Step::Table => Err(FlawKind::NoTables),
            Step::Then(_) if announcement.over.is_some() => Err(FlawKind::GoesOn(said)),
            Step::Then(_) if plies < 3 => Err(FlawKind::TooLong),
            Step::Then(next) => {
                for &reply in umpire.legal_moves() {
                    let attempt = Attempt::of_move(reply);
                    let mut umpire = umpire.clone();
                    let event = umpire.attempt(attempt).map_err(|_| FlawKind::OverBefore)?;
                    let Some(Answer::Moved(announcement)) = answer(&event) else {
                        return Err(FlawKind::Nonsense(attempt.to_string()));
                    };
                    let said = announcement.text(Color::White);
                    self.line.push(format!("{attempt} {said}"));
                    let plan = next.get(&said).ok_or(FlawKind::Unforeseen(said))?;
                    self.turn(umpire, plan, plies - 2)?;
                    self.line.pop();
                }
                Ok(())
            }
        }
    }
}

fn answer(event: &Event) -> Option<Answer> {
    match *event {
        Event::Attempt { answer, .. } => Some(answer),
        _ => None,
    }
}
