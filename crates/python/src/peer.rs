//! What benchmarks compare with.

use nebel_kriegspiel::{Color, Rules, Umpire};
use pyo3::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Plays random games with the umpire of the Rust library and nothing else, until so many attempts were made; returns how many games
/// ended.
#[pyfunction]
#[pyo3(signature = (attempts, seed=0))]
pub(crate) fn umpire_attempts(py: Python<'_>, attempts: u64, seed: u64) -> u64 {
    py.detach(|| {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (mut games, mut made) = (0, 0);
        while made < attempts {
            let mut umpire = Umpire::new(Rules::icc());
            while umpire.over().is_none() && made < attempts {
                let mut sensible = umpire.sensible_attempts();
                // One list a turn: a refused attempt is taken out of it, as a player would.
                while made < attempts {
                    let attempt = sensible.swap_remove(random.random_range(0..sensible.len()));
                    made += 1;
                    let Ok(event) = umpire.attempt(attempt) else { break };
                    std::hint::black_box(Color::ALL.map(|side| event.heard_by(side, umpire.rules())));
                    if event.announcement().is_some() {
                        break;
                    }
                }
            }
            games += 1;
        }
        games
    })
}
