//! One game: the task that owns it. It alone holds the transcript, and with it the position.
//!
//! Everything that happens is put to the umpire here, committed, and only then told to the [`Seat`]s, each its
//! share. Requests come from [`SeatHandle`]s, which carry their side with them.

use std::time::Duration;

use nebel_kriegspiel::{Color, Event, Over, Reason, Transcript};
use tokio::{
    sync::{mpsc, oneshot},
    time::{Instant, MissedTickBehavior, interval, sleep_until},
};

use super::{
    Games,
    clock::Clocks,
    machine::{Machine, MachineTerms},
    messages::{Request, Told},
    practice::Practice,
    seat::{Outside, Put, Seat},
    store::StoreError,
    terms::GameTerms,
    thinkers::MachineGame,
    turns::AtWork,
    writer::Change,
};

/// How often a table looks after itself: who has gone, what the clocks show.
const CARE: Duration = Duration::from_secs(2);
/// How long a restored game waits for the others before its clocks run, from when the first of its people is back.
const RETURN: Duration = Duration::from_mins(2);
/// The game is drawn after so many moves of both sides together: some rules know no other end of it.
const MOST_PLIES: usize = 2000;

/// What is put to a table.
#[derive(Debug)]
pub(super) enum Command {
    /// Somebody sits down.
    Join { side: Color, listener: mpsc::Sender<Told> },
    /// Somebody watches a side.
    Watch { side: Color, listener: mpsc::Sender<Told> },
    /// Somebody may have left.
    Left,
    /// A request; refusals go to `reply`.
    Request { side: Color, request: Request, reply: mpsc::Sender<Told> },
    /// Write what is not written, and end.
    Close(oneshot::Sender<()>),
}

/// The task's own state.
pub(super) struct GameTask {
    pub(super) id: String,
    pub(super) terms: GameTerms,
    pub(super) transcript: Transcript,
    pub(super) seats: [Seat; 2],
    pub(super) clocks: Option<Clocks>,
    pub(super) machine: AtWork,
    /// Counts among the games that the machine plays, while it does.
    pub(super) machine_game: Option<MachineGame>,
    /// Whether the machine's turn waits for somebody to come.
    pub(super) is_put_off: bool,
    /// What the machine had for its last turn, if the server had too much to do for more.
    pub(super) hurried_to: Option<Duration>,
    pub(super) practice: Option<Practice>,
    pub(super) games: Games,
    /// Since when the other side's move stands; the grid of the machine counts from here.
    pub(super) moved_at: Instant,
    plies: usize,
    /// Who was here since the game was loaded.
    pub(super) was_here: [bool; 2],
    /// What the clocks wait for.
    pub(super) waits: Waits,
    pub(super) alone_since: Option<Instant>,
    pub(super) rematch: Option<Color>,
    /// Who has offered a draw that stands.
    pub(super) draw: Option<Color>,
}

/// What the clocks of a game wait for before they run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Waits {
    /// For all people to be here, as at the start of a game.
    ForEverybody,
    /// For the same, but not longer than this: after a restart nobody can hold up the game.
    Until(Instant),
    /// For nothing any more.
    No,
}

/// The game goes on, or the table is closed.
pub(super) type TaskFlow = Result<(), Closed>;
/// What became of a request: carried out, or refused for a reason; or the table is closed.
pub(super) type Answered = Result<Result<(), String>, Closed>;
/// Why a table is closed. What it holds is on the disk; who wants it loads it again.
#[derive(Debug)]
pub(super) enum Closed {
    /// Nobody needs it.
    Done,
    /// What happened could not be written, and so has not happened.
    NotKept(StoreError),
}

impl From<StoreError> for Closed {
    fn from(error: StoreError) -> Closed {
        Closed::NotKept(error)
    }
}

impl GameTask {
    /// A table at the end of this transcript, with this much left on the clocks.
    pub(super) fn new(
        id: String,
        terms: GameTerms,
        transcript: Transcript,
        left: [u64; 2],
        games: Games,
        machine_game: Option<MachineGame>,
    ) -> GameTask {
        let header = transcript.header().clone();
        let seats = [Color::White, Color::Black]
            .map(|side| Seat::new(terms.facts(&id, &header, side), header.clone(), side));
        let clocks = terms.clock.map(|clock| {
            let [white, black] = left.map(Duration::from_millis);
            Clocks::new(Duration::from_millis(clock.increment_ms), white, black)
        });
        let begun = !transcript.events().is_empty();
        // Beliefs take memory: when too many are shown already, the game is played without.
        let practised = terms.machine.as_ref().filter(|_| terms.practice).map(|machine| !machine.side());
        let practice = practised.and_then(|side| {
            let permit = games.services.practice.clone().try_acquire_owned().ok()?;
            Some(Practice::new(&header, side, permit))
        });
        let mut table = GameTask {
            machine: terms
                .machine
                .clone()
                .map_or(AtWork::Nobody, |terms| AtWork::Waits(Box::new(Machine::new(terms)))),
            machine_game,
            is_put_off: true,
            hurried_to: None,
            practice,
            id,
            terms,
            transcript: Transcript::new(header),
            seats,
            clocks,
            games,
            moved_at: Instant::now(),
            plies: transcript.events().iter().filter(|event| event.announcement().is_some()).count(),
            was_here: [false; 2],
            waits: if begun { Waits::Until(Instant::now() + RETURN) } else { Waits::ForEverybody },
            alone_since: None,
            rematch: None,
            draw: None,
        };
        for event in transcript.events() {
            table.tell(event, &Outside { clock: None, machine: None, hurried_to: None });
        }
        table.transcript = transcript;
        table
    }

    /// Runs the game until the table is closed.
    pub(super) async fn run(mut self, mut commands: mpsc::Receiver<Command>) {
        let mut care = interval(CARE);
        care.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let closed = loop {
            let out_of_time = self.clocks.as_ref().and_then(Clocks::runs_out_at);
            let turn_due = self.machine.due();
            let step = tokio::select! {
                command = commands.recv() => match command {
                    Some(command) => self.command(command).await,
                    None => Err(Closed::Done),
                },
                turn = self.machine.thought() => self.turn_is_known(turn).await,
                () = at(turn_due) => self.turn_is_due().await,
                () = at(out_of_time) => self.end(Reason::Time, self.transcript.umpire().to_move()).await,
                belief = Practice::computed(&mut self.practice, &self.games.services.analysis) => { self.show_belief(&belief); Ok(()) }
                _ = care.tick() => self.care().await,
            };
            if let Err(closed) = step {
                break closed;
            }
        };
        if let Closed::NotKept(error) = closed {
            let why = format!(
                "The server could not keep what happened: {error}. The game stands as it was before."
            );
            self.seats.iter_mut().for_each(|seat| seat.tell(&Told::Refused { why: why.clone() }));
        }
    }

    async fn command(&mut self, command: Command) -> TaskFlow {
        match command {
            Command::Join { side, listener } => self.join(side, &listener),
            Command::Watch { side, listener } => {
                let outside = self.outside(Instant::now());
                if self.seat(side).watch(listener.clone(), &outside).is_none() {
                    let why = "Too many watch this game.".to_owned();
                    let _ = listener.try_send(Told::Refused { why });
                }
            }
            Command::Left => self.note_presence(),
            Command::Request { side, request, reply } => {
                if let Err(why) = self.request(side, &request).await? {
                    // Who does not read what he is told will find out otherwise.
                    let _ = reply.try_send(Told::Refused { why });
                }
            }
            Command::Close(done) => {
                let kept = if self.clocks.is_some() { self.keep_clocks().await } else { Ok(()) };
                let _ = done.send(());
                kept?;
                return Err(Closed::Done);
            }
        }
        Ok(())
    }

    fn join(&mut self, side: Color, listener: &mpsc::Sender<Told>) {
        let outside = self.outside(Instant::now());
        let limit = self.games.services.limits.connections_a_seat;
        let seat = self.seat(side);
        seat.forget_gone();
        if seat.listeners() >= limit {
            let _ = listener.try_send(Told::Refused { why: "Too many windows show this game.".to_owned() });
            return;
        }
        let was_taken = seat.is_taken();
        seat.join(listener.clone(), &outside);
        self.was_here[index(side)] = true;
        self.alone_since = None;
        self.run_clocks_if_all_are_here();
        self.next_turn();
        if self.terms.machine.is_none() {
            let connected = self.seat(!side).is_taken();
            let _ = listener.try_send(Told::Opponent { connected });
            if !was_taken {
                self.seat(!side).tell(&Told::Opponent { connected: true });
            }
        }
        if let Some(practice) = &mut self.practice {
            practice.show_again(&self.games.services.analysis);
        }
    }

    async fn request(&mut self, side: Color, request: &Request) -> Answered {
        match request {
            Request::Rematch => return Ok(self.offer_rematch(side).await),
            Request::Draw => return self.offer_draw(side).await,
            Request::Takeback { seen } => return self.take_back(side, *seen).await,
            _ => {}
        }
        let put = match self.seat(side).judge(request) {
            Ok(put) => put,
            Err(why) => return Ok(Err(why.to_owned())),
        };
        match put {
            Put::Resign => self.end(Reason::Resignation, side).await?,
            Put::Line(line) => {
                let events = self.put([line].iter());
                self.record(events).await?;
                self.next_turn();
            }
        }
        Ok(Ok(()))
    }

    /// Ends the game off the board, if it is not over.
    pub(super) async fn end(&mut self, reason: Reason, loser: Color) -> TaskFlow {
        self.machine = AtWork::Nobody;
        let event = self.transcript.end(Some(loser), Over::lost_by(loser, reason)).cloned();
        self.record(event.into_iter().collect()).await
    }

    /// Puts lines to the umpire; what happens is not told yet.
    pub(super) fn put<'a>(&mut self, lines: impl Iterator<Item = &'a String>) -> Vec<Event> {
        lines.filter_map(|line| self.transcript.hear(line).ok().cloned()).collect()
    }

    /// Commits events that the umpire has answered, and tells everybody his share.
    pub(super) async fn record(&mut self, mut events: Vec<Event>) -> TaskFlow {
        let now = Instant::now();
        // Some rules know no draws: without an end a game could be played until the disk is full.
        if self.transcript.events().len() >= self.games.services.limits.game_events
            && let Ok(end) = self.transcript.end(None, Over::draw(Reason::Length))
        {
            events.push(end.clone());
        }
        for event in &events {
            if let (Some(by), Some(_)) = (event.by(), event.announcement()) {
                // Who moves on has declined.
                self.draw = self.draw.filter(|offered_by| *offered_by == by);
                self.moved_at = now;
                self.is_put_off = false;
                self.plies += 1;
                self.clocks.iter_mut().for_each(|clocks| clocks.moved(by, now));
            }
        }
        if self.plies >= MOST_PLIES {
            // After an end on the board there is no other.
            events.extend(self.transcript.end(None, Over::draw(Reason::Length)).ok().cloned());
        }
        let is_over = self.transcript.umpire().over().is_some();
        if is_over {
            self.clocks.iter_mut().for_each(|clocks| clocks.stop(now));
            self.machine_game = None;
        }
        let rules = &self.transcript.header().rules;
        let change = Change::Append {
            id: self.id.clone(),
            first: self.transcript.events().len() - events.len(),
            events: events.iter().map(|event| event.to_json(rules)).collect(),
            left: self.left(now),
            is_over,
        };
        self.games.services.store.write(change).await?;
        let outside = self.outside(now);
        for event in &events {
            self.tell(event, &outside);
        }
        Ok(())
    }

    /// The one place where an event is shared out.
    fn tell(&mut self, event: &Event, outside: &Outside) {
        let rules = self.transcript.header().rules.clone();
        let machine = self.terms.machine.as_ref().map(MachineTerms::side);
        for seat in &mut self.seats {
            let Some(heard) = event.heard_by(seat.side(), &rules) else { continue };
            if machine == Some(seat.side()) {
                continue;
            }
            if let Some(practice) = self.practice.as_mut().filter(|practice| practice.side() == seat.side()) {
                practice.hear(&heard, &self.games.services.analysis);
            }
            seat.hear(heard, outside);
        }
    }

    fn show_belief(&mut self, (side, belief): &(Color, Told)) {
        self.seat(*side).tell(belief);
    }

    /// What both sides see, at this time.
    pub(super) fn outside(&self, now: Instant) -> Outside {
        Outside {
            clock: self.clocks.as_ref().map(|clocks| clocks.face(now)),
            machine: self.terms.machine.as_ref().map(MachineTerms::side),
            hurried_to: self.hurried_to,
        }
    }

    pub(super) fn seat(&mut self, side: Color) -> &mut Seat {
        &mut self.seats[index(side)]
    }
}

pub(super) const fn index(side: Color) -> usize {
    match side {
        Color::White => 0,
        Color::Black => 1,
    }
}

async fn at(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => std::future::pending().await,
    }
}
