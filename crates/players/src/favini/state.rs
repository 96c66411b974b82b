//! A turn as the program sees it: its own men and what it believes, nothing of the opponent's moves.

use std::sync::Arc;

use arrayvec::ArrayVec;
use nebel_kriegspiel::{Attempt, Bitboard, Directions, OwnMen, Role, Square, rules::TriesAnnounced};
use shakmaty::attacks;

use super::{premises::Premises, worth::Worth};
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
    /// Attempts of this turn that were refused.
    pub(crate) refused: Vec<Attempt>,
    /// The number of the other side's next move.
    pub(crate) next_unseen: u32,
    pub(crate) premises: Premises,
}

/// The worth of own men that could take back on a square, the cheapest first.
pub(crate) type Guards = ArrayVec<f32, 4>;

impl State {
    /// Where a game stands.
    pub(crate) fn of(listener: &MatrixTracker, premises: Premises) -> State {
        State {
            men: listener.own().men().clone(),
            matrices: listener.matrices().clone(),
            tries: listener.tries(),
            check: listener.check(),
            contested: listener.lost_on(),
            refused: listener.own().turn().refused().to_vec(),
            next_unseen: listener.others_made() + 1,
            premises,
        }
    }

    /// The next turn, as far as it does not depend on what is heard in between.
    pub(super) fn next_turn(&self, params: &SearchParams) -> State {
        State {
            men: self.men.clone(),
            matrices: self.matrices.clone(),
            tries: if params.silence_denies_tries { OwnTries::None } else { OwnTries::Unknown },
            check: Directions::NONE,
            contested: None,
            refused: Vec::new(),
            next_unseen: self.next_unseen + 1,
            premises: self.premises,
        }
    }

    /// After a legal own move and an unseen reply, both in silence.
    pub(crate) fn after_silence(&self, attempt: Attempt, params: &SearchParams) -> State {
        let mut next = self.next_turn(params);
        next.men.make(attempt);
        let own = next.men.squares();
        let matrices = &mut next.matrices;
        matrices.found_empty(
            attacks::between(attempt.from, attempt.to) | Bitboard::from_square(attempt.from) | own,
        );
        matrices.normalise(own);
        let attraction = params.model.attraction(matrices.color(), self.next_unseen);
        matrices.spread_as(self.premises.spreading, attraction, own);
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
            if !is_denied
                && matches!(attempt.promotion, None | Some(Role::Queen))
                && !self.refused.contains(&attempt)
            {
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

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Chess, Color, Rules, Umpire};

    use super::*;

    /// The model's time is counted in moves of the side that it models: whoever looks at it, after silence the other side makes the
    /// move that follows those it has made.
    #[test]
    fn the_other_sides_next_move_is_the_one_after_those_it_has_made() {
        let line = ["e2e3", "e7e6", "d2d3", "d7d6", "c2c3", "c7c6", "b2b3"];
        for (side, attempt, plies) in [(Color::White, "a2a3", 6), (Color::Black, "a7a6", 7)] {
            let mut umpire = Umpire::new(Rules::icc());
            let mut listener = MatrixTracker::new(Rules::icc(), &Chess::new(), side, Model::standard());
            for said in &line[..plies] {
                let event = umpire.hear(said).unwrap();
                listener.hear(&event.heard_by(side, umpire.rules()).unwrap()).unwrap();
            }
            let made = line[..plies].len() / 2 + usize::from(side == Color::Black);
            let params = SearchParams {
                model: Model::standard(),
                worth: Worth::Count,
                safety: 0.0,
                silence_denies_tries: false,
            };
            let state = State::of(&listener, Premises::USUAL);
            let attempt: Attempt = attempt.parse().unwrap();
            let mut men = state.men.clone();
            men.make(attempt);
            let mut expected = state.matrices.clone();
            expected.found_empty(Bitboard::from_square(attempt.from) | men.squares());
            expected.normalise(men.squares());
            let attraction = |number: usize| params.model.attraction(!side, number as u32);
            assert_ne!(attraction(made), attraction(made + 1), "the model tells these moves apart");
            expected.spread(attraction(made + 1), men.squares());
            expected.king_in_check(&men, Directions::NONE);
            expected.normalise(men.squares());
            assert_eq!(state.after_silence(attempt, &params).matrices, expected, "{side}");
            let drawn = listener.weight(Role::Knight, Square::F6.flip_vertical());
            assert!(drawn > 0.0);
            let share = params.model.density(!side, Role::Knight, made as u32, Square::F6.flip_vertical());
            let piece = listener.matrices().piece(Square::F6.flip_vertical());
            assert!((drawn - piece * share).abs() < 2e-4, "{side}: {drawn} and {piece} times {share}");
        }
    }
}
