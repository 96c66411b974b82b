//! A move policy: how likely the other side makes each of its legal moves, given what it can see and guess.
//!
//! It sees its own men and what the umpire told it last ([`Sight`]): that a man was captured and where, that it is in check,
//! that its pawns have captures. From these each move has a few features, each feature a weight, and the chance of a move
//! is a softmax over the legal moves (a conditional logit, fitted by maximum likelihood in [`super::policy_fit`]), with a floor
//! shared by all legal moves, since nobody plays by a formula. What a move meets is a feature though the mover cannot see it, since it
//! guesses: whether it captures, whether the other side guards the square ([`Unseen`]), whether it gives check. In games of our players a
//! move that takes an unseen man is some three times as likely as one that does not.

use arrayvec::ArrayVec;
use nebel_kriegspiel::{Announcement, Color, Role, Square, Tries};
use nebel_position::{Legal, Men, Move, Side, Sides, side::pawn_captures};
use shakmaty::{Bitboard, attacks};

use super::policy_turn::{Factors, Turn};
use crate::moved::Moved;

/// What the side to move was told last.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sight {
    /// Where it has just lost a man, which is where the capturing man stands.
    pub lost: Option<Square>,
    /// Whether it is in check.
    pub check: bool,
    /// Whether its pawns can capture, where it was told.
    pub tries: Option<bool>,
}

#[derive(Clone, Copy, Debug)]
/// One turn of the side to move: its legal moves, its men, what it was told, and the move it made before.
pub struct Scene<'a> {
    /// What is legal.
    pub legal: &'a Legal<&'a Men, &'a Men>,
    /// What it was told.
    pub sight: Sight,
    /// The move before, where it is known.
    pub last: Option<Moved>,
}

/// The weights of the features, and the floor.
#[derive(Clone, PartialEq, Debug)]
pub struct Policy {
    weights: Vec<f32>,
    floor: f32,
    factors: Box<Factors>,
}

/// The features of one move.
pub(super) type Features = ArrayVec<u16, 24>;

/// Groups of features, one after the other; within a group the phase comes first, then the role of the man that moves.
pub(super) const PHASE: u16 = 0;
pub(super) const TO_RANK: u16 = PHASE + 3 * 6;
pub(super) const TO_FILE: u16 = TO_RANK + 3 * 6 * 8;
pub(super) const FROM_RANK: u16 = TO_FILE + 3 * 6 * 4;
pub(super) const RECAPTURE: u16 = FROM_RANK + 3 * 6 * 8;
pub(super) const PROTECTED: u16 = RECAPTURE + 6;
pub(super) const LEAVES_PROTECTION: u16 = PROTECTED + 6;
pub(super) const TRY: u16 = LEAVES_PROTECTION + 6;
pub(super) const CHECKED: u16 = TRY + 3;
pub(super) const PROMOTION: u16 = CHECKED + 2;
pub(super) const CASTLING: u16 = PROMOTION + 2;
pub(super) const FLEES: u16 = CASTLING + 1;
pub(super) const SAME_MAN: u16 = FLEES + 6;
pub(super) const BACK: u16 = SAME_MAN + 3;
pub(super) const DEVELOPS: u16 = BACK + 1;
/// What follows the mover guesses. By the man taken, and whether it is guarded; by the man that takes a guarded one of less worth.
pub(super) const CAPTURE: u16 = DEVELOPS + 1;
pub(super) const OVERPAYS: u16 = CAPTURE + 5 * 2;
pub(super) const PAWN_TAKES: u16 = OVERPAYS + 6;
pub(super) const RECAPTURE_GUARDED: u16 = PAWN_TAKES + 5;
/// To an empty square, and from one, by how it is [guarded](Unseen::guard).
pub(super) const ENTERS: u16 = RECAPTURE_GUARDED + 1;
pub(super) const ESCAPES: u16 = ENTERS + 6 * 3;
pub(super) const CHECKS: u16 = ESCAPES + 6 * 3;
/// To a square beside the other king, or one further.
pub(super) const NEAR_KING: u16 = CHECKS + 6;
/// How many features there are.
pub const FEATURES: usize = NEAR_KING as usize + 6 * 2;

/// The share that all legal moves have alike. By hand, no match.
pub const FLOOR: f32 = 0.02;

impl Sight {
    /// By what was announced of the move before.
    pub fn after(announcement: &Announcement, mover: Color) -> Sight {
        Sight {
            lost: announcement.capture.map(|capture| capture.captured_square(mover)),
            check: !announcement.check.is_empty(),
            tries: announcement.tries.map(Tries::are_there),
        }
    }
}

impl Policy {
    /// A policy of these weights; `None` if there are not as many as there are features, or one is no number.
    pub fn new(weights: Vec<f32>, floor: f32) -> Option<Policy> {
        let is_sound = weights.len() == FEATURES && weights.iter().all(|weight| weight.abs() < 100.0);
        (is_sound && (0.0..=1.0).contains(&floor)).then(|| Policy::sound(weights, floor))
    }

    fn sound(weights: Vec<f32>, floor: f32) -> Policy {
        Policy { factors: Box::new(Factors::of(&weights)), weights, floor }
    }

    /// All legal moves alike.
    pub fn even() -> Policy {
        Policy::sound(vec![0.0; FEATURES], 1.0)
    }

    /// The weights, as [`Policy::new`] takes them.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The share that all legal moves have alike.
    pub fn floor(&self) -> f32 {
        self.floor
    }

    /// The chances of a turn, worked out once for all its moves.
    pub fn chances<'a>(&'a self, scene: &Scene<'a>) -> MoveChances<'a> {
        let turn = Turn::new(&self.factors, scene);
        let (mut total, mut count) = (0.0, 0_u32);
        turn.for_each(|_, share| {
            total += share;
            count += 1;
        });
        MoveChances { turn, floor: self.floor, total, even: 1.0 / count.max(1) as f32 }
    }

    /// All legal moves of a turn with their chances, which add up to one.
    pub fn replies(&self, scene: &Scene<'_>, replies: &mut Vec<(Move, f32)>) {
        replies.clear();
        let mut total = 0.0;
        Turn::new(&self.factors, scene).for_each(|m, share| {
            total += share;
            replies.push((m, share));
        });
        let even = self.floor / replies.len().max(1) as f32;
        for (_, chance) in replies {
            *chance = (1.0 - self.floor) * *chance / total.max(f32::MIN_POSITIVE) + even;
        }
    }
}

/// The chances of the legal moves of one turn.
pub struct MoveChances<'a> {
    turn: Turn<'a>,
    floor: f32,
    total: f32,
    even: f32,
}

impl MoveChances<'_> {
    /// The chance of a legal move.
    pub fn chance(&self, m: Move) -> f32 {
        let share = self.turn.share(m) / self.total.max(f32::MIN_POSITIVE);
        (1.0 - self.floor) * share + self.floor * self.even
    }

    /// The chance of a legal move that was made by this man.
    pub fn chance_of(&self, moved: Moved, was: Role) -> f32 {
        let promotion = (was == Role::Pawn && moved.role() != Role::Pawn).then_some(moved.role());
        self.chance(Move { from: moved.from(), to: moved.to(), role: was, promotion })
    }
}

/// What the side to move cannot see and guesses at.
pub(super) struct Unseen {
    king: Square,
    /// What pawns of the other side guard, and what all its men do.
    pawn_guarded: Bitboard,
    guarded: Bitboard,
    /// From where a man of each role but the king checks.
    checking: [Bitboard; 5],
}

impl Unseen {
    pub(super) fn of(legal: &Legal<&Men, &Men>) -> Unseen {
        let Sides { color, other, .. } = legal.sides();
        let occupied = legal.occupied();
        let king = other.king;
        let (diagonal, straight) =
            (attacks::bishop_attacks(king, occupied), attacks::rook_attacks(king, occupied));
        Unseen {
            king,
            pawn_guarded: pawn_captures(other.pawns, !color),
            guarded: other.steady_attacks(!color) | other.sliding_attacks(occupied),
            checking: [
                attacks::pawn_attacks(!color, king),
                attacks::knight_attacks(king),
                diagonal,
                straight,
                diagonal | straight,
            ],
        }
    }

    /// How a square is guarded: by a pawn, or by others while own men protect it or not.
    #[inline]
    pub(super) fn guard(&self, square: Square, is_protected: bool) -> Option<u16> {
        if self.pawn_guarded.contains(square) {
            return Some(0);
        }
        self.guarded.contains(square).then(|| 1 + u16::from(is_protected))
    }

    /// Calls `each` with the features of what a move meets where it goes. A man that promotes checks as the pawn that it was.
    #[inline]
    pub(super) fn met(
        &self,
        m: Move,
        is_recapture: bool,
        is_protected: bool,
        victim: Option<Role>,
        mut each: impl FnMut(u16),
    ) {
        let of_role = m.role as u16 - 1;
        if is_recapture {
            if self.guarded.contains(m.to) {
                each(RECAPTURE_GUARDED);
            }
        } else if m.is_pawn_capture() {
            each(PAWN_TAKES + victim.map_or(0, |victim| victim as u16 - 1));
        } else if let Some(victim) = victim {
            let is_guarded = self.guarded.contains(m.to);
            each(CAPTURE + (victim as u16 - 1) * 2 + u16::from(is_guarded));
            // Knight and bishop are worth the same.
            if is_guarded && m.role > victim && (m.role, victim) != (Role::Bishop, Role::Knight) {
                each(OVERPAYS + of_role);
            }
        } else if let Some(guard) = self.guard(m.to, is_protected) {
            each(ENTERS + of_role * 3 + guard);
        }
        if m.role != Role::King && self.checking[usize::from(of_role)].contains(m.to) {
            each(CHECKS + of_role);
        }
        let distance = m.to.distance(self.king);
        if distance <= 2 {
            each(NEAR_KING + of_role * 2 + u16::from(distance == 2));
        }
    }
}

/// The features that a move has.
pub(super) fn features(scene: &Scene<'_>, m: Move) -> Features {
    let sides = scene.legal.sides();
    let (color, men) = (sides.color, sides.mover);
    let Move { from, to, role, promotion } = m;
    let of_role = role as u16 - 1;
    let mut features = Features::new();
    let phase = phase(men);
    let rank = |square: Square| seen_from(color, square).rank() as u16;
    let file = to.file() as u16;
    let of_phase = phase * 6 + of_role;
    features.push(PHASE + of_phase);
    features.push(TO_RANK + of_phase * 8 + rank(to));
    features.push(TO_FILE + of_phase * 4 + file.min(7 - file));
    features.push(FROM_RANK + of_phase * 8 + rank(from));
    if m.is_castling() {
        features.push(CASTLING);
    }
    if let Some(promotion) = promotion {
        features.push(PROMOTION + u16::from(promotion != Role::Queen));
    }
    // The mover sees its own men only: lines are open as far as it knows.
    let others = men.all & !Bitboard::from_square(from);
    let is_protected = (men.attackers(color, to, others) & others).any();
    if is_protected {
        features.push(PROTECTED + of_role);
    }
    let was_protected = role != Role::King && (men.attackers(color, from, men.all) & others).any();
    if was_protected {
        features.push(LEAVES_PROTECTION + of_role);
    }
    let is_recapture = scene.sight.lost == Some(to);
    if is_recapture {
        features.push(RECAPTURE + of_role);
    } else if let Some(lost) = scene.sight.lost
        && (attacks::queen_attacks(from, men.all) | attacks::knight_attacks(from)).contains(lost)
    {
        features.push(FLEES + of_role);
    }
    if m.is_pawn_capture() && !is_recapture {
        features.push(TRY + scene.sight.tries.map_or(2, u16::from));
    }
    if scene.sight.check {
        features.push(CHECKED + u16::from(role == Role::King));
    }
    if let Some(last) = scene.last
        && last.to() == from
    {
        features.push(SAME_MAN + phase);
        if last.from() == to {
            features.push(BACK);
        }
    }
    if phase == 0 && matches!(role, Role::Knight | Role::Bishop) && rank(from) == 0 {
        features.push(DEVELOPS);
    }
    let unseen = Unseen::of(scene.legal);
    unseen.met(m, is_recapture, is_protected, sides.other.role_at(to), |met| features.push(met));
    features.extend(unseen.guard(from, was_protected).map(|guard| ESCAPES + of_role * 3 + guard));
    features
}

/// How far the game has come, by the mover's own men.
pub(super) fn phase(men: &Men) -> u16 {
    match men.all.count() {
        13.. => 0,
        7..13 => 1,
        _ => 2,
    }
}

/// A square as White would see it.
pub(super) fn seen_from(color: Color, square: Square) -> Square {
    color.fold_wb(square, square.flip_vertical())
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use nebel_kriegspiel::{Attempt, Chess, Position as _, start};
    use rand::{RngExt, SeedableRng, seq::IndexedRandom};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    fn chances(fen: &str, policy: &Policy, sight: Sight) -> Vec<(String, f32)> {
        let position: Chess = start::position(fen).unwrap();
        let (mover, other) = (Men::of(&position, Color::Black), Men::of(&position, Color::White));
        let legal = Sides { color: Color::Black, mover: &mover, other: &other }.legal();
        let scene = Scene { legal: &legal, sight, last: None };
        let turn = policy.chances(&scene);
        let mut all = Vec::new();
        let _ = legal.for_each_move(|m| {
            all.push((format!("{}{}", m.from, m.to), turn.chance(m)));
            ControlFlow::Continue(())
        });
        all
    }

    /// The quick way says what the features say.
    #[test]
    fn shares_are_the_exponentials_of_the_features() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let weights: Vec<f32> = (0..FEATURES).map(|_| random.random_range(-1.0..1.0)).collect();
        let policy = Policy::new(weights.clone(), 0.0).unwrap();
        let mut compared = 0;
        for _ in 0..40 {
            let mut position = Chess::new();
            let (mut sight, mut last) = (Sight::default(), [None; 2]);
            for _ in 0..150 {
                let Some(&played) = position.legal_moves().choose(&mut random) else { break };
                let color = position.turn();
                let (mover, other) = (Men::of(&position, color), Men::of(&position, !color));
                let legal = Sides { color, mover: &mover, other: &other }.legal();
                let scene = Scene { legal: &legal, sight, last: last[color as usize] };
                let (mut shares, mut replies) = (Vec::new(), Vec::new());
                let _ = legal.for_each_move(|m| {
                    let score: f32 =
                        features(&scene, m).iter().map(|&feature| weights[usize::from(feature)]).sum();
                    shares.push((m, score.exp()));
                    ControlFlow::Continue(())
                });
                let total: f32 = shares.iter().map(|(_, share)| share).sum();
                let chances = policy.chances(&scene);
                policy.replies(&scene, &mut replies);
                assert_eq!(replies.len(), shares.len());
                for (m, share) in shares {
                    let reply = replies.iter().find(|(known, _)| *known == m).unwrap().1;
                    assert!((chances.chance(m) - share / total).abs() < 1e-4, "{m:?} {position:?}");
                    assert!((reply - share / total).abs() < 1e-4, "{m:?} {position:?}");
                    compared += 1;
                }
                last[color as usize] = Some(Moved::new(
                    played.from().unwrap(),
                    Attempt::of_move(played).to,
                    played.promotion().unwrap_or(played.role()),
                ));
                sight = Sight {
                    lost: played.is_capture().then(|| played.to()),
                    check: random.random_ratio(1, 5),
                    tries: [None, Some(false), Some(true)][random.random_range(0..3)],
                };
                position.play_unchecked(played);
            }
        }
        assert!(compared > 50_000, "{compared}");
    }

    #[test]
    fn chances_add_up_and_a_recapture_stands_out() {
        let fen = "4k3/8/2p1n3/3P4/8/8/8/4K3 b - - 0 1";
        let mut weights = vec![0.0; FEATURES];
        weights[usize::from(RECAPTURE)] = 2.0;
        let policy = Policy::new(weights, 0.1).unwrap();
        let sight = Sight { lost: Some(Square::D5), ..Sight::default() };
        let all = chances(fen, &policy, sight);
        assert!((all.iter().map(|(_, chance)| chance).sum::<f32>() - 1.0).abs() < 1e-4);
        let of = |name: &str| all.iter().find(|(known, _)| known == name).unwrap().1;
        assert!(of("c6d5") > 3.0 * of("c6c5"));
        let even = chances(fen, &Policy::even(), sight);
        assert!(even.iter().all(|(_, chance)| (chance * even.len() as f32 - 1.0).abs() < 1e-4));
    }
}
