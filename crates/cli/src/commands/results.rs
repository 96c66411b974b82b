//! `nebel results`: the games of a store, listed, filtered, exported.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use nebel_arena::{
    identity::Identity,
    standing::{self, UNKNOWN},
    statistics::elo,
    store::{KeptMatch, Row, Store},
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
    /// Count all versions of the players together; side by side otherwise.
    #[arg(long)]
    mix_versions: bool,
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
    let matches = store.matches().map_err(fail)?;
    let mut groups = group(&matches);
    if let Some(wanted) = args.of_match {
        let is_wanted = |kept: &&KeptMatch| kept.id == wanted;
        groups.retain(|group| group.iter().any(is_wanted));
        if !args.mix_versions {
            for group in &mut groups {
                group.retain(is_wanted);
            }
        }
        if groups.is_empty() {
            return Err(Failure::input(&place, format_args!("there is no match {wanted}")));
        }
    }
    let mut rows = store.games(None).map_err(fail)?;
    rows.retain(|row| groups.iter().flatten().any(|kept| kept.id == row.match_id));
    if let (Some(path), Some(kept)) = (&args.curve, groups.first().and_then(|group| group.first())) {
        return draw_curve(&kept.terms, &rows, path);
    }
    let mut text = Vec::new();
    if args.export.is_none() {
        args.list_matches(&groups, &rows, &mut text)?;
        if !args.is_filtered() {
            return args.output.write(&text);
        }
    }
    let rows = rows.into_iter().filter(|row| args.wants(row));
    match args.export {
        Some(Export::Csv) => {
            writeln!(
                text,
                "match,game,white,black,result,reason,plies,white_ms,black_ms,white_refusals,black_refusals,fault,\
                 white_version,black_version"
            )?;
            rows.into_iter().try_for_each(|row| write_csv(&row, &matches, &mut text))?;
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

/// Matches on the same terms together, in the order in which the first of them began.
fn group(matches: &[KeptMatch]) -> Vec<Vec<&KeptMatch>> {
    let mut groups: Vec<Vec<&KeptMatch>> = Vec::new();
    for kept in matches {
        match groups.iter_mut().find(|group| group[0].terms == kept.terms) {
            Some(group) => group.push(kept),
            None => groups.push(vec![kept]),
        }
    }
    groups
}

/// What is said of the versions of a match that is not the only one on its terms.
fn versions(kept: &KeptMatch, is_alone: bool) -> String {
    let Some(contestants) = &kept.contestants else { return format!(", {UNKNOWN}") };
    let mut said: Vec<String> = Vec::new();
    for identity in contestants {
        let Identity { spec, .. } = identity;
        let one = format!("{spec} {identity}");
        if !said.contains(&one) {
            said.push(one);
        }
    }
    if is_alone { String::new() } else { format!(", version: {}", said.join(", ")) }
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
    /// A line for each match, or its terms and score as JSON. Versions of one match follow each other, or are one.
    fn list_matches(
        &self,
        groups: &[Vec<&KeptMatch>],
        rows: &[Row],
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        for group in groups {
            if self.mix_versions {
                self.list_match(group, rows, "", out)?;
                continue;
            }
            for kept in group {
                self.list_match(&[kept], rows, &versions(kept, group.len() == 1), out)?;
            }
        }
        Ok(())
    }

    /// One line for matches that are counted together.
    fn list_match(
        &self,
        together: &[&KeptMatch],
        rows: &[Row],
        versions: &str,
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        let [first, others @ ..] = together else { return Ok(()) };
        let (terms, players) = (&first.terms, standing::players(&first.terms));
        let games: u32 = together.iter().map(|kept| kept.games).sum();
        let of_match = rows.iter().filter(|row| together.iter().any(|kept| kept.id == row.match_id));
        // Of more than two players, no single score tells how they stand: `nebel tournament` prints the table.
        let score = match &players[..] {
            [first, _] => standing::course(of_match, first).pop(),
            _ => None,
        };
        if self.json {
            let ids: Vec<i64> = together.iter().map(|kept| kept.id).collect();
            let contestants: Vec<_> = together.iter().map(|kept| &kept.contestants).collect();
            let found = score.as_ref().and_then(elo);
            let line = json!({
                "match": first.id, "matches": ids, "games": games, "terms": terms, "versions": contestants, "score": score,
                "elo": found.map(|elo| elo.difference), "interval": found.map(|elo| elo.interval),
            });
            return Ok(writeln!(out, "{line}")?);
        }
        let rules = terms["rules"]["name"].as_str().unwrap_or("?");
        let time = terms["time"].as_str().unwrap_or("?");
        write!(out, "match {}", first.id)?;
        for kept in others {
            write!(out, " and {}", kept.id)?;
        }
        write!(out, ": {} ({rules}, {time}), {games} games", players.join(" – "))?;
        if let Some(score) = score {
            write!(out, ", {score}")?;
            if let Some(elo) = elo(&score) {
                write!(out, ", Elo {elo}")?;
            }
        }
        if !others.is_empty() {
            write!(out, ", {} versions", together.len())?;
        }
        Ok(writeln!(out, "{versions}")?)
    }

    fn is_filtered(&self) -> bool {
        self.of_match.is_some() || self.player.is_some() || self.reason.is_some()
    }

    fn wants(&self, row: &Row) -> bool {
        let plays = |spec: &String| row.white == *spec || row.black == *spec;
        self.player.as_ref().is_none_or(plays)
            && self.reason.as_ref().is_none_or(|reason| row.over.reason.as_str() == reason)
    }
}

fn write_csv(row: &Row, matches: &[KeptMatch], out: &mut Vec<u8>) -> std::io::Result<()> {
    let version = |spec: &str| {
        let kept = matches.iter().find(|kept| kept.id == row.match_id);
        kept.and_then(|kept| kept.contestant(spec)).map_or_else(|| UNKNOWN.to_owned(), Identity::to_string)
    };
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    writeln!(
        out,
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
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
        quoted(&version(&row.white)),
        quoted(&version(&row.black)),
    )
}
