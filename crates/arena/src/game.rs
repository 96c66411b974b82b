//! One game between two players, refereed to its end.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use nebel_kriegspiel::{
    Answer, AskAnswer, Chess, Color, Event, Header, Over, Reason, Rules, Transcript, ViewEvent,
};
use nebel_players::{Choice, Fault, Game, MOST_NONSENSE, Player};

use crate::time::{Clock, TimeControl};

/// What both players of a game are given.
#[derive(Clone, Debug)]
pub struct MatchTerms {
    /// The rules.
    pub rules: Rules,
    /// The starting position.
    pub start: Chess,
    /// After so many moves of each side the game is drawn.
    pub max_moves: Option<u32>,
}

/// A player at the table, with what it alone is given.
pub struct Contestant<'a> {
    /// The player.
    pub player: &'a mut dyn Player,
    /// The seed of its randomness.
    pub seed: u64,
    /// How long it may think.
    pub time: TimeControl,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct Played {
    /// All that happened.
    pub transcript: Transcript,
    /// How it ended.
    pub over: Over,
    /// What White did in numbers.
    pub white: Account,
    /// What Black did in numbers.
    pub black: Account,
}

/// One side of a finished game in numbers.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// The time it thought.
    pub time: Duration,
    /// Attempts that were refused though they made sense.
    pub refusals: u32,
    /// Nonsense that it tried or asked.
    pub nonsense: u32,
    /// How it failed, if it did.
    pub fault: Option<Fault>,
}

/// Plays a game to its end. `on_event` sees every event as it happens.
pub fn play<'a>(
    terms: &'a MatchTerms,
    white: Contestant<'a>,
    black: Contestant<'a>,
    on_event: impl FnMut(&Event),
) -> Played {
    play_on(terms, &[], white, black, on_event)
}

/// Plays a game on to its end from what has happened in it, which both players are told as they would have heard it, as far as the
/// umpire agrees.
pub fn play_on<'a>(
    terms: &'a MatchTerms,
    history: &[Event],
    white: Contestant<'a>,
    black: Contestant<'a>,
    on_event: impl FnMut(&Event),
) -> Played {
    let mut header = Header::at(terms.rules.clone(), terms.start.clone());
    header.white = Some(white.player.spec());
    header.black = Some(black.player.spec());
    let mut table = RunningGame {
        terms,
        transcript: Transcript::new(header),
        sides: [Side::new(white), Side::new(black)],
        on_event,
        nonsense_in_turn: 0,
        plies: 0,
    };
    let over = match table.run(history) {
        ControlFlow::Break(over) => over,
        ControlFlow::Continue(never) => match never {},
    };
    let [white, black] = table.sides.map(|side| Account { time: side.clock.used(), ..side.account });
    Played { transcript: table.transcript, over, white, black }
}

struct Side<'a> {
    seat: Contestant<'a>,
    /// Whether the player knows of this game. One that does not is told nothing of its end.
    has_begun: bool,
    clock: Clock,
    account: Account,
}

impl<'a> Side<'a> {
    fn new(seat: Contestant<'a>) -> Side<'a> {
        Side { clock: Clock::new(seat.time), seat, has_begun: false, account: Account::default() }
    }

    fn start(&mut self, game: Game) -> Result<(), Fault> {
        self.has_begun = true;
        self.seat.player.allow(self.seat.time);
        self.seat.player.start(game)
    }

    fn hear(&mut self, event: &ViewEvent) -> Result<(), Fault> {
        if self.has_begun { self.seat.player.hear(event) } else { Ok(()) }
    }
}

struct RunningGame<'a, F> {
    terms: &'a MatchTerms,
    transcript: Transcript,
    /// White, Black.
    sides: [Side<'a>; 2],
    on_event: F,
    nonsense_in_turn: u32,
    plies: u32,
}

/// The game goes on, or is over.
type GameFlow = ControlFlow<Over>;
/// A loop that only ends with the game.
enum Never {}

impl<'a, F: FnMut(&Event)> RunningGame<'a, F> {
    fn run(&mut self, history: &[Event]) -> ControlFlow<Over, Never> {
        if let Some(over) = self.transcript.umpire().over() {
            return ControlFlow::Break(over);
        }
        for color in Color::ALL {
            let game = Game {
                side: color,
                rules: self.terms.rules.clone(),
                start: self.terms.start.clone(),
                seed: self.side(color).seat.seed,
            };
            let started = self.side(color).start(game);
            self.unless_failed(color, started)?;
        }
        for event in history {
            if self.transcript.add(event).is_err() {
                break;
            }
            self.plies += u32::from(event.announcement().is_some());
            self.announce(event)?;
        }
        loop {
            self.choice()?;
        }
    }

    fn side(&mut self, color: Color) -> &mut Side<'a> {
        let [white, black] = &mut self.sides;
        match color {
            Color::White => white,
            Color::Black => black,
        }
    }

    /// Lets the side to move choose once, and does what it chose.
    fn choice(&mut self) -> GameFlow {
        let color = self.transcript.umpire().to_move();
        let side = self.side(color);
        let begin = Instant::now();
        let budget = side.clock.budget(begin);
        let choice = side.seat.player.choose(&budget);
        let in_time = side.clock.spend(begin.elapsed());
        match choice {
            Err(fault) => self.unless_failed(color, Err(fault)),
            Ok(_) if !in_time => self.end(color, Reason::Time),
            Ok(Choice::Resign) => self.end(color, Reason::Resignation),
            Ok(Choice::Ask) => self.put(color, "any?"),
            Ok(Choice::Try(attempt)) => self.put(color, &attempt.to_string()),
        }
    }

    fn put(&mut self, color: Color, line: &str) -> GameFlow {
        let event = match self.transcript.hear(line) {
            Ok(event) => event.clone(),
            Err(error) => return ControlFlow::Break(error.0),
        };
        match &event {
            Event::Attempt { answer: Answer::Moved(_), .. } => {
                self.side(color).clock.moved();
                self.nonsense_in_turn = 0;
                self.plies += 1;
            }
            Event::Attempt { answer: Answer::Illegal, .. } => self.side(color).account.refusals += 1,
            Event::Attempt { .. } | Event::Ask { answer: AskAnswer::Nonsense, .. } => {
                self.side(color).account.nonsense += 1;
                self.nonsense_in_turn += 1;
            }
            Event::Ask { .. } | Event::End { .. } => {}
        }
        self.announce(&event)?;
        if self.nonsense_in_turn > MOST_NONSENSE {
            return self.end(color, Reason::Forfeit);
        }
        let is_too_long = self.terms.max_moves.is_some_and(|moves| self.plies >= moves.saturating_mul(2));
        if is_too_long { self.finish(None, Over::draw(Reason::Length)) } else { ControlFlow::Continue(()) }
    }

    /// Tells both sides their share of an event. A side that cannot be told any more loses.
    fn announce(&mut self, event: &Event) -> GameFlow {
        (self.on_event)(event);
        let rules = self.terms.rules.clone();
        let told = Color::ALL.map(|color| {
            let heard = event.heard_by(color, &rules);
            heard.map_or(Ok(()), |heard| self.side(color).hear(&heard))
        });
        if let Some(over) = self.transcript.umpire().over() {
            return ControlFlow::Break(over);
        }
        for (color, told) in Color::ALL.into_iter().zip(told) {
            self.unless_failed(color, told)?;
        }
        ControlFlow::Continue(())
    }

    fn unless_failed(&mut self, color: Color, result: Result<(), Fault>) -> GameFlow {
        match result {
            Ok(()) => ControlFlow::Continue(()),
            Err(fault) => {
                self.side(color).account.fault = Some(fault);
                self.end(color, Reason::Forfeit)
            }
        }
    }

    fn end(&mut self, loser: Color, reason: Reason) -> GameFlow {
        self.finish(Some(loser), Over::lost_by(loser, reason))
    }

    fn finish(&mut self, by: Option<Color>, over: Over) -> GameFlow {
        if let Ok(event) = self.transcript.end(by, over) {
            let event = event.clone();
            self.announce(&event)?;
        }
        ControlFlow::Break(over)
    }
}
