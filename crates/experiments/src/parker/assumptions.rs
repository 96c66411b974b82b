//! The assumptions behind the two analyses of Parker, Nau and Subrahmanian (2005, section 2), measured on games.
//!
//! Both suppose that a state has `b` children when the other side moves and that what is heard leaves one in `c` of
//! them. The first supposes further that histories grow as a tree, so that a board which merely agrees with the last
//! observation is ever less likely to agree with everything; the second that there are only so many states, that
//! histories run together, and that such a board is ever more likely to agree. Here each side's view of a game is
//! followed with all positions that agree with it as long as those are few, with a sample of them from then on.

use std::fmt::Write as _;

use nebel_arena::store::Row;
use nebel_belief::{Key, LastObservation, Step, ViewState};
use nebel_kriegspiel::{Color, Position, View, json, transcript::Record};
use rand::{SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Beliefs are followed in full up to so many positions…
const MOST: usize = 100_000;
/// …and as a sample of so many from then on.
const SAMPLE: usize = 2_000;
/// Boards of the last observation that are drawn in a turn.
const DRAWN: usize = 100;

/// What was measured at one move number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// Positions that were followed through a move of the other side.
    pub positions: u64,
    /// Moves that the other side had in them.
    pub children: u64,
    /// Those of them that agree with what was heard then.
    pub kept: u64,
    /// Those that differ from each other.
    pub distinct: u64,
    /// Boards of the last observation, drawn where the belief was known in full.
    pub drawn: u64,
    /// Those of them that agree with everything.
    pub consistent: u64,
}

impl Moment {
    fn ratio(above: u64, below: u64) -> Option<f64> {
        (below > 0).then(|| above as f64 / below as f64)
    }

    /// Children of a state: the paper's b.
    pub fn branching(&self) -> Option<f64> {
        Moment::ratio(self.children, self.positions)
    }

    /// One in so many children agrees with what is heard: the paper's c.
    pub fn excluded(&self) -> Option<f64> {
        Moment::ratio(self.children, self.kept)
    }

    /// How many histories lead to one and the same position, on average over one move.
    pub fn histories(&self) -> Option<f64> {
        Moment::ratio(self.kept, self.distinct)
    }

    /// The share of last-observation boards that agree with everything.
    pub fn consistent_share(&self) -> Option<f64> {
        Moment::ratio(self.consistent, self.drawn)
    }
}

/// What was measured, by the number of the move (from 1).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assumptions {
    moments: Vec<Moment>,
}

impl Assumptions {
    /// Measures games, both sides of each. The same seed gives the same numbers.
    pub fn of(rows: &[Row], seed: u64) -> Assumptions {
        let mut measured = Assumptions::default();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        for row in rows {
            let Ok(Record::Transcript(transcript)) = json::read(row.transcript.as_bytes()) else { continue };
            for side in Color::ALL {
                measured.follow(&transcript.view(side), &mut random);
            }
        }
        measured
    }

    /// The moments with their move numbers.
    pub fn moments(&self) -> impl Iterator<Item = (usize, &Moment)> {
        self.moments.iter().enumerate().map(|(index, moment)| (index + 1, moment))
    }

    fn follow(&mut self, view: &View, random: &mut Xoshiro256PlusPlus) {
        let header = view.header();
        let mut hearing = ViewState::new(header.rules.clone(), &header.start, view.side());
        let mut last = LastObservation::new(&header.start, view.side());
        let (mut keys, mut is_whole, mut number) = (vec![hearing.start()], true, 0);
        for event in view.events() {
            let before = hearing.clone();
            let Ok(step) = hearing.hear(event) else { return };
            last.hear(event, view.side());
            let Some(step) = step else { continue };
            let mut next = Vec::new();
            for &key in &keys {
                step.follow(key, |key| next.push(key));
            }
            let Step::Hidden(_) = step else {
                keys = next;
                continue;
            };
            number += 1;
            if self.moments.len() < number {
                self.moments.resize(number, Moment::default());
            }
            let moment = &mut self.moments[number - 1];
            moment.positions += keys.len() as u64;
            let children =
                |&key: &Key| before.position(key).map_or(0, |position| position.legal_moves().len());
            moment.children += keys.iter().map(children).sum::<usize>() as u64;
            moment.kept += next.len() as u64;
            next.sort_unstable();
            next.dedup();
            moment.distinct += next.len() as u64;
            keys = next;
            let limit = if is_whole { MOST } else { SAMPLE };
            if keys.len() > limit {
                is_whole = false;
                keys = keys.partial_shuffle(random, SAMPLE).0.to_vec();
                keys.sort_unstable();
            }
            if is_whole {
                moment.draw(&last, &hearing, &keys, random);
            }
        }
    }

    /// All moments as comma-separated values.
    pub fn csv(&self) -> String {
        let mut text = "move,positions,children,kept,distinct,drawn,consistent\n".to_owned();
        for (number, moment) in self.moments() {
            let Moment { positions, children, kept, distinct, drawn, consistent } = moment;
            // Writing into a String cannot fail.
            let _ = writeln!(text, "{number},{positions},{children},{kept},{distinct},{drawn},{consistent}");
        }
        text
    }

    /// What the paper's formulas give after so many moves of the other side, with b and c as they were measured up to there (c as a
    /// geometric mean): i/2 is the number of those moves.
    pub fn formulas(&self, number: usize) -> Option<Formulas> {
        let (mut c, mut growth) = (0.0, 0.0);
        for (_, moment) in self.moments().take(number) {
            let (b, excluded) = (moment.branching()?, moment.excluded()?);
            c += excluded.ln();
            growth += (b / excluded).ln();
        }
        let moves = number as f64;
        let plies = 2.0 * moves;
        let mean_growth = growth / moves;
        Some(Formulas {
            consistent: (-c).exp(),
            histories: SAMPLE_OF_THE_PAPER * c.exp(),
            reachable: (mean_growth * (plies - 1.0) - 2.0 * STATES.ln()).min(0.0).exp(),
        })
    }

    /// Some of the moments as rows of a table.
    pub fn table(&self) -> String {
        let mut text =
            "| move | b | c | b/c | histories to one position | last-observation boards consistent | \
                        (1/c)^(i/2) | 350·c^(i/2) histories | reachable |\n\
                        |---|---|---|---|---|---|---|---|---|\n"
                .to_owned();
        let word = |value: Option<f64>, digits: usize| {
            value.map_or("–".to_owned(), |value| format!("{value:.digits$}"))
        };
        for (number, moment) in self.moments().filter(|(number, _)| SHOWN.contains(number)) {
            let growth = moment.branching().zip(moment.excluded()).map(|(b, c)| b / c);
            let share = moment.consistent_share().map(|share| 100.0 * share);
            let share = share.map_or("–".to_owned(), |share| format!("{share:.1}% of {}", moment.drawn));
            let formulas = self.formulas(number).map_or("– | – | –".to_owned(), |formulas| {
                let Formulas { consistent, histories, reachable } = formulas;
                format!("{consistent:.1e} | {histories:.1e} | {reachable:.1e}")
            });
            let _ = writeln!(
                text,
                "| {number} | {} | {} | {} | {} | {share} | {formulas} |",
                word(moment.branching(), 1),
                word(moment.excluded(), 2),
                word(growth, 1),
                word(moment.histories(), 2),
            );
        }
        text
    }
}

/// What the formulas of section 2 give.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Formulas {
    /// Analysis 1: the chance that a state agrees with everything heard, (1/c)^(i/2).
    pub consistent: f64,
    /// Analysis 1: the histories that AOS needs for 350 boards, k·c^(i/2).
    pub histories: f64,
    /// Analysis 2: the chance that a state can be reached, min(1, (n−1)^(i−3) · ((b/c)/(n−1))^(i−1)).
    pub reachable: f64,
}

/// The boards that the paper's players could value for a choice.
const SAMPLE_OF_THE_PAPER: f64 = 350.0;
/// The states of the game, n: "more than 10^13" after twenty moves.
const STATES: f64 = 1e13;

/// The moves in the table.
const SHOWN: [usize; 13] = [1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 40, 60, 80];

impl Moment {
    fn draw(
        &mut self,
        last: &LastObservation,
        hearing: &ViewState,
        keys: &[Key],
        random: &mut Xoshiro256PlusPlus,
    ) {
        let mut placements: Vec<Key> = keys.iter().map(|&key| placement(key)).collect();
        placements.sort_unstable();
        for _ in 0..DRAWN {
            let Some(board) = last.draw(hearing, random) else { return };
            self.drawn += 1;
            self.consistent += u64::from(placements.binary_search(&placement(board)).is_ok());
        }
    }
}

/// The men alone: a board of the last observation does not say who may castle.
fn placement(key: Key) -> Key {
    let mut men = key.unpack();
    men.castling = nebel_kriegspiel::Bitboard::EMPTY;
    men.passed = nebel_kriegspiel::Bitboard::EMPTY;
    Key::pack(&men)
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Header, Rules, Transcript};

    use super::*;

    fn followed(attempts: &[&str]) -> Assumptions {
        let mut transcript = Transcript::new(Header::new(Rules::berkeley()));
        for attempt in attempts {
            transcript.hear(attempt).unwrap();
        }
        let mut measured = Assumptions::default();
        measured.follow(&transcript.view(Color::White), &mut Xoshiro256PlusPlus::seed_from_u64(1));
        measured
    }

    #[test]
    fn a_quiet_first_move_leaves_everything_open() {
        // Of Black's twenty answers to e4, none is announced with anything but silence.
        let measured = followed(&["e2e4", "e7e5"]);
        let moment = measured.moments[0];
        assert_eq!((moment.positions, moment.children, moment.kept, moment.distinct), (1, 20, 20, 20));
        assert_eq!(moment.drawn, DRAWN as u64);
    }

    #[test]
    fn an_announcement_excludes_children() {
        // Black's capture on e4 is heard: only f5xe4 and d5xe4 after one of the pawn moves, and bishops on long ways.
        let measured = followed(&["e2e4", "d7d5", "a2a3", "d5e4"]);
        let moment = measured.moments[1];
        assert!(moment.kept < moment.children / 10 && moment.kept > 0, "{moment:?}");
        assert!(moment.excluded().unwrap() > 10.0);
    }

    #[test]
    fn a_bare_king_makes_the_last_observation_tell_nearly_everything() {
        let start = nebel_kriegspiel::start::position("8/8/8/4k3/8/8/8/K6R w - - 0 1").unwrap();
        let mut transcript = Transcript::new(Header::at(Rules::berkeley(), start));
        for attempt in ["h1h2", "e5e6", "h2h3", "e6d6", "h3h2", "d6c6", "h2h3", "c6c5", "h3h2", "c5c6"] {
            transcript.hear(attempt).unwrap();
        }
        let mut measured = Assumptions::default();
        measured.follow(&transcript.view(Color::White), &mut Xoshiro256PlusPlus::seed_from_u64(1));
        let shares: Vec<f64> = measured.moments.iter().filter_map(Moment::consistent_share).collect();
        assert_eq!(shares.len(), 5);
        assert!(shares[0] < 0.3 && shares[4] > 0.5 && shares[4] > shares[0], "{shares:?}");
    }

    #[test]
    fn the_formulas_are_worked_out_by_hand() {
        let moment = Moment { positions: 1, children: 40, kept: 20, distinct: 20, drawn: 0, consistent: 0 };
        let measured = Assumptions { moments: vec![moment; 20] };
        let formulas = measured.formulas(3).unwrap();
        // c = 2: an eighth after three moves, and 350 times eight histories.
        assert!((formulas.consistent - 0.125).abs() < 1e-9 && (formulas.histories - 2800.0).abs() < 1e-6);
        // b/c = 20: 20^5 of 10^26.
        assert!((formulas.reachable / 3.2e-20 - 1.0).abs() < 1e-6, "{}", formulas.reachable);
        // 20^39 is more.
        assert!((measured.formulas(20).unwrap().reachable - 1.0).abs() < 1e-9);
    }
}
