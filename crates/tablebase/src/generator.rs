//! Retrograde analysis over sets of king squares.
//!
//! A set of black-king squares is *won in d* at a placement if White can mate within d of his moves wherever in the set the king
//! stands and however he replies. For one attempt the won sets form a product: one factor for "refused", one for
//! silence and one for each kind of check, because these answers tell the squares apart; so the largest
//! won sets of an attempt are unions of one maximal member of each factor. Each factor is kept as an antichain, only what
//! is new in a depth is combined, and all that depends on the same depth of the same placement (chains of
//! refused attempts) stays within the placement: placements are solved in parallel.
//!
//! The method is that of Ciancarini & Favini, "Solving Kriegspiel endings with brute force: the case of KR vs. K" (2009), section 3, with the factors in place
//! of assignments of whole table entries to messages.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::Relaxed},
};

use rayon::prelude::*;

use crate::antichain::{IncrementalAntichain, any_superset};
use crate::attempt_effect::AttemptEffect;
use crate::board::{Board, Mask, Symmetry, bit, squares_of};
use crate::index::Index;
use crate::material::Ending;
use crate::placement::Placement;
use crate::product::{Collector, Factor};
use crate::table::{Run, Table};

/// What one depth added, for progress reports (the growth that section 4 of the paper describes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Depth {
    /// Number of White's moves.
    pub depth: u16,
    /// Entries added.
    pub entries: usize,
    /// Rounds until chains of refused attempts added nothing more, in the placement that needed most.
    pub passes: usize,
}

/// How far chains of refused attempts are followed within one depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Chains {
    /// Until nothing changes: the exact table.
    #[default]
    Whole,
    /// At most this many links: won sets are missed. For the comparison with the paper only.
    AtMost(usize),
    /// At most this many links; a longer chain goes on at the next depth, so that each of its further refusals costs a move. For the comparison
    /// with the paper only.
    Carried(usize),
}

/// Solves `ending` on `board`. `tables` must hold every ending that a capture or promotion leads to, dead ones aside; see
/// [`Ending::closure`]. `None` if one is missing or merged, or the ending has too many men. `progress` hears of every depth.
///
/// Runs on the current rayon pool.
pub fn solve(
    board: Board,
    ending: &Ending,
    tables: &[Arc<Table>],
    progress: impl FnMut(Depth),
) -> Option<Table> {
    solve_with(board, ending, tables, Chains::Whole, &AtomicBool::new(false), progress)
}

/// As [`solve`], with a choice of how far chains of refusals are followed. Ends soon, without a table, when `stop` is raised.
pub fn solve_with(
    board: Board,
    ending: &Ending,
    tables: &[Arc<Table>],
    chains: Chains,
    stop: &AtomicBool,
    mut progress: impl FnMut(Depth),
) -> Option<Table> {
    let index = Index::new(board, ending)?;
    let mut sources = Sources::new(&index, tables)?;
    let mut nodes: Vec<Node> = index
        .placements()
        .par_iter()
        .map(|placement| if stop.load(Relaxed) { None } else { Node::new(&index, placement, &sources) })
        .collect::<Option<_>>()?;
    let last_of_tables = sources.closure.iter().map(|table| table.longest()).max().unwrap_or(0);
    for depth in 1..=u16::MAX {
        let passes = nodes
            .par_iter_mut()
            .map(|node| if stop.load(Relaxed) { 0 } else { node.deepen(depth, &sources, chains) })
            .max()
            .unwrap_or(0);
        if stop.load(Relaxed) {
            return None;
        }
        let entries = nodes.iter().map(|node| node.fresh().len()).sum();
        // Nothing new can come once neither this ending nor one it leads to has anything of this depth.
        if entries == 0 && depth > last_of_tables {
            break;
        }
        progress(Depth { depth, entries, passes });
        sources.advance(depth, &nodes);
    }
    let runs: Vec<Vec<Run>> = nodes.into_iter().map(|node| node.runs).collect();
    Table::from_runs(Arc::new(index), &runs)
}

/// A pool of `threads` threads (all processors if `None`) to run [`solve`] on.
pub fn pool(threads: Option<usize>) -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
    rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build()
}

/// What won sets of the last depth mean one move earlier: for each placement of this ending and of those it promotes into, the antichain of
/// squares from which every reply stays in a won set.
struct Sources {
    board: Board,
    /// The endings one promotion away.
    promotions: Vec<Arc<Table>>,
    /// Every ending that play can lead to.
    closure: Vec<Arc<Table>>,
    /// First this ending, then `promotions`.
    predecessors: Vec<Vec<Predecessors>>,
}

/// The squares from which Black cannot leave a won set of one placement.
struct Predecessors {
    replies: Mask,
    sets: IncrementalAntichain,
}

impl Sources {
    fn new(index: &Index, tables: &[Arc<Table>]) -> Option<Sources> {
        let board = index.board();
        let find = |ending: &Ending| {
            let fits =
                |t: &&Arc<Table>| t.index().ending() == ending && t.index().board() == board && t.is_exact();
            tables.iter().find(fits).cloned()
        };
        let others = index.ending().closure().into_iter().filter(|ending| ending != index.ending());
        let closure: Vec<Arc<Table>> = others.map(|ending| find(&ending)).collect::<Option<_>>()?;
        let promotions: Vec<Arc<Table>> =
            index.ending().promotions().iter().filter(|e| !e.is_dead()).map(find).collect::<Option<_>>()?;
        let predecessors = std::iter::once(index)
            .chain(promotions.iter().map(|table| table.index()))
            .map(|index| {
                index.placements().iter().map(|placement| Predecessors::new(board, placement)).collect()
            })
            .collect();
        Some(Sources { board, promotions, closure, predecessors })
    }

    /// Where a placement's sets are found: the list, the number in it, and the symmetry back to the placement.
    fn locate(&self, own: &Index, placement: &Placement) -> Option<(usize, usize, Symmetry)> {
        let indexes = std::iter::once(own).chain(self.promotions.iter().map(|table| table.index()));
        indexes.enumerate().find_map(|(list, index)| {
            index.find(placement).map(|(number, symmetry)| (list, number, symmetry.inverse()))
        })
    }

    /// Takes in what was won at `depth`.
    fn advance(&mut self, depth: u16, nodes: &[Node]) {
        let board = self.board;
        let (own, others) = self.predecessors.split_at_mut(1);
        own[0]
            .par_iter_mut()
            .zip(nodes)
            .for_each(|(before_won, node)| before_won.advance(board, node.fresh()));
        for (predecessors, table) in others.iter_mut().zip(&self.promotions) {
            predecessors.par_iter_mut().enumerate().for_each(|(number, before_won)| {
                before_won.advance(board, table.masks_of_depth(number, depth));
            });
        }
    }
}

impl Predecessors {
    fn new(board: Board, placement: &Placement) -> Predecessors {
        let mut before_won =
            Predecessors { replies: placement.king_squares(board), sets: IncrementalAntichain::default() };
        before_won.sets.insert(before_won.before(board, 0));
        before_won
    }

    /// The squares none of whose safe neighbours lies outside `won`.
    fn before(&self, board: Board, won: Mask) -> Mask {
        board.squares() & !board.neighbours(self.replies & !won)
    }

    fn advance(&mut self, board: Board, fresh: &[Mask]) {
        self.sets.settle();
        for &won in fresh {
            let before = self.before(board, won);
            self.sets.insert(before);
        }
    }
}

/// One placement in the making.
struct Node {
    /// The largest sets won so far, in any number of moves.
    won: Vec<Mask>,
    /// What the table keeps: per depth the maximal sets not won faster.
    runs: Vec<Run>,
    /// The depth of the last call.
    depth: u16,
    moves: Vec<Move>,
    /// Sets of the last depth that refusals were not combined with, where chains are cut and go on.
    carried: Vec<Mask>,
}

/// One attempt of a placement.
struct Move {
    /// Where its successor's sets are found; `None` if the successor cannot be won.
    source: Option<(usize, usize, Symmetry)>,
    /// The factor of the squares at which it is refused, and one for each message.
    refused: Factor,
    answers: Vec<Factor>,
    /// Squares next to a loose man with the number of moves White needs after losing him, ascending.
    captures: Vec<(u16, Mask)>,
}

impl Node {
    fn new(index: &Index, placement: &Placement, sources: &Sources) -> Option<Node> {
        let moves = AttemptEffect::all(index.board(), placement)
            .into_iter()
            .map(|effect| Move::new(index, &effect, sources))
            .collect::<Option<_>>()?;
        Some(Node { won: Vec::new(), runs: Vec::new(), depth: 0, moves, carried: Vec::new() })
    }

    /// The sets of the last depth.
    fn fresh(&self) -> &[Mask] {
        self.runs.last().filter(|run| run.depth == self.depth).map_or(&[], |run| &run.masks)
    }

    /// Finds all sets won in `depth` moves and not faster; returns the number of rounds.
    fn deepen(&mut self, depth: u16, sources: &Sources, chains: Chains) -> usize {
        self.depth = depth;
        let mut found = Collector::new(&self.won);
        for (number, attempt) in self.moves.iter_mut().enumerate() {
            attempt.advance(depth, sources);
            for &set in &self.carried {
                attempt.refused.insert(set);
            }
            found.combine_answers(number as u8, &attempt.refused, &attempt.answers);
            found.combine_refusals(number as u8, &attempt.refused, &attempt.answers);
            attempt.refused.settle();
            attempt.answers.iter_mut().for_each(Factor::settle);
        }
        self.carried.clear();
        // What is won at this depth may be what remains when an attempt is refused: recombine with every answer, old
        // and new, until nothing changes.
        let mut passes = 1;
        loop {
            let fresh = found.prune();
            let links = match chains {
                Chains::Whole => usize::MAX,
                Chains::AtMost(links) | Chains::Carried(links) => links,
            };
            if fresh.is_empty() || passes > links {
                if matches!(chains, Chains::Carried(_)) {
                    self.carried = fresh;
                }
                break;
            }
            passes += 1;
            for (number, attempt) in self.moves.iter_mut().enumerate().filter(|(_, a)| a.refused.open != 0) {
                for &set in &fresh {
                    attempt.refused.insert(set);
                }
                found.combine_refusals(number as u8, &attempt.refused, &attempt.answers);
                attempt.refused.settle();
            }
        }
        let (masks, moves) = found.finish();
        if masks.is_empty() {
            return passes;
        }
        self.won.retain(|&mask| !any_superset(&masks, mask));
        self.won.extend(&masks);
        self.runs.push(Run { depth, masks, moves });
        passes
    }
}

impl Move {
    fn new(index: &Index, effect: &AttemptEffect, sources: &Sources) -> Option<Move> {
        let board = index.board();
        let source = sources.locate(index, &effect.after);
        if source.is_none() && !effect.after.ending().is_dead() {
            return None;
        }
        let mut captures = Vec::new();
        let mut lost = 0;
        for square in squares_of(effect.loose) {
            let beside = board.neighbours(bit(square));
            let left = effect.after.without(square);
            match sources.closure.iter().find_map(|table| table.mate_in(&left, bit(square))) {
                Some(moves) => captures.push((moves, beside)),
                None => lost |= beside,
            }
        }
        captures.sort_unstable();
        let waiting = captures.iter().fold(lost, |set, capture| set | capture.1);
        let mut refused = Factor::new(effect.refused, effect.refused);
        refused.insert(0);
        refused.settle();
        let answers = effect.classes.iter().map(|&(_, class)| Factor::new(class & !lost, class & !waiting));
        let mut attempt = Move { source, refused, answers: answers.collect(), captures };
        // The squares without a safe reply: mates, and captures still to be opened.
        if let Some((list, number, back)) = source {
            attempt.insert_holds(&sources.predecessors[list][number].sets.new, board, back);
        }
        Some(attempt)
    }

    /// Takes in what the successor won at the last depth, and squares from which a capture no longer saves Black.
    fn advance(&mut self, depth: u16, sources: &Sources) {
        let Some((list, number, back)) = self.source else {
            return;
        };
        let before_won = &sources.predecessors[list][number];
        let opened = self.captures.first().is_some_and(|capture| capture.0 < depth);
        if opened {
            self.captures.retain(|capture| capture.0 >= depth);
            let waiting = self.captures.iter().fold(0, |set, capture| set | capture.1);
            for answer in &mut self.answers {
                answer.open = answer.class & !waiting;
            }
            self.insert_holds(&before_won.sets.old, sources.board, back);
        }
        if depth > 1 {
            self.insert_holds(&before_won.sets.new, sources.board, back);
        }
    }

    fn insert_holds(&mut self, sets: &[Mask], board: Board, back: Symmetry) {
        for &set in sets {
            let set = back.apply(board, set);
            for answer in &mut self.answers {
                answer.insert(set);
            }
        }
    }
}
