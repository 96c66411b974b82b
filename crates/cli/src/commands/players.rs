//! `nebel players`: every player with its options.

use std::io::{self, Write};

use nebel_players::{PlayerOption, Takes, kinds};
use serde_json::{Value, json};

use crate::failure::Failure;

/// List every player with its options.
#[derive(clap::Args, Debug)]
pub(crate) struct PlayersArgs {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Lists.
pub(crate) fn run(args: &PlayersArgs) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    if args.json {
        let list: Vec<_> = kinds()
            .iter()
            .map(|kind| {
                let options: Vec<Value> = kind.options().iter().map(facts).collect();
                json!({"name": kind.name, "usage": kind.usage(), "about": kind.about, "options": options})
            })
            .collect();
        return Ok(writeln!(out, "{}", json!(list))?);
    }
    for kind in kinds() {
        writeln!(
            out,
            "{:<14} {}",
            if kind.options().is_empty() { kind.usage() } else { kind.name.to_owned() },
            kind.about
        )?;
        for option in kind.options() {
            writeln!(out, "    {:<16} {} ({})", option.written(), option.help, option.takes)?;
        }
    }
    writeln!(out, "\nLevels for people, with ratings (random is 0):")?;
    for (index, level) in nebel_server::levels().iter().enumerate() {
        let rating = level.rating.map_or_else(String::new, |rating| rating.to_string());
        let (name, spec, about) = (level.name, level.spec, level.about);
        writeln!(out, "{:>2} {name:<10} {rating:>5}  {spec:<14} {about}", index + 1)?;
    }
    Ok(())
}

/// An option as JSON: its kind with the range or the words that it takes.
fn facts(option: &PlayerOption) -> Value {
    let mut facts = json!({
        "name": option.name,
        "kind": option.takes.kind(),
        "default": option.default,
        "help": option.help,
    });
    match option.takes {
        Takes::Whole { least, most } => (facts["least"], facts["most"]) = (json!(least), json!(most)),
        Takes::Number { least, most } => (facts["least"], facts["most"]) = (json!(least), json!(most)),
        Takes::Word(words) => facts["words"] = json!(words),
        Takes::File => {}
        Takes::Program { word, prefix } => facts["words"] = json!([word, format!("{prefix}COMMAND")]),
    }
    facts
}
