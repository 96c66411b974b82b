//! Sets of masks of which none contains another, and the one question asked of them: does any contain this?
//!
//! Almost all the time of the generator and all the time of a probe is spent in [`any_superset`], a scan over 64-bit
//! masks. It is written so that the compiler turns it into vector code, and compiled twice: for the
//! machine's baseline and for AVX2, which compares four masks an instruction (twice as fast on long lists).

use crate::board::Mask;

/// Whether any mask of `list` contains `set`.
#[inline]
pub fn any_superset(list: &[Mask], set: Mask) -> bool {
    if list.len() < LANES {
        return list.iter().any(|&mask| set & !mask == 0);
    }
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, the only feature the function asks for.
        return unsafe { any_superset_avx2(list, set) };
    }
    scan(list, set)
}

/// The position of the first mask of `list` that contains `set`.
#[inline]
pub fn first_superset(list: &[Mask], set: Mask) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, the only feature the function asks for.
        return unsafe { first_superset_avx2(list, set) };
    }
    find(list, set)
}

const LANES: usize = 8;

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn any_superset_avx2(list: &[Mask], set: Mask) -> bool {
    scan(list, set)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn first_superset_avx2(list: &[Mask], set: Mask) -> Option<usize> {
    find(list, set)
}

/// Whole blocks are dismissed without a branch inside; only the block with the hit is looked at mask by mask.
#[inline(always)]
#[allow(clippy::inline_always, reason = "must be compiled with the features of its caller")]
fn find(list: &[Mask], set: Mask) -> Option<usize> {
    let (blocks, rest) = list.as_chunks::<16>();
    for (number, block) in blocks.iter().enumerate() {
        if block.iter().fold(0u64, |hits, &mask| hits + u64::from(set & !mask == 0)) != 0 {
            return block.iter().position(|&mask| set & !mask == 0).map(|at| number * 16 + at);
        }
    }
    rest.iter().position(|&mask| set & !mask == 0).map(|at| blocks.len() * 16 + at)
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "must be compiled with the features of its caller")]
fn scan(list: &[Mask], set: Mask) -> bool {
    let (blocks, rest) = list.as_chunks::<LANES>();
    for block in blocks {
        // Counting instead of stopping keeps the block free of branches.
        if block.iter().fold(0u64, |hits, &mask| hits + u64::from(set & !mask == 0)) != 0 {
            return true;
        }
    }
    rest.iter().any(|&mask| set & !mask == 0)
}

/// An antichain that grows by stages: what is `new` in this stage, and what was there before.
///
/// The empty set is an ordinary member until a larger set displaces it.
#[derive(Debug, Default, Clone)]
pub struct IncrementalAntichain {
    /// Members of earlier stages.
    pub old: Vec<Mask>,
    /// Members of this stage.
    pub new: Vec<Mask>,
}

impl IncrementalAntichain {
    /// Adds `set` unless a member contains it; members that it contains leave.
    #[inline]
    pub fn insert(&mut self, set: Mask) -> bool {
        if any_superset(&self.new, set) || any_superset(&self.old, set) {
            return false;
        }
        self.old.retain(|&mask| mask & !set != 0);
        self.new.retain(|&mask| mask & !set != 0);
        self.new.push(set);
        true
    }

    /// Ends the stage.
    pub fn settle(&mut self) {
        self.old.append(&mut self.new);
    }

    /// All members.
    pub fn iter(&self) -> impl Iterator<Item = Mask> + '_ {
        self.old.iter().chain(&self.new).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scans_agree_with_the_definition() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 20
        };
        for length in 0..70 {
            let list: Vec<Mask> = (0..length).map(|_| next() | next()).collect();
            for _ in 0..50 {
                let set = next() & next() & next() & next();
                let first = list.iter().position(|&mask| set & !mask == 0);
                assert_eq!(first_superset(&list, set), first);
                assert_eq!(any_superset(&list, set), first.is_some());
            }
        }
    }

    #[test]
    fn only_maximal_sets_stay() {
        let mut chain = IncrementalAntichain::default();
        assert!(chain.insert(0));
        assert!(!chain.insert(0));
        chain.settle();
        assert!(chain.insert(0b011));
        assert!(chain.insert(0b110));
        assert!(!chain.insert(0b010));
        chain.settle();
        assert!(chain.insert(0b1110));
        assert_eq!(chain.iter().collect::<Vec<_>>(), [0b011, 0b1110]);
    }
}
