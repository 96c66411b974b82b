//! How games go: their length, the men left by move, the first moves, beside the games of people.
//!
//! The numbers of people are those of the Internet Chess Club's games (3,813 of them; lengths cut at 80 moves) as published with the
//! Darkboard program.

use std::{collections::BTreeMap, fmt::Write as _};

use nebel_arena::store::Row;
use nebel_kriegspiel::{Attempt, Chess, Color, Event, Input, Position, json, transcript::Record};

/// What was counted over games.
#[derive(Clone, Debug, Default)]
pub struct Habits {
    /// Full moves of each game.
    lengths: Vec<u32>,
    /// By move: men of both sides, kings excluded, and games still running.
    men: Vec<(u32, u32)>,
    /// First moves by colour, White first.
    first: [BTreeMap<String, u32>; 2],
}

/// Where lengths of people's games are cut.
const CUT: u32 = 80;
/// Quantiles of lengths, in percent, with those of people.
const LENGTHS: [(usize, u32); 6] = [(5, 20), (10, 29), (25, 42), (50, 53), (75, 64), (90, 77)];
/// Moves, with the men a side that people have left then.
const MEN: [(usize, f64); 13] = [
    (5, 14.76),
    (10, 14.00),
    (15, 12.87),
    (20, 11.41),
    (25, 9.73),
    (30, 8.08),
    (35, 6.61),
    (40, 5.29),
    (45, 4.25),
    (50, 3.44),
    (60, 2.38),
    (70, 1.88),
    (80, 1.70),
];
/// People's first moves in percent, White and Black.
const FIRST: [&str; 2] = [
    "e4 24.9, d4 17.2, e3 10.9, d3 8.0, f4 7.9, f3 6.0, c4 5.5, g3 3.5, c3 3.1, h4 2.9, Nh3 2.5",
    "d5 20.8, e6 13.2, f6 11.9, d6 11.9, h5 8.1, e5 5.3, g6 4.4, c6 4.2, c5 4.1, Nh6 3.5",
];
/// First moves that are listed.
const LISTED: usize = 8;

impl Habits {
    /// Counts the games of a store.
    pub fn of(rows: &[Row]) -> Habits {
        let mut habits = Habits::default();
        for row in rows {
            if let Ok(Record::Transcript(transcript)) = json::read(row.transcript.as_bytes()) {
                habits.add(transcript.header().start.clone(), transcript.events());
            }
        }
        habits
    }

    fn add(&mut self, mut position: Chess, events: &[Event]) {
        let mut plies = 0;
        for event in events {
            let Event::Attempt { by, said: Some(Input::Attempt(attempt)), .. } = event else { continue };
            if event.announcement().is_none() {
                continue;
            }
            let legal = position.legal_moves().into_iter().find(|&m| Attempt::of_move(m) == *attempt);
            let Some(m) = legal else { break };
            if plies < 2 {
                let text = shakmaty::san::San::from_move(&position, m).to_string();
                *self.first[usize::from(*by == Color::Black)].entry(text).or_default() += 1;
            }
            position.play_unchecked(m);
            plies += 1;
            if *by == Color::Black {
                let number = plies / 2;
                if self.men.len() <= number {
                    self.men.resize(number + 1, (0, 0));
                }
                let men = position.board().occupied().count() as u32 - 2;
                self.men[number] = (self.men[number].0 + men, self.men[number].1 + 1);
            }
        }
        self.lengths.push((plies as u32).div_ceil(2));
    }

    /// The tables, ours beside those of people.
    pub fn markdown(&self) -> String {
        let mut lengths = self.lengths.clone();
        lengths.sort_unstable();
        let quantile = |percent: usize| {
            lengths
                .get((lengths.len() * percent / 100).min(lengths.len().saturating_sub(1)))
                .copied()
                .unwrap_or(0)
        };
        let mut text = format!(
            "Length in full moves, cut at {CUT} as people's are ({} games):\n\n| | 5% | 10% | 25% | median | 75% | 90% | reach {CUT} |\n\
             |---|---|---|---|---|---|---|---|\n| ours |",
            lengths.len()
        );
        // Writing into a String cannot fail.
        for (percent, _) in LENGTHS {
            let _ = write!(text, " {} |", quantile(percent).min(CUT));
        }
        let long = lengths.iter().filter(|&&length| length >= CUT).count();
        let _ = write!(text, " {:.1}% |\n| people |", 100.0 * long as f64 / lengths.len().max(1) as f64);
        for (_, people) in LENGTHS {
            let _ = write!(text, " {people} |");
        }
        text += " 8.1% |\n\nMen a side, kings excluded, games still running:\n\n| move |";
        for (number, _) in MEN {
            let _ = write!(text, " {number} |");
        }
        let _ = write!(text, "\n|---|{}\n| ours |", "---|".repeat(MEN.len()));
        for (number, _) in MEN {
            let ours = self.men.get(number).filter(|(_, games)| *games > 0);
            let ours = ours.map_or("–".to_owned(), |(men, games)| {
                format!("{:.1}", f64::from(*men) / 2.0 / f64::from(*games))
            });
            let _ = write!(text, " {ours} |");
        }
        text += "\n| people |";
        for (_, people) in MEN {
            let _ = write!(text, " {people:.1} |");
        }
        text += "\n\nFirst moves in percent:\n\n| | ours | people |\n|---|---|---|\n";
        for (colour, (first, people)) in ["White", "Black"].iter().zip(self.first.iter().zip(FIRST)) {
            let total: u32 = first.values().sum();
            let mut moves: Vec<(&String, &u32)> = first.iter().collect();
            moves.sort_by_key(|&(text, count)| (std::cmp::Reverse(count), text));
            let listed: Vec<String> = moves
                .iter()
                .take(LISTED)
                .map(|(text, count)| {
                    format!("{text} {:.1}", 100.0 * f64::from(**count) / f64::from(total.max(1)))
                })
                .collect();
            let _ = writeln!(text, "| {colour} | {} | {people} |", listed.join(", "));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Header, Rules, Transcript};

    use super::*;

    #[test]
    fn a_short_game_is_counted() {
        let mut game = Transcript::new(Header::new(Rules::icc()));
        for attempt in ["e2e4", "d7d5", "e4d5", "d8d5"] {
            game.hear(attempt).unwrap();
        }
        let mut habits = Habits::default();
        habits.add(Chess::new(), game.events());
        assert_eq!(habits.lengths, [2]);
        assert_eq!(habits.men[2], (28, 1));
        assert_eq!(habits.first[0].get("e4"), Some(&1));
        assert!(habits.markdown().contains("| White | e4 100.0 |"));
    }
}
