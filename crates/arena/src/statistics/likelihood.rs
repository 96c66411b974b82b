//! The likelihood of results under strengths and a share of draws (Davidson 1970), its best point, and how far a strength may
//! be from it.
//!
//! The logarithm of the likelihood is concave in the strengths and in ln ν, so Newton's steps lead to its one summit. One side condition fixes
//! the scale (the anchor, or the mean, has the strength 0), another may hold one strength where it is wanted; both are met by
//! Lagrange's multipliers, all in one small system of linear equations.

/// The games of two players, virtual ones included.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Meeting {
    pub(super) a: usize,
    pub(super) b: usize,
    pub(super) wins: f64,
    pub(super) draws: f64,
    pub(super) losses: f64,
}

/// Strengths and draws.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Point {
    /// In natural logarithms.
    pub(super) strengths: Vec<f64>,
    log_draw: f64,
}

impl Point {
    /// Davidson's ν.
    pub(super) fn draw(&self) -> f64 {
        self.log_draw.exp()
    }

    /// How likely the first wins, draws and loses.
    pub(super) fn odds(&self, a: usize, b: usize) -> [f64; 3] {
        let half = (self.strengths[a] - self.strengths[b]) / 2.0;
        // The greatest exponent is taken out, so that none is too large.
        let exponents = [half, self.log_draw, -half];
        let most = exponents.iter().copied().fold(f64::MIN, f64::max);
        let odds = exponents.map(|exponent| (exponent - most).exp());
        let sum: f64 = odds.iter().sum();
        odds.map(|part| part / sum)
    }
}

/// All results of a group.
#[derive(Clone, Debug)]
pub(super) struct Likelihood {
    players: usize,
    meetings: Vec<Meeting>,
    /// The weights of the strengths whose sum is 0: one player's, or everybody's.
    scale: Vec<f64>,
}

/// Steps of Newton's method; a handful are needed.
const STEPS: usize = 200;
/// A summit is reached when a step gains less than this.
const GAIN: f64 = 1e-9;

impl Likelihood {
    /// The results of so many players. The strength of the fixed one is 0, or the mean of all.
    pub(super) fn new(players: usize, meetings: Vec<Meeting>, fixed: Option<usize>) -> Likelihood {
        let weight = |player: usize| match fixed {
            Some(fixed) => f64::from(u8::from(player == fixed)),
            None => 1.0 / players as f64,
        };
        Likelihood { players, meetings, scale: (0..players).map(weight).collect() }
    }

    pub(super) fn meetings(&self) -> &[Meeting] {
        &self.meetings
    }

    /// The likeliest point.
    pub(super) fn best(&self) -> Point {
        let level = Point { strengths: vec![0.0; self.players], log_draw: 0.0 };
        self.climb(level, None)
    }

    /// From where to where a strength may go until the logarithm of the likelihood, all else at its best, has dropped by so much.
    pub(super) fn interval(&self, best: &Point, player: usize, drop: f64) -> [f64; 2] {
        let (top, middle) = (self.value(best), best.strengths[player]);
        [-1.0, 1.0].map(|direction| {
            let mut from = best.clone();
            let mut missing = |at: f64| {
                from = self.climb(from.clone(), Some((player, at)));
                drop - (top - self.value(&from))
            };
            // Twice as far until it is too far, then the middle of what is left.
            let (mut near, mut far) = (middle, middle + direction * 0.1);
            while missing(far) > 0.0 && (far - middle).abs() < FARTHEST {
                near = far;
                far = middle + 2.0 * (far - middle);
            }
            while (far - near).abs() > CLOSE {
                let between = f64::midpoint(near, far);
                if missing(between) > 0.0 { near = between } else { far = between }
            }
            f64::midpoint(near, far)
        })
    }

    fn value(&self, point: &Point) -> f64 {
        let of = |meeting: &Meeting| {
            let [win, draw, loss] = point.odds(meeting.a, meeting.b);
            meeting.wins * win.ln() + meeting.draws * draw.ln() + meeting.losses * loss.ln()
        };
        self.meetings.iter().map(of).sum()
    }

    /// Goes to the summit, one strength held where it is wanted.
    fn climb(&self, mut point: Point, held: Option<(usize, f64)>) -> Point {
        if let Some((player, at)) = held {
            point.strengths[player] = at;
        }
        let mut value = self.value(&point);
        for _ in 0..STEPS {
            let Some(step) = self.step(&point, held) else { break };
            // A whole step, or a part of it that does not lead down. Conditions are linear: a whole step meets them.
            let mut length = 1.0;
            let next = loop {
                let next = Point {
                    strengths: point.strengths.iter().zip(&step).map(|(at, by)| at + length * by).collect(),
                    log_draw: point.log_draw + length * step[self.players],
                };
                // At the summit itself the last digits may go down.
                if self.value(&next) >= value - GAIN || length < 1e-6 {
                    break next;
                }
                length /= 2.0;
            };
            let gained = self.value(&next) - value;
            (point, value) = (next, value + gained);
            if gained < GAIN {
                break;
            }
        }
        point
    }

    /// Newton's step under the conditions: for every strength, and for ln ν behind them.
    fn step(&self, point: &Point, held: Option<(usize, f64)>) -> Option<Vec<f64>> {
        let players = self.players;
        let size = players + 2 + usize::from(held.is_some());
        let (mut matrix, mut right) = (vec![vec![0.0; size]; size], vec![0.0; size]);
        for &Meeting { a, b, wins, draws, losses } in &self.meetings {
            let [win, draw, loss] = point.odds(a, b);
            let (games, tilt) = (wins + draws + losses, win - loss);
            let slope = (wins - losses - games * tilt) / 2.0;
            let bend = games * (win + loss - tilt * tilt) / 4.0;
            let cross = games * tilt * draw / 2.0;
            for (one, sign) in [(a, 1.0), (b, -1.0)] {
                right[one] += sign * slope;
                matrix[one][one] += bend;
                matrix[one][players] -= sign * cross;
                matrix[players][one] -= sign * cross;
            }
            matrix[a][b] -= bend;
            matrix[b][a] -= bend;
            right[players] += draws - games * draw;
            matrix[players][players] += games * draw * (1.0 - draw);
        }
        for (player, weight) in self.scale.iter().enumerate() {
            matrix[player][players + 1] = *weight;
            matrix[players + 1][player] = *weight;
            right[players + 1] -= weight * point.strengths[player];
        }
        if let Some((player, at)) = held {
            matrix[player][players + 2] = 1.0;
            matrix[players + 2][player] = 1.0;
            right[players + 2] = at - point.strengths[player];
        }
        solve(matrix, right)
    }
}

/// Nobody is farther away than this: e^60, some ten thousand Elo.
const FARTHEST: f64 = 60.0;
/// A hundredth of an Elo.
const CLOSE: f64 = 5e-5;

/// Solves linear equations by elimination with pivots. `None` if they have no one solution.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let size = right.len();
    for column in 0..size {
        let pivot =
            (column..size).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        if matrix[pivot][column].abs() < 1e-14 {
            return None;
        }
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let (above, below) = matrix.split_at_mut(column + 1);
        let row = &above[column];
        for (under, value) in below.iter_mut().zip(column + 1..) {
            let factor = under[column] / row[column];
            under[column..].iter_mut().zip(&row[column..]).for_each(|(under, over)| *under -= factor * over);
            right[value] -= factor * right[column];
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|column| matrix[row][column] * right[column]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_solved_in_any_order_of_their_rows() {
        // x + y + z = 6, y + 2z = 8, 2x = 2 with a zero in the first place.
        let solution =
            solve(vec![vec![0.0, 1.0, 2.0], vec![2.0, 0.0, 0.0], vec![1.0, 1.0, 1.0]], vec![8.0, 2.0, 6.0]);
        let solution = solution.unwrap();
        for (found, wanted) in solution.iter().zip([1.0, 2.0, 3.0]) {
            assert!((found - wanted).abs() < 1e-12);
        }
        assert_eq!(solve(vec![vec![1.0, 1.0], vec![2.0, 2.0]], vec![1.0, 2.0]), None);
    }

    #[test]
    fn the_summit_has_no_slope_and_an_interval_ends_where_it_should() {
        let meetings = vec![
            Meeting { a: 0, b: 1, wins: 6.0, draws: 3.0, losses: 2.0 },
            Meeting { a: 1, b: 2, wins: 5.0, draws: 1.0, losses: 4.0 },
        ];
        let likelihood = Likelihood::new(3, meetings, Some(2));
        let best = likelihood.best();
        assert!(best.strengths[2].abs() < 1e-9);
        let top = likelihood.value(&best);
        for player in [0, 1] {
            for by in [1e-3, -1e-3] {
                let mut near = best.clone();
                near.strengths[player] += by;
                assert!(likelihood.value(&near) < top);
            }
            for end in likelihood.interval(&best, player, 1.92) {
                let there = likelihood.climb(best.clone(), Some((player, end)));
                assert!((top - likelihood.value(&there) - 1.92).abs() < 1e-3);
            }
        }
    }
}
