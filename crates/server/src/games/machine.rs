//! The machine's side of a game: a player, what it has heard, and its turns.
//!
//! A whole turn is worked out before any of it is shown: the refusals on the way take time, and when they are
//! not heard, nobody may learn of them by waiting. The turn is shown at a tick of [`Grid`], counted from the
//! move before. The player is given a part of one tick, so that it is as good as always the first.

use std::time::{Duration, Instant as Thinking};

use nebel_kriegspiel::{Color, Event, Heard, Umpire};
use nebel_players::{Budget, Choice, Game, MOST_NONSENSE, Player, by_spec};
use nebel_search::Cancel;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

/// Who the machine is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct MachineTerms {
    /// The side it plays.
    pub(crate) is_white: bool,
    /// The player.
    pub(crate) spec: String,
    /// Milliseconds for a turn.
    pub(crate) move_ms: u64,
    /// The seed of its randomness.
    pub(crate) seed: u64,
}

impl MachineTerms {
    /// The side it plays.
    pub(crate) const fn side(&self) -> Color {
        if self.is_white { Color::White } else { Color::Black }
    }
}

/// The machine at its side of the table.
pub(crate) struct Machine {
    terms: MachineTerms,
    /// Made when it is first needed, by the thread that works for it.
    player: Option<Box<dyn Player>>,
    heard: Vec<Heard>,
    /// How much of that the player was told.
    told: usize,
}

/// What the machine did in its turn.
pub(crate) struct Turn {
    /// The machine, ready for the next.
    pub(crate) machine: Machine,
    /// What it put to the umpire, in this order.
    pub(crate) lines: Vec<String>,
    /// How the turn ended.
    pub(crate) end: TurnEnd,
}

/// How a turn ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TurnEnd {
    /// By a move.
    Moved,
    /// The machine gave up.
    Resigned,
    /// The machine failed.
    Failed,
}

impl Machine {
    /// The machine at the start of a game.
    pub(crate) fn new(terms: MachineTerms) -> Machine {
        Machine { terms, player: None, heard: Vec::new(), told: 0 }
    }

    /// Keeps what it heard, to be told when it is its turn.
    pub(crate) fn hear(&mut self, heard: Heard) {
        self.heard.push(heard);
    }

    /// Plays a turn against a copy of the umpire, to be repeated before the real one. Long work.
    pub(crate) fn turn(
        mut self,
        start: &nebel_kriegspiel::Chess,
        mut umpire: Umpire,
        time: Duration,
        cancel: &Cancel,
    ) -> Turn {
        let mut lines = Vec::new();
        let end = self.try_turn(start, &mut umpire, time, cancel, &mut lines);
        Turn { machine: self, lines, end: end.unwrap_or(TurnEnd::Failed) }
    }

    /// `None` when the player failed.
    fn try_turn(
        &mut self,
        start: &nebel_kriegspiel::Chess,
        umpire: &mut Umpire,
        time: Duration,
        cancel: &Cancel,
        lines: &mut Vec<String>,
    ) -> Option<TurnEnd> {
        // Taking in what was heard is part of the turn.
        let aim = Thinking::now() + time;
        let side = self.terms.side();
        let rules = umpire.rules().clone();
        let player = match &mut self.player {
            Some(player) => player,
            none => {
                let mut player = by_spec(&self.terms.spec).ok()?;
                let game = Game { side, rules: rules.clone(), start: start.clone(), seed: self.terms.seed };
                player.start(game).ok()?;
                none.insert(player)
            }
        };
        for heard in &self.heard[self.told..] {
            player.hear(heard).ok()?;
        }
        self.told = self.heard.len();
        let mut nonsense = 0;
        while !cancel.is_cancelled() {
            let event = match player.choose(&Budget::until(aim, cancel.clone())).ok()? {
                Choice::Resign => return Some(TurnEnd::Resigned),
                Choice::Ask => umpire.ask().ok()?,
                Choice::Try(attempt) => umpire.attempt(attempt).ok()?,
            };
            lines.push(line_of(&event));
            player.hear(&event.heard_by(side, &rules)?).ok()?;
            self.told += 1;
            if event.announcement().is_some() {
                return Some(TurnEnd::Moved);
            }
            nonsense += u32::from(event.is_nonsense());
            if nonsense > MOST_NONSENSE {
                return None;
            }
        }
        None
    }
}

/// The line that asks the umpire for the same again.
fn line_of(event: &Event) -> String {
    match event {
        Event::Attempt { said: Some(said), .. } => said.to_string(),
        _ => "any?".to_owned(),
    }
}

/// The times at which a turn of the machine may be shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    /// When the other side moved.
    pub(crate) begin: Instant,
    /// From one time to the next: what the machine has for a turn, by its terms and the clocks.
    pub(crate) tick: Duration,
}

impl Grid {
    /// The part of a tick that the player is given; the rest is for the scheduler and for refusals.
    pub(crate) fn thinking_time(&self) -> Duration {
        self.tick * 7 / 10
    }

    /// The first time after the work was done.
    pub(crate) fn next(&self, done: Instant) -> Instant {
        let late = done.duration_since(self.begin).as_nanos() / self.tick.as_nanos().max(1);
        self.begin + self.tick * (late as u32).saturating_add(1)
    }
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Attempt, Rules};

    use super::*;

    #[test]
    fn a_turn_is_shown_at_the_next_tick_whatever_it_took() {
        let grid = Grid { begin: Instant::now(), tick: Duration::from_millis(200) };
        for (done, shown) in [(0, 200), (1, 200), (199, 200), (200, 400), (399, 400), (1000, 1200)] {
            let at = |ms| grid.begin + Duration::from_millis(ms);
            assert_eq!(grid.next(at(done)), at(shown), "done after {done} ms");
        }
    }

    #[test]
    fn a_turn_repeats_before_the_umpire() {
        let start = nebel_kriegspiel::start::position("4k3/8/8/8/8/8/4p3/4K2R w K - 0 1").unwrap();
        let mut umpire = Umpire::at(Rules::icc(), start.clone());
        let terms = MachineTerms { is_white: true, spec: "random".to_owned(), move_ms: 100, seed: 3 };
        let turn = Machine::new(terms).turn(&start, umpire.clone(), Duration::ZERO, &Cancel::default());
        assert_eq!(turn.end, TurnEnd::Moved);
        let last = turn.lines.iter().map(|line| umpire.hear(line).unwrap()).last().unwrap();
        assert!(last.announcement().is_some());
        assert!(turn.lines.iter().all(|line| line.parse::<Attempt>().is_ok()));
    }
}
