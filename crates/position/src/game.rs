//! A whole game on the fast board: the umpire of those who play millions of moves, such as learners.
//!
//! It answers as [`nebel_kriegspiel::Umpire`] does, event for event, which tests hold against each other; that one stays
//! the referee, because it stands on the chess library and keeps a list of the legal moves for whoever wants to read them. Here an attempt is
//! judged alone: whether it makes sense by the mover's own men and this turn's answers, then whether the other side's men let it be legal.

use std::num::NonZeroU32;

use nebel_kriegspiel::{
    Announcement, Answer, AskAnswer, Attempt, Bitboard, Chess, Color, Event, Input, Over, Position as _,
    Rank, Reason, Role, Rules, Square, attempt::PROMOTIONS, over, turn::Question, umpire::GameOver,
};
use shakmaty::fen::{Fen, LossyFenError};

use crate::{
    announced::{Captured, End, PackedAnnouncement},
    moves::Move,
    position::{Half, Position},
    sensible,
    side::Side,
};

/// One game, of which only its holder knows the position.
///
/// ```
/// use nebel_kriegspiel::{Chess, Rules, Umpire};
/// use nebel_position::Game;
///
/// let (mut game, mut umpire) = (Game::at(Rules::icc(), &Chess::new()), Umpire::new(Rules::icc()));
/// let attempt = "e2e4".parse().unwrap();
/// assert_eq!(game.attempt(attempt), umpire.attempt(attempt));
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    /// The position, with what was asked in this turn.
    position: Position,
    to_move: Color,
    /// What made sense and was refused in this turn.
    refused: Vec<Attempt>,
    /// Plies since the last capture or pawn's move.
    halfmoves: u32,
    fullmoves: NonZeroU32,
    /// The positions since then as hashes, the current one last. Kept only where the rules know repetition.
    repeatable: Vec<u128>,
    over: Option<Over>,
}

impl Game {
    /// A game that begins at any position. It may be over already.
    pub fn at(rules: Rules, start: &Chess) -> Game {
        let mut game = Game {
            rules,
            position: Position::of(start),
            to_move: start.turn(),
            refused: Vec::new(),
            halfmoves: start.halfmoves(),
            fullmoves: start.fullmoves(),
            repeatable: Vec::new(),
            over: None,
        };
        let end = End::of(&game.position.legal(game.to_move));
        game.over = end.over(&game.rules, game.to_move).or_else(|| game.end_by_history());
        game
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The side to move.
    #[inline]
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// The end of the game, if it has come.
    #[inline]
    pub fn over(&self) -> Option<Over> {
        self.over
    }

    /// The men of the side to move, and nothing of the other side's.
    #[inline]
    pub fn own(&self) -> Half<'_> {
        self.position.half(self.to_move)
    }

    /// The position, which neither side may see, as FEN; the en passant square only where such a capture is legal.
    pub fn fen(&self) -> String {
        // Men of one position never stand on each other, and its castling rights are those of rooks in the corners.
        let setup = self.position.setup(self.to_move).unwrap_or_default();
        let setup = shakmaty::Setup { halfmoves: self.halfmoves, fullmoves: self.fullmoves, ..setup };
        Fen::try_from_setup(setup).unwrap_or_else(LossyFenError::ignore).to_string()
    }

    /// Whether asking "any?" makes sense now.
    #[inline]
    pub fn may_ask(&self) -> bool {
        self.rules.may_ask() && self.position.question == Question::NotAsked && self.over.is_none()
    }

    /// Calls `each` with every man of the side to move, the squares to which it makes sense to try it, and what it becomes there; with none
    /// after the end. A pawn before its last rank comes four times.
    #[inline]
    pub fn for_each_sensible(&self, mut each: impl FnMut(Square, Bitboard, Option<Role>)) {
        if self.over.is_some() {
            return;
        }
        self.for_each_sensible_of(Role::Pawn, &mut each);
        self.for_each_sensible_of(Role::Knight, &mut each);
        self.for_each_sensible_of(Role::Bishop, &mut each);
        self.for_each_sensible_of(Role::Rook, &mut each);
        self.for_each_sensible_of(Role::Queen, &mut each);
        self.for_each_sensible_of(Role::King, &mut each);
    }

    /// The same for the men of one role.
    #[expect(
        clippy::inline_always,
        reason = "six copies, each for a role known when compiled: a ninth less time a step of many games, measured by random play"
    )]
    #[inline(always)]
    fn for_each_sensible_of(&self, role: Role, each: &mut impl FnMut(Square, Bitboard, Option<Role>)) {
        let (color, own) = (self.to_move, self.own());
        let before_last = Bitboard::from(color.fold_wb(Rank::Seventh, Rank::Second));
        for from in own.by_role(role) {
            let targets = self.left_by_question(role, from, sensible::targets(color, own, role, from));
            if role == Role::Pawn && before_last.contains(from) {
                for promotion in PROMOTIONS.map(Some) {
                    each(from, self.left_by_refusals(from, targets, promotion), promotion);
                }
            } else {
                each(from, self.left_by_refusals(from, targets, None), None);
            }
        }
    }

    /// Answers an attempt.
    #[inline]
    pub fn attempt(&mut self, attempt: Attempt) -> Result<Event, GameOver> {
        self.require_running()?;
        let by = self.to_move;
        let answer = self.answer(attempt);
        Ok(Event::Attempt { by, said: Some(Input::Attempt(attempt)), answer })
    }

    /// Answers the question "any?".
    pub fn ask(&mut self) -> Result<Event, GameOver> {
        self.require_running()?;
        let (answer, question) = if !self.may_ask() {
            (AskAnswer::Nonsense, self.position.question)
        } else if self.position.legal(self.to_move).pawn_captures().count > 0 {
            (AskAnswer::Yes, Question::Yes)
        } else {
            (AskAnswer::No, Question::No)
        };
        self.position.question = question;
        Ok(Event::Ask { by: self.to_move, answer })
    }

    fn require_running(&self) -> Result<(), GameOver> {
        self.over.map_or(Ok(()), |over| Err(GameOver(over)))
    }

    #[inline]
    fn answer(&mut self, attempt: Attempt) -> Answer {
        let Attempt { from, to, promotion } = attempt;
        let is_left = |m: &Move| {
            let left = self.left_by_question(m.role, from, Bitboard::from_square(to));
            self.left_by_refusals(from, left, promotion).any()
        };
        let sensible = self.position.sensible(self.to_move, from, to, promotion);
        let Some(m) = sensible.filter(is_left) else { return Answer::Nonsense };
        let (by, before) = (self.to_move, self.position);
        if let Some(captured) = self.position.capture_by(by, m) {
            self.position.play(by, m, captured);
            if self.position.checkers(by).is_empty() {
                return Answer::Moved(self.go_on(m, captured));
            }
            self.position = before;
        }
        self.refused.push(attempt);
        self.position.question = self.position.question.refused(m.is_pawn_capture());
        Answer::Illegal
    }

    /// Those of a man's targets for which the answer to "any?" leaves room.
    #[inline]
    fn left_by_question(&self, role: Role, from: Square, targets: Bitboard) -> Bitboard {
        let question = self.position.question;
        if question == Question::NotAsked {
            return targets;
        }
        let captures =
            if role == Role::Pawn { targets & !Bitboard::from(from.file()) } else { Bitboard::EMPTY };
        let left = |targets, are_captures| {
            if question.allows(are_captures, &self.rules) { targets } else { Bitboard::EMPTY }
        };
        left(captures, true) | left(targets & !captures, false)
    }

    /// Those of a man's targets that were not refused in this turn.
    #[inline]
    fn left_by_refusals(&self, from: Square, mut targets: Bitboard, promotion: Option<Role>) -> Bitboard {
        for refused in &self.refused {
            if refused.from == from && refused.promotion == promotion {
                targets.discard(refused.to);
            }
        }
        targets
    }

    /// Goes on after a move that was made, and says what both sides hear of it.
    #[inline]
    fn go_on(&mut self, m: Move, captured: Option<Captured>) -> Announcement {
        let mover = self.to_move;
        self.to_move = !mover;
        self.refused.clear();
        if mover == Color::Black {
            self.fullmoves = self.fullmoves.saturating_add(1);
        }
        if captured.is_some() || m.role == Role::Pawn {
            self.halfmoves = 0;
            // All earlier positions become unreachable.
            self.repeatable.clear();
        } else {
            self.halfmoves = self.halfmoves.saturating_add(1);
        }
        let after = self.position.legal(self.to_move);
        let (end, promotes) = (End::of(&after), m.promotion.is_some());
        let packed = PackedAnnouncement::of_move(&self.rules, captured, promotes, &after, end);
        let mut announcement = packed.announcement(&self.rules, mover);
        if announcement.over.is_none() {
            announcement.over = self.end_by_history();
            if announcement.over.is_some() {
                announcement.tries = None;
            }
        }
        self.over = announcement.over;
        announcement
    }

    /// Remembers the position, and finds the end that the board does not show: the fifty moves before the third repetition.
    #[inline]
    fn end_by_history(&mut self) -> Option<Over> {
        if !over::counts_moves(&self.rules) {
            return None;
        }
        let key = self.position.key();
        // With the same side to move: every other one before this.
        let times =
            self.repeatable.iter().rev().skip(1).step_by(2).filter(|&&earlier| earlier == key).count();
        self.repeatable.push(key);
        if self.halfmoves >= 100 {
            Some(Over::draw(Reason::Fifty))
        } else {
            (times >= 2).then_some(Over::draw(Reason::Repetition))
        }
    }
}
