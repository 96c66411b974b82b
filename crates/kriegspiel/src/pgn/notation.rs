//! SAN on a board with the own men alone: how a side writes attempts and moves that it cannot see
//! the whole of.

use shakmaty::{CastlingSide, File, Role, san::San};

use super::PgnCause;
use crate::{attempt::Attempt, men::OwnMen, start::shortened};

/// Writes an attempt that could be made, with as little of the from-square as the own men need.
pub(super) fn write(attempt: Attempt, men: &OwnMen) -> String {
    let Some(role) = men.role_at(attempt.from) else {
        return attempt.to_string();
    };
    if let Some(side) = castling_side(attempt, role) {
        return San::Castle(side).to_string();
    }
    let with = |file: bool, rank: bool| San::Normal {
        role,
        file: file.then(|| attempt.from.file()),
        rank: rank.then(|| attempt.from.rank()),
        capture: men.is_pawn_capture(attempt),
        to: attempt.to,
        promotion: attempt.promotion,
    };
    [(false, false), (true, false), (false, true), (true, true)]
        .into_iter()
        .map(|(file, rank)| with(file || men.is_pawn_capture(attempt), rank))
        .find(|&san| candidates(san, men).len() == 1)
        .unwrap_or_else(|| with(true, true))
        .to_string()
}

/// Finds the one attempt that the own men allow and the text means.
pub(super) fn read(text: &str, men: &OwnMen) -> Result<Attempt, PgnCause> {
    if let Ok(attempt) = text.parse::<Attempt>()
        && men.could_make(attempt)
    {
        return Ok(attempt);
    }
    let san = text.trim_end_matches(['+', '#']).parse::<San>();
    let san = san.map_err(|_| PgnCause::Move(shortened(text)))?;
    match candidates(san, men)[..] {
        [attempt] => Ok(attempt),
        [] => Err(PgnCause::Move(shortened(text))),
        _ => Err(PgnCause::Ambiguous(shortened(text))),
    }
}

fn candidates(san: San, men: &OwnMen) -> Vec<Attempt> {
    let mut found = Vec::new();
    men.for_each_attempt(|attempt| {
        if means(san, attempt, men) {
            found.push(attempt);
        }
    });
    found
}

fn means(san: San, attempt: Attempt, men: &OwnMen) -> bool {
    let Some(moved) = men.role_at(attempt.from) else {
        return false;
    };
    match san {
        San::Castle(side) => castling_side(attempt, moved) == Some(side),
        San::Normal { role, file, rank, capture, to, promotion } => {
            let (from_file, from_rank) = attempt.from.coords();
            role == moved
                && castling_side(attempt, moved).is_none()
                && to == attempt.to
                && promotion == attempt.promotion
                && file.is_none_or(|file| file == from_file)
                && rank.is_none_or(|rank| rank == from_rank)
                // A pawn captures exactly when it leaves its file; what a piece meets is not known.
                && (role != Role::Pawn || capture == men.is_pawn_capture(attempt))
        }
        San::Put { .. } | San::Null => false,
    }
}

fn castling_side(attempt: Attempt, role: Role) -> Option<CastlingSide> {
    let is_castling = role == Role::King && attempt.from.distance(attempt.to) == 2;
    is_castling.then(|| CastlingSide::from_queen_side(attempt.to.file() < File::E))
}
