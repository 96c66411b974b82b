//! A player's belief matrices, taught by every event of its view.

use std::sync::Arc;

use nebel_kriegspiel::{
    Announcement, Answer, AskAnswer, Attempt, Bitboard, Chess, Color, Directions, Event, Input, OwnMen,
    OwnSide, Position, Role, Rules, Square, Tries, ViewEvent, side::Contradiction,
};
use shakmaty::attacks;

use super::{
    Matrices,
    evidence::{Count, attacks_from},
    geometry::{pawn_origins, ray_towards},
    numbers::NUMBERS,
    spread::Spreading,
};
use crate::{opponent::Model, own_tries::OwnTries};

/// One side's matrices, and what else it remembers of the announcements.
#[derive(Clone, Debug)]
pub struct MatrixTracker {
    own: OwnSide,
    matrices: Matrices,
    /// Where the hidden king may be for sure: no evidence here rests on a guess.
    king_may_be: Bitboard,
    men_left: u32,
    tries: OwnTries,
    check: Directions,
    /// Where the other side has just captured.
    lost_on: Option<Square>,
    /// Whether the other side was told of a pawn capture, if it was told anything.
    other_has_tries: Option<bool>,
    /// The number of the move to be made next, from 1.
    move_number: u32,
    model: Arc<Model>,
    spreading: Spreading,
}

impl MatrixTracker {
    /// At the start of a game.
    pub fn new(rules: Rules, start: &Chess, side: Color, model: Arc<Model>) -> MatrixTracker {
        let board = start.board();
        let hidden = board.by_color(!side);
        MatrixTracker {
            matrices: Matrices::of(start, !side),
            king_may_be: hidden & board.kings(),
            men_left: (hidden.count() as u32).saturating_sub(1),
            tries: OwnTries::at_start(start, side),
            own: OwnSide::new(rules, start, side),
            check: Directions::on_king(board, side),
            lost_on: None,
            other_has_tries: None,
            move_number: start.fullmoves().get(),
            model,
            spreading: Spreading::Each,
        }
    }

    /// The same with another way for unseen moves to spread.
    #[must_use]
    pub fn with_spreading(self, spreading: Spreading) -> MatrixTracker {
        MatrixTracker { spreading, ..self }
    }

    /// What this side knows of itself.
    #[inline]
    pub fn own(&self) -> &OwnSide {
        &self.own
    }

    /// What it believes of the other.
    #[inline]
    pub fn matrices(&self) -> &Matrices {
        &self.matrices
    }

    /// The model that unseen moves follow.
    #[inline]
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Every square where the hidden king can be, whatever else is believed.
    #[inline]
    pub fn king_may_be(&self) -> Bitboard {
        self.king_may_be
    }

    /// How many men the other side has besides its king: this is always known.
    #[inline]
    pub fn men_left(&self) -> u32 {
        self.men_left
    }

    /// What is known of the own pawn captures.
    #[inline]
    pub fn tries(&self) -> OwnTries {
        self.tries
    }

    /// From where the own king is in check.
    #[inline]
    pub fn check(&self) -> Directions {
        self.check
    }

    /// Where the other side has just captured.
    #[inline]
    pub fn lost_on(&self) -> Option<Square> {
        self.lost_on
    }

    /// The number of the move to be made next.
    #[inline]
    pub fn move_number(&self) -> u32 {
        self.move_number
    }

    /// How many moves the other side has made, those before the start included. White has made one more when it is Black's turn.
    #[inline]
    pub fn others_made(&self) -> u32 {
        let before = self.move_number.saturating_sub(1);
        self.own.men().color().fold_wb(before, self.move_number)
    }

    /// How much a square weighs when boards are drawn: the matrices, and the model's share of each role among pieces.
    #[inline]
    pub fn weight(&self, role: Role, square: Square) -> f32 {
        let moves = self.others_made();
        let known = match role {
            Role::King | Role::Pawn => 1.0,
            _ => self.model.density(self.matrices.color(), role, moves, square) + NUMBERS.faint,
        };
        self.matrices.role(role, square) * known + NUMBERS.faint * NUMBERS.faint
    }

    /// Takes in an event of this side's view.
    pub fn hear(&mut self, event: &ViewEvent) -> Result<(), Contradiction> {
        let before = self.own.men().clone();
        self.own.hear(event)?;
        let side = before.color();
        match **event {
            Event::Attempt { by, ref said, answer } if by == side => {
                let Some(attempt) = said.as_ref().and_then(Input::attempt) else { return Ok(()) };
                match answer {
                    Answer::Moved(announcement) => self.moved(&before, attempt, &announcement),
                    Answer::Illegal => self.refused(attempt),
                    Answer::Nonsense => return Ok(()),
                }
            }
            Event::Attempt { answer: Answer::Moved(announcement), .. } => {
                self.other_moved(&before, &announcement);
            }
            Event::Ask { by, answer } if answer != AskAnswer::Nonsense => {
                self.asked(by, answer == AskAnswer::Yes);
            }
            _ => return Ok(()),
        }
        self.drop_impossible_kings();
        self.matrices.settle(self.own.men().squares());
        Ok(())
    }

    /// An own move: its way was empty, its target is taken, and the check tells of the king.
    fn moved(&mut self, before: &OwnMen, attempt: Attempt, said: &Announcement) {
        let men = self.own.men().clone();
        if let Some(capture) = said.capture {
            let square = capture.captured_square(!men.color());
            self.matrices.capture(square, capture.kind);
            self.lose_man();
        }
        let way = attacks::between(attempt.from, attempt.to);
        self.matrices.found_empty(way | Bitboard::from_square(attempt.from) | men.squares());
        self.king_may_be &= !(way | men.squares());
        if !before.is_pawn_capture(attempt) && before.role_at(attempt.from) == Some(Role::Pawn) {
            self.matrices.found_empty(Bitboard::from_square(attempt.to));
        }
        self.matrices.normalise(men.squares());
        self.matrices.king_in_check(&men, said.check);
        if said.check.is_empty() {
            self.king_may_be &= !surely_attacked(&men, self.men_left);
        }
        let count = counted(said.tries);
        if let Some(count) = count {
            self.matrices.other_tries(men.squares(), count);
        }
        self.other_has_tries = said.tries.map(Tries::are_there);
        (self.tries, self.check, self.lost_on) = (OwnTries::Unknown, Directions::NONE, None);
        if men.color() == Color::Black {
            self.move_number += 1;
        }
    }

    /// A refusal: something stands in the way, or the king would be in check.
    fn refused(&mut self, attempt: Attempt) {
        let men = self.own.men().clone();
        let Some(role) = men.role_at(attempt.from) else { return };
        if !self.check.is_empty() {
            return;
        }
        let pin = self.matrices.pin(&men, attempt.from, Some(attempt.to));
        let target = Bitboard::from_square(attempt.to);
        match role {
            Role::King if attempt.from.distance(attempt.to) > 1 => {}
            Role::King => self.refused_king(attempt.to, &men),
            Role::Pawn if men.is_pawn_capture(attempt) => {
                if pin < NUMBERS.unpinned {
                    self.matrices.found_empty(target);
                }
            }
            _ => {
                let way = attacks::between(attempt.from, attempt.to);
                let way = if role == Role::Pawn { way | target } else { way };
                let blocked = 1.0 - self.matrices.all_empty(way);
                // Blocked or pinned: each as likely as before, now that one of them is certain.
                let share = if blocked + pin > 0.0 { blocked / (blocked + pin) } else { 0.0 };
                if blocked > 0.0 {
                    self.matrices.hold_men(way, share);
                }
                if pin > 0.0
                    && share < 1.0
                    && let Some(king) = men.by_role(Role::King).first()
                    && let Some(ray) = ray_towards(king, attempt.from)
                {
                    let behind: Bitboard = ray
                        .squares()
                        .map(|at| Square::new(at as u32))
                        .filter(|&square| square != attempt.from)
                        .take_while(|&square| !men.squares().contains(square))
                        .collect();
                    self.matrices.hold_men(behind, 1.0 - share);
                }
            }
        }
    }

    /// A king's step refused: the square is controlled, so what could control it is more likely to be there.
    fn refused_king(&mut self, to: Square, men: &OwnMen) {
        let control = self.matrices.control(to, men.squares());
        let near = attacks::king_attacks(to) & !men.squares();
        if self.men_left == 0 {
            self.matrices.found_empty(!near);
            self.king_may_be &= near;
        } else if control > 1e-3 && control < 1.0 {
            let factor = (1.0 / control).min(NUMBERS.most_raised);
            for square in near {
                self.matrices.king[square.to_usize()] *= factor;
            }
            for square in pawn_origins(self.matrices.color(), to) {
                let pawn = &mut self.matrices.pawn[square.to_usize()];
                *pawn = (*pawn * factor).min(1.0);
            }
            for square in attacks::queen_attacks(to, men.squares()) | attacks::knight_attacks(to) {
                let piece = &mut self.matrices.piece[square.to_usize()];
                *piece = (*piece * factor.sqrt()).min(1.0);
            }
        }
    }

    /// The other side's unseen move.
    fn other_moved(&mut self, before: &OwnMen, said: &Announcement) {
        let men = self.own.men().clone();
        let own = men.squares();
        let lost = said.capture.map(|capture| capture.captured_square(men.color()));
        // Castling is a king's move of two squares on the back rank.
        let back = Bitboard::from(self.matrices.color().backrank());
        let castled = if (self.king_may_be & back).any() { back } else { Bitboard::EMPTY };
        let steps = self
            .king_may_be
            .into_iter()
            .fold(self.king_may_be | castled, |all, square| all | attacks::king_attacks(square));
        self.king_may_be = steps & !own & !surely_attacked(&men, self.men_left);
        if let Some(square) = lost {
            self.matrices.arrive(square, before, self.other_has_tries);
        } else {
            let attraction = self.model.attraction(self.matrices.color(), self.move_number);
            if said.promotion {
                self.matrices.promote();
            }
            self.matrices.spread_as(self.spreading, attraction, own);
        }
        self.matrices.set_left(self.men_left);
        self.matrices.normalise(own);
        self.matrices.king_in_check(&men, Directions::NONE);
        self.matrices.own_king_in_check(&men, said.check);
        self.tries = OwnTries::heard(said.tries);
        if let Some(count) = counted(said.tries) {
            self.matrices.own_tries(&men, count);
        }
        (self.check, self.lost_on) = (said.check, lost);
        if men.color() == Color::White {
            self.move_number += 1;
        }
    }

    fn asked(&mut self, by: Color, yes: bool) {
        let men = self.own.men().clone();
        let count = if yes { Count::Some } else { Count::Exactly(0) };
        if by == men.color() {
            self.tries = OwnTries::answered(yes);
            self.matrices.own_tries(&men, count);
        } else {
            self.other_has_tries = Some(yes);
            self.matrices.other_tries(men.squares(), count);
        }
    }

    fn lose_man(&mut self) {
        self.men_left = self.men_left.saturating_sub(1);
        self.matrices.set_left(self.men_left);
    }

    /// No king where he cannot be; if nothing is left, evidence misled and every possible square is as likely.
    fn drop_impossible_kings(&mut self) {
        let may_be = self.king_may_be;
        self.matrices.found_no_king(!may_be);
        if self.matrices.king.iter().sum::<f32>() < 1e-9 {
            for square in may_be {
                self.matrices.king[square.to_usize()] = 1.0;
            }
        }
    }
}

/// Squares that the own men attack whatever stands elsewhere; against a bare king, all that they attack.
fn surely_attacked(men: &OwnMen, men_left: u32) -> Bitboard {
    let own = men.squares();
    let surely = |from: Square| {
        let is_whole = men_left == 0 || matches!(men.role_at(from), Some(Role::Pawn | Role::Knight));
        // Beyond the next square something may stand between.
        attacks_from(men, from, own) & if is_whole { Bitboard::FULL } else { attacks::king_attacks(from) }
    };
    own.into_iter().fold(Bitboard::EMPTY, |all, from| all | surely(from))
}

fn counted(tries: Option<Tries>) -> Option<Count> {
    tries.map(|tries| match tries {
        Tries::Count(count) => Count::Exactly(count),
        Tries::Any(true) => Count::Some,
        Tries::Any(false) => Count::Exactly(0),
        Tries::From(from) => Count::From(from),
    })
}
