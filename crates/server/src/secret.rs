//! Names and secrets of games: drawn by the operating system, told once, kept as hashes.

use std::fmt;

use thiserror::Error;

/// The operating system gives no randomness.
#[derive(Clone, Copy, Debug, Error)]
#[error("the operating system gives no random numbers")]
pub(crate) struct NoRandomness;

/// Random bytes of the operating system.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], NoRandomness> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|_| NoRandomness)?;
    Ok(bytes)
}

/// A new name: 64 random bits, which nobody guesses but which are no secret.
pub(crate) fn new_id() -> Result<String, NoRandomness> {
    random::<8>().map(|bytes| hex(&bytes))
}

/// The secret of one side of one game: 128 random bits.
#[derive(Clone)]
pub(crate) struct Token([u8; 16]);

impl Token {
    /// A new secret.
    pub(crate) fn new() -> Result<Token, NoRandomness> {
        random().map(Token)
    }

    /// The text that its owner is told.
    pub(crate) fn reveal(&self) -> String {
        hex(&self.0)
    }

    /// What is kept of it.
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&self.reveal())
    }
}

/// A secret shows nowhere by accident.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// The hash of a secret. Who steals the database learns no secret, and comparing two takes the same time
/// wherever they differ (`blake3` promises it of its hashes).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Fingerprint(blake3::Hash);

impl Fingerprint {
    /// The hash of a secret that somebody claims to have.
    pub(crate) fn of(claimed: &str) -> Fingerprint {
        Fingerprint(blake3::hash(claimed.as_bytes()))
    }

    /// The secret by which others may watch the side that this is the fingerprint of. It follows from what is kept, so that nothing
    /// more need be; who has it cannot find the secret of the side by it.
    pub(crate) fn watch_secret(self) -> String {
        hex(&blake3::derive_key("nebel: watching a side of a game", self.0.as_bytes())[..16])
    }

    /// As it is kept.
    pub(crate) fn to_text(self) -> String {
        self.0.to_hex().to_string()
    }

    /// As it was kept.
    pub(crate) fn from_text(text: &str) -> Option<Fingerprint> {
        blake3::Hash::from_hex(text).ok().map(Fingerprint)
    }
}

fn hex(bytes: &[u8]) -> String {
    use fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing into a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_differ_and_only_their_owner_has_their_fingerprint() {
        let (one, other) = (Token::new().unwrap(), Token::new().unwrap());
        assert_eq!(one.reveal().len(), 32);
        assert_eq!(Fingerprint::of(&one.reveal()), one.fingerprint());
        assert_ne!(one.fingerprint(), other.fingerprint());
        let watch = one.fingerprint().watch_secret();
        assert_eq!(watch.len(), 32);
        assert_ne!(Fingerprint::of(&watch), one.fingerprint(), "who watches cannot play");
        assert_ne!(watch, other.fingerprint().watch_secret());
        assert_eq!(Fingerprint::from_text(&one.fingerprint().to_text()), Some(one.fingerprint()));
        assert!(!format!("{one:?}").contains(&one.reveal()));
    }
}
