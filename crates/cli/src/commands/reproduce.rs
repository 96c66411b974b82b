//! `nebel reproduce`: the papers' figures and tables, ours beside theirs.

use std::{fs, io::Write, path::PathBuf, sync::Arc};

use nebel_tablebase::{
    Board, Chains, Ending, Store, Tables,
    report::{Krk, survey},
    solve, solve_with,
};

use super::tablebase::{self, DirectoryArg};
use crate::failure::Failure;

/// The papers' figures and tables: data, drawings, and a page that puts ours beside theirs.
#[derive(clap::Args, Debug)]
pub(crate) struct ReproduceArgs {
    /// What to reproduce.
    #[arg(value_enum, value_name = "FIGURE")]
    figure: Figure,
    /// Only what takes seconds: KRK itself, without the games and without other endings that are not built yet.
    #[arg(long)]
    quick: bool,
    /// Where to write the page and its figures [default: a directory named after the figure].
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    directory: DirectoryArg,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Figure {
    /// Ciancarini & Favini 2009: king and rook against king, and the other endings.
    Krk,
}

/// Writes the page.
pub(crate) fn run(args: &ReproduceArgs) -> Result<(), Failure> {
    match args.figure {
        Figure::Krk => krk(args),
    }
}

fn krk(args: &ReproduceArgs) -> Result<(), Failure> {
    let folder = args.output.clone().unwrap_or_else(|| PathBuf::from("krk"));
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
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text)
            .map_err(|error| Failure::Run(anyhow::Error::new(error).context(path.display().to_string())))
    };
    fs::create_dir_all(&folder)
        .map_err(|error| Failure::Run(anyhow::Error::new(error).context(folder.display().to_string())))?;
    for (name, text) in &page.files {
        write(name, text)?;
    }
    let data = serde_json::json!({
        "depths": depths.iter().map(|d| serde_json::json!({"depth": d.depth, "entries": d.entries, "passes": d.passes})).collect::<Vec<_>>(),
        "endings": surveys,
    });
    write("krk.json", &format!("{data:#}\n"))?;
    write("krk.md", &page.text)?;
    Ok(writeln!(std::io::stdout(), "{}", folder.join("krk.md").display())?)
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
