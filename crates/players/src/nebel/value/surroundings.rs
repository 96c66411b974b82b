//! What a learned value is told, worked out: numbers of the belief, of the own men after an attempt, and of what the search found.
//!
//! All of it is known to the player at its turn. Where the other side's men are is told as chances over the positions drawn from the belief,
//! and so is what they attack.

use nebel_belief::Key;
use nebel_kriegspiel::{Bitboard, Color, Rank, Role, Square};
use nebel_position::{
    Men, Side,
    side::{man_attacks, neighbours, pawn_captures},
};

use super::inputs::{History, Inputs, NAMES};
use crate::nebel::{numbers::NUMBERS, outcome::Candidate};

/// What is the same for all attempts of a turn.
pub(in crate::nebel) struct Surroundings {
    color: Color,
    history: History,
    idle: f32,
    /// By square, the chance that a hidden man attacks it, what hidden men are worth that may stand there, and the chances that the king does
    /// or stands next to it.
    attacked: [f32; 64],
    worth: [f32; 64],
    king: [f32; 64],
    near_king: [f32; 64],
    /// How many hidden men there are of each role but the king.
    counts: [f32; 5],
    forward: f32,
    about_to_promote: f32,
    positions: f32,
    is_whole: bool,
}

/// What the search says of an attempt.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::nebel) struct Found {
    /// Its value in pawns.
    pub(in crate::nebel) pawns: f32,
    pub(in crate::nebel) legal: f32,
    pub(in crate::nebel) captures: f32,
    pub(in crate::nebel) checks: f32,
    pub(in crate::nebel) lost: f32,
    /// How far its values in single positions are from their mean.
    pub(in crate::nebel) spread: f32,
    /// What the own next turn has changed.
    pub(in crate::nebel) later: f32,
}

/// What the belief is made of.
#[derive(Clone, Copy, Debug)]
pub(in crate::nebel) struct Size {
    pub(in crate::nebel) positions: usize,
    /// Whether they agree with everything heard.
    pub(in crate::nebel) is_whole: bool,
}

impl Surroundings {
    pub(in crate::nebel) fn of(
        own: &Men,
        color: Color,
        sample: &[(Key, f64)],
        size: Size,
        history: History,
        idle: u32,
    ) -> Surroundings {
        let mut all = Surroundings {
            color,
            history,
            idle: (idle as f32 / 50.0).min(1.0),
            attacked: [0.0; 64],
            worth: [0.0; 64],
            king: [0.0; 64],
            near_king: [0.0; 64],
            counts: [0.0; 5],
            forward: 0.0,
            about_to_promote: 0.0,
            positions: (size.positions as f32 + 1.0).ln() / 10.0,
            is_whole: size.is_whole,
        };
        let last = Bitboard::from(color.fold_wb(Rank::Second, Rank::Seventh));
        for &(key, weight) in sample {
            let (men, weight) = (key.unpack(), weight as f32);
            let attacks = men.steady_attacks(!color) | men.sliding_attacks(men.all | own.all);
            add(&mut all.attacked, attacks, weight);
            add(&mut all.king, men.king_set(), weight);
            add(&mut all.near_king, neighbours(men.king_set()), weight);
            for (at, role) in ROLES.into_iter().enumerate() {
                let squares = men.by_role(role);
                add(&mut all.worth, squares, weight * NUMBERS.men[at]);
                all.counts[at] += weight * squares.count() as f32;
            }
            let ranks = men.pawns.into_iter().map(|square| forward(square, !color));
            all.forward += weight * ranks.sum::<f32>();
            all.about_to_promote += if (men.pawns & last).any() { weight } else { 0.0 };
        }
        all
    }

    /// The numbers of an attempt.
    pub(in crate::nebel) fn inputs(&self, candidate: &Candidate, found: &Found) -> Inputs {
        let (color, men) = (self.color, candidate.attempt.after());
        let attempt = candidate.attempt.attempt();
        let moved = if attempt.promotion.is_some() {
            Role::Pawn
        } else {
            men.role_at(attempt.to).unwrap_or(Role::King)
        };
        let mut told = Told { numbers: [0.0; NAMES.len()], next: 0 };
        told.all([(found.pawns / 6.0).clamp(-2.0, 2.0), found.legal, found.captures, found.checks]);
        told.all([
            found.lost.clamp(-2.0, 6.0),
            (found.lost - 1.0).clamp(0.0, 8.0),
            found.spread,
            found.later,
        ]);
        told.all(Role::ALL.map(|role| flag(role == moved)));
        let ahead = forward(attempt.to, color) - forward(attempt.from, color);
        let castles = moved == Role::King && attempt.from.distance(attempt.to) > 1;
        told.all([if moved == Role::Pawn { 0.0 } else { ahead }, flag(castles)]);
        let guarded = guarded(men, color);
        let risk = self.attacked[attempt.to.to_usize()];
        told.all([flag(self.history.shown.contains(attempt.from)), risk]);
        told.all([if guarded.contains(attempt.to) { 0.0 } else { risk }]);
        self.own_men(men, guarded, &mut told);
        self.exposure(men, guarded, attempt.from, &mut told);
        self.threats(men, &mut told);
        self.others(men, &mut told);
        debug_assert_eq!(told.next, NAMES.len(), "as many numbers as names");
        told.numbers
    }

    fn own_men(&self, men: &Men, guarded: Bitboard, told: &mut Told) {
        let color = self.color;
        told.all(ROLES.map(|role| men.by_role(role).count() as f32));
        let sum = |of: fn(Square, Color) -> f32| {
            Role::ALL.map(|role| men.by_role(role).into_iter().map(|square| of(square, color)).sum::<f32>())
        };
        told.all(sum(forward));
        told.all(sum(|square, _| central(square)));
        told.all([Role::Knight, Role::Bishop, Role::Rook, Role::Queen].map(|role| {
            let squares = |from: Square| (man_attacks(role, color, from, men.all) & !men.all).count() as f32;
            men.by_role(role).into_iter().map(squares).sum::<f32>() / 8.0
        }));
        let (king, pawns) = (men.king, men.pawns);
        told.all([flag(forward(king, color) == 0.0), (neighbours(men.king_set()) & pawns).count() as f32]);
        let files = |pawns: Bitboard| (0..8).map(move |file| (pawns.0 >> file & FILE_A).count_ones());
        let doubled: u32 = files(pawns).map(|count| count.saturating_sub(1)).sum();
        let by_file: Vec<u32> = files(pawns).collect();
        let isolated: u32 = (0..8)
            .filter(|&file: &usize| {
                let left = file.checked_sub(1).is_none_or(|left| by_file[left] == 0);
                left && by_file.get(file + 1).is_none_or(|&right| right == 0)
            })
            .map(|file| by_file[file])
            .sum();
        told.all([(pawns & CENTRE).count() as f32, doubled as f32, isolated as f32]);
        let open = men.rooks.into_iter().filter(|rook| by_file[rook.file().to_usize()] == 0).count();
        told.all([(men.all & !guarded & !men.king_set()).count() as f32, open as f32]);
    }

    fn exposure(&self, men: &Men, guarded: Bitboard, left: Square, told: &mut Told) {
        let sum = |squares: Bitboard| -> f32 {
            squares.into_iter().map(|square| self.attacked[square.to_usize()]).sum()
        };
        let classes = [men.pawns, men.knights | men.bishops, men.rooks, men.queens];
        told.all(classes.map(sum));
        told.all(classes.map(|class| sum(class & !guarded)));
        let shown = self.history.shown & men.all & !Bitboard::from_square(left);
        told.all([sum(shown), sum(neighbours(men.king_set()) & !men.all) / 8.0]);
    }

    fn threats(&self, men: &Men, told: &mut Told) {
        let color = self.color;
        let sum = |squares: Bitboard, of: &[f32; 64]| -> f32 {
            squares.into_iter().map(|square| of[square.to_usize()]).sum()
        };
        let pieces =
            men.sliding_attacks(men.all) | (men.steady_attacks(color) & !pawn_captures(men.pawns, color));
        let near: f32 = ROLES
            .into_iter()
            .flat_map(|role| men.by_role(role).into_iter().map(move |from| (role, from)))
            .map(|(role, from)| sum(man_attacks(role, color, from, men.all), &self.near_king))
            .sum();
        let distance: f32 =
            Square::ALL.into_iter().map(|at| self.king[at.to_usize()] * at.distance(men.king) as f32).sum();
        let by_pawns = sum(pawn_captures(men.pawns, color), &self.worth);
        told.all([by_pawns, sum(pieces, &self.worth) / 4.0, near / 8.0, distance / 8.0]);
    }

    fn others(&self, men: &Men, told: &mut Told) {
        told.all(self.counts);
        told.all([self.forward, self.about_to_promote]);
        let hidden: f32 = self.counts.iter().sum();
        told.all([(men.all.count() as f32 + hidden + 1.0) / 32.0]);
        told.all([f32::midpoint(men.queens.count() as f32, self.counts[4])]);
        let unknown: f32 =
            self.king.iter().filter(|&&chance| chance > 0.0).map(|chance| -chance * chance.ln()).sum();
        told.all([unknown / 4.0, self.positions, flag(self.is_whole), self.idle]);
    }
}

/// The roles that men are counted by.
const ROLES: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
/// d4, e4, d5, e5.
const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);
const FILE_A: u64 = 0x0101_0101_0101_0101;

/// Numbers that are told one after the other.
struct Told {
    numbers: Inputs,
    next: usize,
}

impl Told {
    fn all<const N: usize>(&mut self, numbers: [f32; N]) {
        self.numbers[self.next..self.next + N].copy_from_slice(&numbers);
        self.next += N;
    }
}

fn add(to: &mut [f32; 64], squares: Bitboard, weight: f32) {
    squares.into_iter().for_each(|square| to[square.to_usize()] += weight);
}

fn flag(is: bool) -> f32 {
    f32::from(u8::from(is))
}

/// How far a square is from the own first rank, from 0 to 1.
fn forward(square: Square, color: Color) -> f32 {
    let rank = square.rank().to_usize();
    color.fold_wb(rank, 7 - rank) as f32 / 7.0
}

/// How near a square is to the centre, from 0 to 1.
fn central(square: Square) -> f32 {
    let off = |index: usize| (index as f32 - 3.5).abs();
    1.0 - (off(square.file().to_usize()) + off(square.rank().to_usize()) - 1.0) / 6.0
}

/// The squares that own men guard, on a board of their own.
fn guarded(men: &Men, color: Color) -> Bitboard {
    men.steady_attacks(color) | men.sliding_attacks(men.all)
}

#[cfg(test)]
mod tests {
    use nebel_belief::OwnAttempt;
    use nebel_kriegspiel::{Attempt, Chess, OwnMen, start};

    use super::*;

    /// What is told of an attempt in one position.
    fn told(fen: &str, color: Color, attempt: &str, shown: Bitboard) -> Inputs {
        let position: Chess = start::position(fen).unwrap();
        let own = OwnMen::of(&position, color);
        let attempt: Attempt = attempt.parse().unwrap();
        let candidate = Candidate::new(OwnAttempt::new(&own, attempt).unwrap());
        let sample = [(Key::pack(&Men::of(&position, !color)), 1.0)];
        let size = Size { positions: 1, is_whole: true };
        let history = History { shown };
        let surroundings = Surroundings::of(&Men::own(&own), color, &sample, size, history, 5);
        surroundings.inputs(&candidate, &Found { pawns: 1.0, legal: 1.0, ..Found::default() })
    }

    fn by_name(inputs: &Inputs, name: &str) -> f32 {
        inputs[NAMES.iter().position(|known| *known == name).unwrap()]
    }

    #[test]
    fn both_sides_are_told_the_same_of_the_same() {
        let white = told(
            "r3k2r/p1pp1ppp/2n5/4q3/1b2P3/2N1Q3/PP3PPP/R3K1NR w KQkq - 0 1",
            Color::White,
            "e3g5",
            Bitboard::from_square(Square::E3),
        );
        let black = told(
            "r3k1nr/pp3ppp/2n1q3/1B2p3/4Q3/2N5/P1PP1PPP/R3K2R b KQkq - 0 1",
            Color::Black,
            "e6g4",
            Bitboard::from_square(Square::E6),
        );
        for (name, (white, black)) in NAMES.iter().zip(white.iter().zip(&black)) {
            assert!((white - black).abs() < 1e-6, "{name}: {white}, {black}");
        }
    }

    #[test]
    fn numbers_are_what_their_names_say() {
        let inputs = told("4k3/8/3r4/8/3Q4/8/3P1PP1/4K1R1 w - - 0 1", Color::White, "d4d5", Bitboard::EMPTY);
        for (name, wanted) in [
            ("queen moves", 1.0),
            ("pawn moves", 0.0),
            ("piece goes forward", 1.0 / 7.0),
            ("steps into attack", 1.0),
            ("queens attacked unguarded", 1.0),
            ("pawns", 3.0),
            ("rooks", 1.0),
            ("pawns isolated", 1.0),
            ("open files for rooks", 0.0),
            ("king at home", 1.0),
            ("king's shield", 2.0),
            ("hidden rooks", 1.0),
            ("hidden pawns", 0.0),
            ("hidden men attacked by pieces", 5.0 / 4.0),
            ("men left", 8.0 / 32.0),
            ("distance of the kings", 7.0 / 8.0),
            ("hidden king unknown", 0.0),
            ("idle", 0.1),
        ] {
            assert!((by_name(&inputs, name) - wanted).abs() < 1e-6, "{name}: {}", by_name(&inputs, name));
        }
    }
}
