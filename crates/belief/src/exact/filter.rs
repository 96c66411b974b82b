//! Steps that only leave positions out: refusals, answers, and own moves that capture nothing.
//!
//! Such a step is judged first, a bit a position, and then done in place: nothing is moved before it is known that the step
//! fits and that nobody wants the work stopped, so a failure changes nothing, and no memory is needed for a second set.
//!
//! **What can run together.** A key holds the hidden men, the rooks that may castle and the mark of a pawn that may be
//! captured en passant. A refusal or an answer changes none of it. An own move that captures nothing takes the mark off and
//! changes nothing else, so two positions become one only if they differ in their marks alone: each position with a mark
//! may meet the same men without one, or with the mark on another pawn. Positions without a mark stay as they are and
//! different from each other. So only marked positions are looked up ([`take_marks_off`]); they are few, and none at all
//! unless an own pawn stands beside a hidden one. Marks are no part of a skeleton, so all this stays within a share.
//! An own move that captures takes a man off of which the announcement does not tell everything: what stood there is
//! forgotten, positions of different shares may meet, and all are merged anew ([`crate::exact::merge`]).

use std::sync::Arc;

use nebel_position::Key;

use crate::{
    exact::merge::chunks, exact::set::PositionSet, exact::table::Full, exact::workers::Workers, step::Step,
};

/// Which positions of a set a step leaves, a bit for each.
#[derive(Debug)]
pub(crate) struct Kept {
    /// For each list its bits.
    lists: Vec<Vec<u64>>,
    count: usize,
}

impl Workers<'_> {
    /// Judges every position of a set by a step that only leaves some out.
    pub(crate) fn judge(&self, set: &PositionSet, step: &Step) -> Result<Kept, Full> {
        self.progress.begin(set.len());
        let chunks = chunks(set);
        let judged = self.collect(set.len(), chunks.len(), |index| {
            let (list, ref range) = chunks[index];
            let bits: Vec<u64> =
                set.lists()[list][range.clone()].chunks(64).map(|keys| word(keys, step)).collect();
            let kept: usize = bits.iter().map(|word| word.count_ones() as usize).sum();
            self.budget.add_positions(kept)?;
            self.progress.advance(range.len(), self.budget.found());
            Ok::<_, Full>(bits)
        })?;
        let mut lists = vec![Vec::new(); set.lists().len()];
        for ((list, _), bits) in chunks.iter().zip(judged) {
            lists[*list].extend(bits);
        }
        Ok(Kept { lists, count: self.budget.found() })
    }

    /// Leaves out of a set what was judged so. A set that others hold too is left to them.
    pub(crate) fn keep(&self, set: &mut Arc<PositionSet>, kept: &Kept, step: &Step) -> Result<(), Full> {
        let takes_marks_off = matches!(step, Step::Made(..));
        if let Some(own) = Arc::get_mut(set) {
            own.change(|index, list| {
                let mut at = 0;
                list.retain(|_| {
                    at += 1;
                    kept.has(index, at - 1)
                });
                finish(list, takes_marks_off);
            });
            return Ok(());
        }
        self.budget.take(kept.count)?;
        let lists = set.lists().iter().enumerate().map(|(index, list)| {
            let all = list.iter().enumerate();
            let mut list: Vec<u128> =
                all.filter(|&(at, _)| kept.has(index, at)).map(|(_, &key)| key).collect();
            finish(&mut list, takes_marks_off);
            list
        });
        *set = Arc::new(PositionSet::from_lists(lists.collect()));
        Ok(())
    }
}

impl Kept {
    /// How many positions are left, before any of them run together.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    #[inline]
    fn has(&self, list: usize, at: usize) -> bool {
        self.lists[list][at / 64] >> (at % 64) & 1 == 1
    }
}

fn word(keys: &[u128], step: &Step) -> u64 {
    let bits = keys.iter().enumerate();
    bits.fold(0, |word, (at, &key)| word | u64::from(step.leaves(Key::from_bits(key))) << at)
}

fn finish(list: &mut Vec<u128>, takes_marks_off: bool) {
    if takes_marks_off {
        take_marks_off(list);
    }
    list.shrink_to_fit();
}

/// Takes the marks off all positions of a share, and leaves out those that are there without one already. The others come
/// last, in order. Whether there were any.
pub(crate) fn take_marks_off(list: &mut Vec<u128>) -> bool {
    let unmarked = |key: u128| Key::from_bits(key).without_passed().bits();
    let mut found: Vec<u128> = list
        .iter()
        .map(|&key| (key, unmarked(key)))
        .filter(|(key, image)| key != image)
        .map(|(_, image)| image)
        .collect();
    if found.is_empty() {
        return false;
    }
    found.sort_unstable();
    found.dedup();
    list.retain(|&key| unmarked(key) == key);
    let mut is_there = vec![false; found.len()];
    for key in &*list {
        if let Ok(at) = found.binary_search(key) {
            is_there[at] = true;
        }
    }
    list.extend(found.iter().zip(is_there).filter(|(_, is_there)| !is_there).map(|(&key, _)| key));
    true
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Color, start};
    use nebel_position::Men;

    use super::*;

    fn black(fen: &str) -> u128 {
        Key::pack(&Men::of(&start::position(fen).unwrap(), Color::Black)).bits()
    }

    #[test]
    fn positions_that_differ_in_their_marks_alone_run_together() {
        let plain = black("4k3/8/8/3pPp2/8/8/8/4K3 w - - 0 1");
        let (d, f) =
            (black("4k3/8/8/3pPp2/8/8/8/4K3 w - d6 0 1"), black("4k3/8/8/3pPp2/8/8/8/4K3 w - f6 0 1"));
        let other = black("3k4/8/8/3pPp2/8/8/8/4K3 w - - 0 1");
        let marked = black("5k2/8/8/3pPp2/8/8/8/4K3 w - d6 0 1");
        let lone = black("5k2/8/8/3pPp2/8/8/8/4K3 w - - 0 1");
        assert!(plain != d && d != f && marked != lone);
        let mut list = vec![d, plain, other, f, marked];
        assert!(take_marks_off(&mut list));
        assert_eq!(list, [plain, other, lone]);
        assert!(!take_marks_off(&mut list));
        let mut both = vec![f, d];
        assert!(take_marks_off(&mut both));
        assert_eq!(both, [plain]);
    }
}
