//! `greedy`: reacts and else moves at random.
//!
//! It takes back where it was captured, tries pawn captures when it was told of some (or asks, where
//! the rules have the question), and otherwise tries attempts that make sense, each equally likely, but no pawn
//! capture of which it knows that it is not there. Cheaper men try first.

use nebel_kriegspiel::{Answer, AskAnswer, Attempt, Color, Event, OwnSide, Role, Square, ViewEvent};
use rand::{SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{Budget, Choice, Fault, Game, Player};
use nebel_belief::OwnTries;

/// The reactive player.
#[derive(Debug, Default)]
pub struct Greedy {
    game: Option<State>,
}

#[derive(Debug)]
struct State {
    own: OwnSide,
    random: Xoshiro256PlusPlus,
    /// Where the other side has just captured.
    lost_on: Option<Square>,
    /// What it knows of its pawn captures.
    tries: OwnTries,
}

impl Player for Greedy {
    fn spec(&self) -> String {
        "greedy".to_owned()
    }

    fn start(&mut self, game: Game) -> Result<(), Fault> {
        self.game = Some(State {
            tries: OwnTries::at_start(&game.start, game.side),
            own: OwnSide::new(game.rules, &game.start, game.side),
            random: Xoshiro256PlusPlus::seed_from_u64(game.seed),
            lost_on: None,
        });
        Ok(())
    }

    fn hear(&mut self, event: &ViewEvent) -> Result<(), Fault> {
        let Some(state) = &mut self.game else { return Ok(()) };
        state.own.hear(event).map_err(|error| Fault::Protocol(error.to_string()))?;
        state.react(event);
        Ok(())
    }

    fn choose(&mut self, _: &Budget) -> Result<Choice, Fault> {
        Ok(self.game.as_mut().map_or(Choice::Resign, State::choose))
    }
}

impl State {
    fn side(&self) -> Color {
        self.own.men().color()
    }

    fn react(&mut self, event: &Event) {
        match event {
            Event::Attempt { by, answer: Answer::Moved(announcement), .. } => {
                let by_other = *by != self.side();
                self.lost_on = announcement.capture.filter(|_| by_other).map(|capture| capture.square);
                self.tries = OwnTries::heard(announcement.tries.filter(|_| by_other));
            }
            Event::Ask { by, answer } if *by == self.side() && *answer != AskAnswer::Nonsense => {
                self.tries = OwnTries::answered(*answer == AskAnswer::Yes);
            }
            _ => {}
        }
    }

    fn choose(&mut self) -> Choice {
        if self.own.may_ask() {
            return Choice::Ask;
        }
        let takes = |attempt: &Attempt| self.own.men().is_pawn_capture(*attempt);
        let mut sensible = self.own.sensible_attempts();
        if sensible.iter().any(|attempt| !takes(attempt)) {
            sensible.retain(|attempt| !takes(attempt) || self.tries.allow(attempt.from));
        }
        let worth = |attempt: &Attempt| match self.own.men().role_at(attempt.from) {
            Some(Role::Pawn) => 1,
            Some(Role::Knight | Role::Bishop) => 3,
            Some(Role::Rook) => 5,
            Some(Role::Queen) => 9,
            Some(Role::King) | None => 10,
        };
        let takes_back = |attempt: &&Attempt| Some(attempt.to) == self.lost_on;
        let reaction = sensible.iter().filter(|a| takes_back(a)).min_by_key(|a| worth(a));
        let reaction = reaction.or_else(|| sensible.iter().find(|a| self.tries.are_there() && takes(a)));
        let chosen = reaction.copied().or_else(|| sensible.choose(&mut self.random).copied());
        chosen.map_or(Choice::Resign, Choice::Try)
    }
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Rules, Umpire, rules::TriesAnnounced};

    use super::*;

    /// Under rules that tell of pawn captures, each that is tried was announced; elsewhere some are tried in vain.
    #[test]
    fn no_pawn_capture_is_tried_that_was_not_announced() {
        for rules in Rules::KNOWN.map(|rules| rules()) {
            let (mut in_vain, mut captures) = (0, 0);
            for seed in 0..20 {
                let mut umpire = Umpire::new(rules.clone());
                let mut players = [Greedy::default(), Greedy::default()];
                for (player, side) in players.iter_mut().zip(Color::ALL) {
                    let start = umpire.position().clone();
                    player.start(Game { side, rules: rules.clone(), start, seed }).unwrap();
                }
                for _ in 0..200 {
                    if umpire.over().is_some() {
                        break;
                    }
                    let mover = usize::from(umpire.to_move() == Color::Black);
                    let event = match players[mover].choose(&Budget::unlimited()).unwrap() {
                        Choice::Ask => umpire.ask().unwrap(),
                        Choice::Try(attempt) => {
                            if umpire.men().is_pawn_capture(attempt) {
                                let legal = umpire.legal_moves().to_vec();
                                let there = nebel_kriegspiel::announcement::PawnCaptures::among(&legal);
                                let is_known = match rules.tries {
                                    TriesAnnounced::From => there.from.contains(attempt.from),
                                    _ => there.count > 0,
                                };
                                captures += 1;
                                in_vain += u32::from(!is_known);
                            }
                            umpire.attempt(attempt).unwrap()
                        }
                        Choice::Resign => panic!("nothing to try"),
                    };
                    for (player, side) in players.iter_mut().zip(Color::ALL) {
                        event.heard_by(side, &rules).map_or(Ok(()), |heard| player.hear(&heard)).unwrap();
                    }
                }
            }
            let is_told = rules.tries != TriesAnnounced::Never;
            assert!(captures > 20, "{}: {captures}", rules.name);
            assert_eq!(in_vain == 0, is_told, "{}: {in_vain} of {captures}", rules.name);
        }
    }
}
