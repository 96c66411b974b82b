//! One game on the site, followed by a player.
//!
//! The player hears what the scoresheet tells, from the beginning: after a restart of the program too. Where the site tells less than our rules do,
//! the scoresheet has several readings, and the player is begun anew with the next one when it cannot follow:
//!
//! - A double check has no directions there: all pairs are tried, the likely ones first.
//! - Refusals of the other side may be told more often than there are illegal attempts (the site's English rules refuse the same attempt
//!   again after a pawn's try). The last readings believe one in a row, which is always true, and less.
//!
//! A player that can follow no reading makes way for moves at random among those that the site allows, so that nobody waits for us.

use std::time::{Duration, Instant};

use nebel_kriegspiel::{
    Answer, Attempt, Chess, Color, Direction, Event, Input, OwnMen, OwnSide, Rules, rules::EnPassant,
};
use nebel_players::{Budget, Choice, Fault, Game, MOST_NONSENSE, Player, by_spec};
use nebel_search::Cancel;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use shakmaty::attacks;

use super::{messages::State, scoresheet::Told};

/// A game that is played.
pub(super) struct Table {
    spec: String,
    side: Color,
    rules: Rules,
    seed: u64,
    random: Xoshiro256PlusPlus,
    follower: Option<Follower>,
    reading: Reading,
    /// The last choice, and how much was heard then.
    last: Option<(usize, Choice)>,
    /// Why there is no player any more, until it is told.
    lost: Option<String>,
}

/// A player with what it has heard.
struct Follower {
    player: Box<dyn Player>,
    own: OwnSide,
    heard: Vec<Told>,
}

/// How what is told is understood.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Reading {
    /// For each double check its number in [`PAIRS`].
    pairs: Vec<usize>,
    /// Refusals of the other side are counted no further than one in a row.
    is_cautious: bool,
    /// How many readings came before.
    tried: usize,
}

/// The directions of a double check. First those of a knight that goes out of a line, the commonest, last those that only a promotion
/// or a capture en passant can give.
const PAIRS: [[Direction; 2]; 10] = {
    use Direction::{File, Knight, Long, Rank, Short};
    [
        [Knight, File],
        [Knight, Long],
        [Knight, Short],
        [Knight, Rank],
        [File, Long],
        [File, Short],
        [Rank, Long],
        [Rank, Short],
        [Long, Short],
        [Rank, File],
    ]
};
/// So many readings are tried. Two double checks in one game are rare, and each reading costs the player the whole game.
const MOST_READINGS: usize = 40;
/// This share of the clock goes to one attempt at most. By hand: a turn has two or three, and games of the site have an increment.
const SHARE_OF_CLOCK: u32 = 40;
/// A program outside that has not answered so long after its time has fallen silent.
const GRACE: Duration = Duration::from_secs(5);

impl Table {
    /// A new game, not heard of yet.
    pub(super) fn new(spec: &str, side: Color, rules: Rules, seed: u64) -> Table {
        let random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (spec, reading) = (spec.to_owned(), Reading::default());
        let mut table =
            Table { spec, side, rules, seed, random, follower: None, reading, last: None, lost: None };
        match table.begin() {
            Ok(follower) => table.follower = Some(follower),
            Err(why) => table.lost = Some(why),
        }
        table
    }

    /// Our side.
    pub(super) fn side(&self) -> Color {
        self.side
    }

    /// The rules.
    pub(super) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Moves are tried at random from now on.
    pub(super) fn give_up(&mut self, why: String) {
        if self.follower.take().is_some() {
            self.lost = Some(why);
        }
    }

    /// Why the player has lost its way, once.
    pub(super) fn lost(&mut self) -> Option<String> {
        self.lost.take()
    }

    fn begin(&self) -> Result<Follower, String> {
        let mut player = by_spec(&self.spec).map_err(|error| error.to_string())?;
        let (side, rules, start) = (self.side, self.rules.clone(), Chess::default());
        let own = OwnSide::new(rules.clone(), &start, side);
        player.start(Game { side, rules, start, seed: self.seed }).map_err(|fault| fault.to_string())?;
        Ok(Follower { player, own, heard: Vec::new() })
    }

    /// Tells the player what is new.
    pub(super) fn hear(&mut self, told: &[Told]) {
        let Some(follower) = &mut self.follower else { return };
        let mut heard = if told.starts_with(&follower.heard) {
            follower.hear(told, &mut self.reading)
        } else {
            Err("the scoresheet has changed".to_owned())
        };
        while let Err(why) = heard {
            let before = self.follower.as_ref().map_or(0, |follower| follower.heard.len());
            let doubles = told.iter().take(before + 1).filter(|told| told.is_double).count();
            if !self.reading.next(doubles) {
                return self.give_up(why);
            }
            heard = self.begin().and_then(|follower| {
                let follower = self.follower.insert(follower);
                follower.hear(told, &mut self.reading)
            });
        }
    }

    /// What to do: what the player chooses, if the site allows it. Nothing where it allows nothing.
    pub(super) fn choose(&mut self, state: &State, most: Duration) -> Option<Choice> {
        let time = state.left().map_or(most, |left| most.min(left / SHARE_OF_CLOCK));
        let allowed: Vec<Attempt> = state.allowed_moves.iter().filter_map(|text| text.parse().ok()).collect();
        let may_ask = state.possible_actions.iter().any(|action| action == "ask_any");
        let heard = self.follower.as_ref().map_or(0, |follower| follower.heard.len());
        let chosen = match self.follower.as_mut().map(|follower| follower.choose(&allowed, may_ask, time)) {
            Some(Ok(chosen)) => chosen,
            Some(Err(fault)) => {
                self.give_up(fault.to_string());
                None
            }
            None => None,
        };
        // What was sent already and left no trace on the scoresheet is not sent for ever.
        let chosen = chosen.filter(|choice| self.last != Some((heard, *choice)));
        let by_lot = || {
            (!allowed.is_empty()).then(|| Choice::Try(allowed[self.random.random_range(0..allowed.len())]))
        };
        let choice = chosen.or_else(by_lot)?;
        self.last = Some((heard, choice));
        Some(choice)
    }
}

impl Follower {
    /// Tells the player what it has not heard; on an error it has heard some of it, and is of no more use.
    fn hear(&mut self, told: &[Told], reading: &mut Reading) -> Result<(), String> {
        for new in &told[self.heard.len()..] {
            let double = self.heard.iter().filter(|told| told.is_double).count();
            let is_known = reading.is_cautious
                && is_refusal_of_other(&new.event, self.own.men().color())
                && self.heard.last().is_some_and(|last| last.event == new.event);
            if !is_known {
                let event = self.complete(new, reading, double).ok_or("no double check is possible")?;
                let heard = self.own.take(event).map_err(|error| error.to_string())?;
                self.player.hear(&heard).map_err(|fault| fault.to_string())?;
            }
            self.heard.push(new.clone());
        }
        Ok(())
    }

    /// The event with what the site leaves out; nothing if this reading has nothing for it.
    fn complete(&self, told: &Told, reading: &mut Reading, double: usize) -> Option<Event> {
        let mut event = told.event.clone();
        let Event::Attempt { by, answer: Answer::Moved(announcement), .. } = &mut event else {
            return Some(event);
        };
        if told.is_double {
            reading.pairs.resize(reading.pairs.len().max(double + 1), 0);
            let is_possible = |pair: &&[Direction; 2]| {
                *by == self.own.men().color()
                    || pair.iter().all(|direction| can_check(*direction, self.own.men()))
            };
            let pair = PAIRS.iter().filter(is_possible).nth(reading.pairs[double])?;
            announcement.check = pair.iter().copied().collect();
        }
        // Under rules that name the square where the capturing pawn went, nothing of ours may stand there.
        if let Some(capture) = &mut announcement.capture
            && *by != self.own.men().color()
            && self.own.rules().en_passant == EnPassant::LandingSquare
            && self.own.men().role_at(capture.square).is_none()
        {
            capture.en_passant = true;
        }
        Some(event)
    }

    /// The player's choice among what is allowed; nothing when it insists on what is not.
    fn choose(
        &mut self,
        allowed: &[Attempt],
        may_ask: bool,
        time: Duration,
    ) -> Result<Option<Choice>, Fault> {
        let until = Instant::now() + time;
        let budget = Budget { limit: Some(until + GRACE), ..Budget::until(until, Cancel::default()) };
        for refused in 0..MOST_NONSENSE {
            let choice = self.player.choose(&budget)?;
            let attempt = match choice {
                Choice::Try(attempt) if !allowed.contains(&attempt) => attempt,
                Choice::Ask if !may_ask => return Ok(None),
                // It gives up because we refused everything, not because it is lost.
                Choice::Resign if refused > 0 => return Ok(None),
                _ => return Ok(Some(choice)),
            };
            // The site allows no attempt that its announcements of tries rule out; ours would be refused.
            let said = Some(Input::Attempt(attempt));
            let refusal = Event::Attempt { by: self.own.men().color(), said, answer: Answer::Illegal };
            let Ok(heard) = self.own.take(refusal) else { return Ok(None) };
            self.player.hear(&heard)?;
        }
        Ok(None)
    }
}

impl Reading {
    /// Goes on to the next reading of what was heard with so many double checks; whether there is one.
    fn next(&mut self, doubles: usize) -> bool {
        self.tried += 1;
        if self.tried >= MOST_READINGS {
            return false;
        }
        self.pairs.truncate(doubles);
        for pair in self.pairs.iter_mut().rev() {
            *pair += 1;
            if *pair < PAIRS.len() {
                return true;
            }
            *pair = 0;
        }
        !std::mem::replace(&mut self.is_cautious, true)
    }
}

/// Whether our king can be checked from there at all: one of our own men next to him covers a line.
fn can_check(direction: Direction, men: &OwnMen) -> bool {
    let (king, own) = (men.king(), men.squares());
    let seen = attacks::queen_attacks(king, own) | attacks::knight_attacks(king);
    (direction.line(king) & seen & !own).any()
}

fn is_refusal_of_other(event: &Event, side: Color) -> bool {
    matches!(event, Event::Attempt { by, answer: Answer::Illegal, .. } if *by != side)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nebel_kriegspiel::{Directions, Header, Transcript};
    use serde_json::json;

    /// What the site tells a side of a game: all that our umpire does, but for the directions of a double check.
    fn told(moves: &str, rules: &Rules, side: Color) -> Vec<Told> {
        let mut game = Transcript::new(Header::new(rules.clone()));
        for text in moves.split(' ') {
            assert!(!game.hear(text).unwrap().is_nonsense(), "{text}");
        }
        let tell = |event: &Event| {
            let mut event = event.heard_by(side, rules)?.into_event();
            let mut is_double = false;
            if let Event::Attempt { answer: Answer::Moved(announcement), .. } = &mut event
                && announcement.check.iter().count() == 2
            {
                (announcement.check, is_double) = (Directions::NONE, true);
            }
            Some(Told { event, is_double })
        };
        game.events().iter().filter_map(tell).collect()
    }

    fn state(allowed: &[&str], clock: f64) -> State {
        let actions = ["move", "ask_any"];
        serde_json::from_value(
            json!({"state": "active", "turn": "white", "your_color": "white", "allowed_moves": allowed,
            "possible_actions": actions, "scoresheet": {}, "clock": {"white_remaining": clock}}),
        )
        .unwrap()
    }

    const TIME: Duration = Duration::from_millis(20);
    /// The queen's knight goes out of her file with check; nothing but that can be a double check of this king.
    const DOUBLE: &str = "e2e4 d7d5 e4d5 e7e6 d5e6 c8e6 b1c3 e6d7 c3e4 h7h6 d1e2 h6h5 e4f6";

    #[test]
    fn a_double_check_is_understood_as_one_that_can_be() {
        let rules = Rules::berkeley();
        let sheet = told(DOUBLE, &rules, Color::Black);
        assert!(sheet.last().unwrap().is_double);
        let mut table = Table::new("greedy", Color::Black, rules, 1);
        table.hear(&sheet);
        let follower = table.follower.as_ref().unwrap();
        let men = follower.own.men();
        let can: Vec<Direction> =
            Direction::ALL.into_iter().filter(|direction| can_check(*direction, men)).collect();
        assert_eq!(can, [Direction::Knight, Direction::File]);
        let event = follower.complete(sheet.last().unwrap(), &mut Reading::default(), 0).unwrap();
        let check: Vec<Direction> = event.announcement().unwrap().check.iter().collect();
        assert_eq!(check, [Direction::Knight, Direction::File]);
    }

    #[test]
    fn readings_go_on_until_there_are_no_more() {
        let mut reading = Reading { pairs: vec![0, 9], ..Reading::default() };
        assert!(reading.next(2));
        assert_eq!(reading.pairs, [1, 0]);
        let mut one = Reading { pairs: vec![9], ..Reading::default() };
        assert!(one.next(1) && one.is_cautious && one.pairs == [0]);
        let mut none = Reading::default();
        assert!(none.next(0) && none.is_cautious && !none.next(0));
        let all = (0..1000).take_while(|_| reading.next(2)).count();
        assert_eq!(all, MOST_READINGS - 2);
    }

    #[test]
    fn more_refusals_than_can_be_are_counted_no_further() {
        let rules = Rules::english();
        let refusal = Told {
            event: Event::Attempt { by: Color::Black, said: None, answer: Answer::Illegal },
            is_double: false,
        };
        let mut sheet = told("e2e4", &rules, Color::White);
        // After e4 Black has fourteen attempts that make sense and are not legal: the captures of pawns.
        sheet.extend(std::iter::repeat_n(refusal, 15));
        let mut table = Table::new("nebel", Color::White, rules, 1);
        table.hear(&sheet);
        assert_eq!((table.reading.tried, table.lost()), (1, None));
        assert!(table.reading.is_cautious && table.follower.is_some());
        // What came before is not heard again as something else.
        sheet.remove(3);
        table.hear(&sheet);
        assert!(table.lost().is_some() && table.follower.is_none());
        table.hear(&sheet);
        assert_eq!(table.lost(), None, "said once");
        assert!(matches!(table.choose(&state(&["a2a3"], 60.0), TIME), Some(Choice::Try(_))));
    }

    #[test]
    fn only_what_is_allowed_is_chosen_and_not_twice_in_vain() {
        let mut table = Table::new("greedy", Color::White, Rules::icc(), 1);
        for _ in 0..3 {
            let choice = table.choose(&state(&["a2a3", "P@e4"], 60.0), TIME);
            assert_eq!(choice, Some(Choice::Try("a2a3".parse().unwrap())));
        }
        assert_eq!(table.choose(&state(&[], 60.0), TIME), None);
        let started = Instant::now();
        let mut thinker = Table::new("nebel", Color::White, Rules::icc(), 1);
        assert!(thinker.choose(&state(&["a2a3", "e2e4", "d2d4"], 0.0), Duration::from_hours(1)).is_some());
        assert!(started.elapsed() < Duration::from_mins(1), "the clock runs low");
    }
}
