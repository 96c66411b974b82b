//! Kriegspiel for the solvers: White is the solver, Black the opponent.
//!
//! The question "any?" is a free attempt. Under Berkeley rules with it, "yes" restricts the turn to pawn captures; under
//! English rules it demands one pawn capture, after which all is free, whether or not it was refused. There a pawn
//! capture is only tried after the question here: asking first never hurts, since "no" says that every pawn capture is
//! refused and "yes" demands what was going to be tried; and so the demanded one is never one refused before.

use std::ops::ControlFlow;

use nebel_kriegspiel::attempt::PROMOTIONS;
use nebel_kriegspiel::rules::{Stalemate, TriesAnnounced};
use nebel_kriegspiel::turn::Question;
use nebel_kriegspiel::{Bitboard, Color, Role, Rules, Square};
use nebel_position::{PackedAnnouncement, Position, announced::End, moves::Made, sensible};
use nebel_search::{AttemptId, Choice, Domain, Outcome, Reply, ReplyName, open_attempts_in_order};

/// The question "any?" among the attempts.
pub const ASK: AttemptId = AttemptId::MAX;

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

    /// Whether a solver who sees everything may make any legal move: where there is a question it is not asked yet, and then
    /// what it would bind him to need not be heard, or its answer leaves all legal moves.
    #[inline]
    fn is_open(&self, question: Question) -> bool {
        match question {
            Question::NotAsked | Question::No => true,
            Question::Yes => false,
            Question::YesAndTried => self.rules.tries != TriesAnnounced::AskBinding,
        }
    }

    /// Whether an attempt is worth a try after what has become of the question. Where a question demands one pawn capture, one is
    /// tried after it only.
    #[inline]
    fn allows(&self, question: Question, pawn_capture: bool) -> bool {
        let waits = question == Question::NotAsked && self.rules.tries == TriesAnnounced::AskOneTry;
        question.allows(pawn_capture, &self.rules) && !(waits && pawn_capture)
    }

    fn ask(&self, position: &Position) -> Outcome<Position> {
        if position.question != Question::NotAsked || !self.rules.may_ask() {
            return Outcome::Refused;
        }
        let mut state = *position;
        if position.legal(Color::White).pawn_captures().count > 0 {
            state.question = Question::Yes;
            Outcome::Answered { percept: PackedAnnouncement::YES.bits(), state, choice: Choice::Restricted }
        } else {
            state.question = Question::No;
            Outcome::Answered { percept: PackedAnnouncement::NO.bits(), state, choice: Choice::Open }
        }
    }

    /// What an illegal attempt does: nothing, unless it is the pawn capture that English rules demand.
    fn refuse(&self, position: &Position, from: Square, to: Square) -> Outcome<Position> {
        let demanded = position.question == Question::Yes && self.rules.tries == TriesAnnounced::AskOneTry;
        if demanded && demandable(position).any(|capture| capture == (from, to)) {
            let mut state = *position;
            state.question = position.question.refused(true);
            return Outcome::Answered {
                percept: PackedAnnouncement::REFUSED.bits(),
                state,
                choice: Choice::Open,
            };
        }
        Outcome::Refused
    }

    #[inline]
    fn reply(&self, made: Made) -> Reply<Position> {
        let after = made.next.legal(Color::White);
        if !after.has_move() || made.kills() {
            return Reply::Failed;
        }
        let promotes = made.m.promotion.is_some();
        let packed = PackedAnnouncement::of_move(&self.rules, made.captured, promotes, &after, End::GoesOn);
        Reply::Continues { percept: packed.bits(), state: made.next }
    }

    /// Makes White's attempt, or says what else comes of it.
    #[inline]
    fn make(&self, position: &Position, attempt: AttemptId) -> Result<Made, Outcome<Position>> {
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
    fn judge(&self, made: Made) -> Outcome<Position> {
        let after = made.next.legal(Color::Black);
        let percept = |end| {
            let promotes = made.m.promotion.is_some();
            PackedAnnouncement::of_move(&self.rules, made.captured, promotes, &after, end).bits()
        };
        if !after.has_move() {
            return match (after.checkers().any(), self.stalemate_wins) {
                (true, _) => Outcome::Won(percept(End::Checkmate)),
                (false, true) => Outcome::Won(percept(End::Stalemate)),
                (false, false) => Outcome::Failed,
            };
        }
        if made.kills() {
            return Outcome::Failed;
        }
        Outcome::Moved { percept: percept(End::GoesOn), state: made.next }
    }

    /// [`Kriegspiel::judge`] for a solver who sees everything.
    #[inline]
    fn open_judge(&self, made: Made, checks: bool) -> Outcome<Position> {
        if checks || self.stalemate_wins || made.captured.is_some() || made.m.promotion.is_some() {
            return self.judge(made);
        }
        Outcome::Moved { percept: 0, state: made.next }
    }

    /// The questions that may be asked, and the attempts that are made to be refused: what there is beside legal moves.
    #[inline]
    fn add_questions(&self, position: &Position, attempts: &mut Vec<AttemptId>) {
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
}

impl Domain for Kriegspiel {
    type State = Position;

    #[inline]
    fn key(&self, position: &Position) -> u128 {
        position.key()
    }

    fn attempts(&self, position: &Position, attempts: &mut Vec<AttemptId>) {
        let _ = position.legal(Color::White).for_each_move(|m| {
            if self.allows(position.question, m.is_pawn_capture()) {
                attempts.push(encode(m.from, m.to, m.promotion));
            }
            ControlFlow::Continue(())
        });
        self.add_questions(position, attempts);
    }

    #[inline]
    fn is_question(&self, attempt: AttemptId) -> bool {
        attempt == ASK
    }

    fn final_attempts(&self, position: &Position, attempts: &mut Vec<AttemptId>) {
        if self.stalemate_wins {
            return self.attempts(position, attempts);
        }
        let _ = position.legal(Color::White).for_each_check(|m| {
            if self.allows(position.question, m.is_pawn_capture()) {
                attempts.push(encode(m.from, m.to, m.promotion));
            }
            ControlFlow::Continue(())
        });
        self.add_questions(position, attempts);
    }

    #[inline]
    fn outcome(&self, position: &Position, attempt: AttemptId) -> Outcome<Position> {
        match self.make(position, attempt) {
            Ok(made) => self.judge(made),
            Err(outcome) => outcome,
        }
    }

    #[inline]
    fn final_outcome(&self, position: &Position, attempt: AttemptId) -> Outcome<Position> {
        match self.make(position, attempt) {
            Ok(made) if !self.stalemate_wins && made.next.checkers(Color::Black).is_empty() => {
                Outcome::Failed
            }
            Ok(made) => self.judge(made),
            Err(outcome) => outcome,
        }
    }

    #[inline]
    fn knows_win(&self, position: &Position) -> Option<bool> {
        self.is_open(position.question).then(|| {
            position.has_mate(Color::White) || (self.stalemate_wins && position.has_stalemate(Color::White))
        })
    }

    #[inline]
    fn replies(&self, position: &Position, mut visit: impl FnMut(Reply<Position>) -> ControlFlow<()>) {
        let legal = position.legal(Color::Black);
        let _ = legal.for_each_move(|m| visit(self.reply(position.make(Color::Black, m))));
    }

    fn count_replies(&self, position: &Position) -> u32 {
        position.legal(Color::Black).count_moves() as u32
    }

    #[inline]
    fn full_information_outcome(&self, position: &Position, attempt: AttemptId) -> Outcome<Position> {
        if !self.is_open(position.question) {
            return self.outcome(position, attempt);
        }
        let (from, to, promotion) = decode(attempt);
        match position.make_if_legal(Color::White, from, to, promotion) {
            None => Outcome::Refused,
            Some(made) => self.open_judge(made, made.next.checkers(Color::Black).any()),
        }
    }

    #[inline]
    fn open_attempts(
        &self,
        position: &Position,
        first: &[AttemptId],
        mut visit: impl FnMut(AttemptId, Outcome<Position>) -> ControlFlow<()>,
    ) {
        if !self.is_open(position.question) {
            return open_attempts_in_order(self, position, first, visit);
        }
        for &attempt in first.iter().filter(|&&attempt| attempt != ASK) {
            let outcome = self.full_information_outcome(position, attempt);
            if !matches!(outcome, Outcome::Refused) && visit(attempt, outcome).is_break() {
                return;
            }
        }
        let legal = position.legal(Color::White);
        let checks = legal.checks(Bitboard::FULL);
        let king_uncovers = checks.discoverers.contains(position.king(Color::White));
        let _ = legal.for_each_move(|m| {
            let attempt = encode(m.from, m.to, m.promotion);
            if first.contains(&attempt) {
                return ControlFlow::Continue(());
            }
            let made = position.make(Color::White, m);
            let may_check = match m.role {
                Role::King => king_uncovers || m.is_castling(),
                // En passant among them.
                Role::Pawn if m.is_pawn_capture() => true,
                role => checks.perhaps(role, m.from).contains(m.to),
            };
            let checks = may_check && made.next.checkers(Color::Black).any();
            visit(attempt, self.open_judge(made, checks))
        });
    }

    #[inline]
    fn open_replies(
        &self,
        position: &Position,
        first: ReplyName,
        mut visit: impl FnMut(ReplyName, Reply<Position>) -> ControlFlow<()>,
    ) {
        let reply = |made: Made| {
            if made.kills() {
                return Reply::Failed;
            }
            Reply::Continues { percept: 0, state: made.next }
        };
        let (from, to, promotion) = decode(first);
        if let Some(made) = position.make_if_legal(Color::Black, from, to, promotion)
            && visit(first, reply(made)).is_break()
        {
            return;
        }
        let _ = position.legal(Color::Black).for_each_move(|m| {
            let name = encode(m.from, m.to, m.promotion);
            if name == first {
                return ControlFlow::Continue(());
            }
            visit(name, reply(position.make(Color::Black, m)))
        });
    }
}

/// The pawn captures that make sense to White.
fn demandable(position: &Position) -> impl Iterator<Item = (Square, Square)> + '_ {
    sensible::all_pawn_captures(Color::White, position.half(Color::White))
}

/// What a pawn that steps here becomes when it does not matter.
fn promotion_for(to: Square) -> Option<Role> {
    (to.rank() == Color::Black.backrank()).then_some(Role::Queen)
}

/// An attempt of chess as an attempt of the search.
#[inline]
pub(crate) fn encode(from: Square, to: Square, promotion: Option<Role>) -> AttemptId {
    let promotion = promotion
        .and_then(|role| PROMOTIONS.iter().position(|&other| other == role))
        .map_or(0, |index| index as AttemptId + 1);
    AttemptId::from(u8::from(from)) | AttemptId::from(u8::from(to)) << 6 | promotion << 12
}

/// The squares and the promotion of an attempt as the solvers see it; [`ASK`] is none.
#[inline]
pub fn decode(attempt: AttemptId) -> (Square, Square, Option<Role>) {
    let square = |bits: AttemptId| Square::new(u32::from(bits & 63));
    let promotion =
        usize::from(attempt >> 12).checked_sub(1).and_then(|index| PROMOTIONS.get(index).copied());
    (square(attempt), square(attempt >> 6), promotion)
}
