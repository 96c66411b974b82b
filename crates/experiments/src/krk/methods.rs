//! Ways to play KRK: the table's, and two baselines after the ideas of Boyce and Magari.
//!
//! Of the two classical methods the papers at hand give only the idea, and so much is played here:
//!
//! - *Magari*: from Kd1 Re1 king and rook climb the board side by side (Kd2, Re2, Kd3, Re3 …) until a check or a refusal betrays
//!   where the king is. What he does then is not told; the table plays it, so the figures are a lower bound for him.
//! - *Quadrants*, after an idea of Boyce: the rook shuts the king into as few quadrants as possible and is never risked; White's king then pushes him back.
//!   Here one move is looked ahead, by the worst answer; no table is used. That is not his method: his directives, which are not at
//!   hand, always win.

use nebel_kriegspiel::Attempt;
use nebel_tablebase::{AttemptEffect, Board, KingBelief, Mask, Placement, Tables, Tie, bit, squares_of};
use shakmaty::{Role, Square};

/// A way to play KRK.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// By the table, with a rule for ties.
    Table(Tie),
    /// Magari's climb, then the table.
    Magari,
    /// Quadrants after Boyce's idea, without a table: not his method, which always wins.
    Quadrants,
}

/// One game's player.
#[derive(Debug)]
pub struct Methodist<'a> {
    method: Method,
    tables: &'a Tables,
    /// Whether Magari's climb is still on: nothing has been heard yet.
    climbing: bool,
    seen: Vec<Placement>,
}

impl<'a> Methodist<'a> {
    /// A player for one game.
    pub fn new(method: Method, tables: &'a Tables) -> Methodist<'a> {
        Methodist { method, tables, climbing: true, seen: Vec::new() }
    }

    /// The attempt to make; `None` if the method knows none.
    pub fn choose(&mut self, king_belief: &KingBelief) -> Option<Attempt> {
        let by_table = |tie| {
            self.tables.advise(king_belief.placement(), king_belief.set(), tie).map(|advice| advice.attempt)
        };
        match self.method {
            Method::Table(tie) => by_table(tie),
            Method::Magari if self.climbing => climb(king_belief).or_else(|| by_table(Tie::FewestSquares)),
            Method::Magari => by_table(Tie::FewestSquares),
            Method::Quadrants => {
                if self.seen.last() != Some(king_belief.placement()) {
                    self.seen.push(king_belief.placement().clone());
                }
                self.quadrants(king_belief)
            }
        }
    }

    /// The umpire said something other than silence.
    pub fn heard(&mut self) {
        self.climbing = false;
    }

    /// The safe attempt whose worst answer leaves the king least room.
    fn quadrants(&self, king_belief: &KingBelief) -> Option<Attempt> {
        let (placement, set) = (king_belief.placement(), king_belief.set());
        let safe = |effect: &AttemptEffect| {
            set & !effect.refused != 0
                && set & effect.stalemates == 0
                && effect.losses(Board::CHESS, set & !effect.refused) == 0
        };
        let cost = |effect: &AttemptEffect| {
            let answers = effect
                .classes
                .iter()
                .map(|class| (&effect.after, effect.successors(Board::CHESS, set & class.1)));
            let refused = std::iter::once((placement, set & effect.refused));
            let worst =
                answers.chain(refused).map(|(placement, left)| room(placement, left)).max().unwrap_or(0);
            let visits = self.seen.iter().filter(|&seen| seen == &effect.after).count() as u32;
            worst + 4 * visits
        };
        let effects = AttemptEffect::all(Board::CHESS, placement).into_iter().filter(safe);
        effects.min_by_key(|effect| (cost(effect), effect.attempt)).map(|effect| effect.attempt)
    }
}

/// King and rook side by side: whichever is lower goes up one rank, the king first.
fn climb(king_belief: &KingBelief) -> Option<Attempt> {
    let placement = king_belief.placement();
    let &[(Role::Rook, rook)] = placement.men() else { return None };
    let king = placement.king();
    let beside = (i32::from(king.file()) - i32::from(rook.file())).abs() == 1;
    let ahead = i32::from(king.rank()) - i32::from(rook.rank());
    let from = match (beside, ahead) {
        (true, 0) => king,
        (true, 1) => rook,
        _ => return None,
    };
    let attempt = Attempt { from, to: Board::CHESS.step(from, 0, 1)?, promotion: None };
    // Only while it is safe: the climb must not lose the rook or stalemate.
    let effect =
        AttemptEffect::all(Board::CHESS, placement).into_iter().find(|effect| effect.attempt == attempt)?;
    let legal = king_belief.set() & !effect.refused;
    let safe =
        legal != 0 && king_belief.set() & effect.stalemates == 0 && effect.losses(Board::CHESS, legal) == 0;
    safe.then_some(attempt)
}

/// How much room the king has: the squares of the quadrants he may be in, the squares he may be on, and how far White's
/// men are from him and from each other.
fn room(placement: &Placement, set: Mask) -> u32 {
    let Some(&(_, rook)) = placement.men().first() else { return 0 };
    if set == 0 {
        return 0;
    }
    let quadrant = |square: Square| (square.file() > rook.file(), square.rank() > rook.rank());
    let all = squares_of(!0).filter(|square| square.file() != rook.file() && square.rank() != rook.rank());
    let held = |square: &Square| squares_of(set).any(|king| quadrant(king) == quadrant(*square));
    let area = all.filter(held).fold(0, |area, square| area | bit(square)).count_ones();
    let far = squares_of(set).map(|square| square.distance(placement.king())).max().unwrap_or(0);
    3 * area + 2 * set.count_ones() + 4 * far + 3 * placement.king().distance(rook)
}
