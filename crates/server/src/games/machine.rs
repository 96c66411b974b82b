//! The machine's side of a game: a player, what it has heard, and its turns.
//!
//! A whole turn is worked out before any of it is shown: the refusals on the way take time, and when they are
//! not heard, nobody may learn of them by waiting. The turn is shown at a tick of [`Grid`], counted from the
//! move before, whatever the player did: it is given a part of the tick, told to end before the tick is over, and
//! what it has not decided by then is decided by lot.

use std::time::{Duration, Instant as Thinking};

use nebel_kriegspiel::{Chess, Color, Event, Position, Umpire, ViewEvent};
use nebel_players::{Budget, Choice, Game, MOST_NONSENSE, Player, by_spec, check_untrusted};
use nebel_search::Cancel;
use rand::{SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

/// Who the machine is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct MachineTerms {
    /// The side it plays.
    pub(crate) is_white: bool,
    /// The player.
    pub(crate) spec: String,
    /// Milliseconds for a turn.
    pub(crate) move_ms: u64,
    /// The seed of its randomness.
    pub(crate) seed: u64,
}

impl MachineTerms {
    /// The side it plays.
    pub(crate) const fn side(&self) -> Color {
        if self.is_white { Color::White } else { Color::Black }
    }
}

/// The machine at its side of the table.
pub(crate) struct Machine {
    terms: MachineTerms,
    /// Made when it is first needed, by the thread that works for it.
    player: Option<Box<dyn Player>>,
    /// How many of the events that its side heard the player was told.
    told: usize,
}

/// What the machine needs to know for a turn.
pub(crate) struct Task {
    /// The start of the game.
    pub(crate) start: Chess,
    /// A copy of the umpire: the turn is repeated before the real one.
    pub(crate) umpire: Umpire,
    /// What its side heard since the player was last told.
    pub(crate) heard: Vec<ViewEvent>,
    /// What is not decided by then is decided by lot.
    pub(crate) due: Thinking,
}

/// What the machine did in its turn.
pub(crate) struct MachineTurn {
    /// The machine, ready for the next.
    pub(crate) machine: Machine,
    /// What it put to the umpire, in this order.
    pub(crate) lines: Vec<String>,
    /// How the turn ended.
    pub(crate) end: TurnEnd,
}

/// How a turn ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TurnEnd {
    /// By a move.
    Moved,
    /// The machine gave up.
    Resigned,
    /// The machine failed.
    Failed,
}

/// The player failed.
struct Failure;

impl From<nebel_players::Fault> for Failure {
    fn from(_: nebel_players::Fault) -> Failure {
        Failure
    }
}

impl Machine {
    /// The machine at the start of a game.
    pub(crate) fn new(terms: MachineTerms) -> Machine {
        Machine { terms, player: None, told: 0 }
    }

    /// How many of the events that its side heard the player was told.
    pub(crate) fn told(&self) -> usize {
        self.told
    }

    /// Plays a turn in this time; without any, by lot. Long work.
    pub(crate) fn turn(mut self, mut task: Task, time: Option<Duration>, stop: &Cancel) -> MachineTurn {
        let mut lines = Vec::new();
        let decided = time.map_or(Ok(None), |time| self.decide(&mut task, time, stop, &mut lines));
        let end = match decided {
            Ok(Some(end)) => end,
            Ok(None) => {
                lines.extend(by_lot(&mut task.umpire, self.terms.seed));
                TurnEnd::Moved
            }
            Err(Failure) => TurnEnd::Failed,
        };
        MachineTurn { machine: self, lines, end }
    }

    /// Lets the player decide; `None` when it has not when the turn is due.
    fn decide(
        &mut self,
        task: &mut Task,
        time: Duration,
        stop: &Cancel,
        lines: &mut Vec<String>,
    ) -> Result<Option<TurnEnd>, Failure> {
        // Taking in what was heard is part of the turn.
        let aim = Thinking::now() + time;
        let is_due = || Thinking::now() >= task.due;
        if is_due() {
            return Ok(None);
        }
        let side = self.terms.side();
        let umpire = &mut task.umpire;
        let rules = umpire.rules().clone();
        let player = match &mut self.player {
            Some(player) => player,
            none => {
                // A file of games may be older than what is offered, or come from elsewhere.
                check_untrusted(&self.terms.spec).map_err(|_| Failure)?;
                let mut player = by_spec(&self.terms.spec).map_err(|_| Failure)?;
                let (start, seed) = (task.start.clone(), self.terms.seed);
                player.start(Game { side, rules: rules.clone(), start, seed })?;
                none.insert(player)
            }
        };
        for heard in &task.heard {
            if is_due() {
                return Ok(None);
            }
            player.hear(heard)?;
            self.told += 1;
        }
        let mut nonsense = 0;
        while !is_due() {
            let budget = Budget::until(aim, stop.clone());
            let choice = player.choose(&budget)?;
            let is_cut_short = budget.is_over();
            let event = match choice {
                Choice::Resign => return Ok(Some(TurnEnd::Resigned)),
                Choice::Ask => umpire.ask(),
                Choice::Try(attempt) => umpire.attempt(attempt),
            };
            let event = event.map_err(|_| Failure)?;
            lines.push(line_of(&event));
            player.hear(&event.heard_by(side, &rules).ok_or(Failure)?)?;
            self.told += 1;
            if event.announcement().is_some() {
                return Ok(Some(TurnEnd::Moved));
            }
            // A player that was cut short may have nothing better; asking again would not help.
            if event.is_nonsense() && is_cut_short {
                return Ok(None);
            }
            nonsense += u32::from(event.is_nonsense());
            if nonsense > MOST_NONSENSE {
                return Err(Failure);
            }
        }
        Ok(None)
    }
}

/// A turn of attempts that make sense, in any order, up to the first that is a move.
pub(crate) fn by_lot(umpire: &mut Umpire, seed: u64) -> Vec<String> {
    let moves = u64::from(u32::from(umpire.position().fullmoves()));
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ moves);
    let mut lines = Vec::new();
    while let Some(&attempt) = umpire.sensible_attempts().choose(&mut random) {
        let Ok(event) = umpire.attempt(attempt) else { break };
        lines.push(line_of(&event));
        if event.announcement().is_some() {
            break;
        }
    }
    lines
}

/// The line that asks the umpire for the same again.
fn line_of(event: &Event) -> String {
    match event {
        Event::Attempt { said: Some(said), .. } => said.to_string(),
        _ => "any?".to_owned(),
    }
}

/// The times of a turn of the machine. They depend on what both sides know, and on nothing that happens in the turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Grid {
    /// From one tick to the next: what the machine has for a turn, by its terms and the clocks.
    pub(crate) tick: Duration,
    /// When the turn is shown.
    pub(crate) shown_at: Instant,
}

impl Grid {
    /// The grid of a turn that is begun now. Ticks are counted from the move of the other side; the turn is shown at the
    /// first that leaves it half a tick.
    pub(crate) fn new(moved_at: Instant, tick: Duration, now: Instant) -> Grid {
        let earliest = now.duration_since(moved_at) + tick / 2;
        let ticks = earliest.as_nanos().div_ceil(tick.as_nanos().max(1)).max(1);
        Grid { tick, shown_at: moved_at + tick * u32::try_from(ticks).unwrap_or(u32::MAX) }
    }

    /// The part of a tick that the player is given; the rest is for the scheduler and for refusals.
    pub(crate) fn thinking_time(&self) -> Duration {
        self.tick * 7 / 10
    }

    /// When others must make way for this turn if it is not begun.
    pub(crate) fn pressed_at(&self) -> Instant {
        self.shown_at - self.tick / 2
    }

    /// When thinking must be over.
    pub(crate) fn due(&self) -> Instant {
        self.shown_at - self.tick * 3 / 20
    }
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Attempt, Rules};
    use nebel_players::Fault;

    use super::*;

    #[test]
    fn a_turn_is_shown_at_the_first_tick_that_leaves_it_time() {
        let moved_at = Instant::now();
        let tick = Duration::from_millis(200);
        for (begun, shown) in [(0, 200), (1, 200), (100, 200), (101, 400), (300, 400), (1000, 1200)] {
            let at = |ms| moved_at + Duration::from_millis(ms);
            let grid = Grid::new(moved_at, tick, at(begun));
            assert_eq!(grid.shown_at, at(shown), "begun after {begun} ms");
            assert!(grid.pressed_at() < grid.due() && grid.due() < grid.shown_at);
        }
    }

    fn task(fen: &str, due: Duration) -> Task {
        let start = nebel_kriegspiel::start::position(fen).unwrap();
        let umpire = Umpire::at(Rules::icc(), start.clone());
        Task { start, umpire, heard: Vec::new(), due: Thinking::now() + due }
    }

    #[test]
    fn a_turn_repeats_before_the_umpire() {
        // With no time at all it is decided by lot, which must repeat as well.
        for due in [Duration::from_mins(1), Duration::ZERO] {
            let task = task("4k3/8/8/8/8/8/4p3/4K2R w K - 0 1", due);
            let mut umpire = task.umpire.clone();
            let terms = MachineTerms { is_white: true, spec: "random".to_owned(), move_ms: 100, seed: 3 };
            let turn = Machine::new(terms).turn(task, Some(Duration::ZERO), &Cancel::default());
            assert_eq!(turn.end, TurnEnd::Moved);
            let last = turn.lines.iter().map(|line| umpire.hear(line).unwrap()).last().unwrap();
            assert!(last.announcement().is_some());
            assert!(turn.lines.iter().all(|line| line.parse::<Attempt>().is_ok()));
        }
    }
    /// A player that thinks until it is told to end, and then says something that can never be played.
    struct Stubborn;

    impl Player for Stubborn {
        fn spec(&self) -> String {
            "stubborn".to_owned()
        }

        fn start(&mut self, _: Game) -> Result<(), Fault> {
            Ok(())
        }

        fn hear(&mut self, _: &ViewEvent) -> Result<(), Fault> {
            Ok(())
        }

        fn choose(&mut self, budget: &Budget) -> Result<Choice, Fault> {
            while !budget.is_over() {
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok(Choice::Try("a1a1".parse().unwrap()))
        }
    }

    #[test]
    fn a_turn_ends_in_time_and_by_a_move_whatever_the_player_says() {
        for (time, is_stopped) in [(Duration::from_millis(50), false), (Duration::from_mins(1), true)] {
            let task = task(nebel_kriegspiel::start::STANDARD, Duration::from_mins(1));
            let mut umpire = task.umpire.clone();
            let begun = Thinking::now();
            let terms = MachineTerms { is_white: true, spec: "random".to_owned(), move_ms: 500, seed: 7 };
            let mut machine = Machine::new(terms);
            machine.player = Some(Box::new(Stubborn));
            let stop = Cancel::default();
            if is_stopped {
                stop.cancel();
            }
            let turn = machine.turn(task, Some(time), &stop);
            assert_eq!((turn.end, turn.lines[0].as_str()), (TurnEnd::Moved, "a1a1"));
            let last = turn.lines.iter().map(|line| umpire.hear(line).unwrap()).last().unwrap();
            assert!(last.announcement().is_some(), "nonsense, and then a move by lot");
            assert!(begun.elapsed() < Duration::from_secs(30));
        }
    }
}
