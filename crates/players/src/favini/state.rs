//! A turn as the program sees it: its own men and what it believes, nothing of the opponent's moves.

use std::sync::Arc;

use arrayvec::ArrayVec;
use nebel_kriegspiel::{Attempt, Bitboard, Directions, OwnMen, Role, Square, rules::TriesAnnounced};
use shakmaty::attacks;

use super::worth::Worth;
use nebel_belief::{
    OwnTries,
    matrices::{Matrices, MatrixTracker, evidence::Count},
    opponent::Model,
};

/// What does not change during a search.
#[derive(Clone, Debug)]
pub(crate) struct SearchParams {
    pub(crate) model: Arc<Model>,
    pub(crate) worth: Worth,
    /// For how many turns exposed men count as exposed at the end of a line, as the program's static evaluation discounts men that
    /// are controlled more than they are protected. 0 in the paper.
    pub(crate) safety: f32,
    /// Whether silence means that there is no pawn capture.
    pub(crate) silence_denies_tries: bool,
}

/// The own side to move.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) men: OwnMen,
    pub(crate) matrices: Matrices,
    pub(crate) tries: OwnTries,
    pub(crate) check: Directions,
    /// Where the last capture was: the place to take back.
    pub(crate) contested: Option<Square>,
    pub(crate) move_number: u32,
}

/// The worth of own men that could take back on a square, the cheapest first.
pub(crate) type Guards = ArrayVec<f32, 4>;

impl State {
    /// Where a game stands.
    pub(crate) fn of(listener: &MatrixTracker) -> State {
        State {
            men: listener.own().men().clone(),
            matrices: listener.matrices().clone(),
            tries: listener.tries(),
            check: listener.check(),
            contested: listener.lost_on(),
            move_number: listener.move_number(),
        }
    }

    /// After a legal own move and an unseen reply, both in silence.
    pub(crate) fn after_silence(&self, attempt: Attempt, params: &SearchParams) -> State {
        let mut next = State {
            men: self.men.clone(),
            matrices: self.matrices.clone(),
            tries: if params.silence_denies_tries { OwnTries::None } else { OwnTries::Unknown },
            check: Directions::NONE,
            contested: None,
            move_number: self.move_number + 1,
        };
        next.men.make(attempt);
        let own = next.men.squares();
        let matrices = &mut next.matrices;
        matrices.found_empty(
            attacks::between(attempt.from, attempt.to) | Bitboard::from_square(attempt.from) | own,
        );
        matrices.normalise(own);
        matrices.spread(params.model.attraction(matrices.color(), self.move_number), own);
        if params.silence_denies_tries {
            matrices.own_tries(&next.men, Count::Exactly(0));
        }
        matrices.king_in_check(&next.men, Directions::NONE);
        matrices.normalise(own);
        next
    }

    /// The attempts worth a thought: those that make sense, without captures that are known not to be there, and
    /// promotion to a queen only.
    pub(crate) fn attempts(&self) -> Vec<Attempt> {
        let mut attempts = Vec::with_capacity(48);
        self.men.for_each_attempt(|attempt| {
            let is_denied = !self.tries.allow(attempt.from) && self.men.is_pawn_capture(attempt);
            if !is_denied && matches!(attempt.promotion, None | Some(Role::Queen)) {
                attempts.push(attempt);
            }
        });
        attempts
    }

    /// The own men that bear on a square once the man on `without` is gone, by their worth.
    pub(crate) fn guards(&self, square: Square, without: Square, worth: Worth) -> Guards {
        let men = &self.men;
        let own = men.squares() & !Bitboard::from_square(without);
        let color = men.color();
        let by = |role: Role| men.by_role(role) & own;
        let lines = attacks::rook_attacks(square, own);
        let diagonals = attacks::bishop_attacks(square, own);
        let bearing = (attacks::pawn_attacks(!color, square) & by(Role::Pawn))
            | (attacks::knight_attacks(square) & by(Role::Knight))
            | (attacks::king_attacks(square) & by(Role::King))
            | (lines & (by(Role::Rook) | by(Role::Queen)))
            | (diagonals & (by(Role::Bishop) | by(Role::Queen)));
        let mut guards = Guards::new();
        for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
            for at in bearing & by(role) {
                if guards.try_push(worth.of(role, at, color)).is_err() {
                    return guards;
                }
            }
        }
        guards
    }
}

/// Whether silence under these rules means that the side to move has no pawn capture.
pub(crate) fn silence_denies_tries(tries: TriesAnnounced) -> bool {
    !matches!(tries, TriesAnnounced::Never)
}
