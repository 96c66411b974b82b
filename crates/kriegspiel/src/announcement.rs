//! What the umpire says of a legal move: captures, promotion, check, the end, pawn tries.
//!
//! Both sides hear all of it. [`Announcement::text`] is the canonical text by which strategies name
//! announcements.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use shakmaty::{Bitboard, Color, Move, Role, Square};

use crate::{
    direction::Directions,
    over::{Over, Reason},
    rules::{CaptureDetail, EnPassant, PromotionAnnounced, Rules, TriesAnnounced},
};

/// What the umpire says of a legal move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Announcement {
    /// A man was captured.
    pub capture: Option<Capture>,
    /// A pawn was promoted, where the rules announce it.
    pub promotion: bool,
    /// Where the side to move is checked from.
    pub check: Directions,
    /// The pawn captures of the side to move, where the rules announce them and the game goes on.
    pub tries: Option<Tries>,
    /// The game is over.
    pub over: Option<Over>,
}

/// What is said of a capture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Capture {
    /// The square that is named.
    pub square: Square,
    /// Pawn or piece, where the rules tell them apart.
    pub kind: Option<Kind>,
    /// The words "en passant", where the rules say them.
    pub en_passant: bool,
}

/// A captured man, as far as it is told.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A pawn.
    Pawn,
    /// Anything else; a promoted pawn is a piece.
    Piece,
}

impl Kind {
    /// The kind of a man of this role.
    pub const fn of(role: Role) -> Kind {
        match role {
            Role::Pawn => Kind::Pawn,
            _ => Kind::Piece,
        }
    }

    /// `pawn` or `piece`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Kind::Pawn => "pawn",
            Kind::Piece => "piece",
        }
    }
}

impl Capture {
    /// What is said of this move's capture, if it is one.
    #[inline]
    pub fn by_move(m: Move, rules: &Rules) -> Option<Capture> {
        let (square, role, en_passant) = match m {
            Move::Normal { capture: Some(role), to, .. } => (to, role, false),
            Move::EnPassant { from, to } => match rules.en_passant {
                EnPassant::CapturedSquare => (Square::from_coords(to.file(), from.rank()), Role::Pawn, false),
                EnPassant::LandingSquare => (to, Role::Pawn, true),
            },
            _ => return None,
        };
        let kind = (rules.capture == CaptureDetail::Kind).then_some(Kind::of(role));
        Some(Capture { square, kind, en_passant })
    }

    /// The square of the captured man, which is the one named unless "en passant" was said.
    pub fn captured_square(self, captured: Color) -> Square {
        match (self.en_passant, captured) {
            (false, _) => self.square,
            (true, Color::White) => self.square.offset(8).unwrap_or(self.square),
            (true, Color::Black) => self.square.offset(-8).unwrap_or(self.square),
        }
    }
}

/// The pawn captures of the side to move, as far as they are told.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tries {
    /// How many distinct (from, to) there are.
    Count(u8),
    /// Whether there is one.
    Any(bool),
    /// From which squares there is one; listed [in the order of text](in_text_order).
    From(Bitboard),
}

impl Tries {
    /// Whether there are any.
    pub fn are_there(self) -> bool {
        match self {
            Tries::Count(count) => count > 0,
            Tries::Any(any) => any,
            Tries::From(squares) => squares.any(),
        }
    }
}

/// The legal pawn captures of a position, before the rules decide how much of them is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PawnCaptures {
    /// Distinct (from, to); a capturing promotion counts once.
    pub count: u8,
    /// The squares they start from.
    pub from: Bitboard,
}

impl PawnCaptures {
    /// The pawn captures among these legal moves.
    #[inline]
    pub fn among(moves: &[Move]) -> PawnCaptures {
        let mut captures = PawnCaptures::default();
        for &m in moves {
            let (Move::Normal {
                role: Role::Pawn,
                capture: Some(_),
                from,
                promotion: None | Some(Role::Queen),
                ..
            }
            | Move::EnPassant { from, .. }) = m
            else {
                continue;
            };
            captures.count += 1;
            captures.from.add(from);
        }
        captures
    }

    /// What the umpire says of them unasked.
    #[inline]
    pub fn announced(self, rules: &Rules) -> Option<Tries> {
        match rules.tries {
            TriesAnnounced::Never | TriesAnnounced::AskBinding | TriesAnnounced::AskOneTry => None,
            TriesAnnounced::Count => Some(Tries::Count(self.count)),
            TriesAnnounced::Any => Some(Tries::Any(self.count > 0)),
            TriesAnnounced::From => Some(Tries::From(self.from)),
        }
    }
}

/// Squares as text sorts them: a1, a2, …, h8.
pub fn in_text_order(squares: Bitboard) -> impl Iterator<Item = Square> {
    squares.flip_diagonal().into_iter().map(Square::flip_diagonal)
}

/// Whether the rules announce this move's promotion.
#[inline]
pub(crate) fn announces_promotion(m: Move, rules: &Rules) -> bool {
    rules.promotion == PromotionAnnounced::Heard && m.is_promotion()
}

impl Announcement {
    /// The canonical text, for a side to move `next` if the game goes on.
    ///
    /// ```
    /// use nebel_kriegspiel::{Announcement, Capture, Color, Direction, Kind, Square, Tries};
    ///
    /// let announcement = Announcement {
    ///     capture: Some(Capture { square: Square::D5, kind: Some(Kind::Pawn), en_passant: false }),
    ///     check: [Direction::File].into_iter().collect(),
    ///     tries: Some(Tries::Count(1)),
    ///     ..Announcement::default()
    /// };
    /// assert_eq!(announcement.text(Color::Black), "Pawn captured on d5. Check by File. Black to move. 1 pawn try.");
    /// ```
    pub fn text(&self, next: Color) -> String {
        let mut text = String::new();
        // Writing into a String cannot fail.
        let _ = self.write_text(next, &mut text);
        text
    }

    fn write_text(&self, next: Color, text: &mut String) -> std::fmt::Result {
        if let Some(Capture { square, kind, en_passant }) = self.capture {
            match kind {
                None => write!(text, "Capture on {square}. ")?,
                Some(Kind::Pawn) => write!(text, "Pawn captured on {square}. ")?,
                Some(Kind::Piece) => write!(text, "Piece captured on {square}. ")?,
            }
            if en_passant {
                text.push_str("En passant. ");
            }
        }
        if self.promotion {
            text.push_str("Promotion. ");
        }
        if !self.check.is_empty() {
            write!(text, "Check by {}. ", self.check)?;
        }
        match (self.over, next) {
            (Some(over), _) => text.push_str(end_sentence(over.reason)),
            (None, Color::White) => text.push_str("White to move."),
            (None, Color::Black) => text.push_str("Black to move."),
        }
        match self.tries {
            None | Some(Tries::Count(0) | Tries::Any(false)) => {}
            Some(Tries::Count(1)) => text.push_str(" 1 pawn try."),
            Some(Tries::Count(count)) => write!(text, " {count} pawn tries.")?,
            Some(Tries::Any(true)) => text.push_str(" Pawn try."),
            Some(Tries::From(squares)) => {
                for (index, square) in in_text_order(squares).enumerate() {
                    let joint = if index == 0 { " Pawn tries from" } else { " and" };
                    write!(text, "{joint} {square}")?;
                }
                if squares.any() {
                    text.push('.');
                }
            }
        }
        Ok(())
    }
}

const fn end_sentence(reason: Reason) -> &'static str {
    match reason {
        Reason::Checkmate => "Checkmate.",
        Reason::Stalemate => "Stalemate.",
        Reason::Material => "Draw by insufficient material.",
        Reason::Fifty => "Draw by the fifty-move rule.",
        Reason::Repetition => "Draw by repetition.",
        Reason::Resignation => "Resignation.",
        Reason::Time => "Out of time.",
        Reason::Forfeit => "Forfeit.",
        Reason::Length => "Limit on length reached.",
        Reason::Agreement => "Draw by agreement.",
    }
}
