//! Material by move: the curves of Parker, Nau and Subrahmanian (2005), Figures 2 and 3.
//!
//! Queen 9, rook 5, bishop and knight 3, pawn 1; averaged over the games still running at a move.

use nebel_arena::store::Row;
use nebel_kriegspiel::{Attempt, Chess, Color, Event, Input, Position, Role, json, transcript::Record};

/// The average material of one player with one colour, by move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    sums: Vec<(f64, u32)>,
}

impl Curve {
    fn add(&mut self, move_number: usize, material: u32) {
        if self.sums.len() <= move_number {
            self.sums.resize(move_number + 1, (0.0, 0));
        }
        self.sums[move_number].0 += f64::from(material);
        self.sums[move_number].1 += 1;
    }

    /// (move, average, games) for every move that some game reached.
    pub fn points(&self) -> impl Iterator<Item = (usize, f64, u32)> + '_ {
        let points = self.sums.iter().enumerate().filter(|(_, (_, games))| *games > 0);
        points.map(|(number, (sum, games))| (number, sum / f64::from(*games), *games))
    }
}

/// The four curves of a match: the first player with White and Black, the second with White and Black.
pub fn curves(rows: &[Row], first: &str) -> [Curve; 4] {
    let mut curves = <[Curve; 4]>::default();
    for row in rows {
        let first_is_white = row.white == first;
        let Ok(Record::Transcript(transcript)) = json::read(row.transcript.as_bytes()) else { continue };
        let mut position: Chess = transcript.header().start.clone();
        let mut move_number = 0;
        for event in transcript.events() {
            let Event::Attempt { by, said: Some(Input::Attempt(attempt)), .. } = event else { continue };
            if event.announcement().is_none() {
                continue;
            }
            let legal = position.legal_moves().into_iter().find(|&m| Attempt::of_move(m) == *attempt);
            let Some(m) = legal else { break };
            position.play_unchecked(m);
            if *by == Color::Black {
                move_number += 1;
                let [white, black] = Color::ALL.map(|color| material(&position, color));
                let (white_curve, black_curve) = if first_is_white { (0, 3) } else { (2, 1) };
                curves[white_curve].add(move_number, white);
                curves[black_curve].add(move_number, black);
            }
        }
    }
    curves
}

/// The material of one side, the king not counted.
pub fn material(position: &Chess, color: Color) -> u32 {
    let board = position.board();
    let own = board.by_color(color);
    let worth = |role| match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    };
    Role::ALL.iter().map(|&role| worth(role) * (own & board.by_role(role)).count() as u32).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_begins_with_thirty_nine() {
        assert_eq!(Color::ALL.map(|color| material(&Chess::new(), color)), [39, 39]);
    }

    #[test]
    fn a_curve_averages_the_games_that_reached_a_move() {
        let mut curve = Curve::default();
        curve.add(1, 39);
        curve.add(1, 38);
        curve.add(3, 10);
        let points: Vec<_> = curve.points().collect();
        assert_eq!(points, [(1, 38.5, 2), (3, 10.0, 1)]);
    }
}
