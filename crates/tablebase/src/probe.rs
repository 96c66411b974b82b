//! The one question people ask: how long to mate, and what to try. Answered from a table where there is one or one is
//! quickly built, by search where not.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::advice::{Tables, Tie};
use crate::board::Mask;
use crate::material::{Ending, MAX_MEN};
use crate::online::{Limits, Solver, Verdict};
use crate::placement::Placement;
use crate::store::{Progress, Store, StoreError};
use crate::table::Table;
use crate::turn::Attempt;

/// What is known of a king somewhere in a set of squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probed {
    /// The mate and its first attempt.
    pub mate: Option<(u16, Attempt)>,
    /// Whether the number, or that there is none, is proved.
    pub exact: bool,
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
        return Ok(Probed { mate: None, exact: true });
    }
    match tables_of(store, &ending, progress)? {
        Some((tables, exact)) => {
            let advice = tables.advise(placement, set, tie);
            let exact = exact || advice.is_none();
            Ok(Probed { mate: advice.map(|advice| (advice.mate_in, advice.attempt)), exact })
        }
        None => probe_by_search(store, placement, set, limit, progress),
    }
}

/// The tables that answer for an ending, and whether their numbers are exact; none where a search must.
pub fn tables_of(
    store: &Store,
    ending: &Ending,
    progress: &mut dyn FnMut(Progress),
) -> Result<Option<(Tables, bool)>, StoreError> {
    if ending.men().len() > MAX_MEN {
        return Ok(None);
    }
    let merged = store.merged_path(ending);
    if !store.path(ending).is_file() && merged.is_file() {
        let mut tables = Tables::new();
        tables.add(Arc::new(Table::open(&merged)?));
        return Ok(Some((tables, false)));
    }
    if ending.is_quick() || store.path(ending).is_file() {
        return Ok(Some((store.open_or_build(ending, progress)?, true)));
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
    let until = |share: u32| Limits { deadline: Some(start + limit / share), ..Limits::default() };
    let some = match solver.any(placement, set, until(2)) {
        Verdict::Mate { moves, attempt } => Some((moves, attempt)),
        Verdict::NotWithin(_) | Verdict::Stopped(_) => None,
    };
    Ok(match solver.shortest(placement, set, until(1)) {
        Verdict::Mate { moves, attempt } => Probed { mate: Some((moves, attempt)), exact: true },
        Verdict::NotWithin(u16::MAX) => Probed { mate: None, exact: true },
        Verdict::NotWithin(_) | Verdict::Stopped(_) => Probed { mate: some, exact: false },
    })
}
