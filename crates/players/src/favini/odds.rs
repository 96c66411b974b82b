//! What the umpire would say of an attempt: probabilities from the matrices (Ciancarini and Favini 2010, section 5.2,
//! first set of assumptions).
//!
//! Where the paper subtracts the probability of a pin and of control over the king's target, here they are
//! factors: control is an expected number of men, and the chance that there is none is e^−control. [`LegalityBy`] has both.

use nebel_kriegspiel::{Attempt, Bitboard, Direction, Role, Square};
use shakmaty::attacks;

use super::{numbers::NUMBERS, premises::LegalityBy, state::State};
use nebel_belief::{OwnTries, matrices::evidence::protects_king};

/// What the umpire would say of an attempt, given what is believed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Odds {
    /// It is legal.
    pub legal: f32,
    /// If legal, it captures.
    pub capture: f32,
    /// If it captures, a pawn.
    pub pawn: f32,
    /// If legal, it gives check.
    pub check: f32,
    /// If legal, a hidden pawn can capture the man that moved.
    pub tries: f32,
    /// How many hidden men bear on the target.
    pub control: f32,
}

impl State {
    /// The odds of an attempt that makes sense.
    pub(crate) fn odds(&self, attempt: Attempt) -> Odds {
        let Attempt { from, to, promotion } = attempt;
        let (men, matrices) = (&self.men, &self.matrices);
        let role = men.role_at(from).unwrap_or(Role::Pawn);
        let takes = men.is_pawn_capture(attempt);
        let own_after = (men.squares() & !Bitboard::from_square(from)) | Bitboard::from_square(to);
        let control = matrices.control(to, own_after);
        let way = matrices.all_empty(attacks::between(from, to));
        let mut legal = match role {
            _ if self.premises.legality == LegalityBy::Subtracting => {
                self.printed_legality(attempt, role, control)
            }
            Role::King if from.distance(to) > 1 => {
                let middle = attacks::between(from, to).first().unwrap_or(to);
                way * matrices.empty(to) * (-control - matrices.control(middle, own_after)).exp()
            }
            Role::King => (-control).exp() * (1.0 - matrices.king(to)),
            Role::Pawn if takes => self.pawn_capture(from, to) * (1.0 - matrices.pin(men, from, Some(to))),
            Role::Pawn => way * matrices.empty(to) * (1.0 - matrices.pin(men, from, Some(to))),
            _ => way * (1.0 - matrices.pin(men, from, Some(to))),
        };
        if !self.check.is_empty() {
            legal *= self.resolves_check(role, to);
        }
        let man = matrices.man(to);
        let capture = if takes {
            1.0
        } else if role == Role::Pawn {
            0.0
        } else {
            man
        };
        let pawn = if man > 1e-6 { (matrices.pawn(to) / man).min(1.0) } else { NUMBERS.odds.pawn_unknown };
        let tries = (-matrices.pawn_control(to)).exp();
        Odds {
            legal: legal.clamp(0.0, 1.0),
            capture,
            pawn,
            check: self.check_chance(promotion.unwrap_or(role), to, own_after),
            tries: if role == Role::King { 0.0 } else { 1.0 - tries },
            control,
        }
    }

    /// The paper's formula: the squares of the way are empty (the target too for a pawn's step), less the probability of a pin, which is
    /// the control of the square that a man leaves who protects the king, and of the square that the king goes to.
    fn printed_legality(&self, attempt: Attempt, role: Role, control: f32) -> f32 {
        let Attempt { from, to, .. } = attempt;
        let (men, matrices) = (&self.men, &self.matrices);
        let way = matrices.all_empty(attacks::between(from, to));
        let open = match role {
            Role::Pawn if men.is_pawn_capture(attempt) => self.pawn_capture(from, to),
            Role::Pawn => way * matrices.empty(to),
            Role::King if from.distance(to) > 1 => way * matrices.empty(to),
            _ => way,
        };
        let pin = match role {
            Role::King => control,
            _ if protects_king(men, from, Some(to)) => matrices.control(from, men.squares()),
            _ => 0.0,
        };
        open - pin
    }

    /// The odds as the umpire's words: he tells the other side of every pawn capture that it has, not only of one that takes the
    /// man that moved.
    pub(crate) fn announced(&self, attempt: Attempt) -> Odds {
        let mut after = self.men.clone();
        after.make(attempt);
        let exposed = after.squares() & !after.by_role(Role::King);
        let pawns: f32 = exposed.into_iter().map(|square| self.matrices.pawn_control(square)).sum();
        Odds { tries: 1.0 - (-pawns).exp(), ..self.odds(attempt) }
    }

    /// The chance that a pawn capture is there: by what was announced of them, or by what is believed of its target.
    fn pawn_capture(&self, from: Square, to: Square) -> f32 {
        let men = &self.men;
        let targets = |pawn: Square| attacks::pawn_attacks(men.color(), pawn).without(men.squares());
        let all = |pawns: Bitboard| -> f32 {
            let each = pawns.into_iter().flat_map(targets);
            each.map(|target| self.matrices.man(target) + NUMBERS.odds.faint).sum()
        };
        let here = self.matrices.man(to) + NUMBERS.odds.faint;
        match self.tries {
            OwnTries::Unknown => here.min(1.0),
            OwnTries::Count(count) => (here * f32::from(count) / all(men.by_role(Role::Pawn))).min(1.0),
            OwnTries::From(pawns) if pawns.contains(from) => {
                (here / all(Bitboard::from_square(from))).min(1.0)
            }
            OwnTries::None | OwnTries::From(_) => 0.0,
        }
    }

    /// The chance that a move answers the check that was announced.
    fn resolves_check(&self, role: Role, to: Square) -> f32 {
        let Some(king) = self.men.by_role(Role::King).first() else { return 1.0 };
        if role == Role::King {
            // Along the line of the check he only meets it again, unless he takes the checker.
            let stays = self.check.iter().any(|direction| {
                direction != Direction::Knight && Direction::of_check(king, to, Role::Queen) == direction
            });
            return if stays { self.matrices.man(to).max(NUMBERS.odds.takes_checker) } else { 1.0 };
        }
        let mut directions = self.check.iter();
        let (Some(direction), None) = (directions.next(), directions.next()) else { return 0.0 };
        let checkers = self.matrices.checkers(king, direction, self.men.squares());
        let sum: f32 = checkers.iter().map(|&(_, weight)| weight + NUMBERS.odds.faint).sum();
        let answered = |at: usize| {
            let checker = Square::new(at as u32);
            checker == to || (direction != Direction::Knight && attacks::between(king, checker).contains(to))
        };
        let good: f32 = checkers
            .iter()
            .filter(|&&(at, _)| answered(at))
            .map(|&(_, weight)| weight + NUMBERS.odds.faint)
            .sum();
        if sum > 0.0 { good / sum } else { 0.0 }
    }

    /// The chance that the man attacks the hidden king from its target.
    fn check_chance(&self, role: Role, to: Square, own: Bitboard) -> f32 {
        let matrices = &self.matrices;
        let on = |squares: Bitboard| squares.into_iter().map(|square| matrices.king(square)).sum::<f32>();
        let directions = match role {
            Role::King => return 0.0,
            Role::Pawn => return on(attacks::pawn_attacks(self.men.color(), to)),
            Role::Knight => return on(attacks::knight_attacks(to)),
            Role::Rook => (0..8).step_by(2),
            Role::Bishop => (1..8).step_by(2),
            Role::Queen => (0..8).step_by(1),
        };
        let mut sum = 0.0;
        matrices.for_each_attacked(to, directions, own, |at, open| {
            sum += open * matrices.king(Square::new(at as u32));
        });
        sum.min(1.0)
    }
}
