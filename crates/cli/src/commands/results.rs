//! `nebel results`: the games of a store, listed, filtered, exported.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use nebel_arena::{
    rating::{Elo, elo},
    standing,
    store::{Row, Store},
};
use nebel_experiments::course;
use nebel_kriegspiel::{json, pgn, transcript::Record};
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
    /// Draw the score of a match over time (its first player's) into this SVG file.
    #[arg(long, value_name = "FILE", requires = "of_match")]
    curve: Option<PathBuf>,
    /// Write the games: transcripts one after the other, Kriegspiel PGN, or a table.
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
    /// JSON Lines: transcripts one after the other, each beginning with its header.
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
    let store = Store::open_to_read(&args.store).map_err(|error| store_failure(&place, error))?;
    let fail = |error| store_failure(&place, error);
    let mut matches = store.matches().map_err(fail)?;
    if let Some(wanted) = args.of_match {
        matches.retain(|(id, ..)| *id == wanted);
        if matches.is_empty() {
            return Err(Failure::input(&place, format_args!("there is no match {wanted}")));
        }
    }
    let rows = store.games(args.of_match).map_err(fail)?;
    if let (Some(path), Some((_, terms, _))) = (&args.curve, matches.first()) {
        return draw_curve(terms, &rows, path);
    }
    let mut text = Vec::new();
    if args.export.is_none() {
        list_matches(&matches, &rows, args.json, &mut text)?;
        if !args.is_filtered() {
            return args.output.write(&text);
        }
    }
    let rows = rows.into_iter().filter(|row| args.wants(row));
    match args.export {
        Some(Export::Csv) => {
            writeln!(
                text,
                "match,game,white,black,result,reason,plies,white_ms,black_ms,white_refusals,black_refusals,fault"
            )?;
            rows.into_iter().try_for_each(|row| write_csv(&row, &mut text))?;
        }
        Some(Export::Pgn) => {
            for row in rows {
                pgn::write(&read(&place, &row)?, &mut text)?;
            }
        }
        None => {
            for row in rows {
                list_game(&row, args.json, &mut text)?;
            }
        }
        Some(Export::Jsonl) => {
            for row in rows {
                write_transcript(&place, &row, &mut text)?;
            }
        }
    }
    args.output.write(&text)
}

/// The game of a row.
fn read(place: &str, row: &Row) -> Result<Record, Failure> {
    json::read(row.transcript.as_bytes())
        .map_err(|error| Failure::input(place, format_args!("game {}: {error}", row.number)))
}

/// Writes the transcript of a row; its header also says which game of which match it is.
fn write_transcript(place: &str, row: &Row, out: &mut Vec<u8>) -> Result<(), Failure> {
    let record = read(place, row)?;
    let mut header = record.header().clone();
    header.other.extend(
        [("match", Value::from(row.match_id)), ("game", row.number.into())]
            .map(|(name, value)| (name.to_owned(), value)),
    );
    writeln!(out, "{}", header.to_json(record.side()))?;
    for event in record.events() {
        writeln!(out, "{}", event.to_json(&header.rules))?;
    }
    Ok(())
}

/// A line for each match, or its terms and score as JSON.
fn list_matches(
    matches: &[(i64, Value, u32)],
    rows: &[Row],
    is_json: bool,
    out: &mut Vec<u8>,
) -> Result<(), Failure> {
    for (id, terms, games) in matches {
        let players = standing::players(terms);
        let of_match = rows.iter().filter(|row| row.match_id == *id);
        // Of more than two players, no single score tells how they stand: `nebel tournament` prints the table.
        let score = match &players[..] {
            [first, _] => standing::course(of_match, first).pop(),
            _ => None,
        };
        if is_json {
            writeln!(out, "{}", json!({"match": id, "games": games, "terms": terms, "score": score}))?;
            continue;
        }
        let rules = terms["rules"]["name"].as_str().unwrap_or("?");
        let time = terms["time"].as_str().unwrap_or("?");
        write!(out, "match {id}: {} ({rules}, {time}), {games} games", players.join(" – "))?;
        if let Some(score) = score {
            write!(out, ", +{} ={} -{}", score.wins, score.draws, score.losses)?;
            if let Some(Elo { difference, interval: [low, high] }) = elo(&score) {
                write!(out, ", Elo {difference:+.0} ({low:+.0} to {high:+.0})")?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

/// A line for a game.
fn list_game(row: &Row, is_json: bool, out: &mut Vec<u8>) -> Result<(), Failure> {
    let Row { match_id, number, white, black, plies, fault, .. } = row;
    let (result, reason) = (row.over.result.as_str(), row.over.reason.as_str());
    let refusals = [row.white_account.refusals, row.black_account.refusals];
    if is_json {
        let game = json!({
            "match": match_id, "game": number, "white": white, "black": black, "result": result, "reason": reason,
            "plies": plies, "refusals": refusals, "fault": fault,
        });
        writeln!(out, "{game}")?;
    } else {
        let [of_white, of_black] = refusals;
        let fault = fault.as_ref().map(|fault| format!(" ({fault})")).unwrap_or_default();
        writeln!(
            out,
            "match {match_id} game {number}: {white} – {black} {result} by {reason}{fault}, {plies} plies, \
             refusals {of_white} and {of_black}"
        )?;
    }
    Ok(())
}

fn draw_curve(terms: &Value, rows: &[Row], path: &Path) -> Result<(), Failure> {
    let players = standing::players(terms);
    let first = players.first().copied().unwrap_or_default();
    let title = format!("Score of {first} against {}", players.get(1..).unwrap_or_default().join(", "));
    let svg = course::drawing(&title, &standing::course(rows, first));
    let svg = svg.ok_or_else(|| Failure::input("--curve", "there are no games to draw"))?;
    Ok(fs::write(path, svg)?)
}

impl ResultsArgs {
    fn is_filtered(&self) -> bool {
        self.of_match.is_some() || self.player.is_some() || self.reason.is_some()
    }

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
        "{},{},{},{},{},{},{},{},{},{},{},{}",
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
        row.fault.as_deref().map(quoted).unwrap_or_default(),
    )
}
