//! The turns of a side, one after the other, as the machine would have played them.

use std::collections::VecDeque;

use nebel_belief::{Man, Marginals, ViewState};
use nebel_kriegspiel::{
    Answer, Attempt, Bitboard, Chess, Color, Event, GameResult, Header, OwnSide, Role, Square, Transcript,
    Tries, ViewEvent, transcript::Record,
};
use nebel_players::{Budget, Choice, Explanation, Fault, Game, Nebel, Player as _};

use super::{
    TurnOpinion, WeighedAttempt,
    mate::{self, Mate},
};
use crate::knowledge::{Squares, rounded};

/// The strongest player, as it comes.
pub(super) const PLAYER: &str = "nebel";
/// The same game gets the same opinion.
const SEED: u64 = 1;
/// So many attempts are told.
const WEIGHED: usize = 8;

/// What there is to say of a turn, and what the turning points are found by.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub(crate) opinion: TurnOpinion,
    pub(super) story: Story,
}

/// What happened in a turn and in the reply to it.
#[derive(Clone, Debug, Default)]
pub(super) struct Story {
    /// What was tried, in order, with the man that went.
    pub(super) tried: Vec<(Attempt, Option<Role>)>,
    /// The attempt that was made.
    pub(super) made: Option<Attempt>,
    /// Where the side took something.
    pub(super) won: Option<Square>,
    /// Where it lost something to the reply, and what.
    pub(super) lost: Option<(Square, Role)>,
    /// Whether it was told that a pawn could capture.
    pub(super) has_try: bool,
    /// Whether the machine's choice is a pawn's capture.
    pub(super) would_capture: Option<Attempt>,
    /// The mate that was certain.
    pub(super) mate: Option<Mate>,
    /// How the game ended before the next turn: 1, ½ or 0 for the side.
    pub(super) end: Option<f64>,
}

/// All turns of a side, worked out one by one.
pub(crate) struct Turns {
    player: Nebel,
    own: OwnSide,
    side: Color,
    header: Header,
    /// What is to be heard, and how many steps of the game have been made with it.
    coming: VecDeque<(usize, ViewEvent)>,
    /// The game itself as far as it was heard, where it is known.
    truth: Option<(Box<Transcript>, Vec<Event>)>,
    step: usize,
    /// Whether the side was told that a pawn of the side to move can capture.
    has_try: bool,
}

impl Turns {
    /// The turns of a side in a game or in its view; how many there are.
    pub(crate) fn new(record: &Record, side: Color) -> Result<(usize, Turns), String> {
        let header = record.header().clone();
        let rules = &header.rules;
        let own = OwnSide::new(rules.clone(), &header.start, side);
        let mut heard = VecDeque::new();
        let mut listening = own.clone();
        let mut turns = usize::from(own.is_to_move());
        for (index, event) in record.events().iter().enumerate() {
            let event = match record {
                Record::Transcript(_) => event.heard_by(side, rules),
                Record::View(_) => {
                    Some(listening.clone().take(event.clone()).map_err(|error| error.to_string())?)
                }
            };
            let Some(event) = event else { continue };
            listening.hear(&event).map_err(|error| error.to_string())?;
            let begins = event.announcement().is_some() && listening.is_to_move();
            turns += usize::from(begins && listening.over().is_none());
            heard.push_back((index + 1, event));
        }
        let mut player = Nebel::new(None).map_err(|error| error.to_string())?;
        let game = Game { side, rules: rules.clone(), start: header.start.clone(), seed: SEED };
        player.start(game).map_err(|fault| fault.to_string())?;
        let truth = match record {
            Record::Transcript(transcript) => {
                Some((Box::new(Transcript::new(header.clone())), transcript.events().to_vec()))
            }
            Record::View(_) => None,
        };
        Ok((turns, Turns { player, own, side, header, coming: heard, truth, step: 0, has_try: false }))
    }

    /// Hears what comes until the side is to move, then thinks; `None` when there is no turn left.
    fn turn(&mut self) -> Result<Option<Told>, Fault> {
        while !(self.own.is_to_move() && self.own.over().is_none()) {
            if self.hear()?.is_none() {
                return Ok(None);
            }
        }
        let choice = self.player.choose(&Budget::unlimited())?;
        let explanation = self.player.explain().unwrap_or_default();
        let opinion = self.opinion(choice, &explanation);
        let mate = self.player.belief().and_then(mate::prove);
        let (would_capture, has_try) = (self.pawn_capture(choice), self.has_try);
        let mut story = Story { has_try, would_capture, mate, ..Story::default() };
        self.follow(&mut story)?;
        Ok(Some(Told { opinion, story }))
    }

    /// What happens in this turn and in the reply.
    fn follow(&mut self, story: &mut Story) -> Result<(), Fault> {
        loop {
            let before = self.own.men().clone();
            let Some(event) = self.hear()? else { return Ok(()) };
            let is_own = event.by() == Some(self.side);
            if let Event::Attempt { said: Some(said), answer, .. } = &*event
                && is_own
                && let Some(attempt) = said.attempt()
            {
                story.tried.push((attempt, before.role_at(attempt.from)));
                if matches!(answer, Answer::Moved(_)) {
                    story.made = Some(attempt);
                }
            }
            if let Some(announcement) = event.announcement() {
                match announcement.capture {
                    Some(capture) if is_own => story.won = Some(capture.captured_square(!self.side)),
                    Some(capture) => {
                        let on = capture.captured_square(self.side);
                        story.lost = before.role_at(on).map(|role| (on, role));
                    }
                    None => {}
                }
            }
            if let Some(over) = self.own.over() {
                story.end = Some(match (over.result, self.side) {
                    (GameResult::White, Color::White) | (GameResult::Black, Color::Black) => 1.0,
                    (GameResult::Draw, _) => 0.5,
                    _ => 0.0,
                });
                return Ok(());
            }
            if !is_own && event.announcement().is_some() {
                return Ok(());
            }
        }
    }

    fn hear(&mut self) -> Result<Option<ViewEvent>, Fault> {
        let Some((step, event)) = self.coming.pop_front() else { return Ok(None) };
        self.player.hear(&event)?;
        self.own.hear(&event).map_err(|error| Fault::Protocol(error.to_string()))?;
        self.step = step;
        if let Some(announcement) = event.announcement() {
            self.has_try = announcement.tries.is_some_and(Tries::are_there);
        }
        if let Some((transcript, events)) = &mut self.truth {
            while transcript.events().len() < step {
                let next = &events[transcript.events().len()];
                transcript.add(next).map_err(|error| Fault::Protocol(error.to_string()))?;
            }
        }
        Ok(Some(event))
    }

    fn opinion(&self, choice: Choice, explanation: &Explanation) -> TurnOpinion {
        let marginals = explanation.belief.clone().unwrap_or_default();
        let weighed = explanation.attempts.iter().take(WEIGHED).map(|weighed| WeighedAttempt {
            attempt: weighed.attempt.to_string(),
            chance: self.player.chance_of(weighed).map(rounded),
            legal: rounded(1.0 - share(&weighed.messages, "illegal")),
        });
        let truth = self.truth.as_ref().map(|(transcript, _)| transcript.umpire().position().clone());
        TurnOpinion {
            step: self.step,
            chance: rounded(self.player.chance().unwrap_or(0.5)),
            choice: match choice {
                Choice::Try(attempt) => attempt.to_string(),
                Choice::Ask => "any?".to_owned(),
                Choice::Resign => "resign".to_owned(),
            },
            weighed: weighed.collect(),
            notes: explanation.notes.clone(),
            positions: self.player.belief().map_or(0, nebel_belief::Belief::len),
            board: squares_of(&marginals),
            truth: truth.as_ref().map(|truth| self.weight_of(truth)),
            men: truth.as_ref().map(|truth| rounded(men_right(&marginals, truth, !self.side))),
        }
    }

    /// How likely the player held the true position.
    fn weight_of(&self, truth: &Chess) -> f64 {
        let key = ViewState::new(self.header.rules.clone(), truth, self.side).start();
        let Some(belief) = self.player.belief() else { return 0.0 };
        belief.weighted().find(|(held, _)| *held == key).map_or(0.0, |(_, weight)| weight)
    }

    fn pawn_capture(&self, choice: Choice) -> Option<Attempt> {
        let Choice::Try(attempt) = choice else { return None };
        let is_pawn = self.own.men().role_at(attempt.from) == Some(Role::Pawn);
        (is_pawn && attempt.from.file() != attempt.to.file()).then_some(attempt)
    }
}

impl Iterator for Turns {
    type Item = Result<Told, String>;

    fn next(&mut self) -> Option<Result<Told, String>> {
        self.turn().map_err(|fault| fault.to_string()).transpose()
    }
}

fn share(messages: &[(String, f64)], name: &str) -> f64 {
    messages.iter().filter(|(message, _)| message == name).map(|(_, share)| share).sum()
}

/// How likely the true men of a colour were held to stand where they did, on the mean.
fn men_right(marginals: &Marginals, truth: &Chess, color: Color) -> f64 {
    let board = nebel_kriegspiel::Position::board(truth);
    let men = board.iter().filter(|(_, man)| man.color == color);
    let odds: Vec<f64> = men.map(|(square, man)| marginals.get(square, Man::Of(man.role))).collect();
    odds.iter().sum::<f64>() / odds.len().max(1) as f64
}

fn squares_of(marginals: &Marginals) -> Squares {
    let of = |role| Bitboard::FULL.into_iter().map(|at| rounded(marginals.get(at, Man::Of(role)))).collect();
    Squares {
        p: of(Role::Pawn),
        n: of(Role::Knight),
        b: of(Role::Bishop),
        r: of(Role::Rook),
        q: of(Role::Queen),
        k: of(Role::King),
    }
}
