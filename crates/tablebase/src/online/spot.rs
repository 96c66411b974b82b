//! What the search knows of each placement it has met.

use std::sync::Arc;

use hashbrown::HashMap;

use super::distance::Distances;
use crate::advice::{Known, Tables};
use crate::board::{Board, Mask, Symmetry};
use crate::placement::Placement;
use crate::table::Table;
use crate::turn::Turn;

/// A number of a placement within a search.
pub(super) type SpotId = u32;

/// All placements met, with their attempts and the sets known to be won or lost.
#[derive(Debug)]
pub(super) struct Spots {
    board: Board,
    numbers: HashMap<Placement, SpotId, foldhash::fast::FixedState>,
    list: Vec<Spot>,
    tables: Tables,
    /// Distances with the king in sight, for endings with one man.
    distances: Vec<Distances>,
    /// Losses of another era are forgotten.
    era: u32,
}

/// One placement.
#[derive(Debug)]
pub(super) struct Spot {
    placement: Placement,
    leaf: Leaf,
    /// The tables of single men on this placement, as if the others were not there.
    guides: Vec<Seat>,
    lines: Option<Arc<[Line]>>,
    won: Vec<(Mask, u16)>,
    lost: Vec<(Mask, u16)>,
    era: u32,
}

/// What is known of a placement without searching.
#[derive(Debug)]
enum Leaf {
    /// Nothing: it must be searched.
    Open,
    /// White cannot mate.
    Dead,
    /// A table answers.
    Table(Seat),
}

/// A placement's seat in a table.
#[derive(Debug)]
struct Seat {
    table: Arc<Table>,
    number: usize,
    symmetry: Symmetry,
}

impl Seat {
    fn find(tables: &Tables, placement: &Placement) -> Option<Seat> {
        tables.all().iter().find_map(|table| {
            let (number, symmetry) = table.index().find(placement)?;
            Some(Seat { table: Arc::clone(table), number, symmetry })
        })
    }

    fn mate_in(&self, set: Mask) -> Option<u16> {
        let set = self.symmetry.apply(self.table.index().board(), set);
        self.table.best_of(self.number, set).map(|entry| entry.depth)
    }
}

/// An attempt and the placement it leads to.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) turn: Turn,
    pub(super) after: SpotId,
}

impl Spots {
    pub(super) fn new(board: Board, tables: Tables) -> Spots {
        Spots {
            board,
            tables,
            numbers: HashMap::with_hasher(foldhash::fast::FixedState::default()),
            list: Vec::new(),
            distances: Vec::new(),
            era: 0,
        }
    }

    pub(super) fn number(&mut self, placement: &Placement) -> SpotId {
        if let Some(&number) = self.numbers.get(placement) {
            return number;
        }
        let leaf = match Seat::find(&self.tables, placement) {
            Some(seat) => Leaf::Table(seat),
            None if placement.ending().is_dead() => Leaf::Dead,
            None => Leaf::Open,
        };
        let single = |&man| Placement::new(self.board, placement.king(), [man]).ok();
        let guides = placement
            .men()
            .iter()
            .filter_map(single)
            .filter_map(|men| Seat::find(&self.tables, &men))
            .collect();
        let number = self.list.len() as SpotId;
        self.numbers.insert(placement.clone(), number);
        self.list.push(Spot {
            placement: placement.clone(),
            leaf,
            guides,
            lines: None,
            won: Vec::new(),
            lost: Vec::new(),
            era: self.era,
        });
        number
    }

    /// What the tables know of a set.
    pub(super) fn known(&self, number: SpotId, set: Mask) -> Known {
        match &self.list[number as usize].leaf {
            Leaf::Open => Known::Nothing,
            Leaf::Dead => Known::NotForced,
            Leaf::Table(place) => place.mate_in(set).map_or(Known::NotForced, Known::Mate),
        }
    }

    /// The number of moves that the most useful man would need alone, by his table: a guide, not a bound in either
    /// direction, for the others may help or stand in the way. `None` if none of them could do it.
    pub(super) fn estimate(&self, number: SpotId, set: Mask) -> Option<u16> {
        match self.known(number, set) {
            Known::Mate(moves) => Some(moves),
            _ => self.list[number as usize].guides.iter().filter_map(|seat| seat.mate_in(set)).min(),
        }
    }

    pub(super) fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The attempts of a placement.
    pub(super) fn lines(&mut self, number: SpotId) -> Arc<[Line]> {
        if let Some(lines) = &self.list[number as usize].lines {
            return Arc::clone(lines);
        }
        let turns = Turn::all(self.board, &self.list[number as usize].placement);
        let lines: Arc<[Line]> =
            turns.into_iter().map(|turn| Line { after: self.number(&turn.after), turn }).collect();
        self.list[number as usize].lines = Some(Arc::clone(&lines));
        lines
    }

    /// A known won set that contains `set`, with its number of moves, if that is at most `moves`.
    pub(super) fn won(&self, number: SpotId, set: Mask, moves: u16) -> Option<(Mask, u16)> {
        let known = &self.list[number as usize].won;
        known.iter().copied().find(|&(mask, within)| within <= moves && set & !mask == 0)
    }

    /// Whether a known lost set lies within `set`.
    pub(super) fn is_lost(&self, number: SpotId, set: Mask, moves: u16) -> bool {
        let known = &self.list[number as usize].lost;
        known.iter().any(|&(mask, within)| within >= moves && mask & !set == 0)
    }

    pub(super) fn add_won(&mut self, number: SpotId, set: Mask, moves: u16) {
        let known = &mut self.list[number as usize].won;
        known.retain(|&(mask, within)| within < moves || mask & !set != 0);
        known.push((set, moves));
    }

    pub(super) fn add_lost(&mut self, number: SpotId, set: Mask, moves: u16) {
        let spot = &mut self.list[number as usize];
        if spot.era != self.era {
            spot.lost.clear();
            spot.era = self.era;
        }
        let known = &mut spot.lost;
        known.retain(|&(mask, within)| within > moves || set & !mask != 0);
        known.push((set, moves));
    }

    /// Losses found under a guide hold only for that guide.
    pub(super) fn forget_losses(&mut self) {
        self.era = self.era.wrapping_add(1);
    }

    /// Forgets everything when it has become too much: some gigabytes at the most.
    pub(super) fn make_room(&mut self) {
        const MOST: usize = 200_000;
        if self.list.len() > MOST {
            self.list.clear();
            self.numbers.clear();
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

    /// As [`Spots::at_least`] for a numbered placement, without computing anything anew.
    pub(super) fn bound(&self, number: SpotId, set: Mask) -> u16 {
        let placement = &self.list[number as usize].placement;
        let worst = |distances: &Distances| distances.worst(placement, set);
        if placement.men().len() == 1 { self.distances.iter().find_map(worst).unwrap_or(1) } else { 1 }
    }
}
