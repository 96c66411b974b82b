//! What the own men's places are worth, whatever the other side has.

use nebel_kriegspiel::{Bitboard, Color, Rank, Role};
use nebel_position::{Men, Side, side::man_attacks};

use super::numbers::NUMBERS;

/// What the places of these men are worth, in pawns: small beside any man, so that it decides among moves that win and lose
/// nothing.
pub(super) fn placement(men: &Men, color: Color, enemy_has_heavies: bool) -> f32 {
    let numbers = NUMBERS.placement;
    let home = Bitboard::from(color.fold_wb(Rank::First, Rank::Eighth));
    let mut value = numbers.developed * ((men.knights | men.bishops) & !home).count() as f32;
    let mut protected = nebel_position::side::pawn_captures(men.pawns, color);
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        for from in men.by_role(role) {
            let attacked = man_attacks(role, color, from, men.all);
            protected |= attacked;
            // A queen that comes out early is chased about: her squares count for a third.
            let share = if role == Role::Queen { 1.0 / 3.0 } else { 1.0 };
            value += share * numbers.mobile * (attacked & !men.all).count() as f32;
        }
    }
    value += numbers.centre * (men.pawns & CENTRE).count() as f32;
    if enemy_has_heavies && home.contains(men.king) {
        value += numbers.king_at_home;
    }
    value - numbers.loose * (men.all & !protected & !men.king_set()).count() as f32
}

/// d4, e4, d5, e5.
const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);
