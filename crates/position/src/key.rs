//! A position of a belief in sixteen bytes: the opponent's men, without collisions.
//!
//! The upper 64 bits are the squares his men stand on. Below, three bits for each of them, in the order
//! of squares, say what it is: one of the six roles, a rook that may still castle, or a pawn that may
//! be captured en passant. Sixteen bits are left over. The own men are known and stored once.

use shakmaty::{Bitboard, Role, Square};

use crate::{men::Men, side::Side};

/// The opponent's men, packed.
///
/// ```
/// use nebel_position::{Key, Men};
/// use nebel_kriegspiel::{Chess, Color};
///
/// let black = Men::of(&Chess::new(), Color::Black);
/// assert_eq!(Key::pack(&black).unpack(), black);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key(u128);

/// What stands on a square, in three bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Code {
    /// A pawn.
    Pawn,
    /// A knight.
    Knight,
    /// A bishop.
    Bishop,
    /// A rook that may not castle.
    Rook,
    /// A queen.
    Queen,
    /// The king.
    King,
    /// A rook that may castle.
    CastlingRook,
    /// A pawn that may be captured en passant.
    PassedPawn,
}

/// The lowest bit of every three.
const LOWEST: u64 = 0o1_111_111_111_111_111;

impl Key {
    /// Packs the men of one side; at most sixteen of them.
    pub fn pack(men: &Men) -> Key {
        let mut codes = 0;
        for (index, square) in men.all.into_iter().take(16).enumerate() {
            let code = match men.role_at(square) {
                Some(Role::Pawn) if men.passed.contains(square) => Code::PassedPawn,
                Some(Role::Rook) if men.castling.contains(square) => Code::CastlingRook,
                Some(Role::King) => Code::King,
                Some(role) => Code::of(role),
                None => Code::Pawn,
            };
            codes |= u64::from(code as u8) << (3 * index);
        }
        Key::new(men.all, codes)
    }

    /// The men.
    ///
    /// # Panics
    ///
    /// On bits that are no key: men are packed with their king.
    #[inline]
    pub fn unpack(self) -> Men {
        // One board for each bit of the codes: an array with one for each code would make every man wait for the one before.
        let (mut ones, mut twos, mut fours) = (0_u64, 0, 0);
        let mut codes = self.codes();
        let mut left = u64::from(self.occupied());
        while left != 0 {
            let man = left & left.wrapping_neg();
            ones |= man & (codes & 1).wrapping_neg();
            twos |= man & (codes >> 1 & 1).wrapping_neg();
            fours |= man & (codes >> 2 & 1).wrapping_neg();
            codes >>= 3;
            left ^= man;
        }
        let all = self.occupied();
        let [ones, twos, fours] = [ones, twos, fours].map(Bitboard);
        Men {
            all,
            pawns: (all & !(ones | twos | fours)) | (ones & twos & fours),
            knights: ones & !(twos | fours),
            bishops: twos & !(ones | fours),
            rooks: twos & (ones ^ fours),
            queens: fours & !(ones | twos),
            king: (ones & fours & !twos)
                .first()
                .expect("men are packed with their king, and no move takes him"),
            castling: twos & fours & !ones,
            passed: ones & twos & fours,
        }
    }

    /// The squares the men stand on.
    #[inline]
    pub const fn occupied(self) -> Bitboard {
        Bitboard((self.0 >> 64) as u64)
    }

    /// What stands on a square.
    #[inline]
    pub fn code_at(self, square: Square) -> Option<Code> {
        self.occupied()
            .contains(square)
            .then(|| Code::of_bits((self.codes() >> (3 * self.index(square))) as u8))
    }

    /// The bits; never zero, because there is always a king.
    #[inline]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// The key of bits that [`Key::bits`] gave.
    #[inline]
    pub const fn from_bits(bits: u128) -> Key {
        Key(bits)
    }

    /// The same men, the one on `from` taken off.
    #[inline]
    #[must_use]
    pub fn without(self, square: Square) -> Key {
        let index = self.index(square);
        let below = low_codes(index);
        let codes = self.codes();
        let codes = (codes & below) | ((codes >> 3) & !below);
        Key::new(self.occupied() & !Bitboard::from_square(square), codes)
    }

    /// The same men and one more, on a square that was free.
    #[inline]
    #[must_use]
    pub fn with(self, square: Square, code: Code) -> Key {
        let index = self.index(square);
        let below = low_codes(index);
        let codes = self.codes();
        let codes = (codes & below) | ((codes & !below) << 3) | (u64::from(code as u8) << (3 * index));
        Key::new(self.occupied() | Bitboard::from_square(square), codes)
    }

    /// The same men, no rook of which may castle.
    #[inline]
    #[must_use]
    pub const fn without_castling(self) -> Key {
        let codes = self.codes();
        // A castling rook is 0b110, a rook 0b011.
        let found = (codes >> 2) & (codes >> 1) & !codes & LOWEST;
        Key::new(self.occupied(), codes ^ (found * 0b101))
    }

    /// The same men, no pawn of which may be captured en passant.
    #[inline]
    #[must_use]
    pub const fn without_passed(self) -> Key {
        let codes = self.codes();
        let found = (codes >> 2) & (codes >> 1) & codes & LOWEST;
        Key::new(self.occupied(), codes ^ (found * 0b111))
    }

    #[inline]
    const fn new(occupied: Bitboard, codes: u64) -> Key {
        Key(((occupied.0 as u128) << 64) | codes as u128)
    }

    #[inline]
    const fn codes(self) -> u64 {
        self.0 as u64
    }

    /// How many men stand on lower squares.
    #[inline]
    const fn index(self, square: Square) -> u32 {
        (self.occupied().0 & ((1 << square.to_u32()) - 1)).count_ones()
    }
}

impl Code {
    /// The code of a man without particular rights.
    #[inline]
    pub const fn of(role: Role) -> Code {
        match role {
            Role::Pawn => Code::Pawn,
            Role::Knight => Code::Knight,
            Role::Bishop => Code::Bishop,
            Role::Rook => Code::Rook,
            Role::Queen => Code::Queen,
            Role::King => Code::King,
        }
    }

    /// The code in the lowest three of these bits.
    #[inline]
    pub const fn of_bits(bits: u8) -> Code {
        match bits & 7 {
            0 => Code::Pawn,
            1 => Code::Knight,
            2 => Code::Bishop,
            3 => Code::Rook,
            4 => Code::Queen,
            5 => Code::King,
            6 => Code::CastlingRook,
            _ => Code::PassedPawn,
        }
    }

    /// The role, whatever its rights.
    #[inline]
    pub const fn role(self) -> Role {
        match self {
            Code::Pawn | Code::PassedPawn => Role::Pawn,
            Code::Knight => Role::Knight,
            Code::Bishop => Role::Bishop,
            Code::Rook | Code::CastlingRook => Role::Rook,
            Code::Queen => Role::Queen,
            Code::King => Role::King,
        }
    }
}

#[inline]
const fn low_codes(index: u32) -> u64 {
    (1 << (3 * index)) - 1
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Color, start};

    use super::*;

    fn black(fen: &str) -> Men {
        Men::of(&start::position(fen).unwrap(), Color::Black)
    }

    #[test]
    fn rights_are_part_of_the_key() {
        let with = black("r3k2r/8/8/3pP3/8/8/8/4K3 w kq d6 0 1");
        let without = black("r3k2r/8/8/3pP3/8/8/8/4K3 w - - 0 1");
        let key = Key::pack(&with);
        assert_eq!(key.unpack(), with);
        assert_ne!(key, Key::pack(&without));
        assert_eq!(key.without_castling().without_passed(), Key::pack(&without));
    }

    #[test]
    fn taking_off_and_putting_back_changes_nothing() {
        let key = Key::pack(&black(start::STANDARD));
        for square in key.occupied() {
            let men = key.unpack();
            let code = if men.castling.contains(square) {
                Code::CastlingRook
            } else {
                Code::of(men.role_at(square).unwrap())
            };
            assert_eq!(key.without(square).with(square, code), key, "{square}");
            assert_eq!(key.code_at(square), Some(code));
            assert_eq!(Some(code.role()), men.role_at(square));
        }
    }
}
