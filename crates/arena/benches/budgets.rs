//! What a budget of nodes is in time for each player: `cargo bench -p nebel-arena --bench budgets`.
//!
//! Every player counts nodes in its own way. Each plays the same games against `random` with 1,500 nodes a choice; the
//! time is that of the processor while it chooses, without what it does while it hears. Players that use several
//! processors, or programs outside, cannot be measured so.

#![allow(clippy::unwrap_used, reason = "a benchmark fails by panicking")]

use std::time::Duration;

use nebel_arena::{
    game::{Contestant, MatchTerms, play},
    time::TimeControl,
};
use nebel_kriegspiel::{Chess, Rules, ViewEvent};
use nebel_players::{Budget, Choice, Fault, Game, Player, by_spec};
use rustix::time::{ClockId, clock_gettime};

const NODES: u64 = 1500;
const GAMES: u64 = 4;
const MOVES: u32 = 40;
const SPECS: [&str; 14] = [
    "random",
    "greedy",
    "los",
    "aos",
    "aosp",
    "hs",
    "wolfe-white",
    "wolfe-black",
    "minimax",
    "a",
    "b:k=1",
    "b:k=3",
    "bc",
    "c",
];

/// A player whose choices are timed.
struct Timed {
    player: Box<dyn Player>,
    choices: Vec<Duration>,
}

impl Player for Timed {
    fn spec(&self) -> String {
        self.player.spec()
    }

    fn start(&mut self, game: Game) -> Result<(), Fault> {
        self.player.start(game)
    }

    fn hear(&mut self, event: &ViewEvent) -> Result<(), Fault> {
        self.player.hear(event)
    }

    fn choose(&mut self, budget: &Budget) -> Result<Choice, Fault> {
        let begun = processor_time();
        let choice = self.player.choose(budget);
        self.choices.push(processor_time().saturating_sub(begun));
        choice
    }
}

/// What this thread has used, which does not depend on what else the machine does.
fn processor_time() -> Duration {
    clock_gettime(ClockId::ThreadCPUTime).try_into().unwrap()
}

fn main() {
    println!("player         choices   median      mean (milliseconds for {NODES} nodes)");
    for spec in SPECS {
        let mut timed = Timed { player: by_spec(spec).unwrap(), choices: Vec::new() };
        for number in 0..GAMES {
            let mut random = by_spec("random").unwrap();
            let time = TimeControl::Nodes(NODES);
            let own = Contestant { player: &mut timed, seed: number, time };
            let other = Contestant { player: &mut *random, seed: 100 + number, time };
            let (white, black) = if number % 2 == 0 { (own, other) } else { (other, own) };
            let terms = MatchTerms { rules: Rules::icc(), start: Chess::new(), max_moves: Some(MOVES) };
            play(&terms, white, black, |_| {});
        }
        timed.choices.sort_unstable();
        let milliseconds = |time: Duration| 1e3 * time.as_secs_f64();
        let count = timed.choices.len();
        let median = milliseconds(timed.choices[count / 2]);
        let mean = milliseconds(timed.choices.iter().sum::<Duration>()) / count as f64;
        println!("{spec:<14} {count:>7} {median:>8.2} {mean:>9.2}");
    }
}
