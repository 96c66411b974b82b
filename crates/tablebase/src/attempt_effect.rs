//! White's turn: the attempts of a placement, and what the umpire would answer for every king square at once.
//!
//! Against a bare king only two kinds of attempt can be refused: a king's step next to the black king, and a
//! pawn's push onto (or over) him. A line piece can never meet him, because he would have stood in check
//! with White to move.

use nebel_kriegspiel::Attempt;
use nebel_position::side::{forward, pawn_steps};
use shakmaty::{Bitboard, Color, Role, Square};

use crate::board::{Board, Mask, bit, squares_of};
use crate::placement::{Placement, attacks};

/// One attempt from a placement and its consequences for every square of the black king.
///
/// The squares of [`Placement::king_squares`] are divided into `refused`, `stalemates` and the squares of `classes`.
#[derive(Debug, Clone)]
pub struct AttemptEffect {
    /// The attempt.
    pub attempt: Attempt,
    /// The squares at which the umpire refuses it.
    pub refused: Mask,
    /// The squares at which it stalemates.
    pub stalemates: Mask,
    /// The other squares by message (0 is silence, else bits of [`crate::message`]), silence first.
    pub classes: Vec<(u8, Mask)>,
    /// The white men afterwards.
    pub after: Placement,
    /// Where the black king may stand once he has replied without taking anything.
    pub replies: Mask,
    /// White's undefended men: the black king may take one from any neighbouring square.
    pub loose: Mask,
}

impl AttemptEffect {
    /// The consequences of every attempt of [`Placement::attempts`], in its order.
    pub fn all(board: Board, placement: &Placement) -> Vec<AttemptEffect> {
        let king_squares = placement.king_squares(board);
        let effect = |attempt: Attempt| {
            let refused = placement.refused(board, attempt, king_squares);
            AttemptEffect::new(board, attempt, placement.moved_by(attempt), king_squares, refused)
        };
        placement.attempts(board).map(effect).collect()
    }

    fn new(
        board: Board,
        attempt: Attempt,
        after: Placement,
        king_squares: Mask,
        refused: Mask,
    ) -> AttemptEffect {
        let replies = after.king_squares(board);
        let loose = after.undefended(board);
        let legal = king_squares & !refused;
        let directions = after.check_directions(board);
        let mut classes: Vec<(u8, Mask)> = vec![(0, 0)];
        for square in squares_of(legal) {
            let message = directions[usize::from(square)];
            match classes.iter_mut().find(|class| class.0 == message) {
                Some(class) => class.1 |= bit(square),
                None => classes.push((message, bit(square))),
            }
        }
        let stalemates = classes[0].1 & !board.neighbours(replies | loose);
        classes[0].1 &= !stalemates;
        classes.retain(|class| class.1 != 0);
        AttemptEffect { attempt, refused, stalemates, classes, after, replies, loose }
    }

    /// The squares at which the attempt mates.
    pub fn mates(&self, board: Board) -> Mask {
        let checks = self.classes.iter().filter(|class| class.0 != 0).fold(0, |set, class| set | class.1);
        checks & !board.neighbours(self.replies | self.loose)
    }

    /// Where the king may be after replying (without a capture) from a square of `set`.
    pub fn successors(&self, board: Board, set: Mask) -> Mask {
        board.neighbours(set) & self.replies
    }

    /// The men that a king in `set` could take.
    pub fn losses(&self, board: Board, set: Mask) -> Mask {
        board.neighbours(set) & self.loose
    }
}

impl Placement {
    /// Every attempt that is no nonsense, castling and pawn captures aside: with a bare king there is nothing to take, and
    /// castling rights do not outlive the middle game.
    pub fn attempts(&self, board: Board) -> impl Iterator<Item = Attempt> + '_ {
        let occupied = self.occupied();
        self.all().flat_map(move |(role, from)| {
            let targets = match role {
                Role::Pawn => pushes(board, from, occupied),
                _ => attacks(board, role, from, occupied) & !occupied,
            };
            squares_of(targets).flat_map(move |to| {
                let promotes = role == Role::Pawn && u8::from(to.rank()) + 1 == board.size();
                let becomes: &[Option<Role>] = if promotes { &PROMOTED } else { &[None] };
                becomes.iter().map(move |&promotion| Attempt { from, to, promotion })
            })
        })
    }

    /// The part of `set` at which the umpire refuses this attempt.
    pub fn refused(&self, board: Board, attempt: Attempt, set: Mask) -> Mask {
        if attempt.from == self.king() {
            return set & board.neighbours(bit(attempt.to));
        }
        let in_the_way = match self.role_at(attempt.from) {
            Role::Pawn => bit(attempt.to) | board.step(attempt.from, 0, 1).map_or(0, bit),
            _ => 0,
        };
        set & in_the_way
    }
}

/// What a pawn may become.
const PROMOTED: [Option<Role>; 4] =
    [Some(Role::Queen), Some(Role::Rook), Some(Role::Bishop), Some(Role::Knight)];

/// Where a pawn may go when only White's men stand in its way.
fn pushes(board: Board, from: Square, occupied: Mask) -> Mask {
    let pawn = Bitboard(bit(from));
    let steps = pawn_steps(pawn, Color::White, Bitboard(occupied | !board.squares()));
    // A double step needs a board on which it does not reach the last rank.
    if board.size() < 5 { (steps & forward(pawn, Color::White)).0 } else { steps.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_king_square_gets_exactly_one_answer() {
        for text in ["Kc3 Ra1", "Ke5 Qd4", "Kb6 Pa7", "Ka1 Pe2", "Kd4 Bd5 Be5", "Kf6 Be4 Nf7", "Kc1 Ra1 Rh1"]
        {
            let placement = Placement::parse(Board::CHESS, text).unwrap();
            for effect in AttemptEffect::all(Board::CHESS, &placement) {
                let mut seen = effect.refused | effect.stalemates;
                assert_eq!(effect.refused & effect.stalemates, 0);
                for &(_, squares) in &effect.classes {
                    assert_eq!(seen & squares, 0);
                    seen |= squares;
                }
                assert_eq!(seen, placement.king_squares(Board::CHESS), "{text} {}", effect.attempt);
            }
        }
    }

    #[test]
    fn a_promotion_is_four_attempts_and_a_push_may_be_refused() {
        let placement = Placement::parse(Board::CHESS, "Ka1 Pe7").unwrap();
        let effects = AttemptEffect::all(Board::CHESS, &placement);
        assert_eq!(effects.iter().filter(|effect| effect.attempt.promotion.is_some()).count(), 4);
        assert!(effects.iter().filter(|t| t.attempt.to == Square::E8).all(|t| t.refused == bit(Square::E8)));
        assert_eq!(
            "e7e8q".parse(),
            Ok(effects.iter().find(|t| t.attempt.promotion.is_some()).unwrap().attempt)
        );
    }
}
