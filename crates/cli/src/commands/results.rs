//! `nebel results`: the games of a store, listed, filtered, exported.

use std::{io::Write, path::PathBuf};

use nebel_arena::store::{Row, Store};
use nebel_kriegspiel::{json, pgn};
use serde_json::{Value, json};

use crate::{args::OutputArg, commands::arena::store_failure, failure::Failure, input};

/// List, filter and export the games of a store.
#[derive(clap::Args, Debug)]
pub(crate) struct ResultsArgs {
    /// The store that `nebel match --store` wrote.
    store: PathBuf,
    /// Only this match (its number in the list of matches).
    #[arg(long = "match", value_name = "N")]
    of_match: Option<i64>,
    /// Only games with this player.
    #[arg(long, value_name = "SPEC")]
    player: Option<String>,
    /// Only games that ended so (checkmate, stalemate, …).
    #[arg(long, value_name = "REASON")]
    reason: Option<String>,
    /// Write the games: one JSON object with its events a line, Kriegspiel PGN, or a table.
    #[arg(long, value_name = "FORM")]
    export: Option<Export>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    output: OutputArg,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Export {
    /// JSON Lines: a game a line, `{"game":…,"events":[…]}`.
    Jsonl,
    /// Kriegspiel PGN.
    Pgn,
    /// Comma-separated values, without the moves.
    Csv,
}

/// Lists or exports.
pub(crate) fn run(args: &ResultsArgs) -> Result<(), Failure> {
    let place = input::place(&args.store);
    if !args.store.is_file() {
        return Err(Failure::input(&place, "no such file"));
    }
    let store = Store::open(&args.store).map_err(|error| store_failure(&place, error))?;
    let mut text = Vec::new();
    if args.export.is_none() {
        let matches = store.matches().map_err(|error| store_failure(&place, error))?;
        for (id, terms, games) in matches {
            if args.json {
                writeln!(text, "{}", json!({"match": id, "games": games, "terms": terms}))?;
            } else {
                let players = terms["players"].as_array().map(Vec::as_slice).unwrap_or_default();
                let players: Vec<&str> = players.iter().filter_map(Value::as_str).collect();
                let rules = terms["rules"]["name"].as_str().unwrap_or("?");
                let time = terms["time"].as_str().unwrap_or("?");
                writeln!(text, "match {id}: {} ({rules}, {time}), {games} games", players.join(" – "))?;
            }
        }
        return args.output.write(&text);
    }
    let rows = store.games(args.of_match).map_err(|error| store_failure(&place, error))?;
    let rows = rows.into_iter().filter(|row| args.wants(row));
    match args.export {
        Some(Export::Csv) => {
            writeln!(
                text,
                "match,game,white,black,result,reason,plies,white_ms,black_ms,white_refusals,black_refusals"
            )?;
            rows.into_iter().try_for_each(|row| write_csv(&row, &mut text))?;
        }
        Some(Export::Pgn) => {
            for row in rows {
                let record = json::read(row.transcript.as_bytes());
                let record = record
                    .map_err(|error| Failure::input(&place, format_args!("game {}: {error}", row.number)))?;
                pgn::write(&record, &mut text)?;
            }
        }
        _ => {
            for row in rows {
                let mut lines =
                    row.transcript.lines().map(|line| serde_json::from_str(line).unwrap_or(Value::Null));
                let header = lines.next().unwrap_or(Value::Null);
                let events: Vec<Value> = lines.collect();
                let game =
                    json!({"match": row.match_id, "game": row.number, "header": header, "events": events});
                writeln!(text, "{game}")?;
            }
        }
    }
    args.output.write(&text)
}

impl ResultsArgs {
    fn wants(&self, row: &Row) -> bool {
        let plays = |spec: &String| row.white == *spec || row.black == *spec;
        self.player.as_ref().is_none_or(plays)
            && self.reason.as_ref().is_none_or(|reason| row.over.reason.as_str() == reason)
    }
}

fn write_csv(row: &Row, out: &mut Vec<u8>) -> std::io::Result<()> {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    writeln!(
        out,
        "{},{},{},{},{},{},{},{},{},{},{}",
        row.match_id,
        row.number,
        quoted(&row.white),
        quoted(&row.black),
        row.over.result.as_str(),
        row.over.reason.as_str(),
        row.plies,
        row.white_account.time.as_millis(),
        row.black_account.time.as_millis(),
        row.white_account.refusals,
        row.black_account.refusals,
    )
}
