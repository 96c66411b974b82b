//! Starting positions from FEN, with a sentence for each thing that can be wrong with one.

use std::num::NonZeroU32;

use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, Move, Position, PositionError, PositionErrorKinds, Role,
    fen::Fen,
};
use thiserror::Error;

/// The FEN of the ordinary starting position.
pub const STANDARD: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Reads a position.
///
/// Checks that no game can produce are accepted, because problems are composed with them; more men
/// than promotions can give are not.
///
/// ```
/// use nebel_kriegspiel::start;
///
/// assert!(start::position(start::STANDARD).is_ok());
/// let error = start::position("8/8/8/8/8/8/8/K7 w - - 0 1").unwrap_err();
/// assert_eq!(error.to_string(), "wrong FEN `8/8/8/8/8/8/8/K7 w - - 0 1`: no black king");
/// ```
pub fn position(fen: &str) -> Result<Chess, FenError> {
    let wrong = |cause: &str| FenError { fen: shortened(fen), cause: cause.to_owned() };
    let parsed: Fen = fen.parse().map_err(|error| wrong(&format!("{error}")))?;
    let setup = parsed.into_setup();
    let board = setup.board.clone();
    setup.position::<Chess>(CastlingMode::Standard).or_else(PositionError::ignore_impossible_check).map_err(
        |error| {
            let kings = |color| (board.kings() & board.by_color(color)).count();
            let errors = error.kinds();
            wrong(match (kings(Color::White), kings(Color::Black)) {
                (0, 0) => "no king",
                (0, _) => "no white king",
                (_, 0) => "no black king",
                (2.., _) => "more than one white king",
                (_, 2..) => "more than one black king",
                _ if errors.contains(PositionErrorKinds::PAWNS_ON_BACKRANK) => {
                    "a pawn on the first or last rank"
                }
                _ if errors.contains(PositionErrorKinds::OPPOSITE_CHECK) => {
                    "the side not to move is in check"
                }
                _ if errors.contains(PositionErrorKinds::INVALID_CASTLING_RIGHTS) => {
                    "castling rights without king and rook in place"
                }
                _ if errors.contains(PositionErrorKinds::INVALID_EP_SQUARE) => {
                    "an en passant square that no pawn has just passed"
                }
                _ if errors.contains(PositionErrorKinds::TOO_MUCH_MATERIAL) => {
                    "more men than promotions can give"
                }
                _ => "not a playable position",
            })
        },
    )
}

/// Reads the start of a view of a game that was refereed elsewhere: as [`position`], but the side not to
/// move may be in check, as some referees let games begin. Our umpire is never given such a start,
/// because a king could be captured.
pub(crate) fn refereed_elsewhere(fen: &str) -> Result<Chess, FenError> {
    position(fen).or_else(|error| side_not_to_move_in_check(fen).ok_or(error))
}

/// A position in which the king of the side not to move is in check, if that is all that is wrong.
fn side_not_to_move_in_check(fen: &str) -> Option<Chess> {
    let mut setup = fen.parse::<Fen>().ok()?.into_setup();
    let waiting = !setup.turn;
    let king = setup.board.king_of(waiting)?;
    let may_castle = setup.castling_rights & setup.board.by_color(waiting);
    if may_castle.any() || setup.ep_square.is_some() {
        return None;
    }
    // The chess library refuses such a position, and no legal move leads there, but it can be led there: with the
    // checked side to move it is an ordinary one, from which the king "moves" to where it stands. The counters go back
    // by that move. A count of no moves is reached by a "capture", which changes nothing else on the board; before
    // Black's first move the number is 1 and cannot go back.
    setup.turn = waiting;
    let capture = (setup.halfmoves == 0).then_some(Role::Queen);
    setup.halfmoves = setup.halfmoves.saturating_sub(1);
    if waiting == Color::Black {
        setup.fullmoves =
            setup.fullmoves.get().checked_sub(1).and_then(NonZeroU32::new).unwrap_or(setup.fullmoves);
    }
    let mut position = setup
        .position::<Chess>(CastlingMode::Standard)
        .or_else(PositionError::ignore_impossible_check)
        .ok()?;
    position.play_unchecked(Move::Normal {
        role: Role::King,
        from: king,
        capture,
        to: king,
        promotion: None,
    });
    Some(position)
}

/// The FEN of a position, with the en passant square only where such a capture is legal.
pub fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// The FEN by which beliefs name a position: the counters say nothing and are `0 1`.
pub fn fen_without_counters(position: &Chess) -> String {
    let text = fen(position);
    let identity = text.rsplitn(3, ' ').nth(2).unwrap_or(&text);
    format!("{identity} 0 1")
}

/// A FEN that is none, or whose position cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("wrong FEN `{fen}`: {cause}")]
pub struct FenError {
    fen: String,
    cause: String,
}

/// Error messages quote input; nobody wants to read ten megabytes of it.
pub fn shortened(text: &str) -> String {
    const SHOWN: usize = 100;
    let mut shown: String = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

/// What a library says of input, which may quote as much of it as it likes: in one line, and not longer than people read.
pub fn in_one_line(text: &str) -> String {
    const SHOWN: usize = 500;
    let shown = text.chars().take(SHOWN);
    shown.map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counters are those of the FEN, but for Black's king in check on White's first move.
    #[test]
    fn a_start_with_the_waiting_side_in_check_keeps_its_counters() {
        for (given, kept) in [
            ("8/8/1k6/1p6/8/1P6/1K6/6B1 w - - 0 1", "8/8/1k6/1p6/8/1P6/1K6/6B1 w - - 0 2"),
            ("8/8/1k6/1p6/8/1P6/1K6/6B1 w - - 0 9", "8/8/1k6/1p6/8/1P6/1K6/6B1 w - - 0 9"),
            ("8/8/1k6/1p6/8/1P6/1K6/6B1 w - - 7 9", "8/8/1k6/1p6/8/1P6/1K6/6B1 w - - 7 9"),
            ("6b1/1k6/1p6/8/1P6/1K6/8/8 b - - 0 1", "6b1/1k6/1p6/8/1P6/1K6/8/8 b - - 0 1"),
            ("6b1/1k6/1p6/8/1P6/1K6/8/8 b - - 3 5", "6b1/1k6/1p6/8/1P6/1K6/8/8 b - - 3 5"),
        ] {
            assert!(position(given).is_err());
            assert_eq!(fen(&refereed_elsewhere(given).unwrap()), kept);
        }
    }
}
