//! Attempts as numbers, the same for every position: what environments call actions.
//!
//! | numbers | attempt |
//! |---|---|
//! | `64 * from + to` | without promotion; a1 is 0, b1 is 1, h8 is 63 |
//! | `4096 + 12 * file + 4 * (step + 1) + piece` | a promotion from this file, `step` files to the right, to queen, rook, bishop or knight; the side to move says from which rank |
//! | `4192` | the question "any?" |

use nebel_kriegspiel::{Attempt, Color, File, Rank, Square, attempt::PROMOTIONS};
use pyo3::prelude::*;

use crate::{
    arguments::{side, wrong_type},
    failure::input,
};

/// The number of "any?", after those of all attempts.
pub(crate) const ASK: u32 = FIRST_PROMOTION + 8 * 3 * 4;
/// How many actions there are.
pub(crate) const ACTIONS: usize = ASK as usize + 1;
const FIRST_PROMOTION: u32 = 64 * 64;

/// An action of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    Try(Attempt),
    Ask,
}

/// The number of an attempt.
#[inline]
pub(crate) fn number(attempt: Attempt) -> u32 {
    let Attempt { from, to, promotion } = attempt;
    let Some(role) = promotion else { return 64 * u32::from(from) + u32::from(to) };
    let piece = PROMOTIONS.iter().position(|&known| known == role).unwrap_or(0) as u32;
    let step = (u32::from(to.file()) + 1).wrapping_sub(u32::from(from.file())).min(2);
    FIRST_PROMOTION + 12 * u32::from(from.file()) + 4 * step + piece
}

/// The action of a number; `None` for numbers that are too large or leave the board.
#[inline]
pub(crate) fn of_number(number: u32, color: Color) -> Option<Action> {
    if number < FIRST_PROMOTION {
        return Some(Action::Try(Attempt::new(Square::new(number / 64), Square::new(number % 64))));
    }
    if number == ASK {
        return Some(Action::Ask);
    }
    let promotion = number.checked_sub(FIRST_PROMOTION).filter(|_| number < ASK)?;
    let (file, step, piece) = (promotion / 12, promotion / 4 % 3, promotion % 4);
    let (before, last) = color.fold_wb((Rank::Seventh, Rank::Eighth), (Rank::Second, Rank::First));
    let to = File::try_from(u8::try_from((file + step).checked_sub(1)?).ok()?).ok()?;
    Some(Action::Try(Attempt {
        from: Square::from_coords(File::new(file), before),
        to: Square::from_coords(to, last),
        promotion: Some(PROMOTIONS[piece as usize]),
    }))
}

/// The action that a caller means: its number, its text, or a `chess.Move`. Text that is no attempt is passed on as it is: the umpire has
/// an answer to that too.
pub(crate) enum Said {
    Action(Action),
    Text(String),
}

pub(crate) fn said(given: &Bound<'_, PyAny>, color: Color) -> PyResult<Said> {
    if let Ok(text) = given.extract::<&str>() {
        let attempt = Attempt::from_ascii(text.as_bytes()).map(Action::Try);
        return Ok(attempt.map_or_else(|| Said::Text(text.to_owned()), Said::Action));
    }
    if let Ok(number) = given.extract::<i64>() {
        let action = u32::try_from(number).ok().and_then(|number| of_number(number, color));
        return action.map(Said::Action).ok_or_else(|| input(format_args!("{number} is no action")));
    }
    if given.hasattr("uci")? {
        return said(&given.call_method0("uci")?, color);
    }
    Err(wrong_type("attempt", "text such as e2e4, a number or a chess.Move", given))
}

/// The number of an attempt, or of "any?": the action of environments.
///
/// >>> import nebel
/// >>> nebel.action_of("e2e4")
/// 796
#[pyfunction]
pub(crate) fn action_of(attempt: &Bound<'_, PyAny>) -> PyResult<u32> {
    match said(attempt, Color::White)? {
        Said::Action(Action::Try(attempt)) => Ok(number(attempt)),
        Said::Action(Action::Ask) => Ok(ASK),
        Said::Text(text) if text == "any?" => Ok(ASK),
        Said::Text(text) => {
            let text = nebel_kriegspiel::start::shortened(&text);
            Err(input(format_args!(
                "`{text}` is not an attempt (write squares as in e2e4, promotions as in e7e8q)"
            )))
        }
    }
}

/// The attempt of a number, for a side: the ranks of promotions depend on it.
///
/// >>> import nebel
/// >>> nebel.attempt_of(796, "white"), nebel.attempt_of(4100, "black"), nebel.attempt_of(nebel.ASK, "white")
/// ('e2e4', 'a2a1q', 'any?')
#[pyfunction]
#[pyo3(name = "attempt_of")]
pub(crate) fn attempt_of(action: u32, #[pyo3(from_py_with = side)] side: Color) -> PyResult<String> {
    match of_number(action, side) {
        Some(Action::Try(attempt)) => Ok(attempt.to_string()),
        Some(Action::Ask) => Ok("any?".to_owned()),
        None => Err(input(format_args!("{action} is no action"))),
    }
}
