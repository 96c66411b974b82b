//! Won endings: games of our players at the moment when one side is far ahead, few men are left against it, and yet it does not know
//! where they are. From there a player plays on for that side.
//!
//! Which moments count is decided by what the side ahead can know as well: its belief must have many positions, or there would be
//! nothing to convert that a chess program could not. Both players are told the whole game up to there as they would have heard it.

use std::{fmt::Write as _, path::Path};

use nebel_arena::{
    game::{Contestant, MatchTerms, play, play_on},
    opening::Starts,
    schedule::{Fixture, Schedule},
    score::half_points,
    time::TimeControl,
};
use nebel_belief::{Belief, BeliefLimits, particles::HowKnown};
use nebel_kriegspiel::{Chess, Color, Event, Position as _, Role, Rules, Transcript};
use nebel_players::by_spec;
use serde::{Deserialize, Serialize};

use super::{against::RANDOM_PLIES, worth};
use crate::{
    error::ExperimentError,
    journal::Journal,
    page::{Page, percent},
};

/// How the experiment is run.
#[derive(Clone, Debug)]
pub struct Endings {
    /// Who converts.
    pub player: String,
    /// Against whom: each ending is played against each of them.
    pub opponents: Vec<String>,
    /// How many endings.
    pub endings: u32,
    /// Nodes for each choice of the opponents, and of those who play up to the ending.
    pub nodes: u64,
    /// The seed of everything.
    pub seed: u64,
}

/// What one game gave.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Noted {
    /// Men of the side that is behind, its king counted; none if the game has no such ending.
    men: Option<usize>,
    /// Half points that the side ahead made against each opponent.
    half_points: Vec<usize>,
}

/// An ending that should be won.
struct Ending<'a> {
    history: &'a [Event],
    ahead: Color,
    men: usize,
}

/// Who plays up to the ending, in turn.
const PAIRS: [[&str; 2]; 3] = [["minimax", "hs:k=50"], ["c", "greedy"], ["hs:k=50", "c"]];
/// The side ahead has so much more, in pawns: a rook.
const AHEAD: i32 = 5;
/// The other side has no more men than this, its king counted, and at least one beside him: a bare king is a matter of tables.
const MEN: std::ops::RangeInclusive<usize> = 2..=6;
/// The side ahead must believe in so many positions.
const POSITIONS: usize = 50;
/// A moment that does not count is looked at again so many turns later.
const PATIENCE: usize = 3;
/// A game is drawn after so many moves of each side.
const MAX_MOVES: u32 = 250;

impl Endings {
    /// Plays up to endings and on, and writes the page. What each game gave is noted in `folder` at once, and a killed run goes on from
    /// there. `report` hears of endings played.
    pub fn run(&self, folder: &Path, mut report: impl FnMut(u32)) -> Result<Page, ExperimentError> {
        for spec in self.opponents.iter().chain([&self.player]) {
            by_spec(spec)?;
        }
        let journal = folder.join("endings.journal");
        let header = format!("{self:?}, {}\n", env!("CARGO_PKG_VERSION"));
        let (mut journal, lines) =
            Journal::open(&journal, &header, "it is of other endings, or of another version")?;
        let mut noted = lines.iter().map_while(|line| serde_json::from_str::<Noted>(line).ok());
        let mut all: Vec<Noted> = Vec::new();
        let (mut number, mut found) = (0, 0);
        while found < self.endings {
            let of_game = if let Some(of_game) = noted.next() {
                of_game
            } else {
                let of_game = self.game(number)?;
                // Numbers can always be written.
                journal.note(&serde_json::to_string(&of_game).unwrap_or_default())?;
                of_game
            };
            number += 1;
            found += u32::from(of_game.men.is_some());
            all.push(of_game);
            report(found);
        }
        Ok(self.page(&all))
    }

    /// Plays a game up to an ending, if it has one, and from there on.
    fn game(&self, number: u32) -> Result<Noted, ExperimentError> {
        let [a, b] = PAIRS[number as usize % PAIRS.len()];
        let schedule = Schedule::of_two(a, b, number + 1, Starts::drawn(RANDOM_PLIES, self.seed), self.seed);
        let fixture = schedule.fixture(number);
        let terms =
            MatchTerms { rules: Rules::icc(), start: fixture.start.clone(), max_moves: Some(MAX_MOVES) };
        let nodes = TimeControl::Nodes(self.nodes);
        let (mut white, mut black) = (by_spec(&fixture.white)?, by_spec(&fixture.black)?);
        let white = Contestant { player: &mut *white, seed: fixture.seeds[0], time: nodes };
        let black = Contestant { player: &mut *black, seed: fixture.seeds[1], time: nodes };
        let game = play(&terms, white, black, |_| {}).transcript;
        let Some(ending) = find(&game) else { return Ok(Noted { men: None, half_points: Vec::new() }) };
        let mut half_points = Vec::new();
        for opponent in &self.opponents {
            half_points.push(self.convert(&terms, &ending, &fixture, opponent)?);
        }
        Ok(Noted { men: Some(ending.men), half_points })
    }

    /// The half points that the player makes of an ending.
    fn convert(
        &self,
        terms: &MatchTerms,
        ending: &Ending<'_>,
        fixture: &Fixture,
        opponent: &str,
    ) -> Result<usize, ExperimentError> {
        let (mut player, mut opponent) = (by_spec(&self.player)?, by_spec(opponent)?);
        // The player's work is bounded by its options.
        let player =
            Contestant { player: &mut *player, seed: fixture.seeds[0], time: TimeControl::Unlimited };
        let nodes = TimeControl::Nodes(self.nodes);
        let opponent = Contestant { player: &mut *opponent, seed: fixture.seeds[1], time: nodes };
        let (white, black) = match ending.ahead {
            Color::White => (player, opponent),
            Color::Black => (opponent, player),
        };
        let over = play_on(terms, ending.history, white, black, |_| {}).over;
        Ok(half_points(ending.ahead, over))
    }

    fn page(&self, all: &[Noted]) -> Page {
        let mut rows = String::new();
        let endings: Vec<&Noted> = all.iter().filter(|noted| noted.men.is_some()).collect();
        for (index, opponent) in self.opponents.iter().enumerate() {
            let mut row = |name: &str, wanted: &dyn Fn(usize) -> bool| {
                let of: Vec<usize> = endings
                    .iter()
                    .filter(|noted| noted.men.is_some_and(wanted))
                    .filter_map(|noted| noted.half_points.get(index).copied())
                    .collect();
                if of.is_empty() {
                    return;
                }
                let [lost, drawn, won] =
                    [0, 1, 2].map(|points| of.iter().filter(|&&made| made == points).count());
                let share = percent(won as u32, of.len() as u32);
                // Writing into a String cannot fail.
                let _ = writeln!(
                    rows,
                    "| `{opponent}` | {name} | {} | +{won} ={drawn} −{lost} | {share} |",
                    of.len()
                );
            };
            row("all", &|_| true);
            row("one man beside the king", &|men| men == 2);
            row("two or three", &|men| (3..=4).contains(&men));
            row("four or five", &|men| men > 4);
        }
        let markdown = format!(
            "# Won endings\n\n\
             Endings of games of our players among each other ({} nodes a choice, `icc`, seed {}): the first moment at which the side to move is ahead by \
             {AHEAD} pawns or more, the other side has {} to {} men, its king counted, and the belief of the side ahead has at least {POSITIONS} positions. \
             {} games gave {} such endings. `{}` plays on for the side ahead, the opponent has the same nodes.\n\n\
             | against | men beside the king | endings | result | won (95%) |\n|---|---|---|---|---|\n{rows}",
            self.nodes,
            self.seed,
            MEN.start(),
            MEN.end(),
            all.len(),
            endings.len(),
            self.player,
        );
        Page { markdown, files: Vec::new() }
    }
}

/// The first ending of a game that should be won.
fn find(game: &Transcript) -> Option<Ending<'_>> {
    let mut so_far = Transcript::new(game.header().clone());
    let (mut is_new_turn, mut not_before) = (true, [0; 2]);
    for (index, event) in game.events().iter().enumerate() {
        let position = so_far.umpire().position();
        let side = position.turn();
        let men = position.board().by_color(!side).count();
        if is_new_turn && MEN.contains(&men) && balance(position, side) >= AHEAD {
            let wait = &mut not_before[side as usize];
            if *wait > 0 {
                *wait -= 1;
            } else if is_uncertain(game, side, index) {
                return Some(Ending { history: &game.events()[..index], ahead: side, men });
            } else {
                *wait = PATIENCE;
            }
        }
        is_new_turn = event.announcement().is_some();
        so_far.add(event).ok()?;
    }
    None
}

/// Whether a side believes in many positions after so many events.
fn is_uncertain(game: &Transcript, side: Color, events: usize) -> bool {
    let header = game.header();
    let mut belief = Belief::new(header.rules.clone(), &header.start, side, BeliefLimits::default(), 0);
    for event in &game.events()[..events] {
        if let Some(heard) = event.heard_by(side, &header.rules)
            && belief.hear(&heard).is_err()
        {
            return false;
        }
    }
    belief.how_known() >= HowKnown::Some && belief.len() >= POSITIONS
}

/// How much more a side has, in pawns.
fn balance(position: &Chess, side: Color) -> i32 {
    let board = position.board();
    let total = |color: Color| -> i32 {
        let men = |role: Role| (board.by_role(role) & board.by_color(color)).count() as i32;
        Role::ALL.into_iter().map(|role| worth(role) * men(role)).sum()
    };
    total(side) - total(!side)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ending_is_a_moment_of_its_side_far_ahead() {
        let fen = "4k3/p7/8/8/8/8/8/R2QK3 w - - 0 1";
        let position: Chess = nebel_kriegspiel::start::position(fen).unwrap();
        assert_eq!(balance(&position, Color::White), 13);
        assert_eq!(balance(&position, Color::Black), -13);
        // Everything is known at the start of a game, so nothing of this one counts before Black has moved unseen for a while.
        let mut game = Transcript::new(nebel_kriegspiel::Header::at(Rules::icc(), position));
        for attempt in ["a1a2", "e8e7", "a2a1", "e7e6", "a1a2", "e6e5", "a2a1", "e5e4", "a1a2", "e4e5"] {
            game.hear(attempt).unwrap();
        }
        let ending = find(&game).unwrap();
        assert!(ending.history.len() > 2, "{} events", ending.history.len());
        assert_eq!((ending.ahead, ending.men), (Color::White, 2));
        assert_eq!(
            ending.history.last().and_then(Event::by),
            Some(Color::Black),
            "the side ahead is to move"
        );
    }
}
