//! What several tests share: games between players, refereed without the arena.
#![allow(dead_code, reason = "each test uses its share")]

use nebel_kriegspiel::{Chess, Color, Event, Rules, Umpire};
use nebel_players::{Budget, Choice, Game, Player, by_spec};

/// Both sides.
pub(crate) const SIDES: [Color; 2] = [Color::White, Color::Black];

/// A game to be played.
pub(crate) struct TestGame<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) start: &'a Chess,
    pub(crate) specs: [&'a str; 2],
    pub(crate) seed: u64,
    /// What each player may use for a choice.
    pub(crate) nodes: u64,
    /// When the game is broken off.
    pub(crate) plies: usize,
}

/// Plays a game; each event is shown to the listener with the umpire as it leaves him. Gives the umpire at the end.
pub(crate) fn play(table: &TestGame<'_>, mut listen: impl FnMut(&Umpire, &Event)) -> Umpire {
    let mut players: [Box<dyn Player>; 2] = table.specs.map(|spec| by_spec(spec).unwrap());
    for (index, (player, side)) in players.iter_mut().zip(SIDES).enumerate() {
        let (rules, start) = (table.rules.clone(), table.start.clone());
        player.start(Game { side, rules, start, seed: 2 * table.seed + index as u64 }).unwrap();
    }
    let mut umpire = Umpire::at(table.rules.clone(), table.start.clone());
    let mut made = 0;
    while umpire.over().is_none() && made < table.plies {
        let mover = SIDES.iter().position(|&side| side == umpire.to_move()).unwrap();
        let budget = Budget { nodes: Some(table.nodes), ..Budget::unlimited() };
        let event = match players[mover].choose(&budget).unwrap() {
            Choice::Try(attempt) => umpire.attempt(attempt).unwrap(),
            Choice::Ask => umpire.ask().unwrap(),
            Choice::Resign => return umpire,
        };
        made += usize::from(event.announcement().is_some());
        for (player, side) in players.iter_mut().zip(SIDES) {
            if let Some(heard) = event.heard_by(side, table.rules) {
                player.hear(&heard).unwrap();
            }
        }
        listen(&umpire, &event);
    }
    umpire
}
