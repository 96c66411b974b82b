//! What checks say about hidden men, and what the absence of check says.
//!
//! Two words carry this module. A line piece *surely* attacks along squares that cannot be held by a hidden man (the
//! enemy king aside, when it is he who is attacked: he does not hide behind himself); it *perhaps* attacks
//! along squares that may be free. What is not announced cannot surely be; what is announced must perhaps be.

use nebel_kriegspiel::{Bitboard, Direction, Directions, Role, Square};
use nebel_position::side::{man_attacks, neighbours, pawn_captures};
use shakmaty::attacks;

use super::{Metaposition, fill};

/// The squares of a king, by the direction from which he is checked.
#[derive(Clone, Copy, Default)]
struct Checked([Bitboard; 5]);

impl Checked {
    /// Adds the squares that a man attacks.
    #[inline]
    fn add(&mut self, role: Role, from: Square, attacked: Bitboard) {
        let divided = Direction::divide(role, from, attacked);
        self.0.iter_mut().zip(divided).for_each(|(all, more)| *all |= more);
    }

    fn by(&self, direction: Direction) -> Bitboard {
        self.0[direction as usize]
    }
}

impl Metaposition {
    /// The squares on which the enemy king would surely be attacked.
    #[inline]
    pub fn surely_attacked(&self) -> Bitboard {
        self.steadily_attacked()
            | self.attacked_by_lines(self.own.squares() | self.may_hold_other_than_king())
    }

    /// The squares on which the enemy king would perhaps be attacked.
    #[inline]
    pub fn perhaps_attacked(&self) -> Bitboard {
        self.steadily_attacked() | self.perhaps_attacked_by_lines()
    }

    /// The squares that own line pieces perhaps attack.
    pub(super) fn perhaps_attacked_by_lines(&self) -> Bitboard {
        self.attacked_by_lines(!self.empty)
    }

    /// The squares that own men other than the king perhaps attack.
    pub fn perhaps_attacked_without_king(&self) -> Bitboard {
        self.attacked_by_pawns_and_knights() | self.perhaps_attacked_by_lines()
    }

    /// What own pawns, knights and king attack, which nothing can block.
    fn steadily_attacked(&self) -> Bitboard {
        self.attacked_by_pawns_and_knights() | neighbours(self.own.by_role(Role::King))
    }

    fn attacked_by_pawns_and_knights(&self) -> Bitboard {
        pawn_captures(self.own.by_role(Role::Pawn), self.own.color())
            | fill::knight_moves(self.own.by_role(Role::Knight))
    }

    #[inline]
    fn attacked_by_lines(&self, occupied: Bitboard) -> Bitboard {
        let mut attacked = Bitboard::EMPTY;
        for from in self.own.by_role(Role::Bishop) | self.own.by_role(Role::Queen) {
            attacked |= attacks::bishop_attacks(from, occupied);
        }
        for from in self.own.by_role(Role::Rook) | self.own.by_role(Role::Queen) {
            attacked |= attacks::rook_attacks(from, occupied);
        }
        attacked
    }

    /// After an own move: the enemy king stands where exactly these checks are possible. `moved` is the man (or the
    /// rook that castled), `vacated` what the move left free: a check comes from the one or through the other,
    /// because the king stood in no check before.
    pub(super) fn hear_own_checks(&mut self, checks: Directions, moved: Bitboard, vacated: Bitboard) {
        if checks.is_empty() {
            self.may.king &= !self.surely_attacked();
            return;
        }
        let (mut surely, mut perhaps) = (Checked::default(), Checked::default());
        let hides = self.own.squares() | self.may_hold_other_than_king();
        let blocks = !self.empty;
        for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for from in self.own.by_role(role) {
                let attacked = |occupied| man_attacks(role, self.own.color(), from, occupied);
                surely.add(role, from, attacked(hides));
                if moved.contains(from) {
                    perhaps.add(role, from, attacked(blocks));
                } else if matches!(role, Role::Bishop | Role::Rook | Role::Queen) {
                    perhaps.add(role, from, attacked(blocks & !vacated) & !attacked(blocks | vacated));
                }
            }
        }
        for direction in Direction::ALL {
            self.may.king &=
                if checks.contains(direction) { perhaps.by(direction) } else { !surely.by(direction) };
        }
    }

    /// No hidden man surely checks the own king from a direction that was not announced, and no king stands next to
    /// him. If an announced check can come from one square alone, there is a man.
    pub(super) fn hear_checks_on_own_king(&mut self, checks: Directions) {
        let Some(king) = self.own.by_role(Role::King).first() else { return };
        let allowed = checks.iter().fold(Bitboard::EMPTY, |lines, d| lines | d.line(king));
        let hides = self.own.squares() | self.may_hold_any();
        let straight = attacks::rook_attacks(king, hides) & !allowed;
        let diagonal = attacks::bishop_attacks(king, hides) & !allowed;
        self.may.rook &= !straight;
        self.may.bishop &= !diagonal;
        self.may.queen &= !(straight | diagonal);
        self.may.pawn &= !(attacks::pawn_attacks(self.own.color(), king) & !allowed);
        self.may.king &= !attacks::king_attacks(king);
        if !checks.contains(Direction::Knight) {
            self.may.knight &= !attacks::knight_attacks(king);
        }
        for direction in checks.iter() {
            self.find_checker(king, direction);
        }
    }

    fn find_checker(&mut self, king: Square, direction: Direction) {
        let line = direction.line(king);
        let blocks = !self.empty;
        let reached = match direction {
            Direction::Knight => line,
            Direction::Rank | Direction::File => line & attacks::rook_attacks(king, blocks),
            Direction::Long | Direction::Short => line & attacks::bishop_attacks(king, blocks),
        };
        let near = attacks::pawn_attacks(self.own.color(), king);
        let checkers = |role: Role, squares: Bitboard| match role {
            _ if !direction.is_given_by(role) => Bitboard::EMPTY,
            Role::Pawn => squares & reached & near,
            _ => squares & reached,
        };
        let all =
            Role::ALL.iter().fold(Bitboard::EMPTY, |all, &role| all | checkers(role, *self.may.get(role)));
        if let Some(square) = all.single_square() {
            let one = Bitboard::from_square(square);
            for role in Role::ALL {
                let kept = checkers(role, *self.may.get(role));
                let squares = self.may.get_mut(role);
                *squares = (*squares & !one) | (kept & one);
            }
            self.empty.discard(square);
            self.clear(attacks::between(king, square));
        }
    }

    /// Whether a hidden line piece may pin the own man on this square to its king.
    pub fn may_be_pinned(&self, square: Square) -> bool {
        let Some(king) = self.own.by_role(Role::King).first() else { return false };
        let line = attacks::ray(king, square);
        if line.is_empty() || (attacks::between(king, square) & !self.empty).any() {
            return false;
        }
        let straight = king.file() == square.file() || king.rank() == square.rank();
        let (reached, pinners) = if straight {
            (attacks::rook_attacks(square, !self.empty), self.may.rook | self.may.queen)
        } else {
            (attacks::bishop_attacks(square, !self.empty), self.may.bishop | self.may.queen)
        };
        let beyond = |&sniper: &Square| attacks::between(king, sniper).contains(square);
        (reached & line & pinners).into_iter().any(|sniper| beyond(&sniper))
    }

    /// The squares of hidden men of this role that perhaps attack a square, which `without` leaves free.
    pub fn perhaps_attackers(&self, role: Role, square: Square, without: Bitboard) -> Bitboard {
        let blocks = !(self.empty | without);
        // An enemy pawn stands where an own one would capture.
        let from = man_attacks(role, self.own.color(), square, blocks);
        from & *self.may.get(role)
    }
}
