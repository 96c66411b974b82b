//! The one question people ask: how long to mate, and what to try. Answered from a table where there is one or one is
//! quickly built, by search where not.

use std::time::{Duration, Instant};

use nebel_kriegspiel::Attempt;

use crate::advice::{TableKnowledge, Tables, Tie};
use crate::board::Mask;
use crate::material::{Ending, MAX_MEN};
use crate::online::{MateVerdict, Solver, SolverLimits};
use crate::placement::Placement;
use crate::store::{Progress, Store, StoreError};

/// What is known of a king somewhere in a set of squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probed {
    /// A forced mate, within this number of moves, and its first attempt.
    pub mate: Option<(u16, Attempt)>,
    /// No mate can be forced within this number of moves; [`u16::MAX`] if none can be at all.
    pub not_within: u16,
    /// Whether a search ran out of time before it had proved a number.
    pub stopped: bool,
}

impl Probed {
    /// Whether the number, or that there is none, is proved.
    pub fn is_exact(&self) -> bool {
        match self.mate {
            Some((moves, _)) => self.not_within.checked_add(1) == Some(moves),
            None => self.not_within == u16::MAX,
        }
    }

    /// The answer of tables.
    fn by_tables(tables: &Tables, placement: &Placement, set: Mask, tie: Tie) -> Probed {
        let advice = tables.advise(placement, set, tie);
        let not_within = match tables.known(placement, set) {
            TableKnowledge::NotForced => u16::MAX,
            TableKnowledge::Mate(moves) => moves.saturating_sub(1),
            TableKnowledge::AtMost(_) | TableKnowledge::Nothing => 0,
        };
        let mate = advice.map(|advice| (advice.mate_in, advice.attempt));
        Probed { mate, not_within, stopped: false }
    }
}

/// Asks tables, or searches for so long where there is none. Tables that are quickly built are built and kept.
pub fn probe(
    store: &Store,
    placement: &Placement,
    set: Mask,
    tie: Tie,
    limit: Duration,
    progress: &mut dyn FnMut(Progress),
) -> Result<Probed, StoreError> {
    let ending = placement.ending();
    if ending.is_dead() {
        return Ok(Probed { mate: None, not_within: u16::MAX, stopped: false });
    }
    match tables_of(store, &ending, progress)? {
        Some(tables) => Ok(Probed::by_tables(&tables, placement, set, tie)),
        None => probe_by_search(store, placement, set, limit, progress),
    }
}

/// The tables that answer for an ending, merged ones if there are no others; none where a search must.
pub fn tables_of(
    store: &Store,
    ending: &Ending,
    progress: &mut dyn FnMut(Progress),
) -> Result<Option<Tables>, StoreError> {
    if ending.men().len() > MAX_MEN {
        return Ok(None);
    }
    let is_built = store.path(ending).is_file();
    if !is_built && store.merged_path(ending).is_file() {
        return store.open_merged_or_build(ending, progress).map(Some);
    }
    if ending.is_quick() || is_built {
        return store.open_or_build(ending, progress).map(Some);
    }
    Ok(None)
}

/// Searches with the tables of single men as leaves and guides: first any win, then the shortest.
pub fn probe_by_search(
    store: &Store,
    placement: &Placement,
    set: Mask,
    limit: Duration,
    progress: &mut dyn FnMut(Progress),
) -> Result<Probed, StoreError> {
    use shakmaty::Role::{Bishop, Knight, Pawn};
    let mut tables = Tables::new();
    for men in [&[Pawn][..], &[Bishop, Bishop], &[Bishop, Knight]] {
        let ending = Ending::new(men.iter().copied());
        // The tables of single men are quickly built; others help where they are.
        if men.len() == 1 || store.path(&ending).is_file() {
            let more = store.open_or_build(&ending, progress)?;
            more.all().iter().for_each(|table| tables.add(table.clone()));
        }
    }
    let mut solver = Solver::new(tables);
    let start = Instant::now();
    let until = |share: u32| SolverLimits {
        deadline: Some(start + limit / share),
        stop: Some(store.stop_flag()),
        ..SolverLimits::default()
    };
    let some = match solver.any(placement, set, until(2)) {
        MateVerdict::Mate { moves, attempt } => Some((moves, attempt)),
        MateVerdict::NotWithin(_) | MateVerdict::Stopped(_) => None,
    };
    Ok(match solver.shortest(placement, set, until(1)) {
        MateVerdict::Mate { moves, attempt } => {
            Probed { mate: Some((moves, attempt)), not_within: moves - 1, stopped: false }
        }
        MateVerdict::NotWithin(not_within) => Probed { mate: some, not_within, stopped: false },
        MateVerdict::Stopped(not_within) => {
            let found = Probed { mate: some, not_within, stopped: true };
            Probed { stopped: !found.is_exact(), ..found }
        }
    })
}
