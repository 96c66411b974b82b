//! Solving without a table: depth-first AND–OR search over sets of king squares, for any white material.
//!
//! A set is won in n if some attempt leaves, for every answer of the umpire, a set won in time. Results are kept for each
//! placement as sets with a number of moves and serve all that they dominate: what is contained in a won set is
//! won, what contains a lost set is lost. A won set is widened to all squares its plan also covers before it is kept.
//! Tables, where there are some, are the leaves.
//!
//! Two searches share this: [`Solver::shortest`] deepens move by move and proves its number; [`Solver::any`] is
//! guided by the tables of single pieces and takes the first forced win it can prove. A win is a proof in either. That
//! the guides' attempts fail is none, so such losses are kept apart and for one round only.

mod distance;
mod node;
mod search;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use nebel_kriegspiel::Attempt;

use crate::advice::{TableKnowledge, Tables, Tie};
use crate::board::{Board, Mask};
use crate::placement::Placement;
use node::SearchGraph;
use search::Mode;

/// When to stop.
#[derive(Debug, Clone, Copy)]
pub struct SolverLimits<'a> {
    /// The longest mate to look for.
    pub moves: u16,
    /// Sets to examine in all.
    pub nodes: Option<u64>,
    /// A point in time.
    pub deadline: Option<Instant>,
    /// Set by another thread.
    pub stop: Option<&'a AtomicBool>,
}

impl Default for SolverLimits<'_> {
    fn default() -> Self {
        SolverLimits { moves: 100, nodes: None, deadline: None, stop: None }
    }
}

/// What a search found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MateVerdict {
    /// A mate is forced.
    Mate {
        /// In at most this number of moves.
        moves: u16,
        /// By this attempt; if it is refused, solve again with what remains.
        attempt: Attempt,
    },
    /// There is no forced mate within this number of moves; [`u16::MAX`]: none at all.
    NotWithin(u16),
    /// Nothing more was found before a limit was hit; there is no forced mate within this number of moves.
    Stopped(u16),
}

/// The search and what it has learnt; keep it from turn to turn.
#[derive(Debug)]
pub struct Solver {
    board: Board,
    graph: SearchGraph,
    nodes: u64,
}

/// Rounds of [`Solver::any`]: by how many moves an attempt may look worse than the number allows, and by how many that number
/// exceeds the guess. Each round trusts the guides less.
/// The last takes in what no guide knows.
const ROUNDS: [(u16, u16); 8] = [(0, 0), (0, 3), (1, 2), (1, 6), (2, 6), (4, 10), (8, 16), (60, 16)];

/// A limit was hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Interrupted;

impl Solver {
    /// A solver on the chess board with these tables as leaves and guides; it needs none. Merged tables are left out, since
    /// nothing can be proved by a number that is only a bound.
    pub fn new(tables: Tables) -> Solver {
        Solver { board: Board::CHESS, graph: SearchGraph::new(Board::CHESS, tables.exact_ones()), nodes: 0 }
    }

    /// Sets examined so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The same, with room for so many placements from search to search; each takes some ten kilobytes. When there are more, it begins anew.
    #[must_use]
    pub fn with_room(mut self, placements: usize) -> Solver {
        self.graph.room = placements;
        self
    }

    /// Forgets what it has learnt; the tables stay.
    pub fn forget(&mut self) {
        self.graph.forget();
    }

    /// The tables in use.
    pub fn tables(&self) -> &Tables {
        self.graph.tables()
    }

    /// The shortest forced mate for a king somewhere in `set` (squares where he cannot be are ignored).
    pub fn shortest(&mut self, placement: &Placement, set: Mask, limits: SolverLimits<'_>) -> MateVerdict {
        let set = set & placement.king_squares(self.board);
        if let Some(verdict) = self.at_once(placement, set, limits) {
            return verdict;
        }
        self.graph.make_room();
        let least = self.graph.at_least(placement, set);
        if least == u16::MAX {
            return MateVerdict::NotWithin(u16::MAX);
        }
        let begun = self.nodes;
        for moves in least..=limits.moves {
            match self.try_within(placement, set, moves, Mode::Exact, limits.after(self.nodes - begun)) {
                Ok(Some((moves, attempt))) => return MateVerdict::Mate { moves, attempt },
                Ok(None) => {}
                Err(Interrupted) => return MateVerdict::Stopped(moves - 1),
            }
        }
        MateVerdict::NotWithin(limits.moves)
    }

    /// Some forced mate within `limits.moves`, found as fast as possible; not always the shortest. That none was found
    /// proves nothing.
    pub fn any(&mut self, placement: &Placement, set: Mask, limits: SolverLimits<'_>) -> MateVerdict {
        let set = set & placement.king_squares(self.board);
        if let Some(verdict) = self.at_once(placement, set, limits) {
            return verdict;
        }
        self.graph.make_room();
        let guess = self.guess_ahead(placement, set);
        let begun = self.nodes;
        for (round, (slack, extra)) in ROUNDS.into_iter().enumerate() {
            let moves = guess.saturating_add(extra).min(limits.moves);
            let share = limits.after(self.nodes - begun).share(ROUNDS.len() - round);
            self.graph.begin_round();
            match self.try_within(placement, set, moves, Mode::Guided { slack }, share) {
                Ok(Some((moves, attempt))) => return MateVerdict::Mate { moves, attempt },
                Ok(None) | Err(Interrupted) if limits.is_over() => break,
                Ok(None) | Err(Interrupted) => {}
            }
        }
        MateVerdict::Stopped(0)
    }

    /// The number of moves to a mate that is forced or that the guides believe in; `None` if they see none.
    pub fn expected(&mut self, placement: &Placement, set: Mask) -> Option<u16> {
        Some(self.guess(placement, set)).filter(|&moves| moves != search::UNKNOWN)
    }

    /// What needs no search: a king that is nowhere, dead material, or a table of the ending.
    fn at_once(&self, placement: &Placement, set: Mask, limits: SolverLimits<'_>) -> Option<MateVerdict> {
        if set == 0 {
            return Some(MateVerdict::NotWithin(u16::MAX));
        }
        match self.tables().known(placement, set) {
            TableKnowledge::AtMost(_) | TableKnowledge::Nothing => None,
            TableKnowledge::NotForced => Some(MateVerdict::NotWithin(u16::MAX)),
            TableKnowledge::Mate(moves) if moves > limits.moves => Some(MateVerdict::NotWithin(limits.moves)),
            TableKnowledge::Mate(moves) => {
                Some(match self.tables().advise(placement, set, Tie::FewestSquares) {
                    Some(advice) => MateVerdict::Mate { moves, attempt: advice.attempt },
                    // The table leads to others that are not there.
                    None => MateVerdict::Stopped(moves.saturating_sub(1)),
                })
            }
        }
    }
}

impl SolverLimits<'_> {
    /// What is left when so many sets have been examined.
    fn after(self, nodes: u64) -> Self {
        SolverLimits { nodes: self.nodes.map(|most| most.saturating_sub(nodes)), ..self }
    }

    /// An equal share of the time left and of the nodes, with `rounds` still to go.
    fn share(self, rounds: usize) -> Self {
        let now = Instant::now();
        let deadline = self.deadline.map(|at| now + at.saturating_duration_since(now) / rounds as u32);
        SolverLimits { deadline, nodes: self.nodes.map(|nodes| nodes / rounds as u64), ..self }
    }

    fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}
