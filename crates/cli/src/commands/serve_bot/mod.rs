//! `nebel serve-bot`: a player of ours as a bot of kriegspiel.org, by the site's public bot API.
//!
//! This module reads what was typed and registers a bot; [`bot`] plays its games one after the other, [`table`] follows one of them with a player,
//! [`scoresheet`] and [`sentences`] read what the site tells as events of ours, [`site`] makes the requests of [`messages`], [`secret`] keeps the token.

mod bot;
#[cfg(test)]
mod fuzz;
mod messages;
mod scoresheet;
mod secret;
mod sentences;
mod site;
mod table;

use std::{path::PathBuf, time::Duration};

use nebel_players::{by_spec, time::parse_duration};

use self::{
    bot::Bot,
    messages::Registration,
    secret::Secret,
    sentences::variant_of,
    site::{Address, Site},
};
use super::play::opponent;
use crate::failure::Failure;

/// Play on kriegspiel.org as a bot: polls its games and plays them, politely.
#[derive(clap::Args, Debug)]
pub(crate) struct ServeBotArgs {
    /// The player: a level (1 to 8, or its name; `nebel players` lists them) or a player's spec.
    #[arg(value_name = "LEVEL|SPEC", default_value = "nebel")]
    player: String,
    /// The site: kriegspiel.org, or the address of another server that speaks its bot API.
    #[arg(long, value_name = "SITE", default_value = "kriegspiel.org")]
    site: String,
    /// The file with the bot's token; --register writes it.
    #[arg(long, value_name = "FILE")]
    token: PathBuf,
    /// Register a bot of this name and keep its token, then stop.
    #[arg(long, value_name = "USERNAME", requires_all = ["display_name", "email"])]
    register: Option<String>,
    /// The name that people see.
    #[arg(long, value_name = "NAME", requires = "register")]
    display_name: Option<String>,
    /// Where the bot's owner can be reached.
    #[arg(long, value_name = "ADDRESS", requires = "register")]
    email: Option<String>,
    /// A file with the site's key for registration, if it asks for one.
    #[arg(long, value_name = "FILE", requires = "register")]
    registration_key: Option<PathBuf>,
    /// The longest time for an attempt [default: the level's, or 2s]; less when the clock runs low.
    #[arg(long, value_name = "TIME")]
    move_time: Option<String>,
    /// Offer a game under these rules when none is played or waits.
    #[arg(long, value_name = "RULES")]
    offer: Option<String>,
    /// Look for turns this often; 2s at least.
    #[arg(long, value_name = "TIME", default_value = "3s")]
    poll: String,
    /// Stop when so many games are over.
    #[arg(long, value_name = "N")]
    games: Option<usize>,
    /// The seed of the player's randomness [default: another one each time].
    #[arg(long)]
    seed: Option<u64>,
}

/// Between two looks at our games on a site of others: the least that the site's own bots take.
const LEAST_POLL: Duration = Duration::from_secs(2);
/// What a player has for an attempt that is no level. By hand: a game of the site has 25 minutes and 10 s a move.
const MOVE_TIME: Duration = Duration::from_secs(2);

/// Registers, or plays until it is stopped.
pub(crate) fn run(args: &ServeBotArgs) -> Result<(), Failure> {
    let address = Address::parse(&args.site).map_err(|error| Failure::input("--site", error))?;
    if let (Some(username), Some(display_name), Some(owner_email)) =
        (&args.register, &args.display_name, &args.email)
    {
        let key = args.registration_key.as_deref().map(Secret::read).transpose()?;
        let bot = Registration { username, display_name, owner_email, key: key.as_ref() };
        bot.check().map_err(Failure::BadInput)?;
        return register(args, address, &bot);
    }
    let time = |option, text: &str| parse_duration(text).map_err(|error| Failure::input(option, error));
    let poll = time("--poll", &args.poll)?;
    let poll = if address.is_local { poll } else { poll.max(LEAST_POLL) };
    let (spec, level_time) = opponent(Some(&args.player))?;
    let move_time = match &args.move_time {
        Some(text) => time("--move-time", text)?,
        None => level_time.unwrap_or(MOVE_TIME),
    };
    let variant = |rules: &str| {
        variant_of(rules)
            .ok_or_else(|| Failure::input("--offer", format!("the site does not play `{rules}`")))
    };
    let offer = args.offer.as_deref().map(variant).transpose()?;
    // A spec that is wrong is told before anybody waits for it.
    by_spec(&spec).map_err(|error| Failure::input("LEVEL|SPEC", error))?;
    let site = Site::new(address, Some(Secret::read(&args.token)?));
    let seed = args.seed.unwrap_or_else(rand::random);
    Bot::new(site, spec, move_time, offer, seed).serve(poll, args.games)
}

/// The site tells a token once, so there is a place for it before it is asked for.
fn register(args: &ServeBotArgs, address: Address, bot: &Registration<'_>) -> Result<(), Failure> {
    let place = secret::Place::reserve(&args.token)?;
    let token = Site::new(address, None).register(bot).map_err(|error| Failure::Run(error.into()));
    match token {
        Ok(token) => place.keep(&token),
        Err(failure) => {
            place.give_up();
            Err(failure)
        }
    }
}
