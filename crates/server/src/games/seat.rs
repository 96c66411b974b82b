//! One side of a game, and all that its handlers can reach.
//!
//! A [`Seat`] holds a [`View`] and the listeners of that side. It is fed with [`ViewEvent`]s and with
//! [`Outside`], which says what both sides see on the wall. No type here leads to the position: what a side is
//! told, and whether its request is refused, cannot depend on what it may not know.

use std::{collections::BTreeMap, time::Duration};

use nebel_kriegspiel::{
    AskAnswer, Color, Event, Header, Input, View, ViewEvent,
    json::{Side, TriesJson},
    words::{self, Listener},
};
use nebel_players::MOST_NONSENSE;
use tokio::sync::mpsc;

use super::{
    clock::ClockFace,
    messages::{GameFacts, Now, OverFacts, Request, Taken, Told, ToldEvent, YesOrNo},
};

/// The longest text that is put to the umpire as an attempt.
const LONGEST_ATTEMPT: usize = 16;
/// More events than any game has that is played in earnest. Nonsense is an event, so somebody must stop it.
const MOST_EVENTS: usize = 20_000;

/// The most who watch one side.
const MOST_WATCHERS: usize = 20;

/// One side of a game.
#[derive(Debug)]
pub(crate) struct Seat {
    facts: GameFacts,
    view: View,
    listeners: Vec<mpsc::Sender<Told>>,
    /// Who only watches: hears what the side hears, and nothing that is for its person alone.
    watchers: Vec<mpsc::Sender<Told>>,
}

/// What both sides see besides their views.
#[derive(Clone, Debug)]
pub(crate) struct Outside {
    /// The clocks.
    pub(crate) clock: Option<ClockFace>,
    /// The side that the machine plays.
    pub(crate) machine: Option<Color>,
    /// What the machine had for its last turn, if the server had too much to do for more.
    pub(crate) hurried_to: Option<Duration>,
}

/// A request that makes sense to put to the umpire.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Put {
    /// An attempt, or `any?`.
    Line(String),
    /// The side gives up.
    Resign,
}

impl Seat {
    /// A seat at the start of a game.
    pub(crate) fn new(facts: GameFacts, header: Header, side: Color) -> Seat {
        Seat { facts, view: View::new(header, side), listeners: Vec::new(), watchers: Vec::new() }
    }

    /// Tells its person the secret of those who watch.
    pub(crate) fn may_be_watched(&mut self, secret: Option<String>) {
        self.facts.watch = secret;
    }

    /// Whose seat it is.
    pub(crate) fn side(&self) -> Color {
        self.view.side()
    }

    /// Who is told.
    fn listener(&self) -> Listener {
        Listener::Side(self.side())
    }

    /// How many events this side has heard.
    pub(crate) fn heard(&self) -> usize {
        self.view.events().len()
    }

    /// Whether somebody listens.
    pub(crate) fn is_taken(&self) -> bool {
        self.listeners.iter().any(|listener| !listener.is_closed())
    }

    /// How many listen.
    pub(crate) fn listeners(&self) -> usize {
        self.listeners.len()
    }

    /// Forgets listeners that have gone.
    pub(crate) fn forget_gone(&mut self) {
        self.listeners.retain(|listener| !listener.is_closed());
    }

    /// Lets somebody listen, from the state of things on.
    pub(crate) fn join(&mut self, listener: mpsc::Sender<Told>, outside: &Outside) {
        if listener.try_send(self.state(outside)).is_ok() {
            self.listeners.push(listener);
        }
    }

    /// Lets somebody watch, from the state of things on; `None` if too many do.
    pub(crate) fn watch(&mut self, watcher: mpsc::Sender<Told>, outside: &Outside) -> Option<()> {
        self.watchers.retain(|watcher| !watcher.is_closed());
        if self.watchers.len() >= MOST_WATCHERS {
            return None;
        }
        if watcher.try_send(self.watched_state(outside)).is_ok() {
            self.watchers.push(watcher);
        }
        Some(())
    }

    /// Takes over those who listened to and watched another seat of this side, and tells them how things stand.
    pub(crate) fn take_over(&mut self, other: &mut Seat, outside: &Outside) {
        self.facts.watch = other.facts.watch.take();
        self.listeners = std::mem::take(&mut other.listeners);
        self.watchers = std::mem::take(&mut other.watchers);
        self.tell(&self.state(outside));
        self.tell_watchers(&self.watched_state(outside));
    }

    /// The state as those who watch are told it: without the secret that lets others watch as well.
    fn watched_state(&self, outside: &Outside) -> Told {
        let mut state = self.state(outside);
        if let Told::State { game, .. } = &mut state {
            (game.watch, game.watching) = (None, true);
        }
        state
    }

    fn tell_watchers(&mut self, told: &Told) {
        self.watchers.retain(|watcher| watcher.try_send(told.clone()).is_ok());
    }

    /// Tells everybody who plays this side. A listener that does not keep up is dropped.
    pub(crate) fn tell(&mut self, told: &Told) {
        self.listeners.retain(|listener| listener.try_send(told.clone()).is_ok());
    }

    /// Takes in an event and tells of it.
    pub(crate) fn hear(&mut self, heard: ViewEvent, outside: &Outside) {
        let rules = self.view.header().rules.clone();
        let event = ToldEvent::new(&heard, self.listener(), &rules);
        let fits = self.view.add(heard.into_event());
        debug_assert_eq!(fits, Ok(()), "an umpire's events always fit together");
        let now = self.now(outside);
        let told = Told::Event { seen: self.view.events().len(), event, now };
        self.tell(&told);
        self.tell_watchers(&told);
    }

    /// What to put to the umpire for a request, or why nothing. Decided by the view alone.
    pub(crate) fn judge(&self, request: &Request) -> Result<Put, &'static str> {
        if self.view.own().over().is_some() {
            return Err("The game is over.");
        }
        let seen = match request {
            Request::Resign => return Ok(Put::Resign),
            Request::Try { seen, .. } | Request::Ask { seen } => *seen,
            Request::Hello { .. }
            | Request::Rematch
            | Request::Draw
            | Request::Takeback { .. }
            | Request::Ping => return Err("This is no move."),
        };
        if seen != self.view.events().len() {
            return Err("Something has happened since: look again.");
        }
        if !self.view.own().is_to_move() {
            return Err("It is not your turn.");
        }
        let line = match request {
            Request::Try { attempt, .. } if attempt.len() > LONGEST_ATTEMPT => {
                return Err("This is no attempt: write squares as in e2e4, promotions as in e7e8q.");
            }
            Request::Try { attempt, .. } if attempt == "any?" => return Err("\"any?\" is asked by `ask`."),
            Request::Try { attempt, .. } => attempt.as_str(),
            _ => "any?",
        };
        // What makes sense is always put to the umpire: there is only so much of it in a turn.
        let is_too_much =
            self.view.events().len() >= MOST_EVENTS || self.nonsense_in_turn() >= MOST_NONSENSE as usize;
        if is_too_much && !self.makes_sense(line) {
            return Err("Too much nonsense: try something that makes sense, or resign.");
        }
        Ok(Put::Line(line.to_owned()))
    }

    fn makes_sense(&self, line: &str) -> bool {
        let own = self.view.own();
        let is_sensible_attempt =
            || Input::parse(line).attempt().is_some_and(|attempt| own.makes_sense(attempt));
        if line == "any?" { own.may_ask() } else { is_sensible_attempt() }
    }

    fn nonsense_in_turn(&self) -> usize {
        let own = Some(self.side());
        let turn = self.view.events().iter().rev();
        let turn = turn.take_while(|event| event.by() == own && event.announcement().is_none());
        turn.filter(|event| event.is_nonsense()).count()
    }

    /// Everything from the first event.
    pub(crate) fn state(&self, outside: &Outside) -> Told {
        let rules = &self.view.header().rules;
        let events = self.view.events();
        Told::State {
            game: self.facts.clone(),
            events: events.iter().map(|event| ToldEvent::new(event, self.listener(), rules)).collect(),
            now: self.now(outside),
        }
    }

    /// Where the game stands.
    fn now(&self, outside: &Outside) -> Now {
        let own = self.view.own();
        let last = self.view.events().iter().rev().find_map(Event::announcement);
        let this_turn = self.view.events().iter().rev().take_while(|event| event.announcement().is_none());
        let asked = this_turn.filter_map(|event| match event {
            Event::Ask { answer: AskAnswer::Yes, .. } => Some(YesOrNo::Yes),
            Event::Ask { answer: AskAnswer::No, .. } => Some(YesOrNo::No),
            _ => None,
        });
        let tries = last.and_then(|last| last.tries);
        let over = own.over();
        Now {
            turn: Side::of(own.to_move()),
            men: men_of(own.men()),
            attempts: own.sensible_attempts().iter().map(ToString::to_string).collect(),
            refused: own.turn().refused().iter().map(ToString::to_string).collect(),
            asked: asked.last(),
            can_ask: own.may_ask(),
            tries: tries.map(TriesJson::from),
            tries_text: tries.and_then(|tries| words::tries_of(tries, own.to_move(), self.listener())),
            check: last.map(|last| last.check.iter().collect()).unwrap_or_default(),
            taken: taken(self.view.events()),
            clock: outside.clock.clone(),
            over: over.map(|over| OverFacts::new(over, self.listener())),
            machine_ms: outside.hurried_to.map(|time| time.as_millis() as u64),
            thinking: over.is_none()
                && outside.machine == Some(own.to_move())
                && outside.machine != Some(self.side()),
        }
    }
}

/// Men by square, as letters.
pub(crate) fn men_of(men: &nebel_kriegspiel::OwnMen) -> BTreeMap<String, String> {
    let letter = |square| men.role_at(square).map(|role| role.of(men.color()).char().to_string());
    men.squares().into_iter().filter_map(|square| Some((square.to_string(), letter(square)?))).collect()
}

fn taken(events: &[Event]) -> Vec<Taken> {
    let captures = events.iter().filter_map(|event| Some((event.by()?, event.announcement()?.capture?)));
    captures
        .map(|(by, capture)| Taken {
            square: capture.captured_square(!by).to_string(),
            kind: capture.kind,
            by: Side::of(by),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Rules, Transcript};

    use super::*;

    fn seat(side: Color) -> Seat {
        let facts = GameFacts {
            id: "id".to_owned(),
            side: Side::of(side),
            rules: "icc".to_owned(),
            start: String::new(),
            white: "human".to_owned(),
            black: "human".to_owned(),
            practice: false,
            link: true,
            watch: None,
            watching: false,
        };
        Seat::new(facts, Header::new(Rules::icc()), side)
    }

    const OUTSIDE: Outside = Outside { clock: None, machine: None, hurried_to: None };

    #[test]
    fn a_listener_that_does_not_keep_up_is_dropped_and_the_others_are_not() {
        let mut game = Transcript::new(Header::new(Rules::icc()));
        let mut seat = seat(Color::White);
        let (slow, mut from_slow) = mpsc::channel(3);
        let (quick, mut from_quick) = mpsc::channel(3);
        seat.join(slow, &OUTSIDE);
        seat.join(quick, &OUTSIDE);
        for _ in 0..5 {
            assert!(from_quick.try_recv().is_ok());
            let event = game.hear("h9").unwrap().clone();
            seat.hear(event.heard_by(Color::White, &Rules::icc()).unwrap(), &OUTSIDE);
        }
        assert_eq!((seat.listeners(), seat.is_taken()), (1, true));
        let kept = std::iter::from_fn(|| from_slow.try_recv().ok()).count();
        assert!(kept == 3 && from_slow.is_closed(), "what was waiting can still be read");
        assert!(from_quick.try_recv().is_ok());
    }

    #[test]
    fn requests_are_judged_by_the_view() {
        let (white, black) = (seat(Color::White), seat(Color::Black));
        let attempt = |seen| Request::Try { attempt: "e2e4".to_owned(), seen };
        assert_eq!(white.judge(&attempt(0)), Ok(Put::Line("e2e4".to_owned())));
        assert!(white.judge(&attempt(1)).is_err() && black.judge(&attempt(0)).is_err());
        assert_eq!(black.judge(&Request::Resign), Ok(Put::Resign));
        let hidden_question = Request::Try { attempt: "any?".to_owned(), seen: 0 };
        assert!(white.judge(&hidden_question).is_err());
    }

    #[test]
    fn nonsense_is_refused_in_the_end_and_the_game_is_not() {
        let mut game = Transcript::new(Header::new(Rules::icc()));
        let mut seat = seat(Color::White);
        let attempt = |text: &str, seen| Request::Try { attempt: text.to_owned(), seen };
        for seen in 0..MOST_NONSENSE as usize {
            let event = game.hear(if seen == 0 { "e2d3" } else { "a1a8" }).unwrap().clone();
            seat.hear(event.heard_by(Color::White, &Rules::icc()).unwrap(), &OUTSIDE);
            assert!(seat.judge(&attempt("h9", seen + 1)).is_ok());
        }
        let event = game.hear("a1a8").unwrap().clone();
        seat.hear(event.heard_by(Color::White, &Rules::icc()).unwrap(), &OUTSIDE);
        let seen = MOST_NONSENSE as usize + 1;
        for text in ["h9", "a1a8", "e2d3", "e7e5", ""] {
            assert!(seat.judge(&attempt(text, seen)).is_err(), "{text}");
        }
        assert!(seat.judge(&Request::Ask { seen }).is_err(), "there is no such question under these rules");
        for text in ["e2e4", "e2f3", "g1f3"] {
            assert_eq!(seat.judge(&attempt(text, seen)), Ok(Put::Line(text.to_owned())));
        }
    }
}
