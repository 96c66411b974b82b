//! What commands are given: rules, positions, files.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    num::NonZeroUsize,
    path::Path,
};

use nebel_kriegspiel::{
    Chess, Color, Rules, View,
    games::{self, without_mark},
    start,
    transcript::Record,
};

use crate::{
    args::{GameArg, RulesArg, Side, StartArg, ViewArg},
    failure::Failure,
};

impl RulesArg {
    /// The rules that were asked for, or the command's own.
    pub(crate) fn or(&self, default: Rules) -> Result<Rules, Failure> {
        let Some(given) = &self.rules else {
            return Ok(default);
        };
        let is_file = Path::new(given).extension().is_some_and(|extension| extension == "json");
        if !is_file {
            return Rules::by_name(given).map_err(|error| Failure::input("--rules", error));
        }
        let mut text = String::new();
        let read = open(Path::new(given))?.take(1 << 20).read_to_string(&mut text);
        read.map_err(|error| Failure::input(given, error))?;
        Rules::from_json(&text).map_err(|error| Failure::input(given, error))
    }
}

impl StartArg {
    /// The position to start from.
    pub(crate) fn position(&self) -> Result<Chess, Failure> {
        let fen = self.fen.as_deref().unwrap_or(start::STANDARD);
        start::position(fen).map_err(|error| Failure::input("--fen", error))
    }
}

/// The name of a file as messages show it.
pub(crate) fn place(path: &Path) -> String {
    if is_stdin(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// Opens a file of text, or standard input for `-`, without a byte order mark.
pub(crate) fn open(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    let at = |error| Failure::input(&place(path), error);
    if is_stdin(path) {
        return without_mark(io::stdin().lock()).map_err(at);
    }
    without_mark(BufReader::new(File::open(path).map_err(at)?)).map_err(at)
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// A game file's form.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum Form {
    /// JSON Lines: the header, then one event a line.
    Jsonl,
    /// Kriegspiel PGN.
    Pgn,
}

impl From<games::Form> for Form {
    fn from(form: games::Form) -> Form {
        match form {
            games::Form::Jsonl => Form::Jsonl,
            games::Form::Pgn => Form::Pgn,
        }
    }
}

/// Reads all games of a file, whose form shows in its first character.
pub(crate) fn read_games(path: &Path, default_rules: &Rules) -> Result<(Form, Vec<Record>), Failure> {
    read_first_games(path, usize::MAX, default_rules)
}

/// Reads the first games of a file, so many of JSON Lines and all of PGN.
fn read_first_games(path: &Path, most: usize, default_rules: &Rules) -> Result<(Form, Vec<Record>), Failure> {
    let read = games::read(open(path)?, most, default_rules);
    let (form, games) = read.map_err(|error| Failure::input(&place(path), error))?;
    Ok((form.into(), games))
}

/// Takes one game, from 1, out of those of a file.
pub(crate) fn choose_game(
    place: &str,
    mut games: Vec<Record>,
    number: NonZeroUsize,
) -> Result<Record, Failure> {
    let count = games.len();
    if number.get() > count {
        let games = if count == 1 { "game" } else { "games" };
        return Err(Failure::input(place, format_args!("no game {number}: it holds {count} {games}")));
    }
    Ok(games.swap_remove(number.get() - 1))
}

/// Reads a game of a file as one side heard it: the side that was asked for, the view's own, or White.
pub(crate) fn read_view(
    path: &Path,
    game: &GameArg,
    side: Option<Side>,
    default_rules: &Rules,
) -> Result<View, Failure> {
    let place = place(path);
    let (_, games) = read_first_games(path, game.game.get(), default_rules)?;
    let game = choose_game(&place, games, game.game)?;
    let side = side.map(Side::color).or(game.side()).unwrap_or(Color::White);
    game.into_view(side).ok_or_else(|| {
        let name = if side == Color::White { "White" } else { "Black" };
        Failure::input(&place, format_args!("the other side's view holds no view of {name}"))
    })
}

impl ViewArg {
    /// Reads the view; the rules are those of the ICC where neither the file nor the options say.
    pub(crate) fn read(&self) -> Result<View, Failure> {
        read_view(&self.view, &self.game, self.side, &self.rules.or(Rules::icc())?)
    }
}

/// The longest line of a file of positions; no FEN is longer.
const LONGEST_FEN: u64 = 200;

/// The most positions that a file may hold.
const MOST_POSITIONS: usize = 1_000_000;

/// The largest weight of a position: sums of a million stay exact enough.
const HEAVIEST: f64 = 1e9;

/// Reads positions, one FEN a line; blank lines are skipped.
pub(crate) fn read_positions(path: &Path) -> Result<Vec<Chess>, Failure> {
    Ok(read_weighted_positions(path)?.into_iter().map(|(position, _)| position).collect())
}

/// Like [`read_positions`], with the weight that may follow a FEN after a semicolon; 1 without one.
pub(crate) fn read_weighted_positions(path: &Path) -> Result<Vec<(Chess, f64)>, Failure> {
    let mut reader = open(path)?;
    let mut positions = Vec::new();
    let mut line = Vec::new();
    for number in 1.. {
        let at = |error: &dyn std::fmt::Display| {
            Failure::input(&place(path), format_args!("line {number}: {error}"))
        };
        line.clear();
        let read = reader.by_ref().take(LONGEST_FEN + 1).read_until(b'\n', &mut line);
        if read.map_err(|error| at(&error))? == 0 {
            break;
        }
        if line.len() as u64 > LONGEST_FEN {
            return Err(at(&"longer than any FEN"));
        }
        let text = String::from_utf8_lossy(&line);
        if text.trim().is_empty() {
            continue;
        }
        let (fen, weight) = text.trim().split_once(';').unwrap_or((text.trim(), "1"));
        let weight: f64 =
            weight.trim().parse().map_err(|_| at(&"what follows the semicolon is no weight"))?;
        let is_sensible = weight > 0.0 && weight <= HEAVIEST;
        if !is_sensible {
            return Err(at(&format_args!("a weight is more than 0 and at most {HEAVIEST}")));
        }
        positions.push((start::position(fen.trim()).map_err(|error| at(&error))?, weight));
        if positions.len() > MOST_POSITIONS {
            return Err(at(&format_args!("more than {MOST_POSITIONS} positions")));
        }
    }
    Ok(positions)
}
