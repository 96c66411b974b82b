//! Where a game turned: the turns after which the chance to win was another, and what was missed.

use nebel_kriegspiel::{Attempt, Role};

use super::{
    PointKind, TurningPoint, WeighedAttempt,
    turns::{Story, Told},
};

/// A change of the chance that people call a turn. By hand: about what a knight is worth in an even game.
const TURN: f64 = 0.1;
/// What a pawn's capture must promise beside what was tried instead, to be called missed. By hand.
const MISSED: f64 = 0.03;
/// So many changes are told, the largest.
const MOST: usize = 8;

/// The turning points among these turns, in their order.
pub(super) fn of(told: &[Told]) -> Vec<TurningPoint> {
    let mut points = Vec::new();
    let mut had_mate = false;
    for (index, turn) in told.iter().enumerate() {
        let next = told.get(index + 1).map(|next| next.opinion.chance);
        let after = turn.story.end.or(next).unwrap_or(turn.opinion.chance);
        let point = |kind, text| {
            let change = crate::knowledge::rounded(after - turn.opinion.chance);
            TurningPoint { step: turn.opinion.step, kind, change, text }
        };
        let missed_mate = turn.missed_mate();
        // A mate that stays certain is told once.
        match missed_mate.filter(|_| !had_mate) {
            Some(text) => points.push(point(PointKind::Mate, text)),
            None => match turn.missed_try() {
                Some(text) => points.push(point(PointKind::Try, text)),
                None => points.extend(turn.change(after).map(|(kind, text)| point(kind, text))),
            },
        }
        had_mate = turn.story.mate.is_some();
    }
    let mut changes: Vec<f64> = points.iter().map(|point| point.change.abs()).collect();
    changes.sort_by(|a, b| b.total_cmp(a));
    let least = changes.get(MOST - 1).copied().unwrap_or(0.0);
    let is_missed = |point: &TurningPoint| matches!(point.kind, PointKind::Mate);
    points.retain(|point| point.change.abs() >= least || is_missed(point));
    points
}

impl Told {
    fn missed_mate(&self) -> Option<String> {
        let mate = self.story.mate.as_ref()?;
        let first = self.story.tried.first().map(|(attempt, _)| attempt.to_string());
        let wins = self.story.end == Some(1.0);
        (first.as_deref() != Some(&mate.attempt) && !wins).then(|| {
            let moves = mate.moves;
            let first = &mate.attempt;
            format!("A mate in {moves} was certain, whatever was hidden: {first} first.")
        })
    }

    /// A pawn could capture, did not try, and the machine would have.
    fn missed_try(&self) -> Option<String> {
        let Story { has_try, would_capture, tried, .. } = &self.story;
        let capture = (*would_capture).filter(|_| *has_try)?;
        let tries_pawn = tried.iter().any(|&(attempt, man)| is_pawn_capture(attempt, man));
        let instead = self.story.made?;
        let by_capture = self.chance_of(capture)?;
        let by_made = self.chance_of(instead);
        let is_better = by_made.is_none_or(|by_made| by_capture - by_made >= MISSED);
        (!tries_pawn && is_better)
            .then(|| format!("A pawn could capture and none tried: it would have tried {capture} first."))
    }

    /// What changed the chance, if it changed much.
    fn change(&self, after: f64) -> Option<(PointKind, String)> {
        let before = self.opinion.chance;
        let change = after - before;
        if change.abs() < TURN {
            return None;
        }
        let became = format!("{} became {}", percent(before), percent(after));
        let made = self.story.made;
        Some(match (self.story.lost, self.story.won) {
            (Some((square, role)), _) if change < 0.0 => {
                let role = name(role);
                let text = if made.is_some_and(|made| made.to == square) {
                    format!("Your {role} went to {square} and was taken there: {became}.")
                } else {
                    format!("Your {role} on {square} was taken: {became}.")
                };
                (PointKind::Loss, text)
            }
            (_, Some(square)) if change > 0.0 => {
                (PointKind::Gain, format!("You took on {square}: {became}."))
            }
            _ if self.story.end.is_some() => (PointKind::Swing, format!("The game ended: {became}.")),
            _ if change < 0.0 && made.is_some_and(|made| made.to_string() != self.opinion.choice) => {
                let choice = &self.opinion.choice;
                (PointKind::Swing, format!("{became}; it would have tried {choice} here."))
            }
            _ => (PointKind::Swing, format!("{became} by what was heard until the next turn.")),
        })
    }

    /// How likely the machine thought to win by an attempt; nothing if it did not look at it closely.
    fn chance_of(&self, attempt: Attempt) -> Option<f64> {
        let is_it = |weighed: &&WeighedAttempt| weighed.attempt == attempt.to_string();
        self.opinion.weighed.iter().find(is_it)?.chance
    }
}

fn is_pawn_capture(attempt: Attempt, man: Option<Role>) -> bool {
    man == Some(Role::Pawn) && attempt.from.file() != attempt.to.file()
}

fn percent(chance: f64) -> String {
    format!("{:.0}%", 100.0 * chance)
}

const fn name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}
