//! `nebel explain`: what a player believes, and why it chooses what it chooses.

use std::{
    io::{self, Write},
    time::Instant,
};

use nebel_arena::time::parse_duration;
use nebel_belief::{Man, Marginals};
use nebel_kriegspiel::{Color, File, OwnMen, OwnSide, Rank, Square, View};
use nebel_players::{Budget, Choice, Explanation, Fault, Game, Player, by_spec, explain::Weighed};
use serde_json::json;

use crate::{args::ViewArg, failure::Failure, input};

/// Say what a player believes after a view, and why it chooses what it chooses.
#[derive(clap::Args, Debug)]
pub(crate) struct ExplainArgs {
    /// The player (`nebel players` lists them).
    spec: String,
    #[command(flatten)]
    heard: ViewArg,
    /// How long it may think (500ms, 2s).
    #[arg(long, value_name = "TIME", default_value = "1s", conflicts_with = "nodes")]
    move_time: String,
    /// How many nodes it may look at, by its own count: repeats on any machine.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// How many attempts to show.
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// The seed of its randomness.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Lets the player hear the view, think and explain.
pub(crate) fn run(args: &ExplainArgs) -> Result<(), Failure> {
    let view = args.heard.read()?;
    let mut player = by_spec(&args.spec).map_err(|error| Failure::BadInput(error.to_string()))?;
    let choice = args.think(&mut *player, &view)?;
    let explanation = player.explain().ok_or_else(|| {
        Failure::Run(anyhow::anyhow!("player `{}` does not say what it thinks", player.spec()))
    })?;
    let mut out = io::stdout().lock();
    if args.json {
        let mut value = explanation.to_json();
        value["player"] = json!(player.spec());
        value["choice"] = json!(choice.map(text));
        return Ok(writeln!(out, "{value}")?);
    }
    if let Some(belief) = &explanation.belief {
        write!(out, "{}", draw(belief, view.own().men()))?;
    }
    write!(out, "{}", args.in_words(&explanation, choice))?;
    Ok(match choice {
        Some(choice) => writeln!(out, "{} chooses {}.", player.spec(), text(choice)),
        None => writeln!(out, "{} is not to move.", player.spec()),
    }?)
}

impl ExplainArgs {
    /// The player's choice at the end of the view, if its side is to move there.
    fn think(&self, player: &mut dyn Player, view: &View) -> Result<Option<Choice>, Failure> {
        let header = view.header();
        let failed = |fault: Fault| Failure::Run(anyhow::anyhow!("player `{}`: {fault}", self.spec));
        let game = Game {
            side: view.side(),
            rules: header.rules.clone(),
            start: header.start.clone(),
            seed: self.seed,
        };
        player.start(game).map_err(failed)?;
        let mut own = OwnSide::new(header.rules.clone(), &header.start, view.side());
        for event in view.events() {
            let heard = own.take(event.clone());
            let heard = heard.map_err(|error| Failure::input(&input::place(&self.heard.view), error))?;
            player.hear(&heard).map_err(failed)?;
        }
        if !own.is_to_move() {
            return Ok(None);
        }
        let time = parse_duration(&self.move_time).map_err(|error| Failure::input("--move-time", error))?;
        let aim = self.nodes.is_none().then(|| Instant::now() + time);
        player.choose(&Budget { aim, nodes: self.nodes, ..Budget::unlimited() }).map(Some).map_err(failed)
    }

    /// The notes and the best attempts; the one that was chosen is always among them.
    fn in_words(&self, explanation: &Explanation, choice: Option<Choice>) -> String {
        let mut lines = explanation.notes.clone();
        if !explanation.attempts.is_empty() {
            lines.push("attempt    value  visits  the umpire would say".to_owned());
        }
        let is_chosen = |weighed: &Weighed| choice == Some(Choice::Try(weighed.attempt));
        let attempts = explanation.attempts.iter().enumerate();
        let shown = attempts.filter(|(place, weighed)| *place < self.top || is_chosen(weighed));
        for (_, Weighed { attempt, value, visits, messages }) in shown {
            let messages = messages.iter().filter(|(_, share)| *share >= 0.005);
            let messages: Vec<String> =
                messages.map(|(message, share)| format!("{message} {:.0}%", 100.0 * share)).collect();
            let attempt = attempt.to_string();
            let line = format!("{attempt:<7} {value:>8.3} {visits:>7}  {}", messages.join(", "));
            lines.push(line.trim_end().to_owned());
        }
        lines.iter().flat_map(|line| [line, "\n"]).collect()
    }
}

fn text(choice: Choice) -> String {
    match choice {
        Choice::Try(attempt) => attempt.to_string(),
        Choice::Ask => "any?".to_owned(),
        Choice::Resign => "to resign".to_owned(),
    }
}

/// The own men in brackets; elsewhere the man that most probably stands there, and the percentage that
/// anything does.
fn draw(belief: &Marginals, men: &OwnMen) -> String {
    let order = |index: u32| {
        if men.color() == Color::White { index } else { 7 - index }
    };
    let cell = |square: Square| {
        let percent = (100.0 * belief.occupied(square)).round();
        match (men.role_at(square), belief.most_likely(square)) {
            (Some(role), _) => format!("[{}]", role.of(men.color()).char()),
            (None, Some(man)) if percent >= 1.0 => format!("{}{percent}", letter(man, !men.color())),
            (None, _) => ".".to_owned(),
        }
    };
    let row = |label: char, cells: &dyn Fn(File) -> String| {
        let cells: Vec<String> = (0..8).map(|file| format!("{:^5}", cells(File::new(order(file))))).collect();
        format!("  {label} {}", cells.join(" ")).trim_end().to_owned() + "\n"
    };
    let ranks = (0..8).rev().map(|rank| Rank::new(order(rank)));
    let board: String =
        ranks.map(|rank| row(rank.char(), &|file| cell(Square::from_coords(file, rank)))).collect();
    board + &row(' ', &|file| file.char().to_string())
}

fn letter(man: Man, color: Color) -> char {
    match man {
        Man::Of(role) => role.of(color).char(),
        Man::Piece => man.char(),
    }
}
