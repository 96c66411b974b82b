//! A small alpha-beta search with quiescence and a transposition table, on the chess library.
//!
//! Material and a little knowledge of squares, no more: a sampling player asks thousands of times.

use nebel_kriegspiel::{Bitboard, Chess, Color, Position, Role, Square, over};
use shakmaty::{EnPassantMode, Move, zobrist::Zobrist64};

use super::{Evaluate, MATE};
use crate::{Budget, Fault};

/// The search.
#[derive(Debug)]
pub struct AlphaBeta {
    depth: u8,
    nodes: u64,
    /// From this node on no more captures are followed.
    enough: u64,
    until: Budget,
    /// Whether the budget was found to be over: what is returned from then on means nothing.
    is_over: bool,
    table: Vec<Entry>,
}

/// Values are in hundredths of a pawn.
type Centipawns = i32;
const MATED: Centipawns = -(MATE as Centipawns) * 100;

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    value: Centipawns,
    depth: u8,
    bound: Bound,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

const EMPTY: Entry = Entry { key: 0, value: 0, depth: 0, bound: Bound::AtMost };
const TABLE_BITS: u32 = 16;
/// Nodes after which the clock is looked at again: a fraction of a millisecond.
const LOOK: u64 = 64;
/// Nodes of a position that is valued at a glance.
const GLANCE: u64 = 40;
/// Captures in a row that are followed.
const QUIET_PLIES: u8 = 6;
/// What a capture may gain besides the man: a better square.
const HOPE: Centipawns = 150;

impl AlphaBeta {
    /// A search of so many plies before quiescence.
    pub fn new(depth: u8) -> AlphaBeta {
        // Quiescence alone never looks into the table.
        let size = if depth == 0 { 0 } else { 1 << TABLE_BITS };
        AlphaBeta {
            depth,
            nodes: 0,
            enough: u64::MAX,
            until: Budget::unlimited(),
            is_over: false,
            table: vec![EMPTY; size],
        }
    }

    /// The value of a position with a few captures followed.
    pub(super) fn glance(&mut self, position: &Chess) -> f32 {
        self.enough = self.nodes + GLANCE;
        let value = self.quiescence(position, QUIET_PLIES, MATED, -MATED);
        self.enough = u64::MAX;
        value as f32 / 100.0
    }

    /// Counts a node. Returns whether the search must end.
    fn count(&mut self) -> bool {
        self.nodes += 1;
        self.is_over = self.is_over || (self.nodes.is_multiple_of(LOOK) && self.until.is_over());
        self.is_over
    }

    fn search(&mut self, position: &Chess, depth: u8, mut alpha: Centipawns, beta: Centipawns) -> Centipawns {
        if depth == 0 {
            return self.quiescence(position, QUIET_PLIES, alpha, beta);
        }
        if self.count() {
            return 0;
        }
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            return if position.is_check() { MATED } else { 0 };
        }
        if over::is_dead(position.board()) {
            return 0;
        }
        let key = position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0;
        let slot = (key >> (64 - TABLE_BITS)) as usize;
        let entry = self.table[slot];
        if entry.key == key && entry.depth == depth {
            match entry.bound {
                Bound::Exact => return entry.value,
                Bound::AtLeast if entry.value >= beta => return entry.value,
                Bound::AtMost if entry.value <= alpha => return entry.value,
                Bound::AtLeast | Bound::AtMost => {}
            }
        }
        order(&mut moves);
        let (mut best, mut bound) = (MATED, Bound::AtMost);
        for m in moves {
            let mut next = position.clone();
            next.play_unchecked(m);
            // A mate that comes later is worth a little less.
            let value = -self.search(&next, depth - 1, -beta, -alpha);
            let value = value - value.signum() * Centipawns::from(value.abs() > -MATED - 100);
            best = best.max(value);
            if value > alpha {
                alpha = value;
                bound = Bound::Exact;
            }
            if alpha >= beta {
                bound = Bound::AtLeast;
                break;
            }
        }
        if self.is_over {
            return 0;
        }
        self.table[slot] = Entry { key, value: best, depth, bound };
        best
    }

    /// Captures only, until the position is quiet or the plies are used up: boards that were drawn at
    /// random can be full of captures.
    fn quiescence(
        &mut self,
        position: &Chess,
        plies: u8,
        mut alpha: Centipawns,
        beta: Centipawns,
    ) -> Centipawns {
        if self.count() {
            return 0;
        }
        let mut moves = position.legal_moves();
        let in_check = position.is_check();
        if moves.is_empty() {
            return if in_check { MATED } else { 0 };
        }
        if over::is_dead(position.board()) {
            return 0;
        }
        let standing = static_value(position);
        if standing >= beta || plies == 0 || self.nodes >= self.enough {
            return standing;
        }
        alpha = alpha.max(standing);
        let mut best = standing;
        moves.retain(|m| m.is_capture() || m.promotion() == Some(Role::Queen));
        order(&mut moves);
        for m in moves {
            // A capture that cannot reach what is had already is not looked at.
            let gain = m.capture().map_or(0, worth) + m.promotion().map_or(0, worth);
            if standing + gain + HOPE < alpha {
                continue;
            }
            let mut next = position.clone();
            next.play_unchecked(m);
            let value = -self.quiescence(&next, plies - 1, -beta, -alpha);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

impl Evaluate for AlphaBeta {
    fn spec(&self) -> String {
        "ab".to_owned()
    }

    /// What was learnt in the game before would show in this one, which then depended on who played what before it.
    fn ready(&mut self) -> Result<(), Fault> {
        self.table.fill(EMPTY);
        Ok(())
    }

    fn value(&mut self, position: &Chess, until: &Budget) -> Option<f32> {
        self.is_over = until.is_over();
        if self.is_over {
            return None;
        }
        self.until = until.clone();
        let value = self.search(position, self.depth, MATED, -MATED);
        (!self.is_over).then(|| value as f32 / 100.0)
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

/// The most valuable victim by the least valuable attacker first.
fn order(moves: &mut [Move]) {
    moves.sort_by_key(|m| {
        let victim = m.capture().map_or(0, worth);
        let promoted = m.promotion().map_or(0, worth);
        worth(m.role()) / 100 - 10 * (victim + promoted)
    });
}

const fn worth(role: Role) -> Centipawns {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 330,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 0,
    }
}

/// Material, pawns that have come far, men in the middle; a bare king is driven to the edge.
fn static_value(position: &Chess) -> Centipawns {
    let side = |color: Color| -> Centipawns {
        let board = position.board();
        let own = board.by_color(color);
        let material: Centipawns = Role::ALL
            .iter()
            .map(|&role| worth(role) * (own & board.by_role(role)).count() as Centipawns)
            .sum();
        let advance = |square: Square| match color {
            Color::White => square.rank() as Centipawns - 1,
            Color::Black => 6 - square.rank() as Centipawns,
        };
        let pawns: Centipawns =
            (own & board.pawns()).into_iter().map(|square| advance(square) * advance(square) * 2).sum();
        let in_the_middle = (own & (board.knights() | board.bishops() | board.pawns()) & MIDDLE).count();
        let other_is_bare = board.by_color(!color).count() == 1;
        let chase = if other_is_bare { chase(board.king_of(color), board.king_of(!color)) } else { 0 };
        material + pawns + 8 * in_the_middle as Centipawns + chase
    };
    side(position.turn()) - side(!position.turn())
}

/// The sixteen squares in the middle.
const MIDDLE: Bitboard = Bitboard(0x0000_3c3c_3c3c_0000);

/// How well a bare king is driven to the edge, and how near the own king is.
fn chase(own: Option<Square>, bare: Option<Square>) -> Centipawns {
    let (Some(own), Some(bare)) = (own, bare) else { return 0 };
    let from_middle = |coordinate: i32| (2 * coordinate - 7).abs() / 2;
    let edge = from_middle(i32::from(bare.file())) + from_middle(i32::from(bare.rank()));
    10 * edge + 4 * (7 - own.distance(bare) as Centipawns)
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::start;

    use super::*;

    fn value(fen: &str, depth: u8) -> f32 {
        AlphaBeta::new(depth).value(&start::position(fen).unwrap(), &Budget::unlimited()).unwrap()
    }

    #[test]
    fn a_search_that_is_stopped_has_no_value_and_the_next_one_is_right() {
        let position = start::position("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4");
        let position = position.unwrap();
        let mut search = AlphaBeta::new(3);
        let aim = std::time::Instant::now() + std::time::Duration::from_millis(1);
        let stopped = search.value(&position, &Budget { aim: Some(aim), ..Budget::unlimited() });
        assert!(stopped.is_none() && search.nodes() > 0, "{stopped:?} after {} nodes", search.nodes());
        let budget = Budget::unlimited();
        budget.stop.cancel();
        assert!(search.value(&position, &budget).is_none());
        let value = search.value(&position, &Budget::unlimited());
        assert_eq!(value, AlphaBeta::new(3).value(&position, &Budget::unlimited()));
    }

    #[test]
    fn a_glance_sees_what_hangs() {
        let glance = |fen| super::super::glance(&start::position(fen).unwrap());
        assert!(glance("4k3/8/8/3q4/8/8/3Q4/4K3 w - - 0 1") > 8.0);
        assert!(glance("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1") < -MATE + 1.0);
    }

    #[test]
    fn mates_and_stalemates_are_seen() {
        assert!(value("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1) > MATE - 1.0);
        assert!(value("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", 1) < -MATE + 1.0);
        assert!(value("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", 1).abs() < 0.01, "stalemate");
        assert!(value("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3) > MATE - 1.0, "1. Ra6 and mate");
    }

    #[test]
    fn exchanges_are_played_out() {
        // The pawn on d5 is protected: the queen should not take it.
        assert!(value("4k3/8/4p3/3p4/8/8/3Q4/4K3 w - - 0 1", 1) > 5.0);
        assert!(value("4k3/8/8/3q4/8/8/3Q4/4K3 w - - 0 1", 1) > 8.0, "an unprotected queen is won");
    }

    #[test]
    fn both_sides_are_valued_alike() {
        assert!(value(start::STANDARD, 0).abs() < 0.01);
        let white = value("4k3/pp6/8/8/8/8/PPP5/4K3 w - - 0 1", 0);
        let black = value("4k3/ppp5/8/8/8/8/PP6/4K3 b - - 0 1", 0);
        assert!((white - black).abs() < 0.01 && white > 0.5);
    }
}
