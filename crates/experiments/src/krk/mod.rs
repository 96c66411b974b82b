//! Ciancarini and Favini (2009), *Solving Kriegspiel endings with brute force: the case of KR vs. K*, and the other
//! endings: tables by depth, the paper's figures, our numbers beside theirs.
//!
//! Everything is computed from tables when the page is made; the only numbers written down are the paper's own, to
//! stand beside ours.
//!
//! | what | module |
//! |---|---|
//! | the page, with the boards of Figures 1 and 3 | `page` |
//! | the algorithm of Figure 2 by the letter, and readings of what it leaves open | [`figure2`], [`readings()`] |
//! | longest lines, played out | `line` |
//! | one line an ending | `survey` |
//! | games from the classical starts: the table, and baselines after Boyce and Magari | `games`, [`methods`] |

pub mod figure2;
mod games;
mod line;
pub mod methods;
mod page;
mod reading;
mod readings;
mod survey;

use std::sync::{Arc, atomic::AtomicBool};

use nebel_tablebase::{
    Board, Chains, Depth, Ending, Progress, Store, StoreError, Table, Tables, solve, solve_with,
};
use shakmaty::Role::{self, Bishop, Knight, Pawn, Queen, Rook};
use thiserror::Error;

use self::page::Report;
pub use self::{
    games::games,
    line::{LineMove, longest_line},
    readings::readings,
    survey::{Survey, survey},
};
use crate::Page;

/// How much of the page is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Only what takes seconds: no games, no ending whose table is not at hand.
    Quick,
    /// All of it, with small tables built on the way.
    Whole,
}

/// The experiment.
#[derive(Debug)]
pub struct Krk<'a> {
    /// Where tables of the other endings are.
    pub store: &'a Store,
    /// How much is made.
    pub extent: Extent,
}

/// What happens on the way.
#[derive(Debug)]
pub enum News<'a> {
    /// An ending is left out, for its table is not at hand.
    LeftOut(&'a Ending),
    /// A small table is being built.
    Building(Progress<'a>),
}

/// Why there is no page.
#[derive(Debug, Error)]
pub enum KrkError {
    /// A table cannot be indexed.
    #[error("the table has too many entries")]
    TooMany,
    /// A table at hand cannot be used, or one cannot be built.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The endings of the page besides KRK, which comes first, in its order.
const OTHERS: [&[Role]; 17] = [
    &[Queen],
    &[Pawn],
    &[Bishop, Bishop],
    &[Bishop, Knight],
    &[Knight, Knight],
    &[Rook, Rook],
    &[Queen, Rook],
    &[Queen, Queen],
    &[Rook, Bishop],
    &[Rook, Knight],
    &[Queen, Bishop],
    &[Queen, Knight],
    &[Bishop, Pawn],
    &[Rook, Pawn],
    &[Knight, Pawn],
    &[Queen, Pawn],
    &[Pawn, Pawn],
];

/// Other ways to count refusals within a depth, each with the head of its column. What the paper does is in [`figure2`].
const READINGS: [(&str, Chains); 4] = [
    ("chains cut after 2", Chains::AtMost(2)),
    ("chains cut after 1", Chains::AtMost(1)),
    ("after 1, the rest a move later", Chains::Carried(1)),
    ("every refusal costs a move", Chains::Carried(0)),
];

impl Krk<'_> {
    /// Solves KRK, looks at the other endings, and writes the page with its data.
    pub fn run(&self, mut hear: impl FnMut(News<'_>)) -> Result<Page, KrkError> {
        let krk = Ending::new([Rook]);
        let mut depths = Vec::new();
        let table = solve(Board::CHESS, &krk, &[], |depth| depths.push(depth)).ok_or(KrkError::TooMany)?;
        let mut readings: Vec<(&str, Table)> = Vec::new();
        for (head, chains) in READINGS {
            let table = solve_with(Board::CHESS, &krk, &[], chains, &AtomicBool::new(false), |_| {});
            readings.push((head, table.ok_or(KrkError::TooMany)?));
        }
        let mut surveys = vec![survey(&table)];
        for men in OTHERS {
            let ending = Ending::new(men.iter().copied());
            surveys.extend(self.other(&ending, &mut hear)?);
        }
        let mut tables = Tables::new();
        tables.add(Arc::new(table));
        let more = match self.extent {
            Extent::Quick => String::new(),
            Extent::Whole => games(&tables),
        };
        let report =
            Report { tables: &tables, depths: &depths, readings: &readings, surveys: &surveys, more };
        let mut page = report.page().ok_or(KrkError::TooMany)?;
        page.files.push(("krk.json".to_owned(), data(&depths, &surveys)));
        Ok(page)
    }

    /// An ending whose table is at hand, or quick to make.
    fn other(&self, ending: &Ending, hear: &mut impl FnMut(News<'_>)) -> Result<Option<Survey>, KrkError> {
        let takes_seconds = matches!(ending.men(), [Queen | Pawn]);
        if !self.store.path(ending).is_file() {
            if self.extent == Extent::Quick || !takes_seconds {
                hear(News::LeftOut(ending));
                return Ok(None);
            }
            self.store.open_or_build(ending, &mut |progress| hear(News::Building(progress)))?;
        }
        Ok(Some(survey(&self.store.open(ending)?)))
    }
}

/// The numbers of the page for programs.
fn data(depths: &[Depth], surveys: &[Survey]) -> String {
    let depth = |depth: &Depth| serde_json::json!({"depth": depth.depth, "entries": depth.entries, "passes": depth.passes});
    let data = serde_json::json!({
        "depths": depths.iter().map(depth).collect::<Vec<_>>(),
        "endings": surveys,
    });
    format!("{data:#}\n")
}
