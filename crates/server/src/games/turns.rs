//! The machine's turns at a table: thought out by other threads, shown at their time.

use std::time::Duration;

use nebel_arena::time::share_of_clock;
use nebel_kriegspiel::Reason;
use tokio::time::Instant;

use super::{
    machine::{Grid, Machine, MachineTerms, Turn, TurnEnd},
    table::{Closed, Step, Table},
};
use crate::pool::{Failed, Job};

/// No turn of the machine is shown faster.
const SHORTEST_TICK: Duration = Duration::from_millis(50);

/// What the machine is doing.
pub(super) enum AtWork {
    /// No machine plays, or it failed.
    Nobody,
    /// The other side is to move.
    Waits(Box<Machine>),
    Thinks {
        job: Job<Turn>,
        grid: Grid,
    },
    /// Its turn is known and will be shown then.
    Ready {
        turn: Box<Turn>,
        at: Instant,
    },
}

impl Table {
    /// Lets the machine think if it is to move.
    pub(super) fn next_turn(&mut self) -> Step {
        let umpire = self.transcript.umpire();
        let Some(terms) = &self.terms.machine else { return Ok(()) };
        if umpire.over().is_some() || umpire.to_move() != terms.side() {
            return Ok(());
        }
        let AtWork::Waits(machine) = std::mem::replace(&mut self.machine, AtWork::Nobody) else {
            return Ok(());
        };
        let turn_time = Duration::from_millis(terms.move_ms);
        let share = self
            .clocks
            .as_ref()
            .map(|clocks| share_of_clock(clocks.left(terms.side(), self.moved_at), clocks.increment()));
        let tick = share.map_or(turn_time, |share| share.min(turn_time)).max(SHORTEST_TICK);
        let grid = Grid { begin: self.moved_at, tick };
        let (start, umpire) = (self.transcript.header().start.clone(), umpire.clone());
        let time = grid.thinking_time();
        // A queue that is full is as bad as a disk that is: the table closes, and whoever comes back loads it.
        let job = self.games.services.players.run(move |cancel| machine.turn(&start, umpire, time, cancel));
        self.machine = AtWork::Thinks { job: job.map_err(|_| Closed)?, grid };
        Ok(())
    }

    pub(super) async fn turn_is_known(&mut self, turn: Result<Turn, Failed>) -> Step {
        let AtWork::Thinks { grid, .. } = &self.machine else { return Ok(()) };
        let at = grid.next(Instant::now());
        match turn {
            Ok(turn) => self.machine = AtWork::Ready { turn: Box::new(turn), at },
            Err(Failed) => return self.machine_fails().await,
        }
        Ok(())
    }

    async fn machine_fails(&mut self) -> Step {
        let Some(side) = self.terms.machine.as_ref().map(MachineTerms::side) else { return Ok(()) };
        self.end(Reason::Forfeit, side).await
    }

    /// Repeats the machine's turn before the umpire.
    pub(super) async fn show_turn(&mut self) -> Step {
        let AtWork::Ready { turn, .. } = std::mem::replace(&mut self.machine, AtWork::Nobody) else {
            return Ok(());
        };
        let Turn { machine, lines, end } = *turn;
        let side = self.transcript.umpire().to_move();
        let events = self.put(lines.iter());
        self.machine = AtWork::Waits(Box::new(machine));
        self.record(events).await?;
        match end {
            TurnEnd::Moved => Ok(()),
            TurnEnd::Resigned => self.end(Reason::Resignation, side).await,
            TurnEnd::Failed => self.machine_fails().await,
        }
    }
}

impl AtWork {
    /// Keeps what the machine's side heard.
    pub(super) fn hear(&mut self, heard: nebel_kriegspiel::Heard) {
        match self {
            AtWork::Waits(machine) => machine.hear(heard),
            // While it thinks or its turn waits to be shown, the only thing that can happen is the end.
            AtWork::Nobody | AtWork::Thinks { .. } | AtWork::Ready { .. } => {}
        }
    }

    /// Waits until the turn is known; for ever if none will be.
    pub(super) async fn thought(&mut self) -> Result<Turn, Failed> {
        match self {
            AtWork::Thinks { job, .. } => job.wait().await,
            _ => std::future::pending().await,
        }
    }
}
