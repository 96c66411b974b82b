//! The tokens of PGN that matter to Kriegspiel, with their line numbers.

use super::{PgnCause, PgnError};
use crate::start::shortened;

/// A piece of PGN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// `[Name "value"]`
    Tag { name: String, value: String },
    /// `{…}`, without the braces.
    Comment(String),
    /// A move in SAN, its annotations removed.
    Move(String),
    /// `??`, a move that this side did not see.
    Hidden,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    Result(String),
}

/// Splits a text into tokens. Variations, annotations, move numbers and `;` comments are skipped.
pub(super) fn tokens(text: &str) -> Result<Vec<(usize, Token)>, PgnError> {
    let mut scanner = Scanner { rest: text, line: 1 };
    let mut tokens = Vec::new();
    while let Some(found) = scanner.next_token()? {
        tokens.extend(found);
    }
    Ok(tokens)
}

struct Scanner<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Scanner<'a> {
    /// The next token; `Some(None)` for something skipped, `None` at the end.
    #[expect(clippy::option_option, reason = "the end and a skipped token are different things")]
    fn next_token(&mut self) -> Result<Option<Option<(usize, Token)>>, PgnError> {
        let blank = self.rest.len()
            - self.rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len();
        self.advance(blank);
        let line = self.line;
        let Some(first) = self.rest.chars().next() else {
            return Ok(None);
        };
        let token = match first {
            '[' => Some(self.tag()?),
            '{' => Some(Token::Comment(self.until('}', "a comment")?.to_owned())),
            ';' | '%' => {
                self.advance(self.rest.find('\n').unwrap_or(self.rest.len()));
                None
            }
            '(' => {
                self.variation()?;
                None
            }
            _ => {
                let is_end = |c: char| c.is_whitespace() || "[{;()".contains(c);
                let length = self.rest.find(is_end).unwrap_or(self.rest.len()).max(first.len_utf8());
                word(self.advance(length))
            }
        };
        Ok(Some(token.map(|token| (line, token))))
    }

    fn tag(&mut self) -> Result<Token, PgnError> {
        let wrong = |line, text: &str| PgnError { line, cause: PgnCause::Tag(shortened(text)) };
        let line = self.line;
        // The value may hold brackets, so the end is looked for behind the closing quote.
        let end_of_line = self.rest.find('\n').unwrap_or(self.rest.len());
        let text = self.rest[..end_of_line].trim_end().to_owned();
        let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        let inner = inner.ok_or_else(|| wrong(line, &text))?;
        let (name, quoted) = inner.split_once(char::is_whitespace).ok_or_else(|| wrong(line, &text))?;
        let value = quoted.trim().strip_prefix('"').and_then(|value| value.strip_suffix('"'));
        let value = value.ok_or_else(|| wrong(line, &text))?;
        self.advance(end_of_line);
        Ok(Token::Tag { name: name.to_owned(), value: unescaped(value) })
    }

    fn variation(&mut self) -> Result<(), PgnError> {
        let line = self.line;
        let mut depth = 0;
        let mut length = 0;
        let mut in_comment = false;
        for c in self.rest.chars() {
            length += c.len_utf8();
            match c {
                '}' => in_comment = false,
                _ if in_comment => {}
                '{' => in_comment = true,
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.advance(length);
                return Ok(());
            }
        }
        Err(PgnError { line, cause: PgnCause::NotClosed("a variation") })
    }

    fn until(&mut self, end: char, what: &'static str) -> Result<&'a str, PgnError> {
        let not_closed = PgnError { line: self.line, cause: PgnCause::NotClosed(what) };
        let length = self.rest.find(end).ok_or(not_closed)?;
        let text = self.advance(length + end.len_utf8());
        Ok(&text[1..length])
    }

    fn advance(&mut self, length: usize) -> &'a str {
        let (passed, rest) = self.rest.split_at(length);
        self.line += passed.matches('\n').count();
        self.rest = rest;
        passed
    }
}

fn word(text: &str) -> Option<Token> {
    match text {
        "1-0" | "0-1" | "1/2-1/2" | "*" => return Some(Token::Result(text.to_owned())),
        "??" => return Some(Token::Hidden),
        _ => {}
    }
    // `12.`, `12...`, `12.e4` and annotations such as `$4`, `!` and `e4!?`.
    let without_number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let text = if without_number.starts_with('.') { without_number.trim_start_matches('.') } else { text };
    if text == "??" {
        return Some(Token::Hidden);
    }
    let text = text.trim_end_matches(['!', '?']);
    let is_number = !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    if text.is_empty() || text.starts_with('$') || is_number || text == "e.p." {
        return None;
    }
    Some(Token::Move(text.to_owned()))
}

fn unescaped(value: &str) -> String {
    let mut text = String::new();
    let mut characters = value.chars();
    while let Some(c) = characters.next() {
        text.push(if c == '\\' { characters.next().unwrap_or(c) } else { c });
    }
    text
}
