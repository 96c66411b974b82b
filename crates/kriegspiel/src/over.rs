//! How a game ends: result, reason, and the umpire's own reasons in their order of precedence.

use std::fmt;

use serde::{Deserialize, Serialize};
use shakmaty::{Bitboard, Board, Color};

use crate::rules::{Draws, Rules, Stalemate};

/// The points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum GameResult {
    /// White wins.
    #[serde(rename = "1-0")]
    White,
    /// Black wins.
    #[serde(rename = "0-1")]
    Black,
    /// Half a point each.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl GameResult {
    /// A win for this side.
    pub const fn won_by(color: Color) -> GameResult {
        match color {
            Color::White => GameResult::White,
            Color::Black => GameResult::Black,
        }
    }

    /// The winner, if there is one.
    pub const fn winner(self) -> Option<Color> {
        match self {
            GameResult::White => Some(Color::White),
            GameResult::Black => Some(Color::Black),
            GameResult::Draw => None,
        }
    }

    /// `1-0`, `0-1` or `1/2-1/2`.
    pub const fn as_str(self) -> &'static str {
        match self {
            GameResult::White => "1-0",
            GameResult::Black => "0-1",
            GameResult::Draw => "1/2-1/2",
        }
    }
}

/// Why the game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// Neither side can ever mate: bare kings, one minor piece, or bishops all on one colour.
    Material,
    /// A hundred plies without a capture or a pawn's move.
    Fifty,
    /// The same position for the third time.
    Repetition,
    /// A side resigned.
    Resignation,
    /// A side ran out of time.
    Time,
    /// A side broke the rules of the match.
    Forfeit,
    /// The match's limit on length was reached.
    Length,
    /// Both sides agreed to a draw.
    Agreement,
}

impl Reason {
    /// Whether the umpire finds this end by looking at the game, rather than being told of it.
    pub const fn is_on_the_board(self) -> bool {
        matches!(
            self,
            Reason::Checkmate | Reason::Stalemate | Reason::Material | Reason::Fifty | Reason::Repetition
        )
    }

    /// The word in transcripts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::Material => "material",
            Reason::Fifty => "fifty",
            Reason::Repetition => "repetition",
            Reason::Resignation => "resignation",
            Reason::Time => "time",
            Reason::Forfeit => "forfeit",
            Reason::Length => "length",
            Reason::Agreement => "agreement",
        }
    }
}

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Over {
    /// The points.
    pub result: GameResult,
    /// Why.
    pub reason: Reason,
}

impl Over {
    /// The end of a game in which the side to move has no legal move.
    #[inline]
    pub fn without_moves(rules: &Rules, to_move: Color, in_check: bool) -> Over {
        let reason = if in_check { Reason::Checkmate } else { Reason::Stalemate };
        let lost = in_check || rules.stalemate == Stalemate::Loss;
        let result = if lost { GameResult::won_by(!to_move) } else { GameResult::Draw };
        Over { result, reason }
    }

    /// A draw for this reason.
    pub const fn draw(reason: Reason) -> Over {
        Over { result: GameResult::Draw, reason }
    }

    /// A loss for this side, for this reason.
    pub const fn lost_by(loser: Color, reason: Reason) -> Over {
        Over { result: GameResult::won_by(loser.other()), reason }
    }
}

impl fmt::Display for Over {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} by {}", self.result.as_str(), self.reason.as_str())
    }
}

/// Whether neither side can ever mate: bare kings, one minor piece, or bishops all on one colour.
#[inline]
pub fn is_dead(board: &Board) -> bool {
    if (board.pawns() | board.rooks_and_queens()).any() {
        return false;
    }
    let minors = board.knights() | board.bishops();
    let bishops_on_one_colour = board.knights().is_empty()
        && ((minors & Bitboard::LIGHT_SQUARES).is_empty() || (minors & Bitboard::DARK_SQUARES).is_empty());
    minors.count() <= 1 || bishops_on_one_colour
}

/// Whether the umpire calls the draws that depend on the history of the game.
#[inline]
pub fn counts_moves(rules: &Rules) -> bool {
    rules.draws == Draws::MaterialFiftyRepetition
}
