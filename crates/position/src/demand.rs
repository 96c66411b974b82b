//! What an attempt that makes sense asks of the other side's men, besides the safety of the own king.
//!
//! It depends on the own men alone, so a belief works it out once for all its positions.

use nebel_kriegspiel::Color;
use shakmaty::{Bitboard, Role, Square, attacks};

use crate::{announced::Captured, side::Side};

/// What the other side must leave to an attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Demand {
    /// These squares are free; a man on the target is captured.
    Path(Bitboard),
    /// These squares are free, and the target is one of them.
    Free(Bitboard),
    /// The target holds a man, or the pawn that passed stands on this square.
    Capture(Square),
    /// The first squares are free, the second not attacked.
    Castling {
        /// Between king and rook.
        free: Bitboard,
        /// Where the king stands and what he crosses; where he lands he must be safe anyway.
        safe: Bitboard,
    },
}

impl Demand {
    /// What an attempt of a man of this role asks; it must make sense to a side with these men. `None` if it is castling
    /// without a rook.
    #[inline]
    pub fn new(men: impl Side, role: Role, from: Square, to: Square) -> Option<Demand> {
        Some(match role {
            Role::Pawn if from.file() != to.file() => {
                Demand::Capture(Square::from_coords(to.file(), from.rank()))
            }
            Role::Pawn => Demand::Free(attacks::between(from, to) | Bitboard::from_square(to)),
            Role::King if from.distance(to) > 1 => {
                let rook = men.castling().into_iter().find(|&rook| (rook < from) == (to < from))?;
                Demand::Castling {
                    free: attacks::between(from, rook),
                    safe: attacks::between(from, to) | Bitboard::from_square(from),
                }
            }
            Role::Knight | Role::King => Demand::Path(Bitboard::EMPTY),
            Role::Bishop | Role::Rook | Role::Queen => Demand::Path(attacks::between(from, to)),
        })
    }

    /// What is captured on `to` if the other side, of this colour, meets the demand; `occupied` is all men there are. A king is never
    /// captured.
    #[inline]
    pub fn met_by(
        self,
        other: impl Side,
        color: Color,
        to: Square,
        occupied: Bitboard,
    ) -> Option<Option<Captured>> {
        let captured = match self {
            Demand::Path(path) if (path & other.all()).is_empty() => other.role_at(to),
            Demand::Free(squares) if (squares & other.all()).is_empty() => None,
            Demand::Capture(_) if other.all().contains(to) => other.role_at(to),
            Demand::Capture(passed) if other.passed().contains(passed) => {
                return Some(Some(Captured { square: passed, role: Role::Pawn, passing: Some(to) }));
            }
            Demand::Castling { free, safe } if (free & other.all()).is_empty() => {
                let attacked = |square| other.attackers(color, square, occupied).any();
                if safe.into_iter().any(attacked) {
                    return None;
                }
                None
            }
            _ => return None,
        };
        match captured {
            Some(Role::King) => None,
            Some(role) => Some(Some(Captured { square: to, role, passing: None })),
            None => Some(None),
        }
    }
}
