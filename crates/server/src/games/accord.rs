//! What two sides agree on beside moves: a draw, and in practice games a move taken back.

use nebel_kriegspiel::{Color, Event, Kind, Over, OwnMen, Reason, Role, Transcript, json::Side};
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
            machine.map_or(self.draw == Some(!side), |machine| is_content(&self.transcript, machine));
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

/// A captured piece of a kind that was not told, in pawns: the mean of two knights, two bishops, two rooks and a queen.
const PIECE: f32 = 31.0 / 7.0;
/// The machine agrees when it is not ahead by more than this, in pawns, after so many plies. By hand.
const AHEAD: f32 = 0.5;
const PLIES: usize = 40;

/// Whether the machine would rather have a draw: by its own men and by what it took, as far as that was told. What it says
/// depends on nothing that it does not know itself.
fn is_content(transcript: &Transcript, machine: Color) -> bool {
    let umpire = transcript.umpire();
    let own = OwnMen::of(umpire.position(), machine);
    let start = OwnMen::of(&transcript.header().start, !machine);
    let moves = transcript.events().iter().filter(|event| event.announcement().is_some());
    let taken = moves.clone().filter(|event| event.by() == Some(machine)).filter_map(|event| {
        let capture = event.announcement()?.capture?;
        Some(if capture.kind == Some(Kind::Pawn) { 1.0 } else { PIECE })
    });
    let left = worth(&start) - taken.sum::<f32>();
    moves.count() >= PLIES && worth(&own) - left <= AHEAD
}

/// All men but the king, in pawns.
fn worth(men: &OwnMen) -> f32 {
    let of = |role| match role {
        Role::Pawn => 1.0,
        Role::Knight | Role::Bishop => 3.0,
        Role::Rook => 5.0,
        Role::Queen => 9.0,
        Role::King => 0.0,
    };
    men.squares().into_iter().filter_map(|square| men.role_at(square)).map(of).sum()
}
