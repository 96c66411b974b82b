//! Products of factors: every union of one member of each, pruned by what is won already.

use crate::antichain::{IncrementalAntichain, any_superset};
use crate::board::Mask;

/// The won sets within the squares that share one answer of the umpire.
#[derive(Debug)]
pub(crate) struct Factor {
    /// The squares with this answer.
    pub(crate) class: Mask,
    /// Those of them that can be won by now: a capture there does not save Black.
    pub(crate) open: Mask,
    sets: IncrementalAntichain,
    /// Union of all members.
    support: Mask,
}

impl Factor {
    pub(crate) fn new(class: Mask, open: Mask) -> Factor {
        Factor { class, open, sets: IncrementalAntichain::default(), support: 0 }
    }

    /// Adds the part of `set` that lies within the factor's squares.
    #[inline]
    pub(crate) fn insert(&mut self, set: Mask) {
        let part = set & self.open;
        if self.sets.insert(part) {
            self.support |= part;
        }
    }

    pub(crate) fn settle(&mut self) {
        self.sets.settle();
    }

    fn old(&self) -> Part<'_> {
        Part { sets: [&self.sets.old, &[]], support: self.support }
    }

    fn new_only(&self) -> Part<'_> {
        Part { sets: [&self.sets.new, &[]], support: self.support }
    }

    fn all(&self) -> Part<'_> {
        Part { sets: [&self.sets.old, &self.sets.new], support: self.support }
    }
}

/// The members of a factor that take part in a product.
#[derive(Clone, Copy)]
struct Part<'a> {
    sets: [&'a [Mask]; 2],
    support: Mask,
}

impl Part<'_> {
    fn len(&self) -> usize {
        self.sets[0].len() + self.sets[1].len()
    }
}

/// Collects the sets won at one depth at one placement.
pub(crate) struct Collector<'a> {
    won: &'a [Mask],
    masks: Vec<Mask>,
    moves: Vec<u8>,
    /// How many of `masks` are known to be an antichain.
    pruned: usize,
    scratch: Vec<Vec<Mask>>,
}

impl<'a> Collector<'a> {
    pub(crate) fn new(won: &'a [Mask]) -> Collector<'a> {
        Collector { won, masks: Vec::new(), moves: Vec::new(), pruned: 0, scratch: Vec::new() }
    }

    /// Combines whatever is new in an answer with all of the others, each combination once.
    pub(crate) fn combine_answers(&mut self, attempt: u8, refused: &Factor, answers: &[Factor]) {
        for (at, factor) in answers.iter().enumerate() {
            if factor.sets.new.is_empty() {
                continue;
            }
            let mut parts = vec![factor.new_only()];
            parts.extend(answers[..at].iter().map(Factor::old));
            parts.extend(answers[at + 1..].iter().map(Factor::all));
            parts.push(refused.all());
            self.product(attempt, parts);
        }
    }

    /// Combines what is new among the refused squares with all answers.
    pub(crate) fn combine_refusals(&mut self, attempt: u8, refused: &Factor, answers: &[Factor]) {
        if refused.sets.new.is_empty() {
            return;
        }
        let mut parts = vec![refused.new_only()];
        parts.extend(answers.iter().map(Factor::all));
        self.product(attempt, parts);
    }

    fn product(&mut self, attempt: u8, mut parts: Vec<Part<'_>>) {
        if parts.iter().any(|part| part.len() == 0) {
            return;
        }
        // Factors with nothing but the empty set change nothing; large ones first leave little to the bound.
        let first = parts.remove(0);
        parts.retain(|part| part.support != 0);
        parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
        parts.insert(0, first);
        // rest[i] is all that the parts from i on could still add.
        let mut rest = vec![0; parts.len() + 1];
        for at in (0..parts.len()).rev() {
            rest[at] = rest[at + 1] | parts[at].support;
        }
        if any_superset(self.won, rest[0]) || any_superset(&self.masks, rest[0]) {
            return;
        }
        self.scratch.resize_with(parts.len().max(self.scratch.len()) + 1, Vec::new);
        let mut known = std::mem::take(&mut self.scratch[0]);
        known.clear();
        known.extend_from_slice(self.won);
        known.extend_from_slice(&self.masks);
        self.extend(attempt, 0, 0, &parts, &rest, &known);
        self.scratch[0] = known;
    }

    /// Joins each member of part `at` to `partial`; `known` holds the won sets that contain `partial`, so a
    /// result is new if none of them contains it. Results of one product never contain each other.
    fn extend(
        &mut self,
        attempt: u8,
        at: usize,
        partial: Mask,
        parts: &[Part<'_>],
        rest: &[Mask],
        known: &[Mask],
    ) {
        let last = at + 1 == parts.len();
        for &set in parts[at].sets.into_iter().flatten() {
            let union = partial | set;
            if any_superset(known, union | rest[at + 1]) {
                continue;
            }
            if last {
                if union != 0 {
                    self.masks.push(union);
                    self.moves.push(attempt);
                }
                continue;
            }
            let mut left = std::mem::take(&mut self.scratch[at + 1]);
            left.clear();
            left.extend(known.iter().copied().filter(|&mask| union & !mask == 0));
            self.extend(attempt, at + 1, union, parts, rest, &left);
            self.scratch[at + 1] = left;
        }
    }

    /// Drops sets that others contain, the first found staying among equals; returns those of the rest that were
    /// found since the last call.
    pub(crate) fn prune(&mut self) -> Vec<Mask> {
        let mut order: Vec<usize> = (0..self.masks.len()).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(self.masks[at].count_ones()));
        let mut kept: Vec<Mask> = Vec::with_capacity(self.masks.len());
        let mut stays = vec![false; self.masks.len()];
        for at in order {
            if !any_superset(&kept, self.masks[at]) {
                kept.push(self.masks[at]);
                stays[at] = true;
            }
        }
        let fresh =
            (self.pruned..self.masks.len()).filter(|&at| stays[at]).map(|at| self.masks[at]).collect();
        let mut keep = stays.iter();
        self.masks.retain(|_| keep.next() == Some(&true));
        let mut keep = stays.iter();
        self.moves.retain(|_| keep.next() == Some(&true));
        self.pruned = self.masks.len();
        fresh
    }

    /// The maximal sets and their attempts, the smallest sets first.
    pub(crate) fn finish(self) -> (Vec<Mask>, Vec<u8>) {
        let mut order: Vec<usize> = (0..self.masks.len()).collect();
        order.sort_by_key(|&at| (self.masks[at].count_ones(), self.masks[at]));
        (order.iter().map(|&at| self.masks[at]).collect(), order.iter().map(|&at| self.moves[at]).collect())
    }
}
