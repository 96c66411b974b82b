//! The bot with its games: looks which of them wait for us, and plays their turns one after the other.
//!
//! What is wrong with one game is told in a sentence, once, and the others go on; a site that cannot be reached is waited for.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    thread,
    time::{Duration, Instant},
};

use nebel_kriegspiel::{
    Color, Rules,
    start::{in_one_line, shortened},
    words,
};
use nebel_players::Choice;

use super::{
    messages::{Listed, Stage, State},
    scoresheet::Sheet,
    sentences::rules_of,
    site::{Site, SiteError},
    table::Table,
};
use crate::failure::Failure;

/// The bot with its games.
pub(super) struct Bot {
    site: Site,
    spec: String,
    move_time: Duration,
    offer: Option<Offer>,
    seed: u64,
    tables: BTreeMap<String, Table>,
    /// The last thing that was told of each game.
    told: BTreeMap<String, String>,
    over: usize,
    /// It stops when so many are over.
    most: Option<usize>,
}

/// A game that we offer when we have none.
struct Offer {
    variant: &'static str,
    last: Option<Instant>,
}

/// So many games are played at a time, as the site's own bots do; others wait until one is over.
const MOST_GAMES: usize = 5;
/// So many attempts are made in one game before the others are looked at again.
const MOST_ATTEMPTS: usize = 10;
/// A game is offered this often at most, whatever becomes of the offer: the site keeps one open for ten minutes.
const OFFER_PAUSE: Duration = Duration::from_mins(1);

impl Bot {
    /// A bot that has played nothing yet.
    pub(super) fn new(
        site: Site,
        spec: String,
        move_time: Duration,
        offer: Option<&'static str>,
        seed: u64,
    ) -> Bot {
        let offer = offer.map(|variant| Offer { variant, last: None });
        Bot {
            site,
            spec,
            move_time,
            offer,
            seed,
            tables: BTreeMap::new(),
            told: BTreeMap::new(),
            over: 0,
            most: None,
        }
    }

    /// Plays until so many games are over, or for ever.
    pub(super) fn serve(mut self, poll: Duration, games: Option<usize>) -> Result<(), Failure> {
        self.most = games;
        say("Playing. Stop with Ctrl-C.");
        passing(self.site.tell_profile())?;
        loop {
            passing(self.look())?;
            if self.is_done() {
                return Ok(());
            }
            thread::sleep(poll);
        }
    }

    fn is_done(&self) -> bool {
        self.most.is_some_and(|most| self.over >= most)
    }

    /// Plays every turn that is ours. An error is one of the site as a whole.
    fn look(&mut self) -> Result<(), SiteError> {
        let (listed, unreadable): (Vec<_>, Vec<_>) = self.site.games()?.into_iter().partition(Result::is_ok);
        for error in unreadable.iter().filter_map(|found| found.as_ref().err()) {
            self.tell("", &error.to_string());
        }
        let listed: Vec<Listed> =
            listed.into_iter().flatten().filter(|game| is_plain(&game.game_id)).collect();
        if unreadable.is_empty() {
            self.forget_all_but(&listed);
            if self.is_done() {
                return Ok(());
            }
            self.offer_game(&listed)?;
        }
        let active = listed.iter().filter(|game| game.state == Stage::Active);
        for game in active.take(MOST_GAMES) {
            let played = match rules_of(&game.rule_variant) {
                Some(rules) => self.turn(&game.game_id, &rules),
                None => self.decline(game),
            };
            match played {
                Err(error @ (SiteError::Token | SiteError::Away(_))) => return Err(error),
                Err(error) => self.tell(&game.game_id, &error.to_string()),
                Ok(()) => {}
            }
        }
        Ok(())
    }

    /// Plays one turn, with its attempts, if it is ours.
    fn turn(&mut self, id: &str, rules: &Rules) -> Result<(), SiteError> {
        for _ in 0..MOST_ATTEMPTS {
            let state = self.site.state(id)?;
            if state.stage != Stage::Active {
                return Ok(());
            }
            self.hear(id, rules, &state);
            let Some(table) = self.tables.get_mut(id).filter(|_| state.turn == Some(state.your_color)) else {
                return Ok(());
            };
            let chosen = table.choose(&state, self.move_time);
            self.tell_if_lost(id);
            let Some(choice) = chosen else {
                return Err(SiteError::Unreadable("it is our turn, and no move is allowed".to_owned()));
            };
            let is_done = match choice {
                Choice::Try(attempt) => self.site.attempt(id, &attempt.to_string())?,
                Choice::Ask => self.site.ask_any(id).map(|()| false)?,
                Choice::Resign => self.site.resign(id).map(|()| true)?,
            };
            if is_done {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Sits down at a new game, and follows what was told since.
    fn hear(&mut self, id: &str, rules: &Rules, state: &State) {
        let side = Color::from(state.your_color);
        if self.tables.get(id).is_none_or(|table| table.side() != side) {
            self.tell(id, &format!("we play {} under {}.", words::side(side), rules.name));
            self.tables.insert(id.to_owned(), Table::new(&self.spec, side, rules.clone(), self.seed_of(id)));
        }
        let Some(table) = self.tables.get_mut(id) else { return };
        match Sheet::read(&state.scoresheet, side, table.rules()) {
            Ok(sheet) => {
                table.hear(&sheet.told);
                if let Some(words) = sheet.unknown {
                    self.tell(id, &format!("the scoresheet says `{words}`, which is left out."));
                }
            }
            Err(why) => table.give_up(format!("the scoresheet cannot be read: {why}")),
        }
        self.tell_if_lost(id);
    }

    fn tell_if_lost(&mut self, id: &str) {
        if let Some(why) = self.tables.get_mut(id).and_then(Table::lost) {
            let why = in_one_line(&why);
            self.tell(
                id,
                &format!("the player cannot follow ({why}); moves are tried at random from here on."),
            );
        }
    }

    /// A game under rules that we do not have ends at once: nobody shall wait for us.
    fn decline(&mut self, game: &Listed) -> Result<(), SiteError> {
        let sentence = format!("declined, for we do not play `{}`.", shortened(&game.rule_variant));
        if !self.told.contains_key(&game.game_id) {
            self.tell(&game.game_id, &sentence);
            self.site.resign(&game.game_id).inspect_err(|error| {
                if matches!(error, SiteError::Away(_)) {
                    self.told.remove(&game.game_id);
                }
            })?;
        }
        Ok(())
    }

    fn offer_game(&mut self, listed: &[Listed]) -> Result<(), SiteError> {
        let Some(offer) = &mut self.offer else { return Ok(()) };
        let is_free = listed.iter().all(|game| game.state == Stage::Completed);
        if !is_free || offer.last.is_some_and(|last| last.elapsed() < OFFER_PAUSE) {
            return Ok(());
        }
        offer.last = Some(Instant::now());
        match self.site.offer(offer.variant) {
            Err(error @ (SiteError::Refused(_) | SiteError::Unreadable(_))) => {
                self.tell("", &error.to_string());
                Ok(())
            }
            other => other,
        }
    }

    fn forget_all_but(&mut self, listed: &[Listed]) {
        let is_played =
            |id: &String| listed.iter().any(|game| game.state == Stage::Active && game.game_id == *id);
        let gone: Vec<String> = self.tables.keys().filter(|id| !is_played(id)).cloned().collect();
        for id in gone {
            self.tables.remove(&id);
            self.over += 1;
            self.tell(&id, "over.");
        }
        self.told.retain(|id, _| id.is_empty() || is_played(id));
    }

    /// Says something of a game, unless it was the last thing said of it.
    fn tell(&mut self, id: &str, sentence: &str) {
        if self.told.get(id).is_none_or(|last| last != sentence) {
            let of_game = if id.is_empty() { String::new() } else { format!("Game {id}: ") };
            say(&format!("{of_game}{sentence}"));
            self.told.insert(id.to_owned(), sentence.to_owned());
        }
    }

    /// The seed of the player in a game: by its name, so that it does not matter which games came before.
    fn seed_of(&self, id: &str) -> u64 {
        let mut hasher = blake3::Hasher::new_derive_key("nebel serve-bot: seed of a game");
        hasher.update(&self.seed.to_le_bytes());
        hasher.update(id.as_bytes());
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
        u64::from_le_bytes(bytes)
    }
}

/// A name that can stand in an address as it is.
fn is_plain(id: &str) -> bool {
    !id.is_empty() && id.len() <= 64 && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

/// What passes is told and waited for; a token that is not known does not pass.
fn passing(asked: Result<(), SiteError>) -> Result<(), Failure> {
    match asked {
        Err(SiteError::Token) => Err(Failure::BadInput(format!("--token: {}", SiteError::Token))),
        Err(error) => {
            say(&error.to_string());
            Ok(())
        }
        Ok(()) => Ok(()),
    }
}

/// Tells the one who runs the bot; data there is none, so it goes to standard error.
pub(super) fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
