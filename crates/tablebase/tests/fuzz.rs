//! Table files, placements, endings and attempts against garbage and damage: no panic, a damaged table is never believed,
//! and what is refused is refused in one line.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../../kriegspiel/tests/common/damage.rs"]
mod damage;

use std::sync::LazyLock;

use damage::{damaged, damaged_text, garbage, judged};
use nebel_kriegspiel::Attempt;
use nebel_tablebase::{Board, Ending, Placement, Table, solve};
use proptest::prelude::*;

/// A small table as it is written.
static WRITTEN: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("KQK.nbt");
    let board = Board::new(4).unwrap();
    solve(board, &"KQK".parse().unwrap(), &[], |_| {}).unwrap().write(&path).unwrap();
    std::fs::read(path).unwrap()
});

fn opened(bytes: &[u8]) -> Option<Table> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("KQK.nbt");
    std::fs::write(&path, bytes).unwrap();
    judged(Table::open(&path))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn tables(seed in any::<u64>(), at in any::<prop::sample::Index>(), bit in 0..8u32) {
        prop_assert!(opened(&garbage(seed, 600)).is_none());
        let harmed = damaged(WRITTEN.clone(), seed);
        prop_assert!(harmed == *WRITTEN || opened(&harmed).is_none(), "damage was not seen");
        let mut flipped = WRITTEN.clone();
        flipped[at.index(WRITTEN.len())] ^= 1 << bit;
        prop_assert!(opened(&flipped).is_none(), "a flipped bit was not seen");
        // A header that claims anything, and no more than that.
        let mut header = WRITTEN[..WRITTEN.len().min(64)].to_vec();
        header.extend(garbage(seed, 200));
        prop_assert!(opened(&header).is_none());
    }

    #[test]
    fn words(seed in any::<u64>(), text in ".{0,40}") {
        for text in [text, damaged_text("Kc3 Ra1 Bb2", seed), damaged_text("KRBK", seed), damaged_text("a7a8q", seed)] {
            if let Some(placement) = judged(Placement::parse(Board::CHESS, &text)) {
                prop_assert_eq!(Placement::parse(Board::CHESS, &placement.to_string()).unwrap(), placement);
            }
            if let Some(ending) = judged(text.parse::<Ending>()) {
                prop_assert_eq!(ending.to_string().parse::<Ending>().unwrap(), ending);
            }
            if let Some(attempt) = judged(text.parse::<Attempt>()) {
                prop_assert_eq!(attempt.to_string().parse::<Attempt>().unwrap(), attempt);
            }
        }
    }
}
