//! Weighted maximax over metapositions (Darkboard's; Ciancarini and Favini 2010, section 4.3).
//!
//! There is no adversary: after each own move the most likely announcement is taken to come, then an unseen move of which
//! nothing is said. A node is worth `alpha · static + (1 − alpha) · best child`, so that what is near counts most. The
//! number of nodes is divided equally among the moves that are expanded: the five best among those not met before in this
//! search and the ten best among those met, which are estimated by what they changed then.

use std::collections::BTreeMap;

use nebel_kriegspiel::{Announcement, Attempt, Role};

use super::{
    judge::{self, Judge},
    material::Made,
    moves::{self, Likely},
    numbers::NUMBERS,
};
use crate::Budget;
use nebel_belief::metaposition::Metaposition;

/// How many moves are expanded at a node, of those not met before and of those met.
const NEW_MOVES: usize = NUMBERS.search.new_moves;
const OLD_MOVES: usize = NUMBERS.search.old_moves;

/// A root move and what it is worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Valued {
    pub(crate) attempt: Attempt,
    /// What it is worth at once.
    pub(crate) at_once: f32,
    /// What it is worth with what follows.
    pub(crate) value: f32,
    /// How many metapositions were looked at behind it.
    pub(crate) nodes: u64,
    /// The chance that it stalemates.
    pub(crate) stalemate: f32,
}

/// One search.
#[derive(Debug)]
pub(crate) struct Search {
    likely: Likely,
    judge: Judge,
    until: Budget,
    /// Moves met in this search, with the change of value they brought.
    met: BTreeMap<Attempt, f32>,
    nodes: u64,
    out_of_time: bool,
}

/// A move made in a node, and judged.
struct Child {
    attempt: Attempt,
    meta: Metaposition,
    value: f32,
}

/// Moves to expand, judged already or estimated.
struct Candidate {
    attempt: Attempt,
    estimate: f32,
    child: Option<Child>,
}

impl Search {
    pub(crate) fn new(likely: Likely, judge: Judge, until: Budget) -> Search {
        Search { likely, judge, until, met: BTreeMap::new(), nodes: 0, out_of_time: false }
    }

    /// What is most likely announced.
    pub(crate) fn likely(&self) -> &Likely {
        &self.likely
    }

    /// How metapositions are judged.
    pub(crate) fn judge(&self) -> Judge {
        self.judge
    }

    /// Metapositions looked at so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Values these attempts, best first, looking at about so many metapositions. Every attempt is looked at once,
    /// however small the budget.
    pub(crate) fn run(&mut self, meta: &Metaposition, attempts: &[Attempt], nodes: u64) -> Vec<Valued> {
        let now = self.judge.value(meta, None, 0);
        let children: Vec<Child> = attempts.iter().map(|&attempt| self.make(meta, attempt, 1)).collect();
        for child in &children {
            self.remember(child, now);
        }
        let mut valued: Vec<Valued> = children
            .iter()
            .map(|child| Valued {
                attempt: child.attempt,
                at_once: child.value,
                value: child.value,
                nodes: 1,
                stalemate: self.judge.stalemate_risk(&child.meta),
            })
            .collect();
        let mut order: Vec<usize> = (0..children.len()).collect();
        order.sort_by(|&a, &b| children[b].value.total_cmp(&children[a].value));
        order.truncate(NEW_MOVES + OLD_MOVES);
        let left = nodes.saturating_sub(self.nodes);
        let share = left / order.len().max(1) as u64;
        for index in order {
            let before = self.nodes;
            valued[index].value = self.deepen(&children[index], 1, share);
            valued[index].nodes += self.nodes - before;
        }
        valued.sort_by(|a, b| b.value.total_cmp(&a.value));
        valued
    }

    /// The value of a move made, with what follows.
    fn deepen(&mut self, child: &Child, ply: u32, nodes: u64) -> f32 {
        let at_once = child.value;
        let (hopeless, decided) = self.judge.undecided();
        if nodes < 2 || at_once < hopeless || at_once > decided || self.is_late() {
            return at_once;
        }
        let mut next = child.meta.clone();
        next.other_moved(self.likely.silence());
        let before = self.nodes;
        let candidates = self.candidates(&next, at_once, ply + 1, nodes);
        let left = nodes.saturating_sub(self.nodes - before);
        let share = left / candidates.len().max(1) as u64;
        let mut best: Option<f32> = None;
        for candidate in candidates {
            let value = match candidate.child {
                Some(child) => self.deepen(&child, ply + 1, share),
                None if share == 0 || self.is_late() => candidate.estimate,
                None => {
                    let child = self.make(&next, candidate.attempt, ply + 1);
                    self.deepen(&child, ply + 1, share - 1)
                }
            };
            best = Some(best.map_or(value, |best| best.max(value)));
        }
        let alpha = self.judge.alpha();
        best.map_or(at_once, |best| alpha * at_once + (1.0 - alpha) * best)
    }

    /// The moves to expand: the best new ones, which are judged, and the best old ones, which are estimated.
    fn candidates(&mut self, meta: &Metaposition, now: f32, ply: u32, nodes: u64) -> Vec<Candidate> {
        let (mut new, mut old) = (Vec::new(), Vec::new());
        let mut unmet = Vec::new();
        moves::for_each(meta, |attempt| match self.met.get(&attempt) {
            Some(change) => old.push(Candidate { attempt, estimate: now + change, child: None }),
            None => unmet.push(attempt),
        });
        for attempt in unmet {
            if new.len() as u64 >= nodes || self.is_late() {
                break;
            }
            let child = self.make(meta, attempt, ply);
            self.remember(&child, now);
            new.push(Candidate { attempt, estimate: child.value, child: Some(child) });
        }
        for (list, most) in [(&mut new, NEW_MOVES), (&mut old, OLD_MOVES)] {
            list.sort_by(|a, b| b.estimate.total_cmp(&a.estimate));
            list.truncate(most);
        }
        new.extend(old);
        new
    }

    /// Makes an attempt as it most likely comes out, and judges it.
    fn make(&mut self, meta: &Metaposition, attempt: Attempt, ply: u32) -> Child {
        self.nodes += 1;
        let outcomes = self.judge.outcomes(&self.likely, meta, attempt);
        let silent = outcomes[0];
        // A move that surely checks does not stay silent.
        self.worst(meta, attempt, ply, outcomes)
            .or_else(|| self.worst(meta, attempt, ply, judge::checks(silent)))
            .unwrap_or_else(|| Child { attempt, meta: meta.clone(), value: NUMBERS.search.hopeless })
    }

    /// The worst of these outcomes that are possible.
    fn worst(
        &self,
        meta: &Metaposition,
        attempt: Attempt,
        ply: u32,
        outcomes: impl IntoIterator<Item = Announcement>,
    ) -> Option<Child> {
        let mut worst: Option<Child> = None;
        for announcement in outcomes {
            let mut after = meta.clone();
            after.moved(attempt, &announcement);
            if after.may_hold(Role::King).is_empty() {
                continue;
            }
            let made = Made { to: attempt.to, captured: announcement.capture.is_some() };
            let value = self.judge.value(&after, Some(made), ply);
            if worst.as_ref().is_none_or(|worst| value < worst.value) {
                worst = Some(Child { attempt, meta: after, value });
            }
        }
        worst
    }

    fn remember(&mut self, child: &Child, before: f32) {
        let change = child.value - before;
        if change.abs() <= NUMBERS.search.typical_change {
            self.met.entry(child.attempt).or_insert(change);
        }
    }

    /// Whether time is up; asked at every node, and cheap against one.
    fn is_late(&mut self) -> bool {
        self.out_of_time = self.out_of_time || self.until.is_over();
        self.out_of_time
    }
}
