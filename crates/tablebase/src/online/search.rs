//! The depth-first search itself.

use nebel_kriegspiel::Attempt;

use super::node::{Edge, NodeId};
use super::{Interrupted, Solver, SolverLimits};
use crate::advice::TableKnowledge;
use crate::board::{Mask, bit, squares_of};
use crate::placement::Placement;

/// Which attempts a search looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// All: a failure is a proof.
    Exact,
    /// Those after which the guide's number exceeds what is left by at most `slack`.
    Guided {
        /// See the variant.
        slack: u16,
    },
}

/// A won set: the squares and the number of moves.
type Won = (Mask, u16);

/// A placement and a set that must be won within a number of moves.
#[derive(Debug, Clone, Copy)]
struct Goal {
    node: NodeId,
    set: Mask,
    moves: u16,
}

/// What brings a goal about.
#[derive(Debug, Clone, Copy)]
enum Cause {
    /// The attempt is refused.
    Refused,
    /// One message, with all the squares that would give it.
    Answer(Mask),
    /// Black takes a man.
    Loss,
}

/// An attempt with all it must achieve.
struct Candidate {
    edge: usize,
    /// What is asked of the attempt's answers, the largest sets first.
    goals: Vec<(Goal, Cause)>,
    /// Smaller is tried first.
    rank: (u16, u32),
}

/// A guide's number for sets no guide calls won.
pub(super) const UNKNOWN: u16 = 60;

impl Solver {
    /// Tries to win within `moves`; gives the number of moves and the first attempt.
    pub(super) fn try_within(
        &mut self,
        placement: &Placement,
        set: Mask,
        moves: u16,
        mode: Mode,
        limits: SolverLimits<'_>,
    ) -> Result<Option<(u16, Attempt)>, Interrupted> {
        let node = self.graph.number(placement);
        let goal = Goal { node, set, moves };
        let limits = SolverLimits { nodes: limits.nodes.map(|nodes| self.nodes + nodes), ..limits };
        let Some((_, moves)) = self.win(goal, mode, limits)? else {
            return Ok(None);
        };
        // The attempt is found again from what is now known, one level deep. All are looked at, since the win may have been
        // noted under another guide.
        let edges = self.graph.edges(node);
        let candidates = self.candidates(Goal { moves, ..goal }, &edges, Mode::Exact);
        let is_won =
            |candidate: &&Candidate| candidate.goals.iter().all(|&(goal, _)| self.known_won(goal).is_some());
        // A win without its attempt would be no answer, but no proof of the contrary either.
        let candidate = candidates.iter().find(is_won).ok_or(Interrupted)?;
        Ok(Some((moves, edges[candidate.edge].effect.attempt)))
    }

    /// How many moves a proof at hand takes, or else the guides expect.
    pub(super) fn guess(&mut self, placement: &Placement, set: Mask) -> u16 {
        let node = self.graph.number(placement);
        self.graph.won(node, set, u16::MAX).map_or_else(|| self.estimate(node, set), |won| won.1)
    }

    /// As [`Solver::guess`], one move ahead where the guides know nothing yet.
    pub(super) fn guess_ahead(&mut self, placement: &Placement, set: Mask) -> u16 {
        let guess = self.guess(placement, set);
        if guess != UNKNOWN {
            return guess;
        }
        let node = self.graph.number(placement);
        let edges = self.graph.edges(node);
        let candidates = self.candidates(Goal { node, set, moves: UNKNOWN }, &edges, Mode::Exact);
        candidates.first().map_or(UNKNOWN, |candidate| candidate.rank.0.min(UNKNOWN))
    }

    fn win(&mut self, goal: Goal, mode: Mode, limits: SolverLimits<'_>) -> Result<Option<Won>, Interrupted> {
        if let Some(won) = self.known_won(goal) {
            return Ok(Some(won));
        }
        if self.known_lost(goal, mode) {
            return Ok(None);
        }
        self.nodes += 1;
        if limits.nodes.is_some_and(|nodes| self.nodes > nodes)
            || (self.nodes.is_multiple_of(64) && limits.is_over())
        {
            return Err(Interrupted);
        }
        let edges = self.graph.edges(goal.node);
        for candidate in self.candidates(goal, &edges, mode) {
            if let Some(won) = self.attempt(goal, &edges[candidate.edge], &candidate.goals, mode, limits)? {
                self.graph.add_won(goal.node, won.0, won.1);
                return Ok(Some(won));
            }
        }
        self.graph.add_lost(goal.node, goal.set, goal.moves, mode);
        Ok(None)
    }

    /// Wins every goal of an attempt, and widens the set to all squares that the same plan wins.
    fn attempt(
        &mut self,
        goal: Goal,
        edge: &Edge,
        goals: &[(Goal, Cause)],
        mode: Mode,
        limits: SolverLimits<'_>,
    ) -> Result<Option<Won>, Interrupted> {
        if goals.iter().any(|&(part, _)| self.known_lost(part, mode)) {
            return Ok(None);
        }
        let effect = &edge.effect;
        let mut moves = 1;
        let mut wide = goal.set;
        for &(part, cause) in goals {
            let Some((mask, within)) = self.win(part, mode, limits)? else {
                return Ok(None);
            };
            moves = moves.max(within + u16::from(part.moves < goal.moves));
            match cause {
                Cause::Refused => wide |= mask & effect.refused,
                // Any square with the same message whose replies all stay in the won set is won as well.
                Cause::Answer(class) => {
                    wide |= class & !self.board.neighbours(effect.replies & !mask | effect.loose);
                }
                Cause::Loss => {}
            }
        }
        Ok(Some((wide, moves)))
    }

    /// The attempts worth trying for a goal, the most promising first.
    fn candidates(&mut self, goal: Goal, edges: &[Edge], mode: Mode) -> Vec<Candidate> {
        let mut list: Vec<Candidate> = Vec::new();
        for (number, edge) in edges.iter().enumerate() {
            let Some(goals) = self.goals(goal, edge, mode) else {
                continue;
            };
            let trusted = match mode {
                Mode::Exact => u16::MAX,
                Mode::Guided { slack } => goal.moves + slack,
            };
            if let Some(rank) = self.rank(goal, &goals, trusted) {
                list.push(Candidate { edge: number, goals, rank });
            }
        }
        list.sort_by_key(|candidate| candidate.rank);
        list
    }

    /// The guides' number for the hardest goal, then the squares left in all; `None` as soon as the number exceeds `most`.
    fn rank(&self, goal: Goal, goals: &[(Goal, Cause)], most: u16) -> Option<(u16, u32)> {
        let mut rank = (0, 0);
        for (part, _) in goals {
            let estimate = self.estimate(part.node, part.set) + u16::from(part.moves < goal.moves);
            if estimate > most {
                return None;
            }
            rank = (rank.0.max(estimate), rank.1 + part.set.count_ones());
        }
        Some(rank)
    }

    /// What an attempt must achieve; `None` if it is refused everywhere or cannot succeed.
    fn goals(&mut self, goal: Goal, edge: &Edge, mode: Mode) -> Option<Vec<(Goal, Cause)>> {
        let board = self.board;
        let effect = &edge.effect;
        let refused = goal.set & effect.refused;
        if refused == goal.set || goal.set & effect.stalemates != 0 || goal.moves == 0 {
            return None;
        }
        let legal = goal.set & !effect.refused;
        let losses = effect.losses(board, legal);
        if losses != 0 && edge.effect.after.men().len() == 1 {
            return None;
        }
        let mut goals = Vec::new();
        for &(_, class) in &effect.classes {
            let set = effect.successors(board, goal.set & class);
            if set != 0 {
                let part = Goal { node: edge.after, set, moves: goal.moves - 1 };
                goals.push((part, Cause::Answer(class)));
            }
        }
        if goals.iter().any(|&(part, _)| self.known_lost(part, mode)) {
            return None;
        }
        if refused != 0 {
            goals.push((Goal { set: refused, ..goal }, Cause::Refused));
        }
        for square in squares_of(losses) {
            let left = effect.after.without(square);
            let part = Goal { node: self.graph.number(&left), set: bit(square), moves: goal.moves - 1 };
            if self.known_lost(part, mode) {
                return None;
            }
            goals.push((part, Cause::Loss));
        }
        goals.sort_by_key(|(part, _)| std::cmp::Reverse(part.set.count_ones()));
        Some(goals)
    }

    /// A win that is proved, whatever search found it.
    fn known_won(&self, goal: Goal) -> Option<Won> {
        match self.graph.known(goal.node, goal.set) {
            TableKnowledge::Mate(moves) if moves <= goal.moves => Some((goal.set, moves)),
            TableKnowledge::Mate(_) | TableKnowledge::NotForced => None,
            // There are no tables of mere bounds here; see `Solver::new`.
            TableKnowledge::AtMost(_) | TableKnowledge::Nothing => {
                self.graph.won(goal.node, goal.set, goal.moves)
            }
        }
    }

    /// Whether a search in this mode need not look at a goal.
    fn known_lost(&self, goal: Goal, mode: Mode) -> bool {
        match self.graph.known(goal.node, goal.set) {
            TableKnowledge::Mate(moves) => moves > goal.moves,
            TableKnowledge::NotForced => true,
            TableKnowledge::AtMost(_) | TableKnowledge::Nothing => {
                goal.moves == 0
                    || self.graph.bound(goal.node, goal.set) > goal.moves
                    || self.graph.is_lost(goal.node, goal.set, goal.moves, mode)
            }
        }
    }

    fn estimate(&self, node: NodeId, set: Mask) -> u16 {
        self.graph.estimate(node, set).unwrap_or(UNKNOWN)
    }
}
