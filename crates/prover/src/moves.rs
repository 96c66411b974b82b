//! Legal moves, for both sides, in the order that suits the search.
//!
//! The chess library generates moves too. This generator exists because the prover lives on questions that a list of
//! moves answers slowly: is there any legal move, is this one attempt legal, which pawn captures are there. It is tested
//! against the library move by move.

use std::ops::ControlFlow;

use nebel_kriegspiel::attempt::PROMOTIONS;
use nebel_kriegspiel::{Bitboard, Color, File, Rank, Role, Square};
use shakmaty::attacks;

use crate::position::{Position, castling_rook};

/// A move: the king's two steps for castling, the diagonal step for en passant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    pub(crate) from: Square,
    pub(crate) to: Square,
    pub(crate) role: Role,
    pub(crate) promotion: Option<Role>,
}

impl Move {
    /// Whether it is a diagonal step of a pawn.
    #[inline]
    pub(crate) fn is_pawn_capture(self) -> bool {
        self.role == Role::Pawn && self.from.file() != self.to.file()
    }
}

/// The square and the role of a captured man.
pub(crate) type Captured = (Square, Role);

/// From where the men of a side give check. En passant is left out: it may always uncover one.
pub(crate) struct Checks {
    straight: Bitboard,
    diagonal: Bitboard,
    knights: Bitboard,
    /// The last rank too, where pawns become something else.
    pawns: Bitboard,
    /// Men of which any move may give check.
    uncovering: Bitboard,
    /// Whether a step of the king may; castling always may.
    pub(crate) by_king: bool,
}

impl Checks {
    /// Against the other side's king. Only men on `lines` are looked at as such that may uncover a check.
    #[inline]
    pub(crate) fn near(position: &Position, color: Color, lines: Bitboard) -> Self {
        let king = position.king(!color);
        let own = position.side(color);
        let straight = attacks::rook_attacks(king, position.occupied());
        let diagonal = attacks::bishop_attacks(king, position.occupied());
        let mut uncovering = (straight | diagonal) & own & lines;
        if uncovering.any() {
            uncovering = position.blockers(king, color) & own;
        }
        Checks {
            straight,
            diagonal,
            knights: attacks::knight_attacks(king),
            pawns: attacks::pawn_attacks(!color, king) | Bitboard::from((!color).backrank()),
            uncovering,
            by_king: uncovering.contains(position.king(color)),
        }
    }

    /// The squares on which a man of this role, coming from there, may give check; not for the king.
    #[inline]
    pub(crate) fn squares(&self, role: Role, from: Square) -> Bitboard {
        if self.uncovering.contains(from) {
            return Bitboard::FULL;
        }
        match role {
            Role::Pawn => self.pawns,
            Role::Knight => self.knights,
            Role::Bishop => self.diagonal,
            Role::Rook => self.straight,
            Role::Queen => self.straight | self.diagonal,
            Role::King => Bitboard::EMPTY,
        }
    }

    /// Whether a move may give check.
    #[inline]
    pub(crate) fn may_give(&self, m: Move) -> bool {
        match m.role {
            Role::King => self.by_king || m.from.distance(m.to) == 2,
            // En passant among them.
            Role::Pawn if m.is_pawn_capture() => true,
            role => self.squares(role, m.from).contains(m.to),
        }
    }
}

/// What all moves of a side in a position have to respect.
struct Constraints {
    /// Squares that capture or block a single checker; all when there is no check, none when there are two.
    targets: Bitboard,
    /// Men that may only move along the line to their king.
    pinned: Bitboard,
}

impl Position {
    /// Calls `visit` with the legal moves of a side until it breaks: the long-range men first, the king last.
    #[inline]
    pub(crate) fn for_each_legal(
        &self,
        color: Color,
        mut visit: impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let constraints = self.constraints(color);
        if constraints.targets.any() {
            for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                for from in self.men(color, role) {
                    let reached = self.reached(role, from) & !self.side(color) & constraints.targets;
                    for to in self.unpinned(color, from, reached, constraints.pinned) {
                        visit(Move { from, to, role, promotion: None })?;
                    }
                }
            }
            for from in self.men(color, Role::Pawn) {
                let reached = (self.pawn_captures_from(color, from) | self.pawn_steps(color, from))
                    & constraints.targets;
                let reached = self.unpinned(color, from, reached, constraints.pinned);
                visit_pawn_moves(color, from, reached, &mut visit)?;
            }
        }
        self.en_passant_captures(color, &mut visit)?;
        self.king_moves(color, visit)
    }

    /// Calls `visit` with legal moves of a side, among them all that give check, until it breaks.
    #[inline]
    pub(crate) fn for_each_check(
        &self,
        color: Color,
        mut visit: impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let constraints = self.constraints(color);
        let checks = Checks::near(self, color, Bitboard::FULL);
        for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
            for from in self.men(color, role) {
                let wanted = checks.squares(role, from) & constraints.targets & !self.side(color);
                if wanted.any() {
                    let reached = self.reached(role, from) & wanted;
                    for to in self.unpinned(color, from, reached, constraints.pinned) {
                        visit(Move { from, to, role, promotion: None })?;
                    }
                }
            }
        }
        for from in self.men(color, Role::Pawn) {
            let reached = (self.pawn_captures_from(color, from) | self.pawn_steps(color, from))
                & constraints.targets
                & checks.squares(Role::Pawn, from);
            let reached = self.unpinned(color, from, reached, constraints.pinned);
            visit_pawn_moves(color, from, reached, &mut visit)?;
        }
        self.en_passant_captures(color, &mut visit)?;
        if checks.by_king {
            self.king_steps(color, &mut visit)?;
        }
        self.castlings(color, visit)
    }

    /// Whether a side has a legal move at all.
    #[inline]
    pub(crate) fn has_legal_move(&self, color: Color) -> bool {
        // The king first: most positions are answered by him.
        self.king_moves(color, |_| ControlFlow::Break(())).is_break()
            || self.for_each_legal(color, |_| ControlFlow::Break(())).is_break()
    }

    /// The legal pawn captures of a side: how many (from, to) there are, and from where.
    pub(crate) fn legal_pawn_captures(&self, color: Color) -> (u32, Bitboard) {
        let (mut count, mut from_squares) = (0, Bitboard::EMPTY);
        let constraints = self.constraints(color);
        for from in self.men(color, Role::Pawn) {
            let reached = self.pawn_captures_from(color, from) & constraints.targets;
            let reached = self.unpinned(color, from, reached, constraints.pinned);
            count += reached.count() as u32;
            if reached.any() {
                from_squares.add(from);
            }
        }
        let _ = self.en_passant_captures(color, &mut |m: Move| {
            count += 1;
            from_squares.add(m.from);
            ControlFlow::Continue(())
        });
        (count, from_squares)
    }

    /// The move that an attempt asks for, if it is legal but for the safety of the own king.
    #[inline]
    pub(crate) fn reachable(
        &self,
        color: Color,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Option<Move> {
        let role = self.role_at(from)?;
        let m = Move { from, to, role, promotion };
        let promotes = role == Role::Pawn && to.rank() == (!color).backrank();
        if !self.side(color).contains(from)
            || self.side(color).contains(to)
            || promotes != promotion.is_some()
        {
            return None;
        }
        let reached = match role {
            Role::Pawn if m.is_pawn_capture() => {
                let en_passant = u8::from(to) == self.en_passant;
                let captures = attacks::pawn_attacks(color, from).contains(to);
                captures && (en_passant || self.side(!color).contains(to))
            }
            Role::Pawn => self.pawn_steps(color, from).contains(to),
            Role::King if from.distance(to) == 2 => self.may_castle(color, from, to),
            Role::King => attacks::king_attacks(from).contains(to),
            _ => self.reached(role, from).contains(to),
        };
        reached.then_some(m)
    }

    /// The move that an attempt asks for and the position after it, if it is legal.
    #[inline]
    pub(crate) fn make_if_legal(
        &self,
        color: Color,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Option<(Move, Position, Option<Captured>)> {
        let m = self.reachable(color, from, to, promotion)?;
        let (next, captured) = self.make(color, m);
        next.checkers(color).is_empty().then_some((m, next, captured))
    }

    #[inline]
    fn constraints(&self, color: Color) -> Constraints {
        let king = self.king(color);
        let occupied = self.occupied();
        let checkers = self.attackers(!color, king, occupied);
        let targets = match (checkers.first(), checkers.more_than_one()) {
            (None, _) => Bitboard::FULL,
            (Some(checker), false) => attacks::between(king, checker) | Bitboard::from_square(checker),
            (Some(_), true) => Bitboard::EMPTY,
        };
        let pinned = self.blockers(king, !color) & self.side(color);
        Constraints { targets, pinned }
    }

    /// Men that alone stand between a king and a long-range man of `by`.
    #[inline]
    fn blockers(&self, king: Square, by: Color) -> Bitboard {
        let straight = self.by_role(Role::Rook) | self.by_role(Role::Queen);
        let diagonal = self.by_role(Role::Bishop) | self.by_role(Role::Queen);
        let snipers = self.side(by)
            & ((attacks::rook_attacks(king, Bitboard::EMPTY) & straight)
                | (attacks::bishop_attacks(king, Bitboard::EMPTY) & diagonal));
        let mut blockers = Bitboard::EMPTY;
        for sniper in snipers {
            let between = attacks::between(king, sniper) & self.occupied();
            if between.any() && !between.more_than_one() {
                blockers |= between;
            }
        }
        blockers
    }

    #[inline]
    fn unpinned(&self, color: Color, from: Square, reached: Bitboard, pinned: Bitboard) -> Bitboard {
        if pinned.contains(from) { reached & attacks::ray(self.king(color), from) } else { reached }
    }

    /// The squares that a man other than a pawn or a king attacks.
    #[inline]
    fn reached(&self, role: Role, from: Square) -> Bitboard {
        officer_attacks(role, from, self.occupied())
    }

    #[inline]
    pub(crate) fn pawn_captures_from(&self, color: Color, from: Square) -> Bitboard {
        attacks::pawn_attacks(color, from) & self.side(!color)
    }

    #[inline]
    pub(crate) fn pawn_steps(&self, color: Color, from: Square) -> Bitboard {
        let forward = |squares: Bitboard| match color {
            Color::White => squares.shift(8),
            Color::Black => squares.shift(-8),
        };
        let free = !self.occupied();
        let one = forward(Bitboard::from_square(from)) & free;
        let third = Bitboard::from(color.fold_wb(Rank::Third, Rank::Sixth));
        one | (forward(one & third) & free)
    }

    /// En passant uncovers lines that no pin tells of; it is rare, so it is made and looked at.
    #[inline]
    pub(crate) fn en_passant_captures(
        &self,
        color: Color,
        visit: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Ok(to) = Square::try_from(self.en_passant) else { return ControlFlow::Continue(()) };
        for from in attacks::pawn_attacks(!color, to) & self.men(color, Role::Pawn) {
            let m = Move { from, to, role: Role::Pawn, promotion: None };
            if self.make(color, m).0.checkers(color).is_empty() {
                visit(m)?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn king_moves(&self, color: Color, mut visit: impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        self.king_steps(color, &mut visit)?;
        self.castlings(color, visit)
    }

    #[inline]
    pub(crate) fn king_steps(
        &self,
        color: Color,
        mut visit: impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let from = self.king(color);
        // The king does not hide the squares behind him.
        let occupied = self.occupied() & !Bitboard::from_square(from);
        for to in attacks::king_attacks(from) & !self.side(color) {
            if self.attackers(!color, to, occupied).is_empty() {
                visit(Move { from, to, role: Role::King, promotion: None })?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    pub(crate) fn castlings(
        &self,
        color: Color,
        mut visit: impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if (self.castling & self.side(color)).any() {
            let from = self.king(color);
            for file in [File::G, File::C] {
                let to = Square::from_coords(file, from.rank());
                if self.may_castle(color, from, to) {
                    visit(Move { from, to, role: Role::King, promotion: None })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether the king may castle to this square: right, free way, and no attacked square on it.
    fn may_castle(&self, color: Color, from: Square, to: Square) -> bool {
        let (rook, _) = castling_rook(from, to);
        from == Square::from_coords(File::E, color.backrank())
            && to.rank() == from.rank()
            && (self.castling & self.men(color, Role::Rook)).contains(rook)
            && (attacks::between(from, rook) & self.occupied()).is_empty()
            && (attacks::between(from, to) | Bitboard::from_square(from) | Bitboard::from_square(to))
                .into_iter()
                .all(|square| self.attackers(!color, square, self.occupied()).is_empty())
    }
}

/// The squares that a queen, rook, bishop or knight attacks.
#[inline]
pub(crate) fn officer_attacks(role: Role, from: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Queen => attacks::queen_attacks(from, occupied),
        Role::Rook => attacks::rook_attacks(from, occupied),
        Role::Bishop => attacks::bishop_attacks(from, occupied),
        Role::Knight => attacks::knight_attacks(from),
        Role::Pawn | Role::King => Bitboard::EMPTY,
    }
}

#[inline]
fn visit_pawn_moves(
    color: Color,
    from: Square,
    reached: Bitboard,
    visit: &mut impl FnMut(Move) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for to in reached {
        if to.rank() == (!color).backrank() {
            for promotion in PROMOTIONS {
                visit(Move { from, to, role: Role::Pawn, promotion: Some(promotion) })?;
            }
        } else {
            visit(Move { from, to, role: Role::Pawn, promotion: None })?;
        }
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Attempt, Chess, start};
    use shakmaty::Position as _;

    use super::*;

    /// Positions that between them hold every kind of move, each walked to a few plies.
    const POSITIONS: [&str; 6] = [
        start::STANDARD,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 1",
    ];

    fn attempt(m: Move) -> Attempt {
        Attempt { from: m.from, to: m.to, promotion: m.promotion }
    }

    fn compare(chess: &Chess, depth: u32) {
        let color = chess.turn();
        let position = Position::of(chess);
        let mut ours = Vec::new();
        let _ = position.for_each_legal(color, |m| {
            ours.push(m);
            ControlFlow::Continue(())
        });
        let legal = chess.legal_moves();
        let mut attempts: Vec<Attempt> = ours.iter().copied().map(attempt).collect();
        let mut theirs: Vec<Attempt> = legal.iter().map(|&m| Attempt::of_move(m)).collect();
        attempts.sort_unstable();
        theirs.sort_unstable();
        assert_eq!(attempts, theirs, "{}", start::fen(chess));
        assert_eq!(position.has_legal_move(color), !legal.is_empty());
        let captures = nebel_kriegspiel::announcement::PawnCaptures::among(&legal);
        assert_eq!(position.legal_pawn_captures(color), (u32::from(captures.count), captures.from));
        let mut checks = Vec::new();
        let _ = position.for_each_check(color, |m| {
            assert!(ours.contains(&m), "{m:?} in {}", start::fen(chess));
            checks.push(attempt(m));
            ControlFlow::Continue(())
        });
        let mates = |m: &shakmaty::Move| {
            let mut next = chess.clone();
            next.play_unchecked(*m);
            next.is_checkmate()
        };
        assert_eq!(position.has_mate(color), legal.iter().any(mates), "{}", start::fen(chess));
        for from in position.side(color) {
            for to in Square::ALL {
                let queen = position.role_at(from) == Some(Role::Pawn) && to.rank() == (!color).backrank();
                let attempt = Attempt { from, to, promotion: queen.then_some(Role::Queen) };
                let other = if queen { None } else { Some(Role::Knight) };
                assert!(position.make_if_legal(color, from, to, other).is_none(), "{attempt}");
                let made = position.make_if_legal(color, from, to, attempt.promotion).is_some();
                assert_eq!(made, theirs.contains(&attempt), "{attempt} in {}", start::fen(chess));
            }
        }
        for m in &legal {
            let wanted = Attempt::of_move(*m);
            let ours = ours.iter().find(|&&m| attempt(m) == wanted).expect("found above");
            let mut next = chess.clone();
            next.play_unchecked(*m);
            assert_eq!(
                position.make(color, *ours).0,
                Position::of(&next),
                "{wanted} in {}",
                start::fen(chess)
            );
            if depth > 1 {
                compare(&next, depth - 1);
            }
        }
    }

    #[test]
    fn moves_are_those_of_the_chess_library() {
        for fen in POSITIONS {
            compare(&start::position(fen).expect("a position"), 3);
        }
    }

    #[test]
    fn positions_go_to_the_chess_library_and_back() {
        for fen in POSITIONS {
            let chess = start::position(fen).expect("a position");
            let back = Position::of(&chess).to_chess(chess.turn()).expect("a position");
            assert_eq!(start::fen_without_counters(&back), start::fen_without_counters(&chess));
        }
    }
}
