//! The naive program: sets of king squares as plain subsets, value iteration over all of them, no symmetry.

use std::collections::BTreeMap;

/// File and rank.
pub(crate) type At = (i32, i32);
/// Men with their letters, the king first.
pub(crate) type Men = Vec<(char, At)>;

/// What a placement is solved to: the squares where the king may be, and for every subset of them the number of moves (0 = not won).
pub(crate) struct Solved {
    pub(crate) squares: Vec<At>,
    pub(crate) moves: Vec<u8>,
}

pub(crate) struct Naive {
    pub(crate) size: i32,
    pub(crate) solved: BTreeMap<Men, Solved>,
}

const KING: [At; 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
impl Naive {
    fn on(&self, at: At) -> bool {
        (0..self.size).contains(&at.0) && (0..self.size).contains(&at.1)
    }

    /// Whether the man on `from` attacks `to` when `blocked` tells the occupied squares.
    fn attacks(man: char, from: At, to: At, blocked: &dyn Fn(At) -> bool) -> bool {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let straight = dx == 0 || dy == 0;
        let diagonal = dx.abs() == dy.abs();
        let line = match man {
            'K' => return dx.abs().max(dy.abs()) == 1,
            'N' => return dx.abs() * dy.abs() == 2,
            'P' => return dy == 1 && dx.abs() == 1,
            'R' => straight,
            'B' => diagonal,
            _ => straight || diagonal,
        };
        if !line || (dx, dy) == (0, 0) {
            return false;
        }
        let step = (dx.signum(), dy.signum());
        let mut at = (from.0 + step.0, from.1 + step.1);
        while at != to {
            if blocked(at) {
                return false;
            }
            at = (at.0 + step.0, at.1 + step.1);
        }
        true
    }

    /// The directions from which the white men attack the square `at`, the black king standing there, or on his way from it.
    fn checks(&self, men: &Men, at: At) -> Vec<&'static str> {
        let occupied = |square: At| men.iter().any(|man| man.1 == square);
        let mut names = Vec::new();
        for &(man, from) in men {
            if !Naive::attacks(man, from, at, &occupied) {
                continue;
            }
            names.push(if man == 'N' {
                "knight"
            } else if man == 'K' {
                "king"
            } else if from.1 == at.1 {
                "rank"
            } else if from.0 == at.0 {
                "file"
            } else {
                let rising = (from.0 - at.0) == (from.1 - at.1);
                if self.diagonal(at, rising) >= self.diagonal(at, !rising) { "long" } else { "short" }
            });
        }
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Length of a diagonal through a square, counted.
    fn diagonal(&self, at: At, rising: bool) -> usize {
        let slope = if rising { 1 } else { -1 };
        (-9..=9).filter(|i| self.on((at.0 + i, at.1 + i * slope))).count()
    }

    /// Every attempt: the man's number, his target and what he becomes.
    fn attempts(&self, men: &Men) -> Vec<(usize, At, char)> {
        let own = |at: At| men.iter().any(|man| man.1 == at);
        let mut list = Vec::new();
        for (number, &(man, from)) in men.iter().enumerate() {
            if man == 'P' {
                let one = (from.0, from.1 + 1);
                if own(one) {
                    continue;
                }
                if one.1 == self.size - 1 {
                    list.extend(['Q', 'R', 'B', 'N'].map(|new| (number, one, new)));
                    continue;
                }
                list.push((number, one, 'P'));
                let two = (from.0, from.1 + 2);
                if from.1 == 1 && self.size >= 5 && !own(two) {
                    list.push((number, two, 'P'));
                }
                continue;
            }
            for x in 0..self.size {
                for y in 0..self.size {
                    if !own((x, y)) && Naive::attacks(man, from, (x, y), &own) {
                        list.push((number, (x, y), man));
                    }
                }
            }
        }
        list
    }

    /// Whether the umpire lets the move happen with the black king on `king`.
    fn legal(men: &Men, attempt: (usize, At, char), king: At) -> bool {
        let (number, to, _) = attempt;
        let (man, from) = men[number];
        match man {
            'K' => (to.0 - king.0).abs().max((to.1 - king.1).abs()) > 1,
            'P' => to != king && (to.1 - from.1 == 1 || (from.0, from.1 + 1) != king),
            'N' => to != king,
            _ => {
                to != king && Naive::attacks(man, from, to, &|at| at == king || men.iter().any(|m| m.1 == at))
            }
        }
    }

    fn sorted(mut men: Men) -> Men {
        men[1..].sort_by_key(|man| ("QRBNP".find(man.0), man.1));
        men
    }

    /// The moves needed from a single known square, by what is solved already.
    fn single(&self, men: &Men, king: At) -> Option<u8> {
        let solved = self.solved.get(&Naive::sorted(men.clone()))?;
        let at = solved.squares.iter().position(|&square| square == king)?;
        Some(solved.moves[1 << at]).filter(|&moves| moves > 0)
    }

    /// Solves every placement of an ending whose sub-endings are solved already.
    pub(crate) fn solve(&mut self, ending: &str) {
        let letters: Vec<char> = ending[..ending.len() - 1].chars().collect();
        let mut placements: Vec<Men> = vec![Vec::new()];
        for &letter in &letters {
            let mut next = Vec::new();
            for men in &placements {
                for x in 0..self.size {
                    for y in 0..self.size {
                        let barred = letter == 'P' && (y == 0 || y == self.size - 1);
                        if !barred && men.iter().all(|man| man.1 != (x, y)) {
                            let mut men = men.clone();
                            men.push((letter, (x, y)));
                            next.push(men);
                        }
                    }
                }
            }
            placements = next;
        }
        placements.retain(|men| &Naive::sorted(men.clone()) == men);
        for men in &placements {
            let mut squares = Vec::new();
            for x in 0..self.size {
                for y in 0..self.size {
                    if men.iter().all(|man| man.1 != (x, y)) && self.checks(men, (x, y)).is_empty() {
                        squares.push((x, y));
                    }
                }
            }
            let moves = vec![0; 1 << squares.len()];
            self.solved.insert(men.clone(), Solved { squares, moves });
        }
        let plans: Vec<Vec<NaiveAttempt>> = placements.iter().map(|men| self.plans(men)).collect();
        let deepest = self.solved.values().filter_map(|s| s.moves.iter().copied().max()).max().unwrap_or(0);
        for depth in 1.. {
            let mut won: Vec<(usize, Vec<usize>)> = Vec::new();
            for (number, men) in placements.iter().enumerate() {
                let new = self.won_in(depth, men, &plans[number]);
                if !new.is_empty() {
                    won.push((number, new));
                }
            }
            if won.is_empty() && depth > deepest {
                return;
            }
            for (number, sets) in won {
                let solved = self.solved.get_mut(&placements[number]).expect("entered above");
                for set in sets {
                    solved.moves[set] = depth;
                }
            }
        }
    }

    /// The sets won in exactly `depth` moves, each subset tried with each attempt.
    fn won_in(&self, depth: u8, men: &Men, plans: &[NaiveAttempt]) -> Vec<usize> {
        let before = &self.solved[men].moves;
        let mut won: Vec<bool> = before.iter().map(|&moves| moves > 0).collect();
        let mut new = Vec::new();
        // Subsets come before their supersets in numerical order, so one round settles the refusals.
        for set in 1..won.len() {
            if !won[set] && plans.iter().any(|plan| self.works(depth, set, plan, &won)) {
                won[set] = true;
                new.push(set);
            }
        }
        new
    }

    fn works(&self, depth: u8, set: usize, plan: &NaiveAttempt, won: &[bool]) -> bool {
        let refused = set & plan.refused;
        if refused == set || (refused != 0 && !won[refused]) {
            return false;
        }
        // Nothing of a draw, and nothing that loses a man White cannot do without in time.
        let mut after: Vec<(&[&str], usize)> = Vec::new();
        for (at, answer) in plan.answers.iter().enumerate() {
            if set & !refused & (1 << at) == 0 {
                continue;
            }
            match answer {
                NaiveAnswer::Refused | NaiveAnswer::Mate => {}
                NaiveAnswer::Lost => return false,
                NaiveAnswer::On { checks, replies, losing_in } => {
                    if *losing_in >= depth {
                        return false;
                    }
                    match after.iter_mut().find(|known| known.0 == checks.as_slice()) {
                        Some(known) => known.1 |= replies,
                        None => after.push((checks, *replies)),
                    }
                }
            }
        }
        let Some(next) = self.solved.get(&plan.after) else {
            return after.iter().all(|known| known.1 == 0);
        };
        after.iter().all(|&(_, set)| set == 0 || (next.moves[set] > 0 && next.moves[set] < depth))
    }

    fn plans(&self, men: &Men) -> Vec<NaiveAttempt> {
        let squares = &self.solved[men].squares;
        let mut plans = Vec::new();
        for attempt in self.attempts(men) {
            let mut moved = men.clone();
            moved[attempt.0] = (attempt.2, attempt.1);
            let after = Naive::sorted(moved);
            // Promotion to a lone minor piece is a draw by the rules: no set is won.
            let dead = after.len() == 2 && matches!(after[1].0, 'B' | 'N');
            let mut refused = 0;
            let mut answers = Vec::new();
            for (at, &king) in squares.iter().enumerate() {
                if !Naive::legal(men, attempt, king) {
                    refused |= 1 << at;
                    answers.push(NaiveAnswer::Refused);
                    continue;
                }
                answers.push(if dead { NaiveAnswer::Lost } else { self.answer(&after, king) });
            }
            plans.push(NaiveAttempt { refused, answers, after });
        }
        plans
    }

    /// What happens with the black king to move from `king`.
    fn answer(&self, men: &Men, king: At) -> NaiveAnswer {
        let checks = self.checks(men, king);
        let (mut replies, mut losing_in, mut any) = (0, 0, false);
        for step in KING {
            let to = (king.0 + step.0, king.1 + step.1);
            if !self.on(to) {
                continue;
            }
            let mut left = men.clone();
            left.retain(|man| man.1 != to);
            if left[0].0 != 'K' || !self.checks(&left, to).is_empty() {
                continue;
            }
            any = true;
            if left.len() < men.len() {
                match self.single(&left, to) {
                    Some(moves) => losing_in = losing_in.max(moves),
                    None => return NaiveAnswer::Lost,
                }
            } else if let Some(next) = self.solved.get(men) {
                replies |= 1 << next.squares.iter().position(|&square| square == to).expect("a safe square");
            } else {
                return NaiveAnswer::Lost;
            }
        }
        match (any, checks.is_empty()) {
            (false, true) => NaiveAnswer::Lost,
            (false, false) => NaiveAnswer::Mate,
            (true, _) => NaiveAnswer::On { checks, replies, losing_in },
        }
    }
}

/// One attempt: for each square of the king what comes of it.
struct NaiveAttempt {
    refused: usize,
    answers: Vec<NaiveAnswer>,
    after: Men,
}

enum NaiveAnswer {
    Refused,
    Mate,
    Lost,
    On { checks: Vec<&'static str>, replies: usize, losing_in: u8 },
}
