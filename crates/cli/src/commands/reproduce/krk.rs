//! `nebel reproduce krk`: Ciancarini and Favini (2009), and the other endings.

use std::{path::PathBuf, sync::Arc};

use nebel_tablebase::{
    Board, Chains, Ending, Store, Tables,
    report::{Krk, survey},
    solve, solve_with,
};

use super::write_page;
use crate::commands::tablebase::{self, DirectoryArg};
use crate::failure::Failure;

/// King and rook against king, and the other endings.
#[derive(clap::Args, Debug)]
pub(crate) struct KrkArgs {
    /// Only what takes seconds: KRK itself, without the games and without other endings that are not built yet.
    #[arg(long)]
    quick: bool,
    /// Where to write the page and its figures.
    #[arg(long, short, value_name = "DIR", default_value = "krk")]
    output: PathBuf,
    #[command(flatten)]
    directory: DirectoryArg,
}

/// Writes the page.
pub(super) fn run(args: &KrkArgs) -> Result<(), Failure> {
    let store = args.directory.existing()?;
    let krk: Ending = tablebase::ending("KRK")?;
    let too_many = || Failure::Run(anyhow::anyhow!("the table has too many entries"));
    let mut depths = Vec::new();
    let table = solve(Board::CHESS, &krk, &[], |depth| depths.push(depth)).ok_or_else(too_many)?;
    let mut cut = Vec::new();
    for links in [2, 1] {
        let table =
            solve_with(Board::CHESS, &krk, &[], Chains::AtMost(links), |_| {}).ok_or_else(too_many)?;
        cut.push((links, table));
    }
    let mut tables = Tables::new();
    tables.add(Arc::new(table));
    let mut surveys = Vec::new();
    for name in ENDINGS {
        let ending = tablebase::ending(name)?;
        if ending == krk {
            surveys.extend(tables.get(&krk).map(|table| survey(table)));
        } else if let Some(found) = other(&store, &ending, args.quick)? {
            surveys.push(found);
        }
    }
    let more = if args.quick { String::new() } else { nebel_tablebase::report::games(&tables) };
    let report = Krk { tables: &tables, depths: &depths, cut: &cut, surveys: &surveys, more };
    let page = report.page().ok_or_else(too_many)?;
    let data = serde_json::json!({
        "depths": depths.iter().map(|d| serde_json::json!({"depth": d.depth, "entries": d.entries, "passes": d.passes})).collect::<Vec<_>>(),
        "endings": surveys,
    });
    let data = format!("{data:#}\n");
    let files = page.files.iter().map(|(name, text)| (&**name, &**text));
    write_page(&args.output, files.chain([("krk.json", &*data)]), ("krk.md", &page.text))
}

/// The endings of the report, in its order.
const ENDINGS: [&str; 18] = [
    "KRK", "KQK", "KPK", "KBBK", "KBNK", "KNNK", "KRRK", "KQRK", "KQQK", "KRBK", "KRNK", "KQBK", "KQNK",
    "KBPK", "KRPK", "KNPK", "KQPK", "KPPK",
];

/// An ending whose table is at hand, or quick to make.
fn other(
    store: &Store,
    ending: &Ending,
    quick: bool,
) -> Result<Option<nebel_tablebase::report::Survey>, Failure> {
    let seconds = matches!(ending.to_string().as_str(), "KQK" | "KPK");
    if !store.path(ending).is_file() {
        if quick || !seconds {
            eprintln!("nebel: {ending} is left out; `nebel tablebase build {ending}` adds it");
            return Ok(None);
        }
        store.open_or_build(ending, &mut tablebase::note).map_err(tablebase::failure)?;
    }
    match store.open(ending) {
        Ok(table) => Ok(Some(survey(&table))),
        Err(error) => Err(tablebase::failure(error)),
    }
}
