//! What may follow an attempt, one entry for each thing that White can hear: the squares where the king may be then, and
//! the mate that is still forced.

use nebel_kriegspiel::Attempt;

use crate::attempt_effect::AttemptEffect;
use crate::board::{Board, Mask, bit, squares_of};
use crate::placement::Placement;

/// One thing that White can hear.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableAnswer {
    /// What the umpire says.
    pub heard: TableAnnouncement,
    /// White's men then.
    pub placement: Placement,
    /// Where the king may be then; empty when the game is over.
    pub king: Mask,
}

/// What the umpire says to an attempt, and of the king's reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableAnnouncement {
    /// The attempt is illegal.
    Refused,
    /// Checkmate, with the directions as bits of [`crate::message`].
    Mate(u8),
    /// Stalemate.
    Stalemate,
    /// The move is made, with the directions of check; the king has replied without taking anything.
    Quiet(u8),
    /// The same, and the king has taken the man on this square.
    Taken(u8, shakmaty::Square),
}

/// Everything that White can hear after an attempt, with the king somewhere in `set`: a refusal first.
pub fn answers(board: Board, placement: &Placement, set: Mask, attempt: Attempt) -> Vec<TableAnswer> {
    let Some(effect) =
        AttemptEffect::all(board, placement).into_iter().find(|effect| effect.attempt == attempt)
    else {
        return Vec::new();
    };
    let mut answers = Vec::new();
    let mut add = |heard, placement: &Placement, king| {
        answers.push(TableAnswer { heard, placement: placement.clone(), king });
    };
    if set & effect.refused != 0 {
        add(TableAnnouncement::Refused, placement, set & effect.refused);
    }
    if set & effect.stalemates != 0 {
        add(TableAnnouncement::Stalemate, &effect.after, 0);
    }
    for &(message, class) in &effect.classes {
        let here = set & class;
        let mated = here & effect.mates(board);
        if mated != 0 {
            add(TableAnnouncement::Mate(message), &effect.after, 0);
        }
        let next = effect.successors(board, here & !mated);
        if next != 0 {
            add(TableAnnouncement::Quiet(message), &effect.after, next);
        }
        for square in squares_of(effect.losses(board, here & !mated)) {
            add(TableAnnouncement::Taken(message, square), &effect.after.without(square), bit(square));
        }
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::{Referee, Ruling};

    /// Every answer that a referee gives for a single position is among the answers for all, and no other.
    #[test]
    fn answers_are_those_of_a_referee() {
        for text in ["Kc3 Ra1", "Kf6 Qg1", "Kb6 Pa7", "Kf7 Rg1"] {
            let placement = Placement::parse(Board::CHESS, text).unwrap();
            let set = placement.king_squares(Board::CHESS);
            for attempt in placement.attempts(Board::CHESS) {
                let mut expected = Vec::new();
                let mut add = |heard, king: Option<shakmaty::Square>| match expected
                    .iter_mut()
                    .find(|(known, _)| *known == heard)
                {
                    Some((_, squares)) => *squares |= king.map_or(0, bit),
                    None => expected.push((heard, king.map_or(0, bit))),
                };
                for king in squares_of(set) {
                    let mut referee = Referee::new(&placement, king).unwrap();
                    let before = referee.clone();
                    let directions =
                        || placement.moved_by(attempt).check_directions(Board::CHESS)[usize::from(king)];
                    match referee.attempt(attempt) {
                        Ruling::Refused => add(TableAnnouncement::Refused, before.king()),
                        Ruling::Mate => add(TableAnnouncement::Mate(directions()), None),
                        // These men can always mate: a draw is a stalemate, or a promotion to a minor piece.
                        Ruling::Draw if referee.replies().is_empty() => {
                            add(TableAnnouncement::Stalemate, None);
                        }
                        Ruling::Draw | Ruling::Moved(_) => {
                            for reply in referee.replies() {
                                let heard = if reply.takes {
                                    TableAnnouncement::Taken(directions(), reply.to)
                                } else {
                                    TableAnnouncement::Quiet(directions())
                                };
                                add(heard, Some(reply.to));
                            }
                        }
                    }
                }
                let mut found: Vec<(TableAnnouncement, Mask)> =
                    answers(Board::CHESS, &placement, set, attempt)
                        .into_iter()
                        .map(|answer| (answer.heard, answer.king))
                        .collect();
                let order = |(heard, king): &(TableAnnouncement, Mask)| (format!("{heard:?}"), *king);
                found.sort_by_key(order);
                expected.sort_by_key(order);
                assert_eq!(found, expected, "{text} {attempt}");
            }
        }
    }
}
