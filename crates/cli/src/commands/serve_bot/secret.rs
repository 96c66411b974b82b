//! A token or a key: read from a file, kept in a file for its owner's eyes alone, and never shown.

use std::{
    fmt,
    fs::{self, File, OpenOptions},
    io::{Read, Write},
    path::{Path, PathBuf},
};

use super::bot::say;
use crate::{failure::Failure, input};

/// What nobody else may know. There is no way to print it: `Debug` shows that there is one.
pub(super) struct Secret(String);

/// No token is longer.
const LONGEST: u64 = 4096;

impl Secret {
    /// The secret that a file holds in one line.
    pub(super) fn read(path: &Path) -> Result<Secret, Failure> {
        let at = |error| Failure::input(&input::place(path), error);
        let mut text = String::new();
        File::open(path).map_err(at)?.take(LONGEST + 2).read_to_string(&mut text).map_err(at)?;
        Secret::of(text.trim())
            .ok_or_else(|| Failure::BadInput(format!("{}: holds no token", input::place(path))))
    }

    /// The text as a secret, if it can stand in the header of a request.
    pub(super) fn of(text: &str) -> Option<Secret> {
        let is_one = !text.is_empty()
            && text.len() as u64 <= LONGEST
            && text.chars().all(|letter| letter.is_ascii_graphic());
        is_one.then(|| Secret(text.to_owned()))
    }

    /// For the one who must be told.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }

    /// A text from elsewhere without the secret, which it may quote.
    pub(super) fn hide_in(&self, text: &str) -> String {
        text.replace(&self.0, "…")
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// A new file for a secret that is to come.
#[derive(Debug)]
pub(super) struct Place {
    path: PathBuf,
    file: File,
}

impl Place {
    /// Makes the file, which must be new: an older token is never overwritten.
    pub(super) fn reserve(path: &Path) -> Result<Place, Failure> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(path).map_err(|error| Failure::input(&input::place(path), error))?;
        Ok(Place { path: path.to_owned(), file })
    }

    /// Writes the secret.
    pub(super) fn keep(mut self, secret: &Secret) -> Result<(), Failure> {
        writeln!(self.file, "{}", secret.reveal())?;
        self.file.sync_all()?;
        say(&format!("The bot is registered; its token is in {}.", input::place(&self.path)));
        Ok(())
    }

    /// There is no secret after all.
    pub(super) fn give_up(self) {
        drop(self.file);
        // It is empty and ours; if it cannot be removed, the next attempt says so.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_one_word_and_is_not_shown() {
        let secret = Secret::of("ksbot_1.abc").unwrap();
        assert_eq!(format!("{secret:?}"), "Secret(…)");
        assert_eq!(secret.hide_in("Bearer ksbot_1.abc is wrong"), "Bearer … is wrong");
        let long = "x".repeat(5000);
        for text in ["", "two words", "line\r\nX-Other: 1", "tökén", long.as_str()] {
            assert!(Secret::of(text).is_none(), "{text}");
        }
    }
}
