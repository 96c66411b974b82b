//! Kriegspiel for the solvers: White is the solver, Black the opponent.
//!
//! The question "any?" is a free attempt. Under Berkeley rules with it, "yes" restricts the turn to pawn captures; under
//! English rules it demands one pawn capture, after which all is free, whether or not it was refused. There a pawn
//! capture is only tried after the question here: asking first never hurts, since "no" says that every pawn capture is
//! refused and "yes" demands what was going to be tried; and so the demanded one is never one refused before.

use std::ops::ControlFlow;

use nebel_kriegspiel::attempt::PROMOTIONS;
use nebel_kriegspiel::rules::{Stalemate, TriesAnnounced};
use nebel_kriegspiel::{Bitboard, Color, Role, Rules, Square};
use nebel_search::{Attempt, Choice, Domain, Outcome, Reply, ReplyName, open_attempts_in_order};
use shakmaty::attacks;

use crate::moves::{Captured, Checks, Move};
use crate::percept::{self, ANSWER_NO, ANSWER_REFUSED, ANSWER_YES, End};
use crate::position::{Position, Question};

/// The question "any?" among the attempts.
pub const ASK: Attempt = Attempt::MAX;

/// Kriegspiel under some rules. Draws by fifty moves and repetition are not considered: they depend on the history.
#[derive(Clone, Debug)]
pub struct Kriegspiel {
    rules: Rules,
    stalemate_wins: bool,
}

impl Kriegspiel {
    /// The game under these rules.
    pub fn new(rules: Rules) -> Self {
        Kriegspiel { stalemate_wins: rules.stalemate == Stalemate::Loss, rules }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Whether all that counts on the last ply is check: no question to ask, no win by stalemate.
    #[inline]
    fn is_plain(&self) -> bool {
        !self.stalemate_wins && !self.rules.may_ask()
    }

    /// Whether the turn's question leaves room for an attempt.
    #[inline]
    fn allows(&self, question: Question, pawn_capture: bool) -> bool {
        match question {
            Question::NotAsked => !pawn_capture || self.rules.tries != TriesAnnounced::AskOneTry,
            Question::No => !pawn_capture,
            Question::Yes => pawn_capture,
            Question::Settled => true,
        }
    }

    fn ask(&self, position: &Position) -> Outcome<Position> {
        if position.question != Question::NotAsked || !self.rules.may_ask() {
            return Outcome::Refused;
        }
        let mut state = *position;
        if position.legal_pawn_captures(Color::White).0 > 0 {
            state.question = Question::Yes;
            Outcome::Answered { percept: ANSWER_YES, state, choice: Choice::Restricted }
        } else {
            state.question = Question::No;
            Outcome::Answered { percept: ANSWER_NO, state, choice: Choice::Open }
        }
    }

    /// What an illegal attempt does: nothing, unless it is the pawn capture that English rules demand.
    fn refuse(&self, position: &Position, from: Square, to: Square) -> Outcome<Position> {
        let demanded = position.question == Question::Yes && self.rules.tries == TriesAnnounced::AskOneTry;
        if demanded && demandable(position).any(|capture| capture == (from, to)) {
            let mut state = *position;
            state.question = Question::Settled;
            return Outcome::Answered { percept: ANSWER_REFUSED, state, choice: Choice::Open };
        }
        Outcome::Refused
    }

    #[inline]
    fn reply(&self, position: &Position, m: Move) -> Reply<Position> {
        let (state, captured) = position.make(Color::Black, m);
        if !state.has_legal_move(Color::White) || (may_have_died(m, captured) && is_dead(&state)) {
            return Reply::Failed;
        }
        let checkers = state.checkers(Color::White);
        let percept = percept::of_move(&self.rules, Color::Black, m, captured, &state, checkers, End::GoesOn);
        Reply::Continues { percept, state }
    }

    /// Makes White's attempt, or says what else comes of it.
    #[inline]
    fn make(
        &self,
        position: &Position,
        attempt: Attempt,
    ) -> Result<(Move, Position, Option<Captured>), Outcome<Position>> {
        if attempt == ASK {
            return Err(self.ask(position));
        }
        let (from, to, promotion) = decode(attempt);
        let pawn_capture = from.file() != to.file() && position.by_role(Role::Pawn).contains(from);
        if !self.allows(position.question, pawn_capture) {
            return Err(Outcome::Refused);
        }
        let made = position.make_if_legal(Color::White, from, to, promotion);
        made.ok_or_else(|| self.refuse(position, from, to))
    }

    #[inline]
    fn judge(
        &self,
        m: Move,
        next: Position,
        captured: Option<Captured>,
        checkers: Bitboard,
    ) -> Outcome<Position> {
        let percept = |end| percept::of_move(&self.rules, Color::White, m, captured, &next, checkers, end);
        if !next.has_legal_move(Color::Black) {
            return match (checkers.any(), self.stalemate_wins) {
                (true, _) => Outcome::Won(percept(End::Checkmate)),
                (false, true) => Outcome::Won(percept(End::Stalemate)),
                (false, false) => Outcome::Failed,
            };
        }
        if may_have_died(m, captured) && is_dead(&next) {
            return Outcome::Failed;
        }
        Outcome::Moved { percept: percept(End::GoesOn), state: next }
    }
}

impl Kriegspiel {
    /// [`Kriegspiel::judge`] under plain rules for a solver who sees everything.
    #[inline]
    fn open_judge(
        &self,
        m: Move,
        next: Position,
        captured: Option<Captured>,
        checkers: Bitboard,
    ) -> Outcome<Position> {
        if checkers.any() || may_have_died(m, captured) {
            return self.judge(m, next, captured, checkers);
        }
        Outcome::Moved { percept: 0, state: next }
    }
}

impl Domain for Kriegspiel {
    type State = Position;

    #[inline]
    fn key(&self, position: &Position) -> u128 {
        position.key()
    }

    fn attempts(&self, position: &Position, attempts: &mut Vec<Attempt>) {
        let _ = position.for_each_legal(Color::White, |m| {
            if self.allows(position.question, m.is_pawn_capture()) {
                attempts.push(encode(m.from, m.to, m.promotion));
            }
            ControlFlow::Continue(())
        });
        if !self.rules.may_ask() {
            return;
        }
        if position.question == Question::NotAsked {
            attempts.push(ASK);
        } else if position.question == Question::Yes && self.rules.tries == TriesAnnounced::AskOneTry {
            for (from, to) in demandable(position) {
                let attempt = encode(from, to, promotion_for(to));
                if !attempts.contains(&attempt) {
                    attempts.push(attempt);
                }
            }
        }
    }

    #[inline]
    fn is_question(&self, attempt: Attempt) -> bool {
        attempt == ASK
    }

    fn final_attempts(&self, position: &Position, attempts: &mut Vec<Attempt>) {
        if !self.is_plain() {
            return self.attempts(position, attempts);
        }
        let _ = position.for_each_check(Color::White, |m| {
            attempts.push(encode(m.from, m.to, m.promotion));
            ControlFlow::Continue(())
        });
    }

    #[inline]
    fn outcome(&self, position: &Position, attempt: Attempt) -> Outcome<Position> {
        let (m, next, captured) = match self.make(position, attempt) {
            Ok(made) => made,
            Err(outcome) => return outcome,
        };
        self.judge(m, next, captured, next.checkers(Color::Black))
    }

    #[inline]
    fn final_outcome(&self, position: &Position, attempt: Attempt) -> Outcome<Position> {
        let (m, next, captured) = match self.make(position, attempt) {
            Ok(made) => made,
            Err(outcome) => return outcome,
        };
        let checkers = next.checkers(Color::Black);
        if checkers.is_empty() && !self.stalemate_wins {
            return Outcome::Failed;
        }
        self.judge(m, next, captured, checkers)
    }

    #[inline]
    fn knows_win(&self, position: &Position) -> Option<bool> {
        self.is_plain().then(|| position.has_mate(Color::White))
    }

    #[inline]
    fn replies(&self, position: &Position, mut visit: impl FnMut(Reply<Position>) -> ControlFlow<()>) {
        let _ = position.for_each_legal(Color::Black, |m| visit(self.reply(position, m)));
    }

    #[inline]
    fn open_outcome(&self, position: &Position, attempt: Attempt) -> Outcome<Position> {
        if !self.is_plain() {
            return self.outcome(position, attempt);
        }
        let (from, to, promotion) = decode(attempt);
        match position.make_if_legal(Color::White, from, to, promotion) {
            None => Outcome::Refused,
            Some((m, next, captured)) => self.open_judge(m, next, captured, next.checkers(Color::Black)),
        }
    }

    #[inline]
    fn open_attempts(
        &self,
        position: &Position,
        first: &[Attempt],
        mut visit: impl FnMut(Attempt, Outcome<Position>) -> ControlFlow<()>,
    ) {
        if !self.is_plain() {
            return open_attempts_in_order(self, position, first, visit);
        }
        for &attempt in first {
            let outcome = self.open_outcome(position, attempt);
            if !matches!(outcome, Outcome::Refused) && visit(attempt, outcome).is_break() {
                return;
            }
        }
        let checks = Checks::near(position, Color::White, Bitboard::FULL);
        let _ = position.for_each_legal(Color::White, |m| {
            let attempt = encode(m.from, m.to, m.promotion);
            if first.contains(&attempt) {
                return ControlFlow::Continue(());
            }
            let (next, captured) = position.make(Color::White, m);
            let checkers = if checks.may_give(m) { next.checkers(Color::Black) } else { Bitboard::EMPTY };
            visit(attempt, self.open_judge(m, next, captured, checkers))
        });
    }

    #[inline]
    fn open_replies(
        &self,
        position: &Position,
        first: ReplyName,
        mut visit: impl FnMut(ReplyName, Reply<Position>) -> ControlFlow<()>,
    ) {
        let reply = |m: Move, state: Position, captured| {
            if may_have_died(m, captured) && is_dead(&state) {
                return Reply::Failed;
            }
            Reply::Continues { percept: 0, state }
        };
        let (from, to, promotion) = decode(first);
        if position.side(Color::Black).contains(from)
            && let Some((m, state, captured)) = position.make_if_legal(Color::Black, from, to, promotion)
            && visit(first, reply(m, state, captured)).is_break()
        {
            return;
        }
        let _ = position.for_each_legal(Color::Black, |m| {
            let name = encode(m.from, m.to, m.promotion);
            if name == first {
                return ControlFlow::Continue(());
            }
            let (state, captured) = position.make(Color::Black, m);
            visit(name, reply(m, state, captured))
        });
    }
}

/// The pawn captures that make sense: diagonal steps onto squares that White does not hold.
fn demandable(position: &Position) -> impl Iterator<Item = (Square, Square)> + '_ {
    position.men(Color::White, Role::Pawn).into_iter().flat_map(|from| {
        let targets = attacks::pawn_attacks(Color::White, from) & !position.side(Color::White);
        targets.into_iter().map(move |to| (from, to))
    })
}

/// What a pawn that steps here becomes when it does not matter.
fn promotion_for(to: Square) -> Option<Role> {
    (to.rank() == Color::Black.backrank()).then_some(Role::Queen)
}

/// Only captures and promotions leave less to mate with.
#[inline]
fn may_have_died(m: Move, captured: Option<Captured>) -> bool {
    captured.is_some() || m.promotion.is_some()
}

/// Whether neither side can ever mate; the umpire ends the game then.
fn is_dead(position: &Position) -> bool {
    let heavy = position.by_role(Role::Pawn) | position.by_role(Role::Rook) | position.by_role(Role::Queen);
    if heavy.any() {
        return false;
    }
    let (knights, bishops) = (position.by_role(Role::Knight), position.by_role(Role::Bishop));
    let one_colour =
        (bishops & Bitboard::LIGHT_SQUARES).is_empty() || (bishops & Bitboard::DARK_SQUARES).is_empty();
    (knights | bishops).count() <= 1 || (knights.is_empty() && one_colour)
}

/// An attempt of chess as an attempt of the search.
#[inline]
pub(crate) fn encode(from: Square, to: Square, promotion: Option<Role>) -> Attempt {
    let promotion = promotion
        .and_then(|role| PROMOTIONS.iter().position(|&other| other == role))
        .map_or(0, |index| index as Attempt + 1);
    Attempt::from(u8::from(from)) | Attempt::from(u8::from(to)) << 6 | promotion << 12
}

/// And back.
#[inline]
pub(crate) fn decode(attempt: Attempt) -> (Square, Square, Option<Role>) {
    let square = |bits: Attempt| Square::new(u32::from(bits & 63));
    let promotion =
        usize::from(attempt >> 12).checked_sub(1).and_then(|index| PROMOTIONS.get(index).copied());
    (square(attempt), square(attempt >> 6), promotion)
}
