//! Position, and progress towards mate: squares controlled, open files, the enemy king's cage.
//!
//! The [cage](Cage) is where the enemy king may be, and which of these squares he could leave. Darkboard counts its squares
//! and punishes single ones; here mate and stalemate are told apart, and a possible stalemate is weighed by its chance.

use nebel_kriegspiel::{Bitboard, File, Role, Square};
use shakmaty::attacks;

use super::{
    material::{Made, value},
    numbers::NUMBERS,
};
use crate::conversion::stalemate::{Cage, Flights as _, StalemateValue};
use nebel_belief::metaposition::Metaposition;
use nebel_position::side::neighbours;

/// Squares protected, files without enemy pawns, and the king near his men when few are left.
pub(crate) fn position(meta: &Metaposition) -> f32 {
    let numbers = NUMBERS.position;
    let protected = meta.perhaps_attacked().count() as f32;
    let open = File::ALL.into_iter().filter(|&file| meta.census().on(file).most == 0).count() as f32;
    let own = meta.own();
    let others = own.squares() & !own.by_role(Role::King);
    let company = match own.by_role(Role::King).first() {
        Some(king) if others.count() < numbers.lonely => {
            let nearest = others.into_iter().map(|square| square.distance(king)).min();
            numbers.company * (7.0 - nearest.unwrap_or(7) as f32)
        }
        _ => 0.0,
    };
    numbers.protected * protected + numbers.open_file * open + company - exposure(meta)
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
    (NUMBERS.position.king_ahead * ahead + NUMBERS.position.king_open * open)
        * f32::from(meta.census().pieces().least)
        / 7.0
}

/// Progress towards mate; `ply` is how many own moves deep the search is.
pub(crate) fn progress(meta: &Metaposition, made: Option<Made>, ply: u32, stalemate: StalemateValue) -> f32 {
    let numbers = NUMBERS.progress;
    let men = usize::from(meta.census().men());
    if men >= numbers.by_men.len() || !is_ahead(meta) {
        return 0.0;
    }
    let cage = Cage::of(meta);
    let later = numbers.mate_later * ply.min(numbers.mate_depth) as f32;
    if cage.is_mate() && men == 0 {
        return numbers.mate - later;
    }
    let mut total = 0.0;
    let risk = cage.stalemate_risk();
    match stalemate {
        StalemateValue::Draw => total -= price(risk),
        StalemateValue::Win => total += NUMBERS.conversion.stalemate * risk,
    }
    total += numbers.mated * cage.share(cage.mated) / (1 + men) as f32;
    if men == 0 && made.is_some_and(|made| is_loose(meta, made.to)) {
        total -= numbers.loose;
    }
    let region: f32 = cage.squares.into_iter().map(centre).sum();
    let most = numbers.region_most;
    let narrow = numbers.region * (most - (numbers.region_scale * region).min(most));
    total + numbers.by_men[men] * (narrow - numbers.distance * distance(meta, cage.squares))
}

/// What a risk of stalemate costs who would rather win.
pub(crate) fn price(risk: f32) -> f32 {
    let numbers = NUMBERS.conversion;
    numbers.stalemate * risk + if risk > numbers.small_risk { numbers.shunned } else { 0.0 }
}

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
    let numbers = NUMBERS.progress;
    own > numbers.ahead_piece * pieces + numbers.ahead_pawn * pawns + numbers.ahead
}

/// Whether a man stands unprotected where the king may take it.
fn is_loose(meta: &Metaposition, square: Square) -> bool {
    let near = neighbours(meta.may_hold(Role::King));
    near.contains(square) && !meta.surely_attacked().contains(square)
}

/// From 1 in a corner to 4.2 in the middle of the board.
fn centre(square: Square) -> f32 {
    let inward = |index: u32| index.min(7 - index);
    let steps = inward(square.file().into()) + inward(square.rank().into());
    1.0 + NUMBERS.progress.centre * steps as f32 / 6.0
}
