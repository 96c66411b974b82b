//! Players by name: the specs that commands take, such as `random`.

use thiserror::Error;

use crate::{Player, Random};

/// The player that a spec names.
pub fn by_spec(spec: &str) -> Result<Box<dyn Player>, SpecError> {
    let (name, options) = spec.split_once(':').map_or((spec, None), |(name, options)| (name, Some(options)));
    match (name, options) {
        ("random", None) => Ok(Box::new(Random::default())),
        ("random", Some(options)) => {
            Err(SpecError::Option { player: name.to_owned(), option: options.to_owned() })
        }
        _ => Err(SpecError::Unknown(spec.to_owned())),
    }
}

/// Why a spec names no player.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SpecError {
    /// Nobody has this name.
    #[error("unknown player `{0}` (known: random)")]
    Unknown(String),
    /// The player has no such option.
    #[error("player `{player}` has no option `{option}`")]
    Option {
        /// The player.
        player: String,
        /// What was given.
        option: String,
    },
}
