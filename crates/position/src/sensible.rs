//! Which attempts make sense to a side that sees its own men alone: [`nebel_kriegspiel::OwnMen`] by masks.

use shakmaty::{Bitboard, CastlingSide, Color, Role, Square, attacks};

use crate::side::{Side, attacks_of, pawn_steps};

/// Where a man could go as far as its own side knows.
#[inline]
pub fn targets(color: Color, men: impl Side, role: Role, from: Square) -> Bitboard {
    let reached = match role {
        Role::Pawn => {
            pawn_steps(Bitboard::from_square(from), color, men.all()) | attacks::pawn_attacks(color, from)
        }
        Role::King => attacks::king_attacks(from) | castlings(color, men),
        _ => attacks_of(role, from, men.all()),
    };
    reached & !men.all()
}

/// The captures by a pawn that make sense: diagonal steps onto squares that its side does not hold.
#[inline]
pub fn pawn_captures(color: Color, men: impl Side, from: Square) -> Bitboard {
    attacks::pawn_attacks(color, from) & !men.all()
}

/// The pawn captures of a side that make sense, square by square.
pub fn all_pawn_captures(color: Color, men: impl Side) -> impl Iterator<Item = (Square, Square)> {
    men.pawns()
        .into_iter()
        .flat_map(move |from| pawn_captures(color, men, from).into_iter().map(move |to| (from, to)))
}

/// Where the king could castle to.
#[inline]
fn castlings(color: Color, men: impl Side) -> Bitboard {
    let mut targets = Bitboard::EMPTY;
    for rook in men.castling() {
        if (attacks::between(men.king(), rook) & men.all()).is_empty() {
            let to = CastlingSide::from_queen_side(rook < men.king()).king_to(color);
            targets |= Bitboard::from_square(to);
        }
    }
    targets
}
