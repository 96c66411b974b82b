//! What two sides agree on beside moves: a draw, and in practice games a move taken back.

use nebel_kriegspiel::{Color, Event, Over, Reason, Transcript, json::Side};
use nebel_players::agrees_to_draw;
use tokio::time::Instant;

use super::{
    machine::MachineTerms,
    messages::Told,
    task::{Answered, GameTask, Waits},
    writer::Change,
};

impl GameTask {
    /// Offers a draw, or agrees to the one offered. The machine says at once whether it agrees.
    pub(super) async fn offer_draw(&mut self, side: Color) -> Answered {
        if self.transcript.umpire().over().is_some() {
            return Ok(Err("The game is over.".to_owned()));
        }
        if self.draw == Some(side) {
            return Ok(Err("Your offer stands until the other side has moved.".to_owned()));
        }
        let machine = self.terms.machine.as_ref().map(MachineTerms::side);
        let agrees =
            machine.map_or(self.draw == Some(!side), |machine| agrees_to_draw(&self.transcript, machine));
        if agrees {
            self.machine = super::turns::AtWork::Nobody;
            let end = self.transcript.end(None, Over::draw(Reason::Agreement)).cloned();
            self.record(end.into_iter().collect()).await?;
            return Ok(Ok(()));
        }
        self.draw = Some(side);
        let told = Told::Draw { offered_by: Side::of(side), declined: machine.is_some() };
        self.seats.iter_mut().for_each(|seat| seat.tell(&told));
        Ok(Ok(()))
    }

    /// Takes the last move of the person back, and all that came after it.
    pub(super) async fn take_back(&mut self, side: Color, seen: usize) -> Answered {
        let refusal = if self.transcript.umpire().over().is_some() {
            Some("The game is over.")
        } else if !self.terms.practice || self.clocks.is_some() {
            Some("Moves are taken back in practice games without clocks alone.")
        } else if seen != self.seat(side).heard() {
            Some("Something has happened since: look again.")
        } else {
            None
        };
        let is_own_move = |event: &Event| event.by() == Some(side) && event.announcement().is_some();
        let last = self.transcript.events().iter().rposition(is_own_move);
        let (None, Some(first)) = (refusal, last) else {
            return Ok(Err(refusal.unwrap_or("You have not moved yet.").to_owned()));
        };
        let mut before = Transcript::new(self.transcript.header().clone());
        for event in &self.transcript.events()[..first] {
            if before.add(event).is_err() {
                return Ok(Err("The game cannot be replayed.".to_owned()));
            }
        }
        self.games.services.store.write(Change::TakeBack { id: self.id.clone(), first }).await?;
        // The memory of its beliefs is given back before the next takes it.
        self.practice = None;
        let (id, terms, games) = (self.id.clone(), self.terms.clone(), self.games.clone());
        let machine_game = self.machine_game.take();
        let mut next = GameTask::new(id, terms, before, [0; 2], games, machine_game);
        (next.was_here, next.waits, next.is_put_off) = (self.was_here, Waits::No, false);
        let mut last = std::mem::replace(self, next);
        let outside = self.outside(Instant::now());
        for (seat, was) in self.seats.iter_mut().zip(&mut last.seats) {
            seat.take_over(was, &outside);
        }
        if let Some(practice) = &mut self.practice {
            practice.show_again(&self.games.services.analysis);
        }
        self.next_turn();
        Ok(Ok(()))
    }
}
