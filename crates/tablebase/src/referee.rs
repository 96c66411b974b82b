//! A naive referee: one physical position at a time, by the rules of the chess library.
//!
//! It shares nothing with the masks of the generator and the solver, so that what they claim can be replayed against it.

use nebel_kriegspiel::{Attempt, Directions};
use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, Piece, Position, Role, Setup, Square,
};

use crate::placement::Placement;

/// A full position of an ending: White's men and the black king.
#[derive(Debug, Clone, PartialEq)]
pub struct Referee {
    position: Chess,
}

/// What the umpire says to an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ruling {
    /// The move cannot be made.
    Refused,
    /// Checkmate.
    Mate,
    /// Stalemate, or no material left to mate with.
    Draw,
    /// The move is made; the directions of check as bits of [`message`], 0 for silence.
    Moved(u8),
}

/// A reply of the black king.
#[derive(Debug, Clone)]
pub struct Reply {
    /// Where he goes.
    pub to: Square,
    /// Whether he takes a man there.
    pub takes: bool,
    play: Move,
}

impl Referee {
    /// White to move; `None` if the position is illegal.
    pub fn new(placement: &Placement, king: Square) -> Option<Referee> {
        let mut setup = Setup::empty();
        for (role, square) in placement.all() {
            setup.board.set_piece_at(square, Piece { color: Color::White, role });
        }
        setup.board.set_piece_at(king, Piece { color: Color::Black, role: Role::King });
        let position = Chess::from_setup(setup, CastlingMode::Standard)
            .or_else(shakmaty::PositionError::ignore_too_much_material)
            .ok()?;
        Some(Referee { position })
    }

    /// The black king's square.
    pub fn king(&self) -> Option<Square> {
        self.position.board().king_of(Color::Black)
    }

    /// White's men.
    pub fn placement(&self) -> Option<Placement> {
        let board = self.position.board();
        let men = board.white().into_iter().filter_map(|square| Some((board.role_at(square)?, square)));
        let king = board.king_of(Color::White)?;
        Placement::new(crate::board::Board::CHESS, king, men.filter(|man| man.0 != Role::King)).ok()
    }

    /// Answers an attempt, and makes the move if it is legal.
    pub fn attempt(&mut self, attempt: Attempt) -> Ruling {
        let matches = |legal: &&Move| {
            legal.from() == Some(attempt.from)
                && legal.to() == attempt.to
                && legal.promotion() == attempt.promotion
        };
        let legal = self.position.legal_moves();
        let Some(&play) = legal.iter().find(matches) else {
            return Ruling::Refused;
        };
        self.position.play_unchecked(play);
        if self.position.is_checkmate() {
            return Ruling::Mate;
        }
        if self.position.is_stalemate() || self.position.is_insufficient_material() {
            return Ruling::Draw;
        }
        Ruling::Moved(self.directions())
    }

    /// The black king's replies after a legal move.
    pub fn replies(&self) -> Vec<Reply> {
        let reply = |&play: &Move| Reply { to: play.to(), takes: play.is_capture(), play };
        self.position.legal_moves().iter().map(reply).collect()
    }

    /// Makes a reply; false if the game is then drawn for want of material.
    pub fn reply(&mut self, reply: &Reply) -> bool {
        self.position.play_unchecked(reply.play);
        !self.position.is_insufficient_material()
    }

    /// The position as FEN, for reports.
    pub fn fen(&self) -> String {
        shakmaty::fen::Fen::from_position(&self.position, EnPassantMode::Legal).to_string()
    }

    /// The directions from which the side to move is in check, by the umpire's own words.
    fn directions(&self) -> u8 {
        Directions::on_king(self.position.board(), self.position.turn()).bits()
    }
}
