//! What men are worth, and what an exchange on a square brings.

use nebel_kriegspiel::{Bitboard, Color, Role, Square};
use nebel_position::{Men, Side};

use super::numbers::NUMBERS;

/// What a man is worth on a square, in pawns.
#[inline]
pub(super) fn worth(role: Role, square: Square, color: Color) -> f32 {
    // Roles count from the pawn, which is 1.
    let plain = NUMBERS.men[role as usize - 1];
    if role == Role::Pawn {
        let rank = square.rank().to_usize();
        plain + NUMBERS.advanced[color.fold_wb(rank, 7 - rank)]
    } else {
        plain
    }
}

/// What all men of a side but the king are worth.
pub(super) fn total(men: &Men, color: Color) -> f32 {
    let of = |role: Role| men.by_role(role).into_iter().map(move |at| worth(role, at, color));
    [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen].into_iter().flat_map(of).sum()
}

/// Men by what they are worth, the cheapest first: in this order they capture.
const BY_WORTH: [Role; 6] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

/// What the side to move gains at best by taking on a square, and letting the other side take back, and so on: each side stops
/// when it would lose by going on. Pins are not looked at.
pub(super) fn exchange(
    (mover, color): (&Men, Color),
    other: &Men,
    square: Square,
    prize: f32,
    occupied: Bitboard,
) -> f32 {
    let attackers = mover.attackers(color, square, occupied) & occupied;
    let Some((role, from)) =
        BY_WORTH.into_iter().find_map(|role| Some((role, (mover.by_role(role) & attackers).first()?)))
    else {
        return 0.0;
    };
    let left = occupied & !Bitboard::from_square(from);
    if role == Role::King && (other.attackers(!color, square, left) & left).any() {
        return 0.0;
    }
    let risked = NUMBERS.men[role as usize - 1];
    (prize - exchange((other, !color), mover, square, risked, left)).max(0.0)
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Chess, start};

    use super::*;

    fn gain(fen: &str, square: Square, prize: f32) -> f32 {
        let position: Chess = start::position(fen).unwrap();
        let (white, black) = (Men::of(&position, Color::White), Men::of(&position, Color::Black));
        exchange((&white, Color::White), &black, square, prize, white.all | black.all)
    }

    #[test]
    fn exchanges_stop_where_going_on_would_lose() {
        // Unprotected.
        assert!((gain("4k3/8/8/3p4/8/8/3R4/4K3 w - - 0 1", Square::D5, 1.0) - 1.0).abs() < 1e-6);
        // A rook for a pawn: not taken.
        assert!(gain("4k3/8/2p5/3p4/8/8/3R4/4K3 w - - 0 1", Square::D5, 1.0).abs() < 1e-6);
        // The rook behind the rook takes part.
        assert!((gain("4k3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", Square::D5, 1.0) - 1.0).abs() < 1e-6);
        // A king does not step into check.
        assert!(gain("8/8/4k3/3p4/2K5/8/8/8 w - - 0 1", Square::D5, 1.0).abs() < 1e-6);
    }
}
