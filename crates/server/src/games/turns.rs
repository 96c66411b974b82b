//! The machine's turns at a table: thought out by other threads, shown at their time.
//!
//! Nothing is thought about unless somebody waits for it. A turn always ends on its tick: others make way for it when
//! it is not begun in time, its player is told to end before the tick, and when it has not ended even so, the table
//! decides by lot and goes on without it.

use std::time::Duration;

use nebel_arena::time::share_of_clock;
use nebel_kriegspiel::Reason;
use tokio::time::Instant;

use super::{
    machine::{Grid, Machine, MachineTerms, MachineTurn, Task, TurnEnd, by_lot},
    task::{GameTask, TaskFlow, Waits},
    thinkers::Thought,
};
use crate::pool::Failed;

/// No turn of the machine is shown faster.
const SHORTEST_TICK: Duration = Duration::from_millis(50);

/// What the machine is doing.
pub(super) enum AtWork {
    /// No machine plays, or it failed.
    Nobody,
    /// The other side is to move, or nobody waits for its turn.
    Waits(Box<Machine>),
    /// It is its turn.
    Thinks { thought: Thought<MachineTurn>, grid: Grid, next: Next },
    /// Its turn is known and will be shown then.
    Ready { turn: Box<MachineTurn>, given: Duration, grid: Grid },
    /// Its turn was over before it had decided; it is told what happened when it is back.
    Late(Thought<MachineTurn>),
}

/// What happens next to a turn that is thought about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// If it is not begun, others make way.
    Press,
    /// Its player is told to end.
    Stop,
    /// It is shown.
    Show,
}

impl GameTask {
    /// Lets the machine think if it is to move and somebody waits for that.
    pub(super) fn next_turn(&mut self) {
        let Some(terms) = self.terms.machine.clone() else { return };
        if !self.is_machines_turn() || !self.is_attended() {
            return;
        }
        let machine = match std::mem::replace(&mut self.machine, AtWork::Nobody) {
            AtWork::Waits(machine) => *machine,
            AtWork::Late(_) => Machine::new(terms.clone()),
            other => {
                self.machine = other;
                return;
            }
        };
        let now = Instant::now();
        if self.is_put_off {
            // The time that nobody was there is charged to nobody.
            self.is_put_off = false;
            self.moved_at = now;
            if let Some(clocks) = self.clocks.as_mut().filter(|_| self.waits == Waits::No) {
                clocks.run(terms.side(), now);
            }
        }
        let turn_time = Duration::from_millis(terms.move_ms);
        let share = self
            .clocks
            .as_ref()
            .map(|clocks| share_of_clock(clocks.left(terms.side(), self.moved_at), clocks.increment()));
        let tick = share.map_or(turn_time, |share| share.min(turn_time)).max(SHORTEST_TICK);
        let grid = Grid::new(self.moved_at, tick, now);
        let rules = &self.transcript.header().rules;
        let heard = self.transcript.events().iter().filter_map(|event| event.heard_by(terms.side(), rules));
        let due = grid.due().into_std();
        let task = Task {
            start: self.transcript.header().start.clone(),
            umpire: self.transcript.umpire().clone(),
            heard: heard.skip(machine.told()).collect(),
            due,
        };
        let work = move |time: Option<Duration>, stop: &_| machine.turn(task, time, stop);
        let thought = self.games.services.thinkers.think(due, grid.thinking_time(), work);
        self.machine = AtWork::Thinks { thought, grid, next: Next::Press };
    }

    /// Whether the machine is to move.
    pub(super) fn is_machines_turn(&self) -> bool {
        let umpire = self.transcript.umpire();
        let side = self.terms.machine.as_ref().map(MachineTerms::side);
        umpire.over().is_none() && side == Some(umpire.to_move())
    }

    /// Puts the turn off until somebody is there again. What was thought is forgotten: if the turn were ended early
    /// instead, who went away would meet a weaker machine.
    pub(super) fn put_off_turn(&mut self) {
        let Some(terms) = &self.terms.machine else { return };
        if matches!(self.machine, AtWork::Thinks { .. }) {
            self.machine = AtWork::Waits(Box::new(Machine::new(terms.clone())));
        }
        self.is_put_off = true;
        self.clocks.iter_mut().for_each(|clocks| clocks.stop(Instant::now()));
    }

    /// What a thread has thought out, or that it failed.
    pub(super) async fn turn_is_known(&mut self, turn: Result<MachineTurn, Failed>) -> TaskFlow {
        let Some(terms) = &self.terms.machine else { return Ok(()) };
        self.machine = match (std::mem::replace(&mut self.machine, AtWork::Nobody), turn) {
            (AtWork::Thinks { thought, grid, .. }, Ok(turn)) => {
                AtWork::Ready { turn: Box::new(turn), given: thought.given(), grid }
            }
            // It was told of answers that nobody gave: it begins anew.
            (AtWork::Late(_), Ok(turn)) if turn.lines.is_empty() => AtWork::Waits(Box::new(turn.machine)),
            (AtWork::Late(_), Ok(_)) => AtWork::Waits(Box::new(Machine::new(terms.clone()))),
            (AtWork::Thinks { .. } | AtWork::Late(_), Err(Failed)) => return self.machine_fails().await,
            (other, _) => other,
        };
        Ok(())
    }

    async fn machine_fails(&mut self) -> TaskFlow {
        let Some(side) = self.terms.machine.as_ref().map(MachineTerms::side) else { return Ok(()) };
        self.end(Reason::Forfeit, side).await
    }

    /// The time has come for the next step of the machine's turn.
    pub(super) async fn turn_is_due(&mut self) -> TaskFlow {
        match std::mem::replace(&mut self.machine, AtWork::Nobody) {
            AtWork::Thinks { thought, grid, next: Next::Press } => {
                self.games.services.thinkers.press(&thought);
                self.machine = AtWork::Thinks { thought, grid, next: Next::Stop };
                Ok(())
            }
            AtWork::Thinks { thought, grid, next: Next::Stop } => {
                thought.stop();
                self.machine = AtWork::Thinks { thought, grid, next: Next::Show };
                Ok(())
            }
            AtWork::Thinks { thought, grid, next: Next::Show } => {
                let seed = self.terms.machine.as_ref().map_or(0, |terms| terms.seed);
                let lines = by_lot(&mut self.transcript.umpire().clone(), seed);
                let given = thought.given();
                self.machine = AtWork::Late(thought);
                self.show_turn(&lines, given, grid, TurnEnd::Moved).await
            }
            AtWork::Ready { turn, given, grid } => {
                let MachineTurn { machine, lines, end } = *turn;
                self.machine = AtWork::Waits(Box::new(machine));
                self.show_turn(&lines, given, grid, end).await
            }
            other => {
                self.machine = other;
                Ok(())
            }
        }
    }

    /// Repeats the machine's turn before the umpire.
    async fn show_turn(&mut self, lines: &[String], given: Duration, grid: Grid, end: TurnEnd) -> TaskFlow {
        let side = self.transcript.umpire().to_move();
        // What it was given depends on how much the server has to do, and on nothing that is hidden.
        self.hurried_to = (given < grid.thinking_time()).then_some(given);
        let events = self.put(lines.iter());
        self.record(events).await?;
        match end {
            TurnEnd::Moved => Ok(()),
            TurnEnd::Resigned => self.end(Reason::Resignation, side).await,
            TurnEnd::Failed => self.machine_fails().await,
        }
    }
}

impl AtWork {
    /// Waits until the turn is known; for ever if none will be.
    pub(super) async fn thought(&mut self) -> Result<MachineTurn, Failed> {
        match self {
            AtWork::Thinks { thought, .. } | AtWork::Late(thought) => thought.wait().await,
            AtWork::Nobody | AtWork::Waits(_) | AtWork::Ready { .. } => std::future::pending().await,
        }
    }

    /// When something is to be done about the turn.
    pub(super) fn due(&self) -> Option<Instant> {
        match self {
            AtWork::Thinks { grid, next: Next::Press, .. } => Some(grid.pressed_at()),
            AtWork::Thinks { grid, next: Next::Stop, .. } => Some(grid.due()),
            AtWork::Thinks { grid, next: Next::Show, .. } | AtWork::Ready { grid, .. } => Some(grid.shown_at),
            AtWork::Nobody | AtWork::Waits(_) | AtWork::Late(_) => None,
        }
    }
}
