//! Evidence: what announcements say of squares, in the terms of the first set of assumptions of Ciancarini and
//! Favini (2010, section 5.2), which is probability applied to chess.
//!
//! Each function changes numbers by how likely the announcement is given a man on a square, and leaves the sums to
//! [`Matrices::normalise`] or [`Matrices::settle`].

use nebel_kriegspiel::{Bitboard, Direction, Directions, OwnMen, Role, Square};
use nebel_position::side::man_attacks;
use shakmaty::attacks;

use super::{
    Matrices, Squares,
    geometry::{RAYS, Ray, pawn_origins, ray_towards},
    numbers::NUMBERS,
};

impl Matrices {
    /// Nothing hidden stands on these squares.
    pub fn found_empty(&mut self, squares: Bitboard) {
        for square in squares {
            let at = square.to_usize();
            (self.king[at], self.pawn[at], self.piece[at]) = (0.0, 0.0, 0.0);
        }
    }

    /// At least so many pawns and pieces stand on these squares together.
    pub fn hold_men(&mut self, squares: Bitboard, at_least: f32) {
        let sum: f32 = squares.into_iter().map(|square| self.man(square)).sum();
        if sum > 1e-5 && sum < at_least {
            let factor = at_least / sum;
            for square in squares {
                let at = square.to_usize();
                self.pawn[at] = (self.pawn[at] * factor).min(1.0);
                self.piece[at] = (self.piece[at] * factor).min(1.0);
            }
        }
    }

    /// The hidden king is in check from these directions, or in none: by the own men, lines open as far as believed.
    pub fn king_in_check(&mut self, men: &OwnMen, check: Directions) {
        if check.is_empty() {
            let not_attacked = self.not_attacked(men);
            for (king, not_attacked) in self.king.iter_mut().zip(not_attacked) {
                *king *= not_attacked;
            }
            return;
        }
        // For every square and direction the probability that no check comes from there.
        let mut silent = [[1.0_f32; 5]; 64];
        self.for_each_attack(men, |from, role, at, open| {
            if role != Role::King {
                let direction = Direction::of_check(Square::new(at as u32), from, role);
                silent[at][direction as usize] *= 1.0 - open;
            }
        });
        let next_to_king = men.by_role(Role::King).first().map_or(Bitboard::EMPTY, attacks::king_attacks);
        for (at, king) in self.king.iter_mut().enumerate() {
            let likelihood: f32 = Direction::ALL
                .into_iter()
                .map(|direction| {
                    let silent = silent[at][direction as usize];
                    if check.contains(direction) { 1.0 - silent } else { silent }
                })
                .product();
            let is_next = next_to_king.contains(Square::new(at as u32));
            *king = if is_next { 0.0 } else { (*king + NUMBERS.doubt) * likelihood };
        }
    }

    /// For every square the probability that no own man attacks it.
    pub fn not_attacked(&self, men: &OwnMen) -> Squares {
        let mut not_attacked = [1.0; 64];
        self.for_each_attack(men, |_, _, at, open| not_attacked[at] *= 1.0 - open);
        not_attacked
    }

    /// Every square that an own man attacks, with the probability that the line to it is open.
    fn for_each_attack(&self, men: &OwnMen, mut each: impl FnMut(Square, Role, usize, f32)) {
        let own = men.squares();
        for from in own {
            let Some(role) = men.role_at(from) else { continue };
            let near = match role {
                Role::Pawn => attacks::pawn_attacks(men.color(), from),
                Role::Knight => attacks::knight_attacks(from),
                Role::King => attacks::king_attacks(from),
                Role::Bishop | Role::Rook | Role::Queen => Bitboard::EMPTY,
            };
            for to in near {
                each(from, role, to.to_usize(), 1.0);
            }
            let (first, step) = match role {
                Role::Rook => (0, 2),
                Role::Bishop => (1, 2),
                Role::Queen => (0, 1),
                _ => continue,
            };
            self.for_each_attacked(from, (first..8).step_by(step), own, |at, open| {
                each(from, role, at, open);
            });
        }
    }

    /// The own king is in check from these directions, or in none: what may have checked him, and what cannot stand where
    /// it would.
    pub fn own_king_in_check(&mut self, men: &OwnMen, check: Directions) {
        let Some(king) = men.by_role(Role::King).first() else { return };
        for direction in Direction::ALL {
            let weights = self.checkers(king, direction, men.squares());
            let sum: f32 = weights.iter().map(|&(_, weight)| weight).sum();
            if !check.contains(direction) {
                let share = if direction == Direction::Knight { NUMBERS.knights } else { NUMBERS.on_lines };
                for (at, open) in self.open_lines(king, direction, men.squares()) {
                    self.piece[at] *= 1.0 - share * open;
                }
                if matches!(direction, Direction::Long | Direction::Short) {
                    for origin in pawn_origins(self.color, king) {
                        if Direction::of_check(king, origin, Role::Pawn) == direction {
                            self.pawn[origin.to_usize()] = 0.0;
                        }
                    }
                }
            } else if sum > 1e-6 {
                let pawns = pawn_origins(self.color, king);
                for (at, weight) in weights {
                    // The checker is this one with a probability in proportion to its weight.
                    let share = weight / sum;
                    let is_pawn = pawns.contains(Square::new(at as u32));
                    let pawn = if is_pawn {
                        self.pawn[at] / (self.pawn[at] + NUMBERS.on_lines * self.piece[at]).max(1e-6)
                    } else {
                        0.0
                    };
                    self.pawn[at] += (1.0 - self.pawn[at]) * share * pawn;
                    self.piece[at] += (1.0 - self.piece[at]) * share * (1.0 - pawn);
                }
            }
        }
    }

    /// The squares from which a check in this direction may come, with their weights.
    #[inline]
    pub fn checkers(&self, king: Square, direction: Direction, own: Bitboard) -> Vec<(usize, f32)> {
        let pawns = pawn_origins(self.color, king);
        let share = if direction == Direction::Knight { NUMBERS.knights } else { NUMBERS.on_lines };
        self.open_lines(king, direction, own)
            .into_iter()
            .map(|(at, open)| {
                let is_pawn = direction != Direction::Knight && pawns.contains(Square::new(at as u32));
                let pawn = if is_pawn { self.pawn[at] } else { 0.0 };
                (at, open * (share * self.piece[at] + pawn))
            })
            .collect()
    }

    /// The squares of the lines in one direction from the king, with the probability that nothing stands before them.
    fn open_lines(&self, king: Square, direction: Direction, own: Bitboard) -> Vec<(usize, f32)> {
        if direction == Direction::Knight {
            return attacks::knight_attacks(king)
                .without(own)
                .into_iter()
                .map(|square| (square.to_usize(), 1.0))
                .collect();
        }
        let mut squares = Vec::with_capacity(14);
        for ray in &RAYS[king.to_usize()] {
            let mut open = 1.0;
            for at in ray.squares() {
                let square = Square::new(at as u32);
                if own.contains(square) || Direction::of_check(king, square, Role::Queen) != direction {
                    break;
                }
                squares.push((at, open));
                open *= self.empty[at];
            }
        }
        squares
    }

    /// The other side has so many pawn captures, or at least one, or none.
    pub fn other_tries(&mut self, own: Bitboard, tries: Count) {
        let origins =
            own.into_iter().fold(Bitboard::EMPTY, |all, square| all | pawn_origins(self.color, square));
        let origins = origins & !own;
        match tries {
            Count::Exactly(0) => {
                for origin in origins {
                    self.pawn[origin.to_usize()] *= NUMBERS.pinned_pawn;
                }
            }
            Count::Exactly(count) => self.hold_pawns(origins, f32::from(count)),
            Count::Some => self.hold_pawns(origins, 1.0),
            Count::From(from) => {
                for origin in origins {
                    let pawn = &mut self.pawn[origin.to_usize()];
                    *pawn = if from.contains(origin) { 1.0 } else { *pawn * NUMBERS.pinned_pawn };
                }
            }
        }
    }

    fn hold_pawns(&mut self, squares: Bitboard, at_least: f32) {
        let sum: f32 = squares.into_iter().map(|square| self.pawn(square)).sum();
        if sum > 1e-5 && sum < at_least {
            for square in squares {
                let pawn = &mut self.pawn[square.to_usize()];
                *pawn = (*pawn * at_least / sum).min(1.0);
            }
        }
    }

    /// The own side has so many pawn captures, or at least one, or none. Pawns that may be pinned say nothing by their
    /// silence.
    pub fn own_tries(&mut self, men: &OwnMen, tries: Count) {
        let pawns = men.by_role(Role::Pawn);
        let targets_of = |pawn: Square| attacks::pawn_attacks(men.color(), pawn).without(men.squares());
        let targets =
            |pawns: Bitboard| pawns.into_iter().fold(Bitboard::EMPTY, |all, pawn| all | targets_of(pawn));
        let is_free = |pawn: &Square| self.pin(men, *pawn, None) < NUMBERS.free_pawn;
        let free: Bitboard = pawns.into_iter().filter(is_free).collect();
        match tries {
            Count::Exactly(0) => self.found_empty(targets(free)),
            Count::Exactly(count) => self.hold_men(targets(pawns), f32::from(count)),
            Count::Some => self.hold_men(targets(pawns), 1.0),
            Count::From(from) => {
                self.found_empty(targets(free & !from));
                for pawn in from {
                    self.hold_men(targets_of(pawn), 1.0);
                }
            }
        }
    }

    /// The probability that an own man cannot leave its square (or, going to `to`, its line) because of a hidden piece
    /// behind which its own king stands.
    #[inline]
    pub fn pin(&self, men: &OwnMen, square: Square, to: Option<Square>) -> f32 {
        let own = men.squares();
        let Some((king, ray)) = line_protected(men, square, to) else { return 0.0 };
        let (mut pin, mut open) = (0.0, 1.0);
        for at in ray.squares() {
            if at == square.to_usize() {
                continue;
            }
            if own.0 >> at & 1 != 0 {
                break;
            }
            let is_beyond = !attacks::between(king, square).contains(Square::new(at as u32));
            if is_beyond {
                pin += open * NUMBERS.on_lines * self.piece[at];
            }
            open *= self.empty[at];
        }
        pin.min(1.0)
    }
}

/// Whether the own king stands behind a man on a line with nothing own between, and going to `to` the man would leave that line.
pub fn protects_king(men: &OwnMen, square: Square, to: Option<Square>) -> bool {
    line_protected(men, square, to).is_some()
}

/// The king that a man protects, and the line from him over the man that is left by going to `to`.
fn line_protected(men: &OwnMen, square: Square, to: Option<Square>) -> Option<(Square, &'static Ray)> {
    let king = men.by_role(Role::King).first()?;
    let ray = ray_towards(king, square)?;
    let is_left = !to.is_some_and(|to| ray_towards(king, to).is_some_and(|other| std::ptr::eq(ray, other)));
    ((attacks::between(king, square) & men.squares()).is_empty() && is_left).then_some((king, ray))
}

/// The squares that own men bear on, lines shut by own men only.
pub fn attacked_by(men: &OwnMen) -> Bitboard {
    let own = men.squares();
    own.into_iter().fold(Bitboard::EMPTY, |all, from| all | attacks_from(men, from, own))
}

/// The squares that the own man on `from` bears on, lines shut by `occupied`.
#[inline]
pub fn attacks_from(men: &OwnMen, from: Square, occupied: Bitboard) -> Bitboard {
    men.role_at(from).map_or(Bitboard::EMPTY, |role| man_attacks(role, men.color(), from, occupied))
}

/// How many pawn captures a side has, as far as it was said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// So many.
    Exactly(u8),
    /// At least one.
    Some,
    /// From these squares, and no others.
    From(Bitboard),
}
