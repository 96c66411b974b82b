//! `nebel players`: every player with its options.

use std::io::{self, Write};

use nebel_players::kinds;
use serde_json::json;

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
            .map(|kind| json!({"name": kind.name, "options": kind.options, "about": kind.about}))
            .collect();
        return Ok(writeln!(out, "{}", json!(list))?);
    }
    for kind in kinds() {
        let colon = if kind.options.is_empty() { "" } else { ":" };
        let spec = format!("{}{colon}{}", kind.name, kind.options);
        writeln!(out, "{spec:<14} {}", kind.about)?;
    }
    Ok(())
}
