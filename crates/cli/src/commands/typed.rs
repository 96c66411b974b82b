//! What a person types at the terminal: coordinates, or the short notation of chess where the own men and this turn's answers leave one
//! attempt that fits. Decided by the own side alone, so that it tells nothing of the other.

use nebel_kriegspiel::{Attempt, Input, OwnSide, Role, Square};
use thiserror::Error;

/// Why a line is not put to the umpire. It costs nothing, and is no event of the game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(super) enum NotPut {
    /// Neither coordinates nor short notation.
    #[error(
        "\"{0}\" is not a move: write e2e4, e4, Nf3, exd5, e8=Q or O-O (help lists all that can be typed)."
    )]
    NoMove(String),
    /// Several attempts could be meant.
    #[error("\"{0}\" can be {1}: write which.")]
    Several(String, String),
    /// No attempt that is left fits.
    #[error("No man of yours can try {0} now.")]
    Nobody(String),
}

/// The line for the umpire: an attempt that was typed in coordinates, whether it makes sense or not, or the one that short
/// notation names.
pub(super) fn read(text: &str, own: &OwnSide) -> Result<String, NotPut> {
    if Input::parse(text).attempt().is_some() {
        return Ok(text.to_owned());
    }
    let shown: String = text.chars().filter(|c| !c.is_control()).take(20).collect();
    let short = Short::parse(text).ok_or_else(|| NotPut::NoMove(shown.clone()))?;
    let fits: Vec<Attempt> =
        own.sensible_attempts().into_iter().filter(|attempt| short.fits(*attempt, own)).collect();
    match fits.as_slice() {
        [] => Err(NotPut::Nobody(shown)),
        [one] => Ok(one.to_string()),
        several => {
            let names: Vec<String> = several.iter().map(ToString::to_string).collect();
            Err(NotPut::Several(shown, names.join(" or ")))
        }
    }
}

/// Short notation taken apart.
#[derive(Debug)]
enum Short {
    /// To this side of the board: `1` for the king's, `-1` for the queen's.
    Castling(i32),
    Move {
        role: Role,
        file: Option<char>,
        rank: Option<char>,
        to: Square,
        promotion: Option<Role>,
    },
}

impl Short {
    /// Reads `Nf3`, `Nbd2`, `exd5`, `e8=Q`, `O-O`; checks and captures may be marked, and are not believed.
    fn parse(text: &str) -> Option<Short> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        match text.replace('0', "O").to_ascii_uppercase().as_str() {
            "O-O" | "OO" => return Some(Short::Castling(1)),
            "O-O-O" | "OOO" => return Some(Short::Castling(-1)),
            _ => {}
        }
        let mut rest = text;
        let role = match rest.chars().next()? {
            letter @ ('K' | 'Q' | 'R' | 'B' | 'N') => {
                rest = &rest[1..];
                Role::from_char(letter)?
            }
            _ => Role::Pawn,
        };
        let mut promotion = None;
        if let Some(letter) = rest.chars().last().filter(|letter| "QRBNqrbn".contains(*letter))
            && role == Role::Pawn
            && rest.len() > 2
        {
            promotion = Role::from_char(letter);
            rest = rest[..rest.len() - 1].trim_end_matches('=');
        }
        let split = rest.len().checked_sub(2).filter(|at| rest.is_char_boundary(*at))?;
        let (before, to) = rest.split_at(split);
        let (mut file, mut rank) = (None, None);
        for letter in before.trim_end_matches(['x', ':', '-']).chars() {
            match letter {
                'a'..='h' if file.is_none() && rank.is_none() => file = Some(letter),
                '1'..='8' if rank.is_none() => rank = Some(letter),
                _ => return None,
            }
        }
        Some(Short::Move { role, file, rank, to: to.parse().ok()?, promotion })
    }

    fn fits(&self, attempt: Attempt, own: &OwnSide) -> bool {
        let Some(moved) = own.men().role_at(attempt.from) else { return false };
        let files = i32::from(attempt.to.file()) - i32::from(attempt.from.file());
        let castles = moved == Role::King && files.abs() == 2;
        match self {
            Short::Castling(side) => castles && files.signum() == *side,
            Short::Move { role, file, rank, to, promotion } => {
                // `e4` is a step forward; a pawn's diagonal step is written with its file, `dxe4`.
                let file = file.or((*role == Role::Pawn).then(|| to.file().char()));
                let queens = attempt.promotion.map(|into| promotion.unwrap_or(Role::Queen) == into);
                !castles
                    && moved == *role
                    && attempt.to == *to
                    && file.is_none_or(|file| attempt.from.file().char() == file)
                    && rank.is_none_or(|rank| attempt.from.rank().char() == rank)
                    && queens.unwrap_or(promotion.is_none())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nebel_kriegspiel::{Color, Header, Rules, View, start};

    fn own(fen: &str) -> OwnSide {
        let position = start::position(fen).unwrap();
        View::new(Header::at(Rules::icc(), position), Color::White).own().clone()
    }

    #[test]
    fn short_notation_names_the_one_attempt_that_fits_the_own_men() {
        let start = own(start::STANDARD);
        for (typed, put) in [
            ("e2e4", "e2e4"),
            ("e4", "e2e4"),
            ("Nf3", "g1f3"),
            ("exd3", "e2d3"),
            ("Nf3+!", "g1f3"),
            ("e2-e4", "e2e4"),
        ] {
            assert_eq!(read(typed, &start).unwrap(), put, "{typed}");
        }
        let later = own("4k3/P7/8/8/3P4/8/8/RN2K1NR w KQ - 0 1");
        let all = [
            ("O-O", "e1g1"),
            ("a8=N", "a7a8n"),
            ("a8", "a7a8q"),
            ("axb8=R", "a7b8r"),
            ("Nd2", "b1d2"),
            ("Kf2", "e1f2"),
        ];
        for (typed, put) in all {
            let blocked = typed == "O-O";
            assert_eq!(read(typed, &later).ok(), (!blocked).then(|| put.to_owned()), "{typed}");
        }
        let free = own("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
        assert_eq!(read("O-O", &free).unwrap(), "e1g1");
        assert_eq!(read("0-0-0", &free).unwrap(), "e1c1");
        assert_eq!(read("Rf1", &free).unwrap(), "h1f1");
    }

    #[test]
    fn what_is_no_move_is_told_from_what_nobody_can_try_and_from_what_is_not_clear() {
        let two = own("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1");
        assert_eq!(read("Nd2", &two), Err(NotPut::Several("Nd2".to_owned(), "b1d2 or f1d2".to_owned())));
        assert_eq!(read("Nbd2", &two).unwrap(), "b1d2");
        assert_eq!(read("Qd2", &two), Err(NotPut::Nobody("Qd2".to_owned())));
        for text in ["", "hello", "e", "x", "é", "Nñ3", "e9", "Ni3", "♞f3", "=Q", "e2e4e5", "N1"] {
            assert_eq!(read(text, &two), Err(NotPut::NoMove(text.to_owned())), "{text}");
        }
    }

    #[test]
    fn what_was_refused_is_not_meant_any_more() {
        let mut view = View::new(Header::new(Rules::icc()), Color::White);
        let mut game = nebel_kriegspiel::Transcript::new(Header::new(Rules::icc()));
        assert_eq!(read("exd3", view.own()).unwrap(), "e2d3");
        let heard = game.hear("e2d3").unwrap().heard_by(Color::White, &Rules::icc()).unwrap();
        view.add(heard.into_event()).unwrap();
        assert_eq!(read("exd3", view.own()), Err(NotPut::Nobody("exd3".to_owned())));
    }
}
