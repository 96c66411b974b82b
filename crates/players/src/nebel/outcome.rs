//! What an attempt comes to in one position: what it takes, and what one modelled reply takes back.
//!
//! The reply is a chance event: every legal move of the other side has its chance under the move policy, which sees what that
//! side can see. A reply that captures costs the man less what an exchange on its square regains; one that mates costs the game.

use nebel_belief::{
    Key, OwnAttempt,
    opponent::policy::{Policy, Scene, Sight},
};
use nebel_kriegspiel::{
    Bitboard, Color, Role, Rules,
    rules::{Stalemate, TriesAnnounced},
};
use nebel_position::{
    Captured, Legal, Men, Move, Position, Side,
    announced::{End, PackedAnnouncement},
};

use super::{
    numbers::NUMBERS,
    placement::placement,
    worth::{exchange, total, worth},
};

/// One of the attempts that are compared, with what does not depend on the position.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) attempt: OwnAttempt,
    /// What the own men are worth after it, and their places with and without heavy men against them.
    own: f32,
    places: [f32; 2],
}

impl Candidate {
    pub(super) fn new(attempt: OwnAttempt) -> Candidate {
        let (men, color) = (*attempt.after(), attempt.color());
        let places = [false, true].map(|heavies| placement(&men, color, heavies));
        Candidate { own: total(&men, color), places, attempt }
    }
}

/// What an attempt comes to in a position, in pawns.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Outcome {
    /// How the game stands then.
    pub(super) value: f32,
    /// The part of it that the reply is expected to take.
    pub(super) lost: f32,
    /// Whether the attempt captures, and whether it checks.
    pub(super) captures: bool,
    pub(super) checks: bool,
}

/// What a balance of pawns is worth to a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Utility {
    /// As much as it is.
    Pawns,
    /// The chance to win, as a logistic curve; in units that are pawns where the game is even.
    Chance,
}

impl Utility {
    #[inline]
    pub(super) fn of(self, pawns: f32) -> f32 {
        match self {
            Utility::Pawns => pawns,
            // The hyperbolic tangent of half the argument is twice the logistic curve less one.
            Utility::Chance => 2.0 * NUMBERS.scale * (pawns / (2.0 * NUMBERS.scale)).tanh(),
        }
    }
}

impl Utility {
    /// The chance to win that goes with a value: the inverse of [`Utility::of`], and the logistic curve.
    pub(super) fn chance(self, value: f32) -> f64 {
        let value = match self {
            Utility::Pawns => Utility::Chance.of(value),
            Utility::Chance => value,
        };
        f64::from(0.5 + value / (4.0 * NUMBERS.scale)).clamp(0.0, 1.0)
    }

    /// The balance that goes with a value: the inverse of [`Utility::of`].
    pub(super) fn pawns(self, value: f32) -> f32 {
        match self {
            Utility::Pawns => value,
            // Nothing is surer than a mate.
            Utility::Chance => {
                2.0 * NUMBERS.scale * (value / (2.0 * NUMBERS.scale)).clamp(-SUREST, SUREST).atanh()
            }
        }
    }
}

/// The largest argument of which the inverse is taken; some thirty pawns.
const SUREST: f32 = 0.99;

/// What is the same for all attempts and positions of a choice.
pub(super) struct Judge<'a> {
    pub(super) policy: &'a Policy,
    pub(super) rules: &'a Rules,
    /// What a balance is worth.
    pub(super) utility: Utility,
    /// Whether replies that mate are looked for.
    pub(super) mates: bool,
    /// One that mates is made with this chance at least.
    pub(super) mating: f32,
    /// Whether a king with next to nothing left is hunted.
    pub(super) hunts: bool,
    /// The replies of one position; kept for its memory.
    pub(super) replies: Vec<(Move, f32)>,
}

impl Outcome {
    /// The end of the game.
    const fn end(value: f32, captures: bool, checks: bool) -> Outcome {
        Outcome { value, lost: 0.0, captures, checks }
    }
}

/// A position after an attempt, where the other side is to reply: its replies and their chances are the judge's.
struct Met {
    hidden: Men,
    captured: Option<Captured>,
    heard: PackedAnnouncement,
    /// How it stands if the reply takes nothing.
    quiet: f32,
    /// Whether a reply mates.
    may_mate: bool,
    /// Whether the attempt checks.
    checks: bool,
}

/// How an attempt is replied to.
pub(super) enum Reply {
    /// Not at all: the game is over.
    None,
    Drawn(Drawn),
}

/// A reply that was drawn by its chance.
pub(super) struct Drawn {
    /// The hidden men before it.
    pub(super) key: Key,
    /// What was heard of the attempt.
    pub(super) heard: PackedAnnouncement,
    pub(super) m: Move,
    /// What it captures.
    pub(super) captured: Option<Captured>,
    /// What the game is worth after it.
    pub(super) value: f32,
}

impl Judge<'_> {
    /// What an attempt comes to in the position with these hidden men; `None` if it is refused.
    pub(super) fn outcome(&mut self, candidate: &Candidate, key: Key) -> Option<Outcome> {
        let met = match self.meet(candidate, key)? {
            Ok(met) => met,
            Err(end) => return Some(end),
        };
        let (color, men) = (candidate.attempt.color(), candidate.attempt.after());
        let (mut lost, mut value, mut left) = (0.0, 0.0, 1.0);
        for &(m, chance) in &self.replies {
            let cost = met.cost(m, men, color);
            if cost != 0.0 {
                lost += chance * cost;
                left -= chance;
                value += chance * self.utility.of(met.quiet - cost);
            }
        }
        Some(Outcome {
            value: value + left * self.utility.of(met.quiet),
            lost,
            captures: met.captured.is_some(),
            checks: met.checks,
        })
    }

    /// A reply to an attempt, drawn by its chance with this luck from 0 to 1: nothing if the attempt is refused.
    pub(super) fn reply(&mut self, candidate: &Candidate, key: Key, luck: f32) -> Option<Reply> {
        let Ok(met) = self.meet(candidate, key)? else { return Some(Reply::None) };
        let (color, men) = (candidate.attempt.color(), candidate.attempt.after());
        let mut left = luck;
        let drawn = self.replies.iter().find(|(_, chance)| {
            left -= chance;
            left < 0.0
        });
        let Some(&(m, _)) = drawn.or(self.replies.last()) else { return Some(Reply::None) };
        let key = met.captured.map_or(key, |captured| key.without(captured.square)).without_passed();
        let value = self.utility.of(met.quiet - met.cost(m, men, color));
        let made = of_colors(men, &met.hidden, color).make(!color, m);
        Some(Reply::Drawn(Drawn { key, heard: met.heard, m, captured: made.captured, value }))
    }

    /// Makes an attempt in a position and finds the replies: the end of the game if there are none to be made.
    fn meet(&mut self, candidate: &Candidate, key: Key) -> Option<Result<Met, Outcome>> {
        let Candidate { attempt, own, places } = candidate;
        let mut hidden = key.unpack();
        let captured = attempt.make(&mut hidden)?;
        let (color, men) = (attempt.color(), attempt.after());
        let legal = attempt.reply(&hidden).legal();
        let end = End::of(&legal);
        let checks = legal.checkers().any();
        let over = |value: f32| Some(Err(Outcome::end(self.utility.of(value), captured.is_some(), checks)));
        match end {
            End::Checkmate => return over(NUMBERS.mate),
            End::Stalemate if self.rules.stalemate == Stalemate::Loss => return over(NUMBERS.mate),
            End::Stalemate | End::Material => return over(0.0),
            End::GoesOn => {}
        }
        let balance = own - total(&hidden, !color);
        let sight = Sight {
            lost: captured.map(|captured| captured.square),
            check: checks,
            tries: tells_tries(self.rules).then(|| legal.pawn_captures().count > 0),
        };
        self.policy.replies(&Scene { legal: &legal, sight, last: None }, &mut self.replies);
        let heavies = (hidden.queens | hidden.rooks).any();
        let mut quiet = balance + places[usize::from(heavies)];
        if self.hunts {
            quiet += hunt(men, &hidden, balance, &legal);
        }
        let promotes = attempt.attempt().promotion.is_some();
        let heard = PackedAnnouncement::of_move(self.rules, captured, promotes, &legal, end);
        let position = of_colors(men, &hidden, color);
        let may_mate = self.mates && position.has_mate(!color);
        if may_mate {
            self.expect_mate(&position, !color);
        }
        Some(Ok(Met { hidden, captured, heard, quiet, may_mate, checks }))
    }

    /// Gives the replies that mate the least chance that they have together: who can mate has mostly come for it, and what the policy
    /// learnt of checks in general says little of this one.
    fn expect_mate(&mut self, position: &Position, by: Color) {
        let mates: Vec<bool> = self.replies.iter().map(|&(m, _)| position.is_mate(by, m)).collect();
        let chances = || self.replies.iter().zip(&mates);
        let of_mates: f32 = chances().filter(|(_, mates)| **mates).map(|((_, chance), _)| chance).sum();
        if of_mates >= self.mating || of_mates <= 0.0 {
            return;
        }
        let scales = [(1.0 - self.mating) / (1.0 - of_mates), self.mating / of_mates];
        for ((_, chance), mates) in self.replies.iter_mut().zip(mates) {
            *chance *= scales[usize::from(mates)];
        }
    }
}

impl Met {
    /// What a reply costs: the game if it mates.
    #[inline]
    fn cost(&self, m: Move, men: &Men, color: Color) -> f32 {
        if self.may_mate && of_colors(men, &self.hidden, color).is_mate(!color, m) {
            return NUMBERS.mate + self.quiet;
        }
        cost(m, men, &self.hidden, color)
    }
}

/// What a reply costs: the man it captures and what a pawn becomes, less what taking back regains.
#[inline]
fn cost(m: Move, men: &Men, hidden: &Men, color: Color) -> f32 {
    let becomes = m.promotion.map_or(0.0, |role| NUMBERS.men[role as usize - 1] - NUMBERS.men[0]);
    let (prize, on) = match men.role_at(m.to) {
        Some(role) => (worth(role, m.to, color), m.to),
        None if m.is_pawn_capture() => {
            let passed = men.passed.first().unwrap_or(m.to);
            (worth(Role::Pawn, passed, color), passed)
        }
        None if m.promotion.is_some() => (0.0, m.to),
        None => return 0.0,
    };
    let occupied = ((men.all | hidden.all) & !Bitboard::from_square(on) & !Bitboard::from_square(m.from))
        | Bitboard::from_square(m.to);
    let on_square = NUMBERS.men[m.promotion.unwrap_or(m.role) as usize - 1];
    let mut left = *men;
    left.lift(on);
    prize + becomes - exchange((&left, color), hidden, m.to, on_square, occupied)
}

/// Whether the rules tell a side about its pawn captures unasked.
fn tells_tries(rules: &Rules) -> bool {
    matches!(rules.tries, TriesAnnounced::Count | TriesAnnounced::Any | TriesAnnounced::From)
}

fn of_colors(own: &Men, hidden: &Men, color: Color) -> Position {
    let (white, black) = color.fold_wb((own, hidden), (hidden, own));
    Position::of_men(white, black)
}

/// What the other king's distress is worth when little else is left of his side.
fn hunt(men: &Men, hidden: &Men, balance: f32, legal: &Legal<&Men, &Men>) -> f32 {
    let numbers = NUMBERS.hunt;
    if hidden.all.count() > numbers.men + 1 || balance < numbers.ahead {
        return 0.0;
    }
    let king = hidden.king;
    let edge = |index: usize| index.min(7 - index);
    let from_edge = edge(king.file().to_usize()).min(edge(king.rank().to_usize()));
    -numbers.flight * legal.king_steps().count() as f32
        - numbers.distance * king.distance(men.king) as f32
        - numbers.edge * from_edge as f32
}
