//! What a table does besides the game: who is there, what the clocks show, when it is forgotten, another game.

use std::time::Duration;

use nebel_kriegspiel::{Color, json::Side};
use tokio::time::Instant;

use super::{
    messages::Told,
    seat::Seat,
    store::StoreError,
    task::{Closed, GameTask, TaskFlow, Waits, index},
    turns::AtWork,
    writer::Change,
};

/// How long a game stays in memory when nobody is there.
const LINGER: Duration = Duration::from_secs(30);
/// Who is gone for less may have changed windows: the machine goes on with its turn.
const GRACE: Duration = Duration::from_secs(3);

impl GameTask {
    /// What is looked after from time to time.
    pub(super) async fn care(&mut self) -> TaskFlow {
        self.note_presence();
        self.run_clocks_if_all_are_here();
        let is_ready = matches!(self.machine, AtWork::Ready { .. });
        if self.is_machines_turn() && !is_ready && !self.is_put_off && !self.is_attended() {
            self.put_off_turn();
            if self.clocks.is_some() {
                self.keep_clocks().await?;
            }
        }
        let is_clock_running = self.clocks.as_ref().is_some_and(|clocks| clocks.runs_out_at().is_some());
        if is_clock_running {
            self.keep_clocks().await?;
        }
        // Whoever comes back loads the game again. A running clock is looked after to its end.
        let is_alone = self.alone_since.is_some_and(|since| since.elapsed() >= LINGER);
        if !is_alone || is_clock_running || is_ready {
            return Ok(());
        }
        if self.was_here.contains(&true) && self.transcript.umpire().over().is_none() {
            self.keep_clocks().await?;
        }
        Err(Closed::Done)
    }

    /// Whether somebody waits for what happens: is there, or was there a moment ago.
    pub(super) fn is_attended(&self) -> bool {
        let was_here = self.was_here.contains(&true);
        self.seats.iter().any(Seat::is_taken)
            || was_here && self.alone_since.is_none_or(|since| since.elapsed() < GRACE)
    }

    pub(super) fn note_presence(&mut self) {
        for side in [Color::White, Color::Black] {
            let seat = self.seat(side);
            let was_taken = seat.listeners() > 0;
            seat.forget_gone();
            let has_left = was_taken && !seat.is_taken();
            if has_left && self.terms.machine.is_none() {
                self.seat(!side).tell(&Told::Opponent { connected: false });
            }
        }
        if self.seats.iter().any(Seat::is_taken) {
            self.alone_since = None;
        } else {
            self.alone_since.get_or_insert_with(Instant::now);
        }
    }

    pub(super) fn run_clocks_if_all_are_here(&mut self) {
        let is_here = |side| self.was_here[index(side)] || !self.terms.is_person(side);
        let are_here = is_here(Color::White) && is_here(Color::Black);
        let runs = match self.waits {
            Waits::No => return,
            Waits::ForEverybody => are_here,
            Waits::Until(time) => are_here || Instant::now() >= time,
        };
        if !runs {
            return;
        }
        self.waits = Waits::No;
        let umpire = self.transcript.umpire();
        if let Some(clocks) = self.clocks.as_mut().filter(|_| umpire.over().is_none()) {
            clocks.run(umpire.to_move(), Instant::now());
        }
    }

    /// Writes what the clocks show, and that somebody was here.
    pub(super) async fn keep_clocks(&mut self) -> Result<(), StoreError> {
        let left = self.left(Instant::now());
        self.games.services.store.write(Change::Clocks { id: self.id.clone(), left }).await?;
        Ok(())
    }

    pub(super) fn left(&self, now: Instant) -> [u64; 2] {
        let left = |side| self.clocks.as_ref().map_or(0, |clocks| clocks.left(side, now).as_millis() as u64);
        [left(Color::White), left(Color::Black)]
    }

    /// Offers another game, or agrees to the one offered. The machine always agrees.
    pub(super) async fn offer_rematch(&mut self, side: Color) -> Result<(), String> {
        if self.transcript.umpire().over().is_none() {
            return Err("The game is not over.".to_owned());
        }
        let offered_by = *self.rematch.get_or_insert(side);
        let is_agreed = offered_by != side || self.terms.machine.is_some();
        if !is_agreed {
            let offer = Told::Rematch { offered_by: Side::of(side), game: None };
            self.seats.iter_mut().for_each(|seat| seat.tell(&offer));
            return Ok(());
        }
        let created = self.games.begin_rematch(&self.terms, self.transcript.header()).await;
        let created = created.map_err(|error| format!("No other game can begin: {error}."))?;
        self.rematch = None;
        for seat in &mut self.seats {
            let game = created.seat(!seat.side());
            seat.tell(&Told::Rematch { offered_by: Side::of(offered_by), game });
        }
        Ok(())
    }
}
