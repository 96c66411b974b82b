//! Position, and progress towards mate: squares controlled, open files, the enemy king's cage.
//!
//! The cage is where the enemy king may be, and which of these squares he could leave. Squares that he could not leave mate
//! him if they are attacked and stalemate him if not, unless another man of his can move. Darkboard counts the squares of the
//! cage and punishes single ones; here both ends are told apart, and a possible stalemate is weighed by
//! how likely it is that his other men are stuck too: conversion is where its points vanished.

use nebel_kriegspiel::{Bitboard, File, Role, Square};
use nebel_position::side::forward;
use shakmaty::attacks;

use super::material::{Made, value};
use nebel_belief::metaposition::{Metaposition, fill};

/// Squares protected, files without enemy pawns, and the king near his men when few are left.
pub(crate) fn position(meta: &Metaposition) -> f32 {
    let protected = meta.perhaps_attacked().count() as f32;
    let open = File::ALL.into_iter().filter(|&file| meta.census().on(file).most == 0).count() as f32;
    let own = meta.own();
    let others = own.squares() & !own.by_role(Role::King);
    let company = match own.by_role(Role::King).first() {
        Some(king) if others.count() < 3 => {
            let nearest = others.into_iter().map(|square| square.distance(king)).min();
            0.1 * (7.0 - nearest.unwrap_or(7) as f32)
        }
        _ => 0.0,
    };
    0.025 * protected + open + company - exposure(meta)
}

/// The price of a king that leaves home while pieces are about, and of squares beside him that nobody else protects. Darkboard
/// leaves this to the danger of his square, and to a filter on its book that looks for such squares.
fn exposure(meta: &Metaposition) -> f32 {
    let own = meta.own();
    let Some(king) = own.by_role(Role::King).first() else { return 0.0 };
    let rank = u32::from(king.rank());
    let ahead = own.color().fold_wb(rank, 7 - rank) as f32;
    let beside = attacks::king_attacks(king);
    let open = (beside & !meta.perhaps_attacked_without_king()).count() as f32;
    (0.4 * ahead + 0.2 * open) * f32::from(meta.census().pieces().least) / 7.0
}

/// What stalemate is to the side that gives it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StalemateValue {
    /// A half point lost.
    Draw,
    /// A game won.
    Win,
}

/// Where the enemy king may be after an own move, and where he could not get away.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cage {
    /// All his squares.
    pub(crate) squares: Bitboard,
    /// Those on which he is attacked and cannot move.
    pub(crate) mated: Bitboard,
    /// Those on which he is not attacked and perhaps cannot move.
    pub(crate) stuck: Bitboard,
    /// How likely it is that no other man of his can move.
    pub(crate) immobile: f32,
}

impl Cage {
    pub(crate) fn of(meta: &Metaposition) -> Cage {
        let squares = meta.may_hold(Role::King);
        let surely = meta.surely_attacked();
        // His own men stand in his way too.
        let held = meta.surely_held() & !squares;
        let leaving = |attacked: Bitboard| fill::neighbours(!attacked & !held);
        let mated = squares & surely & !leaving(surely);
        let stuck = squares & !surely & !leaving(meta.perhaps_attacked());
        let immobile = if stuck.is_empty() { 0.0 } else { immobility(meta) };
        Cage { squares, mated, stuck, immobile }
    }

    /// The share of the king's squares on which he may be stalemated, times the chance that he is then.
    pub(crate) fn stalemate_risk(&self) -> f32 {
        self.share(self.stuck) * self.immobile
    }

    fn share(&self, part: Bitboard) -> f32 {
        part.count() as f32 / self.squares.count().max(1) as f32
    }

    /// Whether the move mates wherever the king is, as far as he alone can help himself.
    pub(crate) fn is_mate(&self) -> bool {
        self.squares.any() && self.mated == self.squares
    }
}

/// How likely it is that the men besides the king cannot move: pieces hardly ever, pawns if they are blocked.
fn immobility(meta: &Metaposition) -> f32 {
    let census = meta.census();
    let pieces = i32::from(census.pieces().least);
    let color = !meta.own().color();
    let blocked = meta.may_hold(Role::Pawn) & forward(!meta.may_be_empty(), !color);
    let takes = fill::pawn_captures(meta.own().squares(), !color);
    let blocked = blocked & !takes;
    let mut chance = 0.05_f32.powi(pieces);
    let mut pawns = i32::from(census.men()) - pieces;
    for file in File::ALL {
        let here = meta.may_hold(Role::Pawn) & Bitboard::from(file);
        let surely = i32::from(census.on(file).least).min(pawns);
        if surely > 0 && here.any() {
            let share = (blocked & here).count() as f32 / here.count() as f32;
            chance *= share.powi(surely);
            pawns -= surely;
        }
    }
    // Pawns of which the file is not known, or which may have become pieces.
    chance * 0.3_f32.powi(pawns.max(0))
}

/// Weights of what progress is worth with so many enemy men. Darkboard's fall off faster (1, 0.2, 0.1, 0.05, 0.05, 0.02).
const BY_MEN: [f32; 6] = [1.0, 0.6, 0.5, 0.3, 0.2, 0.1];

/// Progress towards mate; `ply` is how many own moves deep the search is.
pub(crate) fn progress(meta: &Metaposition, made: Option<Made>, ply: u32, stuck: StalemateValue) -> f32 {
    let men = usize::from(meta.census().men());
    if men >= BY_MEN.len() || !is_ahead(meta) {
        return 0.0;
    }
    let cage = Cage::of(meta);
    let depth = 500.0 * ply.min(5) as f32;
    if cage.is_mate() && men == 0 {
        return 5000.0 - depth;
    }
    let mut total = 0.0;
    let risk = cage.stalemate_risk();
    match stuck {
        StalemateValue::Draw => total -= price(risk),
        StalemateValue::Win => total += 2400.0 * risk,
    }
    total += 300.0 * cage.share(cage.mated) / (1 + men) as f32;
    if men == 0 && made.is_some_and(|made| is_loose(meta, made.to)) {
        total -= 500.0;
    }
    let region: f32 = cage.squares.into_iter().map(centre).sum();
    total + BY_MEN[men] * (0.05 * (60.0 - (0.5 * region).min(60.0)) - 0.15 * distance(meta, cage.squares))
}

/// What a risk of stalemate costs who would rather win.
pub(crate) fn price(risk: f32) -> f32 {
    2400.0 * risk + if risk > SMALL_RISK { 100.0 } else { 0.0 }
}

/// Risks of stalemate up to this are only weighed; greater ones are shunned.
const SMALL_RISK: f32 = 0.01;

/// How far the own king is from the enemy's squares on average: one queen does not mate without him.
fn distance(meta: &Metaposition, squares: Bitboard) -> f32 {
    let Some(king) = meta.own().by_role(Role::King).first() else { return 0.0 };
    let total: u32 = squares.into_iter().map(|square| square.distance(king)).sum();
    total as f32 / squares.count().max(1) as f32
}

/// Whether the own men outweigh what the other side may have.
pub(crate) fn is_ahead(meta: &Metaposition) -> bool {
    let own: f32 = Role::ALL
        .into_iter()
        .filter(|&role| role != Role::King)
        .map(|role| value(role) * meta.own().by_role(role).count() as f32)
        .sum();
    let pieces = f32::from(meta.census().pieces().least);
    let pawns = f32::from(meta.census().men()) - pieces;
    own > 4.0 * pieces + 1.6 * pawns + 2.0
}

/// Whether a man stands unprotected where the king may take it.
fn is_loose(meta: &Metaposition, square: Square) -> bool {
    let near = fill::neighbours(meta.may_hold(Role::King));
    near.contains(square) && !meta.surely_attacked().contains(square)
}

/// From 1 in a corner to 4.2 in the middle of the board.
fn centre(square: Square) -> f32 {
    let inward = |index: u32| index.min(7 - index);
    let steps = inward(square.file().into()) + inward(square.rank().into());
    1.0 + 3.2 * steps as f32 / 6.0
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Color, Rules, start};

    use super::*;

    fn cage(fen: &str) -> Cage {
        Cage::of(&Metaposition::new(&Rules::icc(), &start::position(fen).unwrap(), Color::White))
    }

    #[test]
    fn a_cornered_king_is_stuck_or_mated() {
        let stalemate = cage("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
        assert!(stalemate.stalemate_risk() >= 1.0 && !stalemate.is_mate());
        let mate = cage("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
        assert!(mate.stalemate_risk() <= 0.0 && mate.is_mate());
        let free = cage("7k/8/5QK1/8/8/8/8/8 b - - 0 1");
        assert!(!free.is_mate());
    }

    #[test]
    fn a_pawn_that_can_move_saves_from_stalemate() {
        assert!(cage("7k/p4Q2/6K1/8/8/8/8/8 b - - 0 1").stalemate_risk() <= 0.0);
        assert!(cage("7k/p4Q2/P5K1/8/8/8/8/8 b - - 0 1").stalemate_risk() >= 1.0);
    }

    #[test]
    fn a_king_can_be_stuck_behind_his_own_pawn() {
        assert!(cage("5RR1/8/1N2kP2/5p2/3Q1P2/8/8/K7 b - - 0 1").stalemate_risk() >= 1.0);
    }
}
