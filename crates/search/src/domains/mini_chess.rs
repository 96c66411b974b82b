//! Kriegspiel on a board of 4x4 squares, as in Russell & Wolfe (2005), Figure 1. White solves.
//!
//! There are no pawns. Announcements are those of the paper's section 1: captures by square, checks by direction seen
//! from the black king (or the white one), checkmate and stalemate.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use crate::domain::{AttemptId, Domain, Outcome, Percept, Reply};

/// The rules; positions are states.
#[derive(Clone, Copy, Debug, Default)]
pub struct MiniChess;

/// A man of either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Role {
    King,
    Queen,
    Rook,
    Bishop,
    Knight,
}

/// White or black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Side {
    White,
    Black,
}

/// Sixteen squares, a1, b1, … d4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Board([Option<(Side, Role)>; 16]);

/// Text that is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no board of 4x4: four ranks of letters KQRBN kqrbn and dots, the fourth first, one king a side"
)]
pub struct BoardError(String);

const KNIGHT: u64 = 1;
const RANK: u64 = 2;
const FILE: u64 = 4;
const LONG: u64 = 8;
const SHORT: u64 = 16;
const MATE: u64 = 32;
const STALEMATE: u64 = 64;
/// Above the flags: 1 + the square of a capture.
const CAPTURE_SHIFT: u64 = 8;

const STRAIGHT: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const LEAPS: [(i8, i8); 8] = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];

impl Board {
    /// Reads four ranks, the fourth first, separated by slashes: `"..k./..../.Q../K..."`.
    pub fn parse(text: &str) -> Result<Board, BoardError> {
        let error = || BoardError(text.to_owned());
        let ranks: Vec<&[u8]> = text.as_bytes().split(|&byte| byte == b'/').collect();
        if ranks.len() != 4 || ranks.iter().any(|rank| rank.len() != 4) {
            return Err(error());
        }
        let mut board = Board([None; 16]);
        for (index, &letter) in ranks.iter().rev().copied().flatten().enumerate() {
            let role = match letter.to_ascii_uppercase() {
                b'.' => continue,
                b'K' => Role::King,
                b'Q' => Role::Queen,
                b'R' => Role::Rook,
                b'B' => Role::Bishop,
                b'N' => Role::Knight,
                _ => return Err(error()),
            };
            let side = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
            board.0[index] = Some((side, role));
        }
        let kings = |side| board.0.iter().filter(|&&man| man == Some((side, Role::King))).count();
        if kings(Side::White) != 1 || kings(Side::Black) != 1 { Err(error()) } else { Ok(board) }
    }

    /// The attempt to move between two named squares, such as `"a2a4"`.
    pub fn attempt(text: &str) -> Option<AttemptId> {
        let square = |name: &[u8]| match name {
            [file @ b'a'..=b'd', rank @ b'1'..=b'4'] => Some(u16::from(file - b'a' + (rank - b'1') * 4)),
            _ => None,
        };
        let (from, to) = text.as_bytes().split_at_checked(2)?;
        Some(square(from)? * 16 + square(to)?)
    }

    /// Whether the side that has just moved left its king to be taken.
    pub fn is_legal_after(&self, mover: Side) -> bool {
        self.checks_on(mover) == 0
    }

    fn slide(square: usize, (df, dr): (i8, i8)) -> Option<usize> {
        let (file, rank) = (square as i8 % 4 + df, square as i8 / 4 + dr);
        ((0..4).contains(&file) && (0..4).contains(&rank)).then_some((file + rank * 4) as usize)
    }

    /// Calls `visit` with every square that the man on `from` attacks.
    fn attacks(&self, from: usize, mut visit: impl FnMut(usize, (i8, i8))) {
        let Some((_, role)) = self.0[from] else { return };
        let (steps, far): (&[&[(i8, i8)]], bool) = match role {
            Role::King => (&[&STRAIGHT, &DIAGONAL], false),
            Role::Knight => (&[&LEAPS], false),
            Role::Queen => (&[&STRAIGHT, &DIAGONAL], true),
            Role::Rook => (&[&STRAIGHT], true),
            Role::Bishop => (&[&DIAGONAL], true),
        };
        for &step in steps.iter().copied().flatten() {
            let mut square = from;
            while let Some(to) = Board::slide(square, step) {
                visit(to, step);
                if !far || self.0[to].is_some() {
                    break;
                }
                square = to;
            }
        }
    }

    /// The directions of all checks on a side's king.
    fn checks_on(&self, side: Side) -> u64 {
        let mut directions = 0;
        for from in (0..16).filter(|&from| self.0[from].is_some_and(|(owner, _)| owner != side)) {
            self.attacks(from, |to, step| {
                if self.0[to] == Some((side, Role::King)) {
                    directions |= direction(to, step);
                }
            });
        }
        directions
    }

    /// The board after a move, if it is legal.
    fn after(&self, from: usize, to: usize, side: Side) -> Option<Board> {
        let man = self.0[from].filter(|&(owner, _)| owner == side)?;
        let mut reached = false;
        self.attacks(from, |square, _| reached |= square == to);
        if !reached || self.0[to].is_some_and(|(owner, role)| owner == side || role == Role::King) {
            return None;
        }
        let mut board = *self;
        board.0[to] = Some(man);
        board.0[from] = None;
        board.is_legal_after(side).then_some(board)
    }

    fn moves(&self, side: Side) -> impl Iterator<Item = (usize, usize, Board)> + '_ {
        (0..256).filter_map(move |pair| Some((pair / 16, pair % 16, self.after(pair / 16, pair % 16, side)?)))
    }

    /// What is announced after a move to `to` that made `after` of this board.
    fn announcement(&self, to: usize, after: &Board, mover: Side) -> Percept {
        let other = if mover == Side::White { Side::Black } else { Side::White };
        let mut percept = after.checks_on(other);
        if after.moves(other).next().is_none() {
            percept |= if percept == 0 { STALEMATE } else { MATE };
        }
        let capture = if self.0[to].is_some() { 1 + to as u64 } else { 0 };
        percept | capture << CAPTURE_SHIFT
    }
}

/// The direction of a check along `step` on a king.
fn direction(king: usize, (df, dr): (i8, i8)) -> u64 {
    match (df.abs(), dr.abs()) {
        (0, _) => FILE,
        (_, 0) => RANK,
        (1, 1) => {
            let (file, rank) = (king as i8 % 4, king as i8 / 4);
            // The lengths of the diagonals towards d4 and towards a4; on an even board they differ.
            let (up, down) = (4 - (file - rank).abs(), 4 - (file + rank - 3).abs());
            let (own, other) = if df == dr { (up, down) } else { (down, up) };
            if own > other { LONG } else { SHORT }
        }
        _ => KNIGHT,
    }
}

/// A percept in the words of the paper's Figure 1.
pub fn announce(percept: Percept) -> String {
    let mut text = String::new();
    if let Some(square) = (percept >> CAPTURE_SHIFT).checked_sub(1) {
        let (file, rank) = (char::from(b'a' + (square % 4) as u8), square / 4 + 1);
        let _ = write!(text, "Capture on {file}{rank}. ");
    }
    for (flag, words) in [
        (KNIGHT, "Knight Check. "),
        (RANK, "Rank Check. "),
        (FILE, "File Check. "),
        (LONG, "Long Check. "),
        (SHORT, "Short Check. "),
        (MATE, "Checkmate. "),
        (STALEMATE, "Stalemate. "),
    ] {
        if percept & flag != 0 {
            text.push_str(words);
        }
    }
    text.truncate(text.trim_end().len());
    text
}

impl Domain for MiniChess {
    type State = Board;

    fn key(&self, board: &Board) -> u128 {
        let digit =
            |man: Option<(Side, Role)>| man.map_or(0, |(side, role)| 1 + role as u128 + 5 * side as u128);
        board.0.iter().fold(0, |key, &man| key * 11 + digit(man))
    }

    fn attempts(&self, board: &Board, attempts: &mut Vec<AttemptId>) {
        attempts.extend(board.moves(Side::White).map(|(from, to, _)| (from * 16 + to) as AttemptId));
    }

    fn outcome(&self, board: &Board, attempt: AttemptId) -> Outcome<Board> {
        let (from, to) = (usize::from(attempt / 16) % 16, usize::from(attempt % 16));
        let Some(state) = board.after(from, to, Side::White) else {
            return Outcome::Refused;
        };
        let percept = board.announcement(to, &state, Side::White);
        match percept {
            _ if percept & MATE != 0 => Outcome::Won(percept),
            _ if percept & STALEMATE != 0 => Outcome::Failed,
            _ => Outcome::Moved { percept, state },
        }
    }

    fn replies(&self, board: &Board, mut visit: impl FnMut(Reply<Board>) -> ControlFlow<()>) {
        for (_, to, state) in board.moves(Side::Black) {
            let percept = board.announcement(to, &state, Side::Black);
            let over = percept & (MATE | STALEMATE) != 0;
            if visit(if over { Reply::Failed } else { Reply::Continues { percept, state } }).is_break() {
                return;
            }
        }
    }
}
