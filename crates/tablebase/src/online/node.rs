//! What the search knows of each placement it has met.

use std::sync::Arc;

use hashbrown::HashMap;

use super::distance::Distances;
use super::search::Mode;
use crate::advice::{TableKnowledge, Tables};
use crate::attempt_effect::AttemptEffect;
use crate::board::{Board, Mask, Symmetry};
use crate::placement::Placement;
use crate::table::Table;

/// So many placements stay with their attempts unless somebody says otherwise: some gigabytes at the most.
const ROOM: usize = 200_000;

/// A number of a placement within a search.
pub(super) type NodeId = u32;

/// All placements met, with their attempts and the sets known to be won or lost.
#[derive(Debug)]
pub(super) struct SearchGraph {
    board: Board,
    numbers: HashMap<Placement, NodeId, foldhash::fast::FixedState>,
    list: Vec<Node>,
    tables: Tables,
    /// Distances with the king in sight, for endings with one man.
    distances: Vec<Distances>,
    /// The guided round: what an earlier one did not find is not held against this one.
    round: u64,
    /// Placements whose attempts were worked out, which take the memory, and how many of them may stay from search to search.
    expanded: usize,
    pub(super) room: usize,
}

/// One placement.
#[derive(Debug)]
pub(super) struct Node {
    placement: Placement,
    leaf: Leaf,
    /// The tables of single men on this placement, as if the others were not there.
    guides: Vec<TableSlot>,
    edges: Option<Arc<[Edge]>>,
    /// Sets with a forced mate within so many moves. A guided search proves them as well as any.
    won: Vec<(Mask, u16)>,
    /// Sets proved to have none within so many moves, every attempt having been looked at.
    lost: Vec<(Mask, u16)>,
    /// Sets for which the guides' attempts did not do, in one guided round. This proves nothing.
    missed: Vec<(Mask, u16)>,
    /// The round of `missed`.
    round: u64,
}

/// What is known of a placement without searching.
#[derive(Debug)]
enum Leaf {
    /// Nothing: it must be searched.
    Open,
    /// White cannot mate.
    Dead,
    /// A table answers.
    Table(TableSlot),
}

/// A placement's seat in a table.
#[derive(Debug)]
struct TableSlot {
    table: Arc<Table>,
    number: usize,
    symmetry: Symmetry,
}

impl TableSlot {
    fn find(tables: &Tables, placement: &Placement) -> Option<TableSlot> {
        tables.all().iter().find_map(|table| {
            let (number, symmetry) = table.index().find(placement)?;
            Some(TableSlot { table: Arc::clone(table), number, symmetry })
        })
    }

    fn mate_in(&self, set: Mask) -> Option<u16> {
        let set = self.symmetry.apply(self.table.index().board(), set);
        self.table.best_of(self.number, set).map(|entry| entry.depth)
    }
}

/// An attempt and the placement it leads to.
#[derive(Debug)]
pub(super) struct Edge {
    pub(super) effect: AttemptEffect,
    pub(super) after: NodeId,
}

impl SearchGraph {
    pub(super) fn new(board: Board, tables: Tables) -> SearchGraph {
        SearchGraph {
            board,
            tables,
            numbers: HashMap::with_hasher(foldhash::fast::FixedState::default()),
            list: Vec::new(),
            distances: Vec::new(),
            round: 0,
            expanded: 0,
            room: ROOM,
        }
    }

    /// Forgets all placements; tables and distances stay.
    pub(super) fn forget(&mut self) {
        self.numbers = HashMap::default();
        self.list = Vec::new();
        (self.round, self.expanded) = (0, 0);
    }

    pub(super) fn number(&mut self, placement: &Placement) -> NodeId {
        if let Some(&number) = self.numbers.get(placement) {
            return number;
        }
        let leaf = match TableSlot::find(&self.tables, placement) {
            Some(slot) => Leaf::Table(slot),
            None if placement.ending().is_dead() => Leaf::Dead,
            None => Leaf::Open,
        };
        let single = |&man| Placement::new(self.board, placement.king(), [man]).ok();
        let guides = placement
            .men()
            .iter()
            .filter_map(single)
            .filter_map(|men| TableSlot::find(&self.tables, &men))
            .collect();
        let number = self.list.len() as NodeId;
        self.numbers.insert(placement.clone(), number);
        self.list.push(Node {
            placement: placement.clone(),
            leaf,
            guides,
            edges: None,
            won: Vec::new(),
            lost: Vec::new(),
            missed: Vec::new(),
            round: self.round,
        });
        number
    }

    /// What the tables know of a set.
    pub(super) fn known(&self, number: NodeId, set: Mask) -> TableKnowledge {
        match &self.list[number as usize].leaf {
            Leaf::Open => TableKnowledge::Nothing,
            Leaf::Dead => TableKnowledge::NotForced,
            Leaf::Table(place) => place.mate_in(set).map_or(TableKnowledge::NotForced, TableKnowledge::Mate),
        }
    }

    /// The number of moves that the most useful man would need alone, by his table: a guide, not a bound in either
    /// direction, for the others may help or stand in the way. `None` if none of them could do it.
    pub(super) fn estimate(&self, number: NodeId, set: Mask) -> Option<u16> {
        match self.known(number, set) {
            TableKnowledge::Mate(moves) => Some(moves),
            _ => self.list[number as usize].guides.iter().filter_map(|slot| slot.mate_in(set)).min(),
        }
    }

    pub(super) fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The attempts of a placement.
    pub(super) fn edges(&mut self, number: NodeId) -> Arc<[Edge]> {
        if let Some(edges) = &self.list[number as usize].edges {
            return Arc::clone(edges);
        }
        let effects = AttemptEffect::all(self.board, &self.list[number as usize].placement);
        let edges: Arc<[Edge]> =
            effects.into_iter().map(|effect| Edge { after: self.number(&effect.after), effect }).collect();
        self.list[number as usize].edges = Some(Arc::clone(&edges));
        self.expanded += 1;
        edges
    }

    /// A known won set that contains `set`, with its number of moves, if that is at most `moves`.
    pub(super) fn won(&self, number: NodeId, set: Mask, moves: u16) -> Option<(Mask, u16)> {
        let known = &self.list[number as usize].won;
        known.iter().copied().find(|&(mask, within)| within <= moves && set & !mask == 0)
    }

    /// Whether a set that is lost lies within `set`: proved for an exact search, missed in this round for a guided one.
    pub(super) fn is_lost(&self, number: NodeId, set: Mask, moves: u16, mode: Mode) -> bool {
        let node = &self.list[number as usize];
        let is_in =
            |known: &[(Mask, u16)]| known.iter().any(|&(mask, within)| within >= moves && mask & !set == 0);
        let is_missed = || node.round == self.round && is_in(&node.missed);
        is_in(&node.lost) || (mode != Mode::Exact && is_missed())
    }

    pub(super) fn add_won(&mut self, number: NodeId, set: Mask, moves: u16) {
        let known = &mut self.list[number as usize].won;
        known.retain(|&(mask, within)| within < moves || mask & !set != 0);
        known.push((set, moves));
    }

    /// Keeps that a search in this mode found no mate within `moves`.
    pub(super) fn add_lost(&mut self, number: NodeId, set: Mask, moves: u16, mode: Mode) {
        let node = &mut self.list[number as usize];
        if mode != Mode::Exact && node.round != self.round {
            node.missed.clear();
            node.round = self.round;
        }
        let known = if mode == Mode::Exact { &mut node.lost } else { &mut node.missed };
        known.retain(|&(mask, within)| within > moves || set & !mask != 0);
        known.push((set, moves));
    }

    /// Begins a guided round: what was missed under one guide holds for no other.
    pub(super) fn begin_round(&mut self) {
        self.round += 1;
    }

    /// Forgets everything when it has become too much.
    pub(super) fn make_room(&mut self) {
        if self.expanded > self.room {
            self.forget();
        }
    }

    /// A number of moves below which no mate can be: the distance of the worst square with the king in sight.
    pub(super) fn at_least(&mut self, placement: &Placement, set: Mask) -> u16 {
        if placement.men().len() != 1 {
            return 1;
        }
        let ending = placement.ending();
        let at = match self.distances.iter().position(|d| d.index().ending() == &ending) {
            Some(at) => at,
            None => match Distances::new(self.board, &ending) {
                Some(distances) => {
                    self.distances.push(distances);
                    self.distances.len() - 1
                }
                None => return 1,
            },
        };
        self.distances[at].worst(placement, set).unwrap_or(1)
    }

    /// As [`SearchGraph::at_least`] for a numbered placement, without computing anything anew.
    pub(super) fn bound(&self, number: NodeId, set: Mask) -> u16 {
        let placement = &self.list[number as usize].placement;
        let worst = |distances: &Distances| distances.worst(placement, set);
        if placement.men().len() == 1 { self.distances.iter().find_map(worst).unwrap_or(1) } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::bit;

    #[test]
    fn what_a_guided_round_missed_is_held_against_no_other_search() {
        let mut graph = SearchGraph::new(Board::CHESS, Tables::new());
        let number = graph.number(&Placement::parse(Board::CHESS, "Ke3 Rd2 Rb8").unwrap());
        let (small, large) =
            (bit(shakmaty::Square::H1), bit(shakmaty::Square::H1) | bit(shakmaty::Square::H5));
        let guided = Mode::Guided { slack: 0 };
        graph.begin_round();
        graph.add_lost(number, small, 4, guided);
        assert!(graph.is_lost(number, large, 3, guided) && !graph.is_lost(number, large, 5, guided));
        assert!(!graph.is_lost(number, large, 3, Mode::Exact));
        graph.begin_round();
        assert!(!graph.is_lost(number, large, 3, guided));
        // A proof holds in every round.
        graph.add_lost(number, small, 2, Mode::Exact);
        graph.add_lost(number, small, 4, guided);
        graph.begin_round();
        assert!(graph.is_lost(number, large, 2, guided) && graph.is_lost(number, large, 2, Mode::Exact));
        assert!(!graph.is_lost(number, large, 3, guided));
    }
}
