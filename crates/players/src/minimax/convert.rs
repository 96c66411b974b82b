//! Converting an advantage: what Darkboard lacked most, added to the values of root moves while the player is ahead.
//!
//! Its games against weak players were drawn with everything won: by stalemate (see `progress`), by moving to and fro until
//! the third repetition or the fiftieth move, and by leaving the last pawns alone because a capture that is not certain is
//! worth nothing in its search. So here standing as before costs, and the more the closer a repetition is; pawns are pushed
//! when the fifty moves run out; and with few enemy men left a move earns the share of a man that its target may hold.

use nebel_kriegspiel::{Attempt, Bitboard, Role, Square};

use super::{memory::Memory, progress};
use crate::metaposition::Metaposition;

/// With more enemy men than this there is nothing to convert yet.
pub(crate) const FEW_MEN: u8 = 5;

/// What a man captured is worth to the side that is ahead.
const PAWN: f32 = 3.0;
const PIECE: f32 = 6.0;

/// From so many own moves without progress on, progress is worth more with each.
const PATIENCE: u32 = 15;
const IMPATIENCE: f32 = 0.1;

/// What to add to the value of a root move.
pub(crate) fn bonus(meta: &Metaposition, memory: &Memory, attempt: Attempt) -> f32 {
    if !progress::is_ahead(meta) {
        return 0.0;
    }
    let mut bonus = -standing_again(memory.visits(meta.own(), attempt));
    let prey = expected_prey(meta, attempt.to);
    if meta.census().men() <= FEW_MEN && !meta.surely_held().contains(attempt.to) {
        bonus += prey;
    }
    let is_push = meta.own().by_role(Role::Pawn).contains(attempt.from);
    let waited = memory.quiet().saturating_sub(PATIENCE) as f32;
    bonus + IMPATIENCE * waited * if is_push { 1.0 } else { (prey / PAWN).min(1.0) }
}

/// The price of a board that was there so often before: the third time may draw.
fn standing_again(visits: usize) -> f32 {
    match visits {
        0 => 0.0,
        1 => 1.5,
        more => 20.0 * more as f32,
    }
}

/// What is to be expected from capturing whatever may stand on a square.
fn expected_prey(meta: &Metaposition, square: Square) -> f32 {
    let census = meta.census();
    let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    let pieces = roles.into_iter().fold(Bitboard::EMPTY, |all, role| all | meta.may_hold(role));
    let mut prey = 0.0;
    let pawns = meta.may_hold(Role::Pawn) & Bitboard::from(square.file());
    if pawns.contains(square) {
        let bounds = census.on(square.file());
        prey += PAWN * f32::from(bounds.least + bounds.most) / 2.0 / pawns.count() as f32;
    }
    if pieces.contains(square) {
        prey += PIECE * f32::from(census.pieces().least) / pieces.count() as f32;
    }
    prey
}
