//! A game as a unit of work.
//!
//! What is sent says all that the game depends on. What comes back is only what the players said, word for word, and how
//! long they thought: the umpire of the one who takes it answers every word again. So a result cannot hold an answer that
//! the umpire did not give, it is a tenth as long as a transcript, and the transcript made of it is byte for byte the one of
//! the game that was played.

use std::time::Duration;

use nebel_kriegspiel::{
    Color, Header, Reason, Rules, ViewEvent,
    start::{self, in_one_line},
};
use nebel_players::{Budget, Choice, Fault, Game, Player, TimeControl, check_contained};
use serde::{Deserialize, Serialize};

use super::{
    Cancel, Hand, Trust, UnitError, Work,
    replay::{Replay, words},
};
use crate::{
    game::{Contestant, MatchTerms, Played, play},
    guests::Guests,
    identity::Identity,
};

/// A game to be played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameUnit {
    /// The rules.
    pub rules: Rules,
    /// Where it starts.
    pub start: String,
    /// The spec of White.
    pub white: String,
    /// The spec of Black.
    pub black: String,
    /// The seeds of White and Black.
    pub seeds: [u64; 2],
    /// How long White and Black may think.
    pub times: [TimeControl; 2],
    /// After so many moves of each side the game is drawn.
    pub max_moves: Option<u32>,
}

/// What comes back of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameResult {
    /// What was put to the umpire, in its order, with blanks between.
    pub said: String,
    /// How it ended off the board, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
    /// What only the clocks and the players know of White and Black.
    pub sides: [SideResult; 2],
}

/// An end off the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// Who loses, if somebody does.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "side_name")]
    pub loser: Option<Color>,
    /// Why.
    pub reason: Reason,
}

/// What only the clock and the player know of a side.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideResult {
    /// How long it thought, in microseconds.
    pub micros: u64,
    /// How it failed, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
}

/// The kind of unit that is one game.
#[derive(Clone, Debug, Default)]
pub struct Games {
    guests: Guests,
}

impl Games {
    /// Games in which players take part that no spec makes.
    pub fn with_guests(guests: Guests) -> Games {
        Games { guests }
    }
}

impl Work for Games {
    fn kind(&self) -> &'static str {
        "game"
    }

    fn signature(&self, subject: &str, trust: Trust) -> Result<String, UnitError> {
        if trust == Trust::Stranger {
            check_contained(subject).map_err(|error| UnitError::Refused(error.to_string()))?;
        }
        let identity = Identity::of(subject).map_err(|error| UnitError::Refused(error.to_string()))?;
        Ok(identity.mark())
    }

    fn hand(&self, trust: Trust) -> Box<dyn Hand> {
        Box::new(Table { trust, guests: self.guests.clone(), players: Vec::new() })
    }
}

/// Where one game after the other is played, with players that are kept from game to game.
struct Table {
    trust: Trust,
    guests: Guests,
    players: Vec<(String, Box<dyn Player>)>,
}

impl Hand for Table {
    fn work(&mut self, payload: &[u8], cancel: &Cancel) -> Result<Vec<u8>, UnitError> {
        let refused = |error: &dyn std::fmt::Display| UnitError::Refused(in_one_line(&error.to_string()));
        let unit: GameUnit = serde_json::from_slice(payload).map_err(|error| refused(&error))?;
        if self.trust == Trust::Stranger {
            unit.check()?;
        }
        let terms = unit.terms()?;
        // A player of each side; a player may meet itself.
        let white = self.player(&unit.white).map_err(|error| refused(&error))?;
        let black = self.player(&unit.black).map_err(|error| refused(&error))?;
        let [mut white, mut black] =
            [white, black].map(|(spec, player)| (spec, Stoppable { player, cancel: cancel.clone() }));
        let played = play(
            &terms,
            Contestant { player: &mut white.1, seed: unit.seeds[0], time: unit.times[0] },
            Contestant { player: &mut black.1, seed: unit.seeds[1], time: unit.times[1] },
            |_| {},
        );
        self.players.extend([white, black].map(|(spec, stoppable)| (spec, stoppable.player)));
        if cancel.is_cancelled() {
            return Err(UnitError::Stopped);
        }
        serde_json::to_vec(&GameResult::of(&played)).map_err(|error| refused(&error))
    }
}

impl Table {
    fn player(&mut self, spec: &str) -> Result<(String, Box<dyn Player>), nebel_players::SpecError> {
        if let Some(index) = self.players.iter().position(|(name, _)| name == spec) {
            return Ok(self.players.swap_remove(index));
        }
        Ok((spec.to_owned(), self.guests.player(spec)?))
    }
}

/// A player that ends its game when nobody waits for it any more.
struct Stoppable {
    player: Box<dyn Player>,
    cancel: Cancel,
}

impl Player for Stoppable {
    fn spec(&self) -> String {
        self.player.spec()
    }

    fn allow(&mut self, time: TimeControl) {
        self.player.allow(time);
    }

    fn start(&mut self, game: Game) -> Result<(), Fault> {
        self.player.start(game)
    }

    fn hear(&mut self, event: &ViewEvent) -> Result<(), Fault> {
        self.player.hear(event)
    }

    fn choose(&mut self, budget: &Budget) -> Result<Choice, Fault> {
        if self.cancel.is_cancelled() {
            return Err(Fault::Stopped);
        }
        self.player.choose(&Budget { stop: self.cancel.clone(), ..budget.clone() })
    }
}

/// What a stranger may ask of a game.
mod bounds {
    use std::time::Duration;

    pub(super) const SPEC: usize = 1000;
    pub(super) const MOVES: u32 = 10_000;
    pub(super) const TURN: Duration = Duration::from_hours(1);
    pub(super) const CLOCK: Duration = Duration::from_hours(24);
    pub(super) const NODES: u64 = 1_000_000_000;
}

impl GameUnit {
    /// Whether a stranger may ask for this game. Nothing is built.
    fn check(&self) -> Result<(), UnitError> {
        let refused = |what: String| Err(UnitError::Refused(what));
        for spec in [&self.white, &self.black] {
            if spec.len() > bounds::SPEC {
                return refused(format!("a player's spec is longer than {} bytes", bounds::SPEC));
            }
            check_contained(spec).map_err(|error| UnitError::Refused(error.to_string()))?;
        }
        if self.max_moves.is_none_or(|moves| moves > bounds::MOVES) {
            return refused(format!("a game of more than {} moves", bounds::MOVES));
        }
        for time in self.times {
            let is_within = match time {
                TimeControl::Unlimited => true,
                TimeControl::Turn(time) | TimeControl::Attempt(time) => time <= bounds::TURN,
                TimeControl::Clock { base, increment } => base <= bounds::CLOCK && increment <= bounds::TURN,
                TimeControl::Nodes(nodes) => nodes <= bounds::NODES,
            };
            if !is_within {
                return refused(format!("{time} is more than is given here"));
            }
        }
        Ok(())
    }

    /// What both players are given.
    pub fn terms(&self) -> Result<MatchTerms, UnitError> {
        let refused = |error: &dyn std::fmt::Display| UnitError::Refused(in_one_line(&error.to_string()));
        let rules = serde_json::to_string(&self.rules).map_err(|error| refused(&error))?;
        Ok(MatchTerms {
            rules: Rules::from_json(&rules).map_err(|error| refused(&error))?,
            start: start::position(&self.start).map_err(|error| refused(&error))?,
            max_moves: self.max_moves,
        })
    }

    /// Whether playing it again gives the same game: both sides count nodes, or nothing, and stay within the process.
    pub fn repeats(&self) -> bool {
        let counts = |time| matches!(time, TimeControl::Unlimited | TimeControl::Nodes(_));
        self.times.into_iter().all(counts)
            && [&self.white, &self.black].into_iter().all(|spec| check_contained(spec).is_ok())
    }
}

impl GameResult {
    /// What is sent of a game.
    pub fn of(played: &Played) -> GameResult {
        let (said, end) = words(&played.transcript);
        let sides = [&played.white, &played.black].map(|account| SideResult {
            micros: account.time.as_micros() as u64,
            fault: account.fault.clone(),
        });
        GameResult { said, end, sides }
    }

    /// The game, answered by the umpire once more; or why it cannot have been.
    pub fn replay(
        self,
        terms: &MatchTerms,
        names: [&str; 2],
        times: [TimeControl; 2],
    ) -> Result<Played, String> {
        let mut header = Header::at(terms.rules.clone(), terms.start.clone());
        let [white, black] = names.map(|name| Some(name.to_owned()));
        (header.white, header.black) = (white, black);
        let mut game = Replay::new(header, terms.max_moves);
        for word in self.said.split_ascii_whitespace() {
            game.hear(word)?;
        }
        for (account, side) in game.accounts.iter_mut().zip(self.sides) {
            (account.time, account.fault) = (Duration::from_micros(side.micros), side.fault);
        }
        if let Some(end) = self.end {
            game.end(end, times)?;
        }
        game.played()
    }
}

/// A side by its name.
mod side_name {
    use nebel_kriegspiel::{Color, side::name};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[expect(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "the form that serde calls")]
    pub(super) fn serialize<S: Serializer>(side: &Option<Color>, to: S) -> Result<S::Ok, S::Error> {
        match side {
            Some(side) => to.serialize_str(name(*side)),
            None => to.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Color>, D::Error> {
        let text: Option<String> = Option::deserialize(from)?;
        let side = |text: String| {
            let known = Color::ALL.into_iter().find(|side| name(*side) == text);
            known.ok_or_else(|| D::Error::custom("no side"))
        };
        text.map(side).transpose()
    }
}

#[cfg(test)]
mod tests {
    use nebel_players::{Behind, kinds};

    use super::*;

    fn unit(spec: &str, seed: u64) -> Vec<u8> {
        let unit = GameUnit {
            rules: Rules::icc(),
            start: start::STANDARD.to_owned(),
            white: spec.to_owned(),
            black: "random".to_owned(),
            seeds: [seed, seed + 1],
            times: [TimeControl::Nodes(100); 2],
            max_moves: Some(30),
        };
        serde_json::to_vec(&unit).unwrap()
    }

    fn said(hand: &mut dyn Hand, payload: &[u8]) -> String {
        let result = hand.work(payload, &Cancel::default()).unwrap();
        serde_json::from_slice::<GameResult>(&result).unwrap().said
    }

    #[test]
    fn a_game_does_not_depend_on_the_games_before_it() {
        for kind in kinds().iter().filter(|kind| matches!(kind.takes, Behind::Options(_))) {
            let mut table = Games::default().hand(Trust::Stranger);
            for seed in 0..6 {
                let payload = unit(kind.name, 10 * seed);
                let fresh = said(&mut *Games::default().hand(Trust::Stranger), &payload);
                assert_eq!(said(&mut *table, &payload), fresh, "{} game {seed}", kind.name);
            }
        }
    }

    #[test]
    fn strangers_get_no_programs_and_nothing_without_bounds() {
        let mut hand = Games::default().hand(Trust::Stranger);
        let game: serde_json::Value = serde_json::from_slice(&unit("random", 1)).unwrap();
        for (field, value, why) in [
            ("white", serde_json::json!("exec:sh -c true"), "starts a program"),
            ("white", serde_json::json!("hs:eval=uci/sh"), "takes no eval here"),
            ("white", serde_json::json!("x".repeat(2000)), "longer than 1000 bytes"),
            ("max_moves", serde_json::Value::Null, "more than 10000 moves"),
            ("max_moves", serde_json::json!(10_001), "more than 10000 moves"),
            ("start", serde_json::json!("8/8/8/8/8/8/8/8 w - - 0 1"), "king"),
            ("times", serde_json::json!([{"nodes": 2_000_000_000}, "unlimited"]), "more than is given"),
            (
                "times",
                serde_json::json!([{"turn": {"secs": 3601, "nanos": 0}}, "unlimited"]),
                "more than is given",
            ),
            ("colour", serde_json::json!(1), "unknown field"),
        ] {
            let mut game = game.clone();
            game[field] = value;
            let refused = hand.work(game.to_string().as_bytes(), &Cancel::default()).unwrap_err().to_string();
            assert!(refused.contains(why), "{field}: {refused}");
        }
    }
}
