//! A second PGN reader: it reads the full games that are written here move by move and comment by comment, and it
//! cannot read views, which is why the tokens are read by a scanner of our own.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::{io::Cursor, ops::ControlFlow};

use nebel_kriegspiel::{Color, Rules, pgn, transcript::Record};
use pgn_reader::{Nag, Outcome, RawComment, RawTag, Reader, SanPlus, Visitor};

/// What the second reader finds in a text, in order; games end with `end`.
fn found(text: &str) -> Vec<String> {
    let mut reader =
        Reader::build(Cursor::new(text.as_bytes())).set_supported_comment_length(1 << 16).finish();
    let mut notes = Notes::default();
    while reader.read_game(&mut notes).unwrap().is_some() {}
    notes.0
}

#[derive(Default)]
struct Notes(Vec<String>);

impl Notes {
    fn note(&mut self, text: String) -> ControlFlow<()> {
        self.0.push(text);
        ControlFlow::Continue(())
    }
}

impl Visitor for Notes {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        self.note(format!("{}={}", String::from_utf8_lossy(name), value.decode_utf8_lossy()))
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
        self.note(san.to_string())
    }

    fn nag(&mut self, (): &mut (), nag: Nag) -> ControlFlow<()> {
        self.note(nag.to_string())
    }

    fn comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        self.note(format!("{{{}}}", String::from_utf8_lossy(comment.as_bytes())))
    }

    fn outcome(&mut self, (): &mut (), outcome: Outcome) -> ControlFlow<()> {
        self.note(outcome.to_string())
    }

    fn end_game(&mut self, (): ()) {
        self.0.push("end".to_owned());
    }
}

#[test]
fn full_games_are_read_by_another_reader_too() {
    for (seed, rules) in Rules::KNOWN.iter().enumerate() {
        let start = common::STARTS[seed % common::STARTS.len()];
        let game = common::random_game(&rules(), start, seed as u64, 150);
        let mut written = Vec::new();
        pgn::write(&Record::Transcript(Box::new(game)), &mut written).unwrap();
        let text = String::from_utf8(written).unwrap();
        let (_, movetext) = text.split_once("\n\n").unwrap();
        let is_number = |word: &str| word.ends_with('.') && word.starts_with(|c: char| c.is_ascii_digit());
        let words = movetext.split_whitespace().filter(|word| !is_number(word)).chain(["end"]);
        let read = found(&text);
        let moves = read.iter().map(String::as_str).filter(|word| !word.contains('='));
        // A promotion has the sign of equality too.
        let promotions = words.clone().filter(|word| !word.contains('='));
        assert!(moves.eq(promotions), "{text}\n{read:?}");
    }
}

#[test]
fn hidden_moves_and_errors_are_beyond_it() {
    let view = common::random_game(&Rules::icc(), common::STARTS[0], 1, 40).view(Color::White);
    let hidden = view
        .events()
        .iter()
        .filter(|event| event.by() == Some(Color::Black) && event.announcement().is_some());
    let hidden = hidden.count();
    let mut written = Vec::new();
    pgn::write(&Record::View(Box::new(view)), &mut written).unwrap();
    let read = found(&String::from_utf8(written).unwrap());
    assert!(hidden > 0 && read.iter().filter(|word| *word == "$4").count() == hidden, "{read:?}");
    assert_eq!(found("1. e4 ?? 2. d4 *"), found("1. e4?? 2. d4 *"), "two games, one of them of three plies");
    assert_eq!(found("1. e4 Zz9 e5 *"), ["e4", "e5", "*", "end"], "a word is lost");
    assert_eq!(found("[broken\n\n1. e4 *"), ["e4", "*", "end"], "a tag is lost");
    assert_eq!(found("1. e4 e5\n\n2. d4 d5"), ["e4", "e5", "end", "d4", "d5", "end"], "one game is two");
    let error = pgn::read("1. e4 e5\n\n2. Zz9 d5 *", &Rules::icc()).unwrap_err();
    assert_eq!(error.to_string(), "line 3: `Zz9` is not a move that can be made here");
}
