//! What a side may know, as numbers: the one encoding behind every environment.
//!
//! Own men are six planes of 64 squares, pawn to king. An event, as the side heard it, is a row of [`CODES`] bytes:
//!
//! | byte | meaning |
//! |---|---|
//! | 0 | 1 for an own event, 2 for one of the other side, 3 for one of nobody; 0 for an empty row |
//! | 1 | 1 moved, 2 illegal, 3 nonsense, 4 yes, 5 no, 6 a question that was nonsense, 7 an end off the board |
//! | 2, 3, 4 | own attempts: from-square + 1, to-square + 1, promotion (2 knight to 5 queen) |
//! | 5, 6, 7 | capture: square + 1; 1 unknown, 2 pawn, 3 piece; 1 for "en passant" |
//! | 8, 9 | promotion announced; directions of check as bits: knight, rank, file, long, short |
//! | 10, 11 | tries: 1 count, 2 any, 3 from; the count, or whether there are any |
//! | 12 to 19 | the squares of "from", a byte a rank |
//!
//! Everything is made from a side's shares of events, [`Event::share_of`] or [`ViewEvent`]s, and its own men, so nothing hidden can get in.

use nebel_kriegspiel::{
    Answer, AskAnswer, Bitboard, Color, Event, Input, Kind, OwnMen, Role, Tries, Umpire, ViewEvent,
    event::Share,
};

use numpy::{PyArray1, PyArrayMethods};
use pyo3::{prelude::*, types::PyDict};

use crate::action::{self, ACTIONS, ASK};

/// Bytes of an event.
pub(crate) const CODES: usize = 20;

/// Writes this share of an event as numbers for a side, over a row of [`CODES`] bytes.
///
/// The bytes are put together as whole words: many small stores would be waited for by whoever copies the row right after.
#[inline]
pub(crate) fn write_event(event: &Event, share: Share, side: Color, row: &mut [u8]) {
    let by = match event.by() {
        Some(by) if by == side => 1,
        Some(_) => 2,
        None => 3,
    };
    let [from, to, becomes] = match event {
        Event::Attempt { said: Some(Input::Attempt(attempt)), .. } if share == Share::All => {
            let becomes = attempt.promotion.map_or(0, |role| role as u8);
            [u8::from(attempt.from) + 1, u8::from(attempt.to) + 1, becomes]
        }
        _ => [0; 3],
    };
    let told = event.announcement().copied().unwrap_or_default();
    let [square, kind, en_passant] = told.capture.map_or([0; 3], |capture| {
        let kind = match capture.kind {
            None => 1,
            Some(Kind::Pawn) => 2,
            Some(Kind::Piece) => 3,
        };
        [u8::from(capture.square) + 1, kind, u8::from(capture.en_passant)]
    });
    let ([form, count], squares) = match told.tries {
        None => ([0; 2], 0),
        Some(Tries::Count(count)) => ([1, count], 0),
        Some(Tries::Any(any)) => ([2, u8::from(any)], 0),
        Some(Tries::From(squares)) => ([3, 0], squares.0),
    };
    row[..8].copy_from_slice(&[by, answer(event), from, to, becomes, square, kind, en_passant]);
    row[8..12].copy_from_slice(&[u8::from(told.promotion), told.check.bits(), form, count]);
    row[12..CODES].copy_from_slice(&squares.to_le_bytes());
}

/// What was answered: the second byte of an event.
#[inline]
pub(crate) fn answer(event: &Event) -> u8 {
    match event {
        Event::Attempt { answer, .. } => match answer {
            Answer::Moved(_) => 1,
            Answer::Illegal => 2,
            Answer::Nonsense => 3,
        },
        Event::Ask { answer, .. } => match answer {
            AskAnswer::Yes => 4,
            AskAnswer::No => 5,
            AskAnswer::Nonsense => 6,
        },
        Event::End { .. } => 7,
    }
}

/// What one side knows at a moment, on its way to arrays.
pub(crate) struct Known {
    own: Vec<u8>,
    events: Vec<u8>,
    mask: Vec<bool>,
}

impl Known {
    pub(crate) fn new(men: &OwnMen, last: usize) -> Known {
        let mut own = vec![0; 6 * 64];
        write_men(|role| men.by_role(role), &mut own);
        Known { own, events: vec![0; last * CODES], mask: vec![false; ACTIONS] }
    }

    /// Writes down what the side heard, the latest first; it is the last row.
    pub(crate) fn hear(&mut self, heard: impl Iterator<Item = ViewEvent>, side: Color) {
        for (row, heard) in self.events.chunks_exact_mut(CODES).rev().zip(heard) {
            write_event(&heard, Share::All, side, row);
        }
    }

    /// Marks an action that makes sense.
    pub(crate) fn allow(&mut self, number: u32) {
        self.mask[number as usize] = true;
    }

    /// The arrays.
    pub(crate) fn object(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let dict = PyDict::new(py);
        let turn = u8::from(self.mask.contains(&true));
        dict.set_item("own", PyArray1::from_vec(py, self.own).reshape([6, 64])?)?;
        let rows = self.events.len() / CODES;
        dict.set_item("events", PyArray1::from_vec(py, self.events).reshape([rows, CODES])?)?;
        dict.set_item("turn", turn)?;
        dict.set_item("action_mask", PyArray1::from_vec(py, self.mask))?;
        Ok(dict)
    }
}

/// Puts own men on their planes, which must be empty.
#[inline]
pub(crate) fn write_men(own: impl Fn(Role) -> Bitboard, planes: &mut [u8]) {
    for (plane, role) in planes.chunks_exact_mut(64).zip(Role::ALL) {
        for square in own(role) {
            plane[usize::from(square)] = 1;
        }
    }
}

/// Calls `each` with the number of everything that makes sense to the side to move.
#[inline]
pub(crate) fn for_each_action(umpire: &Umpire, mut each: impl FnMut(u32)) {
    if umpire.over().is_some() {
        return;
    }
    umpire.turn().for_each_sensible(umpire.men(), umpire.rules(), |attempt| each(action::number(attempt)));
    if umpire.turn().may_ask(umpire.rules()) {
        each(ASK);
    }
}
