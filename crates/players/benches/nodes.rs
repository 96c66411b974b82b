//! Tree nodes a second of approaches B and C on one core, and their ratio.
//!
//! `cargo bench -p nebel-players` lets both think about the same turns of seeded games, in one run: the paper's C valued 10 to
//! 20 times the nodes of B with k = 1, and 50,000 nodes a second are wanted of C.

#![allow(clippy::unwrap_used, reason = "a bench fails by panicking")]

use std::time::Instant;

use nebel_kriegspiel::{Chess, Color, Rules, Umpire};
use nebel_players::{Budget, Choice, Game, Player, favini::Mcts};

const TURNS: usize = 40;
const SPECS: [(&str, Option<&str>, u64); 7] = [
    ("c", None, 40_000),
    ("b", Some("k=1"), 3_000),
    ("b", Some("k=3"), 1_500),
    ("b", Some("k=7"), 700),
    ("b", Some("k=10"), 500),
    ("bc", Some("k=3"), 500),
    ("a", None, 200),
];

fn main() {
    println!("player      nodes/s  iterations/s");
    let mut rates = Vec::new();
    for (name, options, budget) in SPECS {
        let mut player = Mcts::new(name, options).unwrap();
        let (nodes, iterations) = measure(&mut player, budget);
        println!("{:<8} {nodes:>10.0}    {iterations:>10.0}", player.spec());
        rates.push(nodes);
    }
    println!("C over B with k=1: {:.1} (10 to 20 in the paper)", rates[0] / rates[1]);
    println!("C: {:.0} nodes a second (50,000 wanted)", rates[0]);
}

/// Nodes and iterations a second over the turns of a game against itself.
fn measure(player: &mut Mcts, nodes: u64) -> (f64, f64) {
    let rules = Rules::icc();
    let mut other = Mcts::new("c", None).unwrap();
    let start = |side| Game { side, rules: Rules::icc(), start: Chess::new(), seed: 3 };
    player.start(start(Color::White)).unwrap();
    other.start(start(Color::Black)).unwrap();
    let mut umpire = Umpire::new(rules.clone());
    let (mut counted, mut seconds) = ([0, 0], 0.0);
    let mut turns = 0;
    while turns < TURNS && umpire.over().is_none() {
        let is_own = umpire.to_move() == Color::White;
        let budget = Budget { nodes: Some(if is_own { nodes } else { 500 }), ..Budget::unlimited() };
        let begun = Instant::now();
        let choice = if is_own { player.choose(&budget) } else { other.choose(&budget) };
        if is_own {
            seconds += begun.elapsed().as_secs_f64();
            let effort = player.last_effort();
            counted = [counted[0] + effort.0, counted[1] + effort.1];
            turns += 1;
        }
        let Ok(Choice::Try(attempt)) = choice else { break };
        let event = umpire.attempt(attempt).unwrap();
        for (side, player) in [(Color::White, &mut *player), (Color::Black, &mut other)] {
            if let Some(heard) = event.heard_by(side, &rules) {
                player.hear(&heard).unwrap();
            }
        }
    }
    (counted[0] as f64 / seconds, counted[1] as f64 / seconds)
}
