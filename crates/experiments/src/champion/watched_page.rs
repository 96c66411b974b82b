//! The page on the champion [watched](super::watched).

use std::fmt::Write as _;

use super::{
    against::RANDOM_PLIES,
    losses::{Kind, Loss},
    watched::{Noted, Turn, Watched},
};
use crate::{beliefs::LEAST, page::Page};

/// Chances are put together by tenths.
const BINS: usize = 10;
/// A game is long from so many own turns on.
const LONG: usize = 60;

/// Writes the page.
pub(super) fn page(watched: &Watched, all: &[Noted]) -> Page {
    let Watched { options, nodes, seed, max_moves, games, .. } = watched;
    let colon = if options.is_empty() { "" } else { ":" };
    let markdown = format!(
        "# The champion watched\n\n\
         `nebel{colon}{options}`, {games} games against each opponent with {nodes} nodes a choice, `icc`, paired starts after {RANDOM_PLIES} random plies, at \
         most {max_moves} moves, seed {seed}.\n\n\
         | against | games | result |\n|---|---|---|\n{}\n\
         ## Does its chance to win come true?\n\n\
         The chance that it saw at the first choice of each turn, and the points that these games ended with (turns of one game go together, so the rows \
         are less sure than their counts look).\n\n\
         | chance | turns | mean chance | points |\n|---|---|---|---|\n{}\n\
         ## Does its belief live?\n\n\
         Turns at which its positions agree with everything heard, and those at which boards stood in; the log-probability of the truth as in the \
         measurements of beliefs (none of a square below {LEAST}); the time on the processor to listen a turn.\n\n\
         | games | turns | everything heard | since an earlier turn | the last event | nats | time |\n|---|---|---|---|---|---|---|\n{}\n\
         ## By what does it lose men?\n\n\
         Men taken less what they had just taken and what was taken back at once, from one pawn on.\n\n\
         | kind | losses a game | pawns a game | of them queens, pawns a game |\n|---|---|---|---|\n{}",
        results(watched, all),
        calibration(all),
        beliefs(all),
        lost(all),
    );
    Page { markdown, files: Vec::new() }
}

fn results(watched: &Watched, all: &[Noted]) -> String {
    let mut rows = String::new();
    for (index, opponent) in watched.opponents.iter().enumerate() {
        let made = |points: usize| {
            all.iter().filter(|noted| noted.opponent == index && noted.half_points == points).count()
        };
        let (won, drawn, lost) = (made(2), made(1), made(0));
        // Writing into a String cannot fail.
        let _ = writeln!(rows, "| `{opponent}` | {} | +{won} ={drawn} −{lost} |", won + drawn + lost);
    }
    rows
}

fn calibration(all: &[Noted]) -> String {
    let mut bins = [(0_u32, 0.0, 0.0); BINS];
    for noted in all {
        for chance in noted.turns.iter().filter_map(|turn| turn.chance) {
            let (turns, chances, points) = &mut bins[((chance * BINS as f64) as usize).min(BINS - 1)];
            *turns += 1;
            *chances += chance;
            *points += noted.half_points as f64 / 2.0;
        }
    }
    let mut rows = String::new();
    for (bin, (turns, chances, points)) in bins.into_iter().enumerate().filter(|(_, bin)| bin.0 > 0) {
        let [low, high] = [bin, bin + 1].map(|end| end as f64 / BINS as f64);
        let count = f64::from(turns);
        let _ = writeln!(
            rows,
            "| {low:.1} to {high:.1} | {turns} | {:.2} | {:.2} |",
            chances / count,
            points / count
        );
    }
    rows
}

fn beliefs(all: &[Noted]) -> String {
    let mut rows = String::new();
    let mut row = |name: &str, wanted: &dyn Fn(&Noted) -> bool| {
        let games: Vec<&Noted> = all.iter().filter(|noted| wanted(noted)).collect();
        let turns: Vec<&Turn> = games.iter().flat_map(|noted| &noted.turns).collect();
        let of = turns.len() as u32;
        let share = |wanted: &dyn Fn(u8) -> bool| {
            let count = turns.iter().filter(|turn| wanted(turn.known)).count();
            format!("{:.1}%", 100.0 * count as f64 / f64::from(of.max(1)))
        };
        let mean = |of_turn: fn(&Turn) -> f64| {
            turns.iter().map(|turn| of_turn(turn)).sum::<f64>() / f64::from(of.max(1))
        };
        let _ = writeln!(
            rows,
            "| {name}: {} | {of} | {} | {} | {} | {:.2} | {:.1} ms |",
            games.len(),
            share(&|known| known >= 2),
            share(&|known| known == 1),
            share(&|known| known == 0),
            mean(|turn| turn.nats),
            mean(|turn| turn.heard),
        );
    };
    row("all", &|_| true);
    row("of 60 own turns and more", &|noted| noted.turns.len() >= LONG);
    rows
}

fn lost(all: &[Noted]) -> String {
    let games = all.len().max(1) as f64;
    let losses: Vec<&Loss> = all.iter().flat_map(|noted| &noted.losses).collect();
    let mut rows = String::new();
    for (kind, name) in Kind::ALL {
        let of: Vec<&&Loss> = losses.iter().filter(|loss| loss.kind == kind).collect();
        let pawns = |wanted: &dyn Fn(&Loss) -> bool| {
            let net: i32 = of.iter().filter(|loss| wanted(loss)).map(|loss| loss.net).sum();
            f64::from(net) / games
        };
        let _ = writeln!(
            rows,
            "| {name} | {:.2} | {:.2} | {:.2} |",
            of.len() as f64 / games,
            pawns(&|_| true),
            pawns(&|loss| loss.role == 'Q'),
        );
    }
    rows
}
