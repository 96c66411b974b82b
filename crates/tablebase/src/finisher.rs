//! Finishing a won game: the forced mate where there is one, else progress without risk.

use nebel_kriegspiel::Attempt;
use shakmaty::Square;

use crate::advice::{TableKnowledge, Tables, Tie};
use crate::attempt_effect::AttemptEffect;
use crate::board::{Board, Mask, bit, squares_of};
use crate::king_belief::KingBelief;
use crate::online::{MateVerdict, Solver, SolverLimits};
use crate::placement::Placement;

/// Plays White against a bare king.
#[derive(Debug)]
pub struct Finisher {
    solver: Solver,
    tie: Tie,
    /// Placements of this game, to keep from going round in circles.
    seen: Vec<Placement>,
}

/// What the finisher wants to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finish {
    /// The attempt.
    pub attempt: Attempt,
    /// The number of moves within which mate is forced, if it is.
    pub mate_in: Option<u16>,
}

/// How good it is to stand with the king somewhere in a set: the smaller, the better. Moves to mate where the tables or guides know, and
/// beyond that a rough measure of how far White is from a set they know.
const FAR: f64 = 60.0;
/// The solver keeps so many placements from turn to turn, some tens of megabytes: a player is not alone in the memory.
const ROOM: usize = 10_000;

impl Finisher {
    /// A finisher with these tables; those of the endings with one man (KQK, KRK, KPK) make it strong.
    pub fn new(tables: Tables, tie: Tie) -> Finisher {
        Finisher { solver: Solver::new(tables).with_room(ROOM), tie, seen: Vec::new() }
    }

    /// A new game begins: what was learnt in the one before is forgotten, so that a game goes the same way whatever was played before it.
    pub fn new_game(&mut self) {
        self.seen.clear();
        self.solver.forget();
    }

    /// The solver, for statistics.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// The attempt to make; `None` only if White has none.
    pub fn choose(&mut self, king_belief: &KingBelief, limits: SolverLimits<'_>) -> Option<Finish> {
        let (placement, set) = (king_belief.placement(), king_belief.set());
        if self.seen.last() != Some(placement) {
            self.seen.push(placement.clone());
        }
        if let Some(advice) = self.solver.tables().advise(placement, set, self.tie) {
            return Some(Finish { attempt: advice.attempt, mate_in: Some(advice.mate_in) });
        }
        if self.solver.tables().known(placement, set) == TableKnowledge::Nothing
            && let MateVerdict::Mate { moves, attempt } = self.solver.any(placement, set, limits)
        {
            return Some(Finish { attempt, mate_in: Some(moves) });
        }
        self.progress(placement, set).map(|attempt| Finish { attempt, mate_in: None })
    }

    /// The attempt that makes most progress without risking stalemate or a man; if every attempt risks something, the
    /// one that risks least, stalemate counting most.
    pub fn progress(&mut self, placement: &Placement, set: Mask) -> Option<Attempt> {
        let board = Board::CHESS;
        let mut best: Option<((f64, f64), Attempt)> = None;
        for effect in AttemptEffect::all(board, placement) {
            if set & !effect.refused == 0 {
                continue;
            }
            let legal = set & !effect.refused;
            let lost = board.neighbours(self.needed(&effect, effect.losses(board, legal))) & legal;
            let stalemates = (set & effect.stalemates).count_ones();
            let risk = f64::from(stalemates) * 100.0 + f64::from(lost.count_ones());
            let visits = self.seen.iter().filter(|&seen| seen == &effect.after).count();
            let value = self.mean_after(placement, set, &effect) + 2.0 * visits as f64;
            let key = (risk, value);
            if best.is_none_or(|(known, _)| key < known) {
                best = Some((key, effect.attempt));
            }
        }
        best.map(|(_, attempt)| attempt)
    }

    /// Those of the men in `losses` without whom no win is in sight, the king standing in their place.
    fn needed(&mut self, effect: &AttemptEffect, losses: Mask) -> Mask {
        let is_needed =
            |&square: &Square| self.solver.expected(&effect.after.without(square), bit(square)).is_none();
        squares_of(losses).filter(is_needed).fold(0, |set, square| set | bit(square))
    }

    /// The mean over the king's squares of what the umpire's answer leaves to do.
    fn mean_after(&mut self, placement: &Placement, set: Mask, effect: &AttemptEffect) -> f64 {
        let board = Board::CHESS;
        let refused = set & effect.refused;
        // A refusal costs nothing and tells much: the game goes on from there.
        let mut total =
            if refused == 0 { 0.0 } else { f64::from(refused.count_ones()) * self.value(placement, refused) };
        for &(_, class) in &effect.classes {
            let here = set & class;
            let next = effect.successors(board, here);
            let after = if next == 0 { 0.0 } else { self.value(&effect.after, next) };
            total += f64::from(here.count_ones()) * (1.0 + after);
        }
        total / f64::from(set.count_ones())
    }

    fn value(&mut self, placement: &Placement, set: Mask) -> f64 {
        if let Some(moves) = self.solver.expected(placement, set) {
            return f64::from(moves);
        }
        let king = placement.king();
        let near = placement.men().iter().map(|man| king.distance(man.1)).min().unwrap_or(0);
        let reach = squares_of(set).map(|square| square.distance(king)).max().unwrap_or(0);
        FAR + f64::from(set.count_ones()) / 2.0 + 2.0 * f64::from(near) + f64::from(reach)
    }
}
