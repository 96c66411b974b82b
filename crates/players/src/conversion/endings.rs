//! Darkboard's hand-made values of endings, for the player without tables.
//!
//! Restated from its program: queen or rook after Bolognesi and Ciancarini (2004), several heavy pieces, pawns, the king
//! alone. They see the worst answer of the umpire (`Judge::outcomes`) and look one unseen king's move ahead. Left out are its
//! patterns transcribed from Boyce and a small price on steps of the king that may be refused. Its rule for pawns, which
//! rewards the rank of *unprotected* ones, is kept as it is said to stand there.

use nebel_kriegspiel::{Bitboard, Role, Square};

use super::stalemate::Cage;
use crate::darkboard::numbers::NUMBERS;
use nebel_belief::metaposition::Metaposition;
use nebel_position::side::neighbours;

const MATE: f32 = NUMBERS.endings.mate;

/// One queen or rook against the bare king.
pub(crate) fn lone(meta: &Metaposition, role: Role) -> f32 {
    let cage = Cage::of(meta);
    if cage.stuck.any() {
        return -MATE;
    }
    let own = meta.own();
    let (Some(king), Some(piece)) = (own.by_role(Role::King).first(), own.by_role(role).first()) else {
        return 0.0;
    };
    let near = neighbours(cage.squares);
    let is_safe = meta.surely_attacked().contains(piece) || !near.contains(piece);
    let numbers = NUMBERS.endings;
    let mut total = if is_safe { numbers.safe } else { -numbers.safe };
    if cage.is_mate() {
        total += MATE;
    }
    let squares = after_reply(meta);
    let distance = |square: Square| square.file().distance(king.file()) + square.rank().distance(king.rank());
    total -= squares.into_iter().map(distance).max().unwrap_or(0) as f32;
    total -= (quadrants(piece, squares) * squares.count()) as f32;
    if king.distance(piece) == 1 {
        total += if role == Role::Rook { numbers.rook_near } else { numbers.queen_near };
    }
    total + squares.into_iter().map(by_square).sum::<f32>()
}

/// Two or more queens and rooks against the bare king.
pub(crate) fn heavies(meta: &Metaposition) -> f32 {
    let cage = Cage::of(meta);
    let own = meta.own();
    let heavy = own.by_role(Role::Queen) | own.by_role(Role::Rook);
    let loose = heavy & neighbours(cage.squares) & !meta.surely_attacked();
    let mut total = -MATE * loose.count() as f32;
    if cage.stuck.any() {
        total -= MATE;
    }
    if cage.is_mate() {
        total += MATE;
    }
    let lines = |of: fn(usize) -> Bitboard| {
        let has_king = |index: usize| (of(index) & cage.squares).any();
        let up = (0..8).take_while(|&index| !has_king(index)).count();
        let down = (0..8).rev().take_while(|&index| !has_king(index)).count();
        up.max(down)
    };
    total += NUMBERS.endings.free_line * lines(rank).max(lines(file)) as f32;
    let alone = |index: usize, of: fn(usize) -> Bitboard| {
        let attacked = |index: usize| (of(index) & heavy).any();
        let has_neighbour = (index > 0 && attacked(index - 1)) || (index < 7 && attacked(index + 1));
        attacked(index) && !has_neighbour && (of(index) & cage.squares).any()
    };
    let lonely = (0..8).filter(|&index| alone(index, rank) || alone(index, file)).count();
    total - cage.squares.count() as f32 - NUMBERS.endings.lonely_line * lonely as f32
}

/// Pawns against few men: forward, with the king beside them.
pub(crate) fn pawns(meta: &Metaposition) -> f32 {
    let own = meta.own();
    let protected = meta.perhaps_attacked();
    let ahead = |square: Square| {
        let rank = u32::from(square.rank());
        own.color().fold_wb(rank, 7 - rank) as f32
    };
    let pawns = own.by_role(Role::Pawn);
    let Some(king) = own.by_role(Role::King).first() else { return 0.0 };
    let mut total: f32 = (pawns & !protected).into_iter().map(ahead).sum();
    let nearest = pawns.into_iter().map(|pawn| pawn.distance(king)).min();
    total += NUMBERS.endings.king_near * (8.0 - nearest.unwrap_or(8) as f32) + ahead(king);
    for queen in own.by_role(Role::Queen) {
        let worth = NUMBERS.endings.new_queen;
        total += if protected.contains(queen) { worth } else { -worth };
    }
    total
}

/// Nothing but the king: to the centre.
pub(crate) fn king_only(meta: &Metaposition) -> f32 {
    let outward = |index: u32| (2.0 * index as f32 - 7.0).abs() / 2.0;
    let king = meta.own().by_role(Role::King).first();
    king.map_or(0.0, |king| {
        NUMBERS.endings.king_alone - outward(king.file().into()) - outward(king.rank().into())
    })
}

/// Where the king may be after one more unseen step.
fn after_reply(meta: &Metaposition) -> Bitboard {
    let mut next = meta.clone();
    next.other_moved_silently();
    next.may_hold(Role::King)
}

/// How many quarters of the board around a piece may hold the king; all four if it stands on the edge.
fn quadrants(piece: Square, squares: Bitboard) -> usize {
    const EDGE: Bitboard = Bitboard(0xff81_8181_8181_81ff);
    if EDGE.contains(piece) {
        return 4;
    }
    let (column, row) = (usize::from(piece.file()), usize::from(piece.rank()));
    let join = |lines: std::ops::Range<usize>, of: fn(usize) -> Bitboard| {
        lines.fold(Bitboard::EMPTY, |all, index| all | of(index))
    };
    let sides = [join(0..column, file), join(column + 1..8, file)];
    let halves = [join(0..row, rank), join(row + 1..8, rank)];
    let quarters = sides.iter().flat_map(|&side| halves.iter().map(move |&half| side & half));
    quarters.filter(|&quarter| (quarter & squares).any()).count()
}

fn rank(index: usize) -> Bitboard {
    Bitboard(0xff << (8 * index))
}

fn file(index: usize) -> Bitboard {
    Bitboard(0x0101_0101_0101_0101 << index)
}

/// Bolognesi's board: corners are good, the centre is bad.
fn by_square(square: Square) -> f32 {
    let inward = |index: u32| index.min(7 - index);
    let (a, b) = (inward(square.file().into()), inward(square.rank().into()));
    let [corner, edge, ring, centre] = NUMBERS.endings.by_square;
    match (a.min(b), a.max(b)) {
        (0, 0 | 1) => corner,
        (0 | 1, _) => edge,
        (2, 2) => ring,
        _ => centre,
    }
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Color, Rules, start};

    use super::*;

    fn meta(fen: &str) -> Metaposition {
        Metaposition::new(&Rules::icc(), &start::position(fen).unwrap(), Color::White)
    }

    #[test]
    fn a_safe_rook_is_worth_more_than_a_loose_one_and_stalemate_nothing() {
        let safe = lone(&meta("8/8/8/3k4/8/8/1R6/1K6 b - - 0 1"), Role::Rook);
        let loose = lone(&meta("8/8/8/3k4/3R4/8/8/1K6 b - - 0 1"), Role::Rook);
        let stalemate = lone(&meta("k7/1R6/2K5/8/8/8/8/8 b - - 0 1"), Role::Rook);
        assert!(safe > loose && loose > stalemate);
    }

    #[test]
    fn a_ladder_is_better_higher_up() {
        let low = heavies(&meta("8/4k3/8/8/R7/1R6/8/K7 b - - 0 1"));
        let high = heavies(&meta("4k3/8/R7/1R6/8/8/8/K7 b - - 0 1"));
        assert!(high > low);
    }

    #[test]
    fn the_king_alone_goes_to_the_centre() {
        assert!(
            king_only(&meta("7k/8/8/8/3K4/8/8/8 b - - 0 1"))
                > king_only(&meta("7k/8/8/8/8/8/8/K7 b - - 0 1"))
        );
    }
}
