//! The two lower tiers of the tree: what is heard of a move and of the reply to it, and the turn that follows (Ciancarini and
//! Favini 2010, Figure 3).
//!
//! The paper's tree goes on through every message. Several dozen pairs of messages are possible; here they are eight kinds, and each kind goes on with
//! its likeliest case: the most exposed man is the one that is lost, the check comes from the likeliest direction.

use nebel_kriegspiel::{Attempt, Bitboard, Direction, Directions, Role, Square};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use shakmaty::attacks;

use super::{
    chance::Chance,
    outcome::{Exposure, MoveOutcome},
    state::{SearchParams, State},
};
use nebel_belief::matrices::evidence::{Count, attacks_from};

/// What is heard of an own move and of the reply.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Heard {
    /// The attempt is refused: the turn goes on.
    Refused,
    /// It captures, and nothing is taken back.
    Kept,
    /// It captures, and the man that moved is taken.
    Retaken,
    /// Nothing, and a pawn takes the man that moved.
    TakenByPawn,
    /// Check, and the checker is taken.
    CheckerTaken,
    /// Nothing, and another man is taken.
    Lost,
    /// Check, and nothing.
    Check,
    /// Nothing of either.
    Silence,
}

impl Heard {
    pub(crate) const ALL: [Heard; 8] = [
        Heard::Refused,
        Heard::Kept,
        Heard::Retaken,
        Heard::TakenByPawn,
        Heard::CheckerTaken,
        Heard::Lost,
        Heard::Check,
        Heard::Silence,
    ];
}

impl MoveOutcome {
    /// How likely each kind of messages is, in the order of [`Heard::ALL`].
    pub(crate) fn shares(&self) -> [f32; 8] {
        let odds = &self.odds;
        let legal = odds.legal;
        let quiet = legal * (1.0 - odds.capture);
        let unanswered = quiet * (1.0 - self.by_pawn) * (1.0 - self.by_reaction);
        let silent = unanswered * (1.0 - self.risk);
        // Of those that no reaction took the share that gives check.
        let checks = ((odds.check - self.by_reaction) / (1.0 - self.by_reaction).max(1e-6)).clamp(0.0, 1.0);
        [
            1.0 - legal,
            legal * odds.capture * (1.0 - self.recapture),
            legal * odds.capture * self.recapture,
            quiet * self.by_pawn,
            quiet * (1.0 - self.by_pawn) * self.by_reaction,
            unanswered * self.risk,
            silent * checks,
            silent * (1.0 - checks),
        ]
    }

    /// One of them, drawn.
    pub(crate) fn draw(&self, random: &mut Xoshiro256PlusPlus) -> Heard {
        let mut left = random.random::<f32>();
        for (heard, share) in Heard::ALL.into_iter().zip(self.shares()) {
            left -= share;
            if left < 0.0 {
                return heard;
            }
        }
        Heard::Silence
    }

    /// The change of the balance by a move of which this is heard, with the exchange that follows.
    pub(crate) fn change<C: Chance>(&self, heard: Heard, chance: &mut C, params: &SearchParams) -> f32 {
        match heard {
            Heard::Refused => self.refused,
            Heard::Kept => self.step + self.gain,
            Heard::Retaken => self.step + self.gain + self.falls(chance, self.taker),
            Heard::TakenByPawn => self.step + self.falls(chance, params.worth.hidden_pawn()),
            Heard::CheckerTaken => self.step + self.falls(chance, self.taker),
            Heard::Lost => self.step + self.loss,
            Heard::Check | Heard::Silence => self.step + self.exposure_change,
        }
    }
}

impl State {
    /// The turn that follows an attempt of which this is heard.
    pub(crate) fn after(
        &self,
        attempt: Attempt,
        heard: Heard,
        exposure: &Exposure,
        params: &SearchParams,
    ) -> State {
        let lost = match heard {
            Heard::Silence => return self.after_silence(attempt, params),
            Heard::Refused => return self.after_refusal(attempt),
            Heard::Kept | Heard::Check => None,
            Heard::Retaken | Heard::TakenByPawn | Heard::CheckerTaken => Some(attempt.to),
            Heard::Lost => Some(self.most_exposed(attempt, exposure).unwrap_or(attempt.to)),
        };
        let mut next = self.next_turn(params);
        next.men.make(attempt);
        let matrices = &mut next.matrices;
        if matches!(heard, Heard::Kept | Heard::Retaken) {
            matrices.capture(attempt.to, None);
        }
        let own = next.men.squares();
        let way = attacks::between(attempt.from, attempt.to);
        matrices.found_empty(way | Bitboard::from_square(attempt.from) | own);
        matrices.normalise(own);
        if matches!(heard, Heard::Check | Heard::CheckerTaken) {
            let direction = next.likely_check(attempt.to);
            next.matrices.king_in_check(&next.men, direction);
            next.matrices.normalise(own);
        }
        let before = next.men.clone();
        let matrices = &mut next.matrices;
        if let Some(square) = lost.filter(|&square| next.men.lose(square).is_some()) {
            matrices.arrive(square, &before, Some(heard == Heard::TakenByPawn));
            next.contested = Some(square);
        } else {
            let attraction = params.model.attraction(matrices.color(), self.next_unseen);
            matrices.spread_as(self.premises.spreading, attraction, own);
        }
        let own = next.men.squares();
        matrices.normalise(own);
        if params.silence_denies_tries {
            matrices.own_tries(&next.men, Count::Exactly(0));
        }
        matrices.king_in_check(&next.men, Directions::NONE);
        matrices.settle(own);
        next
    }

    /// The same turn, in which this was refused: something stands in the way, unless the man is pinned or the king would be in check.
    fn after_refusal(&self, attempt: Attempt) -> State {
        let mut next = self.clone();
        next.refused.push(attempt);
        let role = self.men.role_at(attempt.from);
        if role != Some(Role::King) && !self.men.is_pawn_capture(attempt) && self.check.is_empty() {
            let mut way = attacks::between(attempt.from, attempt.to);
            if role == Some(Role::Pawn) {
                way |= Bitboard::from_square(attempt.to);
            }
            let pin = self.matrices.pin(&self.men, attempt.from, Some(attempt.to));
            next.matrices.hold_men(way, 1.0 - pin);
            next.matrices.settle(self.men.squares());
        }
        next
    }

    /// The man that is most exposed once this was played; the king is not captured.
    fn most_exposed(&self, attempt: Attempt, exposure: &Exposure) -> Option<Square> {
        let others =
            self.men.squares() & !self.men.by_role(Role::King) & !Bitboard::from_square(attempt.from);
        let risk = |square: &Square| exposure.risk[square.to_usize()];
        let most = others.into_iter().max_by(|a, b| risk(a).total_cmp(&risk(b)));
        most.filter(|square| risk(square) > 0.0)
    }

    /// From where a check by the man on this square most likely comes.
    fn likely_check(&self, from: Square) -> Directions {
        let Some(role) = self.men.role_at(from) else { return Directions::NONE };
        let mut by = [0.0_f32; 5];
        for at in attacks_from(&self.men, from, self.men.squares()) {
            by[Direction::of_check(at, from, role) as usize] += self.matrices.king(at);
        }
        let likeliest = Direction::ALL.into_iter().max_by(|a, b| by[*a as usize].total_cmp(&by[*b as usize]));
        likeliest.filter(|&direction| by[direction as usize] > 0.0).into_iter().collect()
    }
}
