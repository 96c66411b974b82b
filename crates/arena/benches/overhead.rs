//! What the arena itself costs at ten milliseconds a turn: `cargo bench -p nebel-arena --bench overhead`.
//!
//! Greedy players think until their time is up, so that a game takes its turns times ten milliseconds, and all above
//! that is the arena's: the umpire, what both sides are told, the clocks, and the store on disk.

#![allow(clippy::unwrap_used, reason = "a benchmark fails by panicking")]

use std::time::{Duration, Instant};

use nebel_arena::{
    game::{Contestant, MatchTerms, Played, play},
    schedule::Schedule,
    store::Store,
    time::TimeControl,
};
use nebel_kriegspiel::{Chess, Rules, ViewEvent};
use nebel_players::{Budget, Choice, Fault, Game, Greedy, Player};

const TURN: Duration = Duration::from_millis(10);
const GAMES: u32 = 20;

/// Greedy, which uses up its time before it answers.
#[derive(Default)]
struct Slow(Greedy);

impl Player for Slow {
    fn spec(&self) -> String {
        "slow".to_owned()
    }

    fn start(&mut self, game: Game) -> Result<(), Fault> {
        self.0.start(game)
    }

    fn hear(&mut self, event: &ViewEvent) -> Result<(), Fault> {
        self.0.hear(event)
    }

    fn choose(&mut self, budget: &Budget) -> Result<Choice, Fault> {
        let choice = self.0.choose(budget);
        while budget.aim.is_some_and(|aim| Instant::now() < aim) {
            std::hint::spin_loop();
        }
        choice
    }
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("overhead.db")).unwrap();
    let terms = MatchTerms { rules: Rules::icc(), start: Chess::new(), max_moves: Some(60) };
    let schedule = Schedule::of_two("slow", "slow", GAMES, vec![Chess::new()], 1);
    let id = store.match_of(&serde_json::json!("overhead"), &[]).unwrap();
    let (mut thought, mut turns) = (Duration::ZERO, 0);
    let begin = Instant::now();
    for number in 0..GAMES {
        let fixture = schedule.fixture(number);
        let (mut white, mut black) = (Slow::default(), Slow::default());
        let [white, black] =
            [(&mut white, fixture.seeds[0]), (&mut black, fixture.seeds[1])].map(|(player, seed)| {
                Contestant { player: player as &mut dyn Player, seed, time: TimeControl::Turn(TURN) }
            });
        let played: Played = play(&terms, white, black, |_| {});
        store.keep(id, &fixture, &played).unwrap();
        thought += played.white.time + played.black.time;
        turns += played.transcript.events().iter().filter(|event| event.announcement().is_some()).count();
    }
    let wall = begin.elapsed();
    println!(
        "{GAMES} games, {turns} turns of {TURN:?}: {:.2} s, of them {:.2} s thinking; the arena adds {:.2}%",
        wall.as_secs_f64(),
        thought.as_secs_f64(),
        100.0 * (wall.as_secs_f64() / thought.as_secs_f64() - 1.0)
    );
}
