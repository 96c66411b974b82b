//! What a table does besides the game: who is there, what the clocks show, when it is forgotten, another game.

use std::time::Duration;

use nebel_kriegspiel::{Color, side::name};
use tokio::time::Instant;

use super::{
    messages::Told,
    seat::Seat,
    store::{Change, StoreError},
    table::{Closed, Step, Table, Waits, index},
};

/// How long a finished game stays in memory when nobody looks at it.
const LINGER: Duration = Duration::from_secs(30);

impl Table {
    /// What is looked after from time to time.
    pub(super) async fn care(&mut self) -> Step {
        self.note_presence();
        self.run_clocks_if_all_are_here();
        if self.clocks.as_ref().is_some_and(|clocks| clocks.runs_out_at().is_some()) {
            self.keep_clocks().await?;
        }
        let now = Instant::now();
        if self.seats.iter().any(Seat::is_taken) {
            self.alone_since = None;
            return Ok(());
        }
        let alone = now.duration_since(*self.alone_since.get_or_insert(now));
        let is_over = self.transcript.umpire().over().is_some();
        if is_over && alone >= LINGER {
            return Err(Closed);
        }
        if !is_over && alone >= self.games.services.limits.idle {
            self.games.services.store.write(Change::Delete { id: self.id.clone() }).await?;
            return Err(Closed);
        }
        Ok(())
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

    pub(super) async fn keep_clocks(&mut self) -> Result<(), StoreError> {
        if self.clocks.is_none() {
            return Ok(());
        }
        let left = self.left(Instant::now());
        self.games.services.store.write(Change::Clocks { id: self.id.clone(), left }).await
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
            let offer = Told::Rematch { offered_by: name(side), game: None };
            self.seats.iter_mut().for_each(|seat| seat.tell(&offer));
            return Ok(());
        }
        let created = self.games.begin_rematch(&self.terms, self.transcript.header()).await;
        let created = created.map_err(|error| format!("No other game can begin: {error}."))?;
        self.rematch = None;
        for seat in &mut self.seats {
            let game = created.seat(!seat.side());
            seat.tell(&Told::Rematch { offered_by: name(offered_by), game });
        }
        Ok(())
    }
}
