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
//! Everything is made from [`ViewEvent`]s and [`OwnMen`], so nothing hidden can get in.

use nebel_kriegspiel::{
    Announcement, Answer, AskAnswer, Color, Event, Input, Kind, OwnMen, Role, Tries, Umpire, ViewEvent,
};

use numpy::{PyArray1, PyArrayMethods};
use pyo3::{prelude::*, types::PyDict};

use crate::action::{self, ACTIONS, ASK};

/// Bytes of an event.
pub(crate) const CODES: usize = 20;

/// An event as numbers, for the side that heard it.
#[inline]
pub(crate) fn codes(heard: &ViewEvent, side: Color) -> [u8; CODES] {
    let mut codes = [0; CODES];
    codes[0] = match heard.by() {
        Some(by) if by == side => 1,
        Some(_) => 2,
        None => 3,
    };
    match **heard {
        Event::Attempt { ref said, answer, .. } => {
            codes[1] = match answer {
                Answer::Moved(_) => 1,
                Answer::Illegal => 2,
                Answer::Nonsense => 3,
            };
            if let Some(attempt) = said.as_ref().and_then(Input::attempt) {
                codes[2] = u8::from(attempt.from) + 1;
                codes[3] = u8::from(attempt.to) + 1;
                codes[4] = attempt.promotion.map_or(0, |role| role as u8);
            }
            if let Answer::Moved(announcement) = answer {
                announce(&announcement, &mut codes);
            }
        }
        Event::Ask { answer, .. } => {
            codes[1] = match answer {
                AskAnswer::Yes => 4,
                AskAnswer::No => 5,
                AskAnswer::Nonsense => 6,
            };
        }
        Event::End { .. } => codes[1] = 7,
    }
    codes
}

#[inline]
fn announce(announcement: &Announcement, codes: &mut [u8; CODES]) {
    if let Some(capture) = announcement.capture {
        codes[5] = u8::from(capture.square) + 1;
        codes[6] = match capture.kind {
            None => 1,
            Some(Kind::Pawn) => 2,
            Some(Kind::Piece) => 3,
        };
        codes[7] = u8::from(capture.en_passant);
    }
    codes[8] = u8::from(announcement.promotion);
    codes[9] = announcement.check.bits();
    match announcement.tries {
        None => {}
        Some(Tries::Count(count)) => [codes[10], codes[11]] = [1, count],
        Some(Tries::Any(any)) => [codes[10], codes[11]] = [2, u8::from(any)],
        Some(Tries::From(squares)) => {
            codes[10] = 3;
            codes[12..].copy_from_slice(&squares.0.to_le_bytes());
        }
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
        write_men(men, &mut own);
        Known { own, events: vec![0; last * CODES], mask: vec![false; ACTIONS] }
    }

    /// Writes down what the side heard, the latest first; it is the last row.
    pub(crate) fn hear(&mut self, heard: impl Iterator<Item = ViewEvent>, side: Color) {
        for (row, heard) in self.events.chunks_exact_mut(CODES).rev().zip(heard) {
            row.copy_from_slice(&codes(&heard, side));
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

/// Puts men on their planes, which must be empty.
#[inline]
pub(crate) fn write_men(men: &OwnMen, planes: &mut [u8]) {
    for (plane, role) in planes.chunks_exact_mut(64).zip(Role::ALL) {
        for square in men.by_role(role) {
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
