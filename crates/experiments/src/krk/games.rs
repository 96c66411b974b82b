//! Games from the classical starting positions: the table's two rules for ties, and the baselines.

use std::collections::BTreeMap;
use std::fmt::Write;

use nebel_tablebase::{
    AttemptEffect, Board, Defence, KingBelief, Mask, Placement, Referee, Ruling, Tables, Tie, bit, squares_of,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::methods::{Method, Methodist};

const GAMES: u64 = 2000;
/// Moves after which a game counts as not won.
const MOST: u16 = 100;
const METHODS: [(&str, Method); 4] = [
    ("table, fewest squares", Method::Table(Tie::FewestSquares)),
    ("table, average defender", Method::Table(Tie::AverageDefender)),
    ("Magari's climb, then the table", Method::Magari),
    ("quadrants after Boyce, not his method", Method::Quadrants),
];

/// A section of the report: every method from the starting positions of Boyce and Magari, as Markdown.
pub fn games(tables: &Tables) -> String {
    let mut text = String::from("## Methods and defenders\n\n");
    let mut line = |line: std::fmt::Arguments<'_>| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{line}");
    };
    line(format_args!(
        "From each start, the king on a random square of those possible: {GAMES} games against a king that replies at random, and {GAMES} against a \
         stubborn one (takes what he can, else keeps to the centre). Mean number of White's moves, the largest seen, and games not won \
         within {MOST} moves. The worst case is exact, over every square and every reply; a dash means that the method does not always win.\n"
    ));
    line(format_args!(
        "| start | method | worst case | random: mean | largest | not won | stubborn: mean | largest | not won |"
    ));
    line(format_args!("|---|---|---|---|---|---|---|---|---|"));
    for men in ["Kb2 Ra1", "Kd1 Re1", "Kc3 Ra1"] {
        let Ok(placement) = Placement::parse(Board::CHESS, men) else { continue };
        for (name, method) in METHODS {
            let set = placement.king_squares(Board::CHESS);
            let mut worst = Worst { tables, method, known: BTreeMap::new() };
            let worst =
                worst.moves(&placement, set, MOST).map_or("–".to_owned(), |moves| moves.to_string());
            let sides = [Defence::Random, Defence::Stubborn]
                .map(|defence| Summary::of(tables, method, &placement, defence));
            let [random, stubborn] = sides.map(|s| format!("{:.2} | {} | {}", s.mean, s.largest, s.not_won));
            line(format_args!("| {men} | {name} | {worst} | {random} | {stubborn} |"));
        }
    }
    line(format_args!(
        "\nThe average defender is measured as the tie rule says: among attempts with the same worst case the one with the smallest mean, over the \
         king's squares, of the number of moves promised after the umpire's answer. Of Boyce and Magari only what the papers at hand tell is \
         played; see `crates/experiments/src/krk/methods.rs`. What stands here as quadrants is not Boyce's method, whose directives are not at hand and which \
         always wins by the paper: it does not, and says nothing about the paper's verdict that Boyce's is nearer to the shortest mate \
         than Magari's.\n"
    ));
    text
}

struct Summary {
    mean: f64,
    largest: u16,
    not_won: usize,
}

impl Summary {
    fn of(tables: &Tables, method: Method, placement: &Placement, defence: Defence) -> Summary {
        let games: Vec<Option<u16>> =
            (0..GAMES).into_par_iter().map(|seed| game(tables, method, placement, defence, seed)).collect();
        let won: Vec<u16> = games.iter().copied().flatten().collect();
        Summary {
            mean: won.iter().map(|&moves| f64::from(moves)).sum::<f64>() / won.len().max(1) as f64,
            largest: won.iter().copied().max().unwrap_or(0),
            not_won: games.len() - won.len(),
        }
    }
}

/// Plays one game; the number of moves to mate, if it comes.
fn game(tables: &Tables, method: Method, placement: &Placement, defence: Defence, seed: u64) -> Option<u16> {
    let set = placement.king_squares(Board::CHESS);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let king = squares_of(set).nth(random.random_range(0..set.count_ones() as usize))?;
    let mut king_belief = KingBelief::new(placement.clone(), set)?;
    let mut referee = Referee::new(placement, king)?;
    let mut player = Methodist::new(method, tables);
    for number in 1..=MOST {
        let (attempt, message) = loop {
            let attempt = player.choose(&king_belief)?;
            match referee.attempt(attempt) {
                Ruling::Refused => {
                    player.heard();
                    let before = king_belief.set();
                    king_belief.refused(attempt);
                    if king_belief.set() == before {
                        return None;
                    }
                }
                Ruling::Mate => return Some(number),
                Ruling::Draw => return None,
                Ruling::Moved(message) => break (attempt, message),
            }
        };
        if message != 0 {
            player.heard();
        }
        king_belief.moved(attempt, message);
        let reply = defence.choose(&referee.replies(), &mut random)?;
        if !referee.reply(&reply) {
            return None;
        }
        king_belief.replied(reply.takes.then_some(reply.to));
    }
    None
}

/// The exact worst case of a method that depends on nothing but what White knows and whether he has heard anything.
struct Worst<'a> {
    tables: &'a Tables,
    method: Method,
    known: BTreeMap<(Placement, Mask), Option<u16>>,
}

impl Worst<'_> {
    /// Number of moves; `None` if the method does not mate within `most`, or remembers more than this can follow.
    fn moves(&mut self, placement: &Placement, set: Mask, most: u16) -> Option<u16> {
        match self.method {
            // The player of quadrants shuns placements it has seen: its worst case depends on the whole game.
            Method::Quadrants => None,
            Method::Table(_) => self.after(placement, set, most, false),
            Method::Magari => self.after(placement, set, most, true),
        }
    }

    fn after(&mut self, placement: &Placement, set: Mask, most: u16, silent: bool) -> Option<u16> {
        if most == 0 {
            return None;
        }
        let key = (placement.clone(), set);
        if !silent && let Some(&known) = self.known.get(&key) {
            return known;
        }
        let worst = self.one_move(placement, set, most, silent);
        if !silent {
            self.known.insert(key, worst);
        }
        worst
    }

    fn one_move(&mut self, placement: &Placement, set: Mask, most: u16, silent: bool) -> Option<u16> {
        let mut player = Methodist::new(self.method, self.tables);
        if !silent {
            player.heard();
        }
        let attempt = player.choose(&KingBelief::new(placement.clone(), set)?)?;
        let effect = AttemptEffect::all(Board::CHESS, placement)
            .into_iter()
            .find(|effect| effect.attempt == attempt)?;
        let refused = set & effect.refused;
        if refused == set || set & effect.stalemates != 0 {
            return None;
        }
        let mut worst = 1;
        for &(message, class) in &effect.classes {
            let next = effect.successors(Board::CHESS, set & class);
            if next != 0 {
                worst = worst.max(1 + self.after(&effect.after, next, most - 1, silent && message == 0)?);
            }
        }
        for square in squares_of(effect.losses(Board::CHESS, set & !refused)) {
            worst = worst.max(1 + self.after(&effect.after.without(square), bit(square), most - 1, false)?);
        }
        if refused != 0 {
            worst = worst.max(self.after(placement, refused, most, false)?);
        }
        Some(worst)
    }
}
