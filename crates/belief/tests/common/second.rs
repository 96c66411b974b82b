//! What the umpire has to say, from a second chess library and from the rules as they are written: nothing here is
//! taken from the crates under test but the words.

use cozy_chess::{Board, File, Piece, Rank, Square as CozySquare};
use nebel_kriegspiel::{
    Bitboard, Capture, Chess, Direction, Directions, Kind, Rules, Square,
    announcement::PawnCaptures,
    rules::{CaptureDetail, EnPassant},
    start,
};
use shakmaty::Move;

/// The position there.
pub(crate) fn board(position: &Chess) -> Board {
    start::fen(position).parse().unwrap()
}

/// Where the checks on the side to move come from.
pub(crate) fn check(board: &Board) -> Directions {
    let king = board.king(board.side_to_move());
    board.checkers().into_iter().map(|checker| direction(board, king, checker)).collect()
}

fn direction(board: &Board, king: CozySquare, checker: CozySquare) -> Direction {
    if board.piece_on(checker) == Some(Piece::Knight) {
        Direction::Knight
    } else if king.rank() == checker.rank() {
        Direction::Rank
    } else if king.file() == checker.file() {
        Direction::File
    } else {
        let files = if (checker.file() as i8) > king.file() as i8 { 1 } else { -1 };
        let ranks = if (checker.rank() as i8) > king.rank() as i8 { 1 } else { -1 };
        // The whole diagonal of the check against the other one, counted square by square.
        let is_longer = diagonal(king, files, ranks) > diagonal(king, files, -ranks);
        if is_longer { Direction::Long } else { Direction::Short }
    }
}

fn diagonal(square: CozySquare, files: i8, ranks: i8) -> usize {
    let ray = |sign: i8| {
        (1..8).take_while(move |&step| square.try_offset(sign * files * step, sign * ranks * step).is_some())
    };
    ray(1).count() + ray(-1).count()
}

/// The pawn captures of the side to move.
pub(crate) fn tries(board: &Board) -> PawnCaptures {
    let mut pairs = Vec::new();
    board.generate_moves(|moves| {
        if moves.piece == Piece::Pawn {
            pairs.extend(moves.into_iter().filter(|m| m.from.file() != m.to.file()).map(|m| (m.from, m.to)));
        }
        false
    });
    pairs.sort_unstable();
    pairs.dedup();
    let from = pairs.iter().map(|(from, _)| Square::new(*from as u32));
    let from = from.fold(Bitboard::EMPTY, |all, square| all | Bitboard::from_square(square));
    PawnCaptures { count: pairs.len() as u8, from }
}

/// What is said of the capture of a move, if it is one; the position is the one before.
pub(crate) fn capture(board: &Board, m: Move, rules: &Rules) -> Option<Capture> {
    if m.castling_side().is_some() {
        return None;
    }
    let square = |square: Square| CozySquare::index(square.to_usize());
    let (from, to) = (square(m.from()?), square(m.to()));
    let (taken, passing) = match board.piece_on(to) {
        Some(_) => (to, false),
        None if board.piece_on(from) == Some(Piece::Pawn) && from.file() != to.file() => {
            (CozySquare::new(File::index(to.file() as usize), Rank::index(from.rank() as usize)), true)
        }
        None => return None,
    };
    let kind = if board.piece_on(taken) == Some(Piece::Pawn) { Kind::Pawn } else { Kind::Piece };
    let by_landing = passing && rules.en_passant == EnPassant::LandingSquare;
    Some(Capture {
        square: Square::new(if by_landing { to } else { taken } as u32),
        kind: (rules.capture == CaptureDetail::Kind).then_some(kind),
        en_passant: by_landing,
    })
}
