//! Replays a strategy before the umpire, from every position and against every reply.
//!
//! Nothing here comes from the solvers or from their fast positions: the umpire of `nebel-kriegspiel` judges each attempt,
//! as in a game.

use std::collections::{BTreeMap, HashMap};

use nebel_kriegspiel::rules::Draws;
use nebel_kriegspiel::{Announcement, Answer, AskAnswer, Attempt, Chess, Color, Event, Rules, Umpire, start};
use nebel_search::Cancel;
use nebel_tablebase::{Board, Mask, Placement, bit};
use shakmaty::Position as _;
use thiserror::Error;

use crate::material::MaterialWins;
use crate::strategy::{AfterAttempt, Strategy};

/// Where a strategy fails.
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
    #[error("a table is to win, and no tables are given")]
    NoTables,
    /// No table wins what is left.
    #[error("no table wins what is left")]
    NotWon,
    /// Somebody wanted no answer any more.
    #[error("the replay was stopped")]
    Stopped,
}

/// Whether the strategy wins from every position within `plies`. Draws by fifty moves and repetition are not considered.
/// With tables, a strategy may end where one of them wins.
pub fn verify(
    rules: &Rules,
    positions: &[Chess],
    strategy: &Strategy,
    plies: u32,
    tables: Option<&MaterialWins>,
) -> Result<(), Flaw> {
    verify_until(rules, positions, strategy, plies, tables, &Cancel::default())
}

/// As [`verify`], but ends soon when somebody raises the flag.
pub fn verify_until(
    rules: &Rules,
    positions: &[Chess],
    strategy: &Strategy,
    plies: u32,
    tables: Option<&MaterialWins>,
    stop: &Cancel,
) -> Result<(), Flaw> {
    let rules = Rules { draws: Draws::Material, ..rules.clone() };
    let mut leaves = HashMap::new();
    for position in positions {
        let mut replay = Replay { line: Vec::new(), leaves: &mut leaves, start: position, tables, stop };
        let umpire = Umpire::at(rules.clone(), position.clone());
        replay.turn(umpire, strategy, plies).map_err(|kind| Flaw {
            position: start::fen_without_counters(position),
            line: std::mem::take(&mut replay.line),
            kind,
        })?;
    }
    match tables.and_then(|tables| leaves.into_values().find(|leaf| !leaf.is_won(tables))) {
        Some(leaf) => Err(Flaw { position: leaf.position, line: leaf.line, kind: FlawKind::NotWon }),
        None => Ok(()),
    }
}

/// A step that leaves the rest to a table. White cannot tell the positions that lead to it apart, so they are won together
/// or not at all.
struct Leaf {
    /// The position from which it was first reached, and how.
    position: String,
    line: Vec<String>,
    /// Where Black's king may be after his reply, for each way in which White's men may stand then.
    kings: BTreeMap<Placement, Mask>,
}

impl Leaf {
    fn is_won(&self, tables: &MaterialWins) -> bool {
        self.kings.iter().all(|(placement, &set)| tables.wins(placement, set))
    }
}

struct Replay<'a> {
    line: Vec<String>,
    start: &'a Chess,
    tables: Option<&'a MaterialWins>,
    stop: &'a Cancel,
    /// The leaves so far, by their place in the strategy.
    leaves: &'a mut HashMap<*const AfterAttempt, Leaf>,
}

impl Replay<'_> {
    /// One attempt or question, with all that may follow. The line grows on the way and is cut back on success.
    fn turn(&mut self, mut umpire: Umpire, strategy: &Strategy, plies: u32) -> Result<(), FlawKind> {
        let length = self.line.len();
        if plies == 0 {
            return Err(FlawKind::TooLong);
        }
        if self.stop.is_cancelled() {
            return Err(FlawKind::Stopped);
        }
        match strategy {
            Strategy::Ask { yes, no, .. } => {
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
            Strategy::Try { attempt: text, legal, illegal } => {
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
        step: &AfterAttempt,
        plies: u32,
    ) -> Result<(), FlawKind> {
        let won = announcement.over.is_some_and(|over| over.result.winner() == Some(Color::White));
        match step {
            AfterAttempt::Mate if won => Ok(()),
            AfterAttempt::Mate => Err(FlawKind::NotMate(said)),
            AfterAttempt::Table | AfterAttempt::Then(_) if announcement.over.is_some() => {
                Err(FlawKind::GoesOn(said))
            }
            AfterAttempt::Table if self.tables.is_none() => Err(FlawKind::NoTables),
            AfterAttempt::Table => self.leave(umpire.position(), step),
            AfterAttempt::Then(_) if plies < 3 => Err(FlawKind::TooLong),
            AfterAttempt::Then(next) => {
                for &reply in umpire.legal_moves() {
                    let attempt = Attempt::of_move(reply);
                    let mut umpire = umpire.clone();
                    let event = umpire.attempt(attempt).map_err(|_| FlawKind::OverBefore)?;
                    let Some(Answer::Moved(announcement)) = answer(&event) else {
                        return Err(FlawKind::Nonsense(attempt.to_string()));
                    };
                    let said = announcement.text(Color::White);
                    self.line.push(format!("{attempt} {said}"));
                    let strategy = next.get(&said).ok_or(FlawKind::Unforeseen(said))?;
                    self.turn(umpire, strategy, plies - 2)?;
                    self.line.pop();
                }
                Ok(())
            }
        }
    }

    /// Notes what a table has to win: all that may come of Black's reply.
    fn leave(&mut self, position: &Chess, step: &AfterAttempt) -> Result<(), FlawKind> {
        let leaf = self.leaves.entry(step).or_insert_with(|| Leaf {
            position: start::fen_without_counters(self.start),
            line: self.line.clone(),
            kings: BTreeMap::new(),
        });
        for reply in position.legal_moves() {
            let mut next = position.clone();
            next.play_unchecked(reply);
            let board = next.board();
            let men: Vec<String> = (board.clone().into_iter())
                .filter(|(_, piece)| piece.color == Color::White)
                .map(|(square, piece)| format!("{}{square}", piece.role.upper_char()))
                .collect();
            let placement = Placement::parse(Board::CHESS, &men.join(" ")).map_err(|_| FlawKind::NotWon)?;
            let king = board.king_of(Color::Black).filter(|_| board.by_color(Color::Black).count() == 1);
            *leaf.kings.entry(placement).or_default() |= bit(king.ok_or(FlawKind::NotWon)?);
        }
        Ok(())
    }
}

fn answer(event: &Event) -> Option<Answer> {
    match *event {
        Event::Attempt { answer, .. } => Some(answer),
        _ => None,
    }
}
