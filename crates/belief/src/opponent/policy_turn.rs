//! The chances of a [`Policy`](super::policy::Policy) in the quick way: weights as factors, and what depends on a man or on a square
//! alone looked up.
//!
//! A belief of some thousand positions asks for the chances of all moves in each of them at every turn, so what
//! [`features`](super::policy_features) says one by one is said here by tables. Tests compare the two.

use nebel_kriegspiel::{Bitboard, Role, Square, attempt::PROMOTIONS};
use nebel_position::{Men, Move, Side, side::pawn_captures};
use shakmaty::attacks;

use super::{
    policy::Scene,
    policy_features::{
        BACK, CASTLING, CHECKED, DEVELOPS, ESCAPES, FLEES, FROM_RANK, LEAVES_PROTECTION, PHASE, PROMOTION,
        PROTECTED, RECAPTURE, SAME_MAN, TO_FILE, TO_RANK, TRY, Unseen, phase, seen_from,
    },
};

/// The exponentials of the weights, those of squares put together.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Factors {
    of: Vec<f32>,
    /// By phase, role and square that a man leaves.
    from: [[[f32; 64]; 6]; 3],
    /// By phase, role and square that a man goes to.
    to: [[[f32; 64]; 6]; 3],
}

impl Factors {
    pub(super) fn of(weights: &[f32]) -> Factors {
        let of: Vec<f32> = weights.iter().map(|weight| weight.exp()).collect();
        let factor = |feature: u16| of[usize::from(feature)];
        let (mut from, mut to) = ([[[1.0; 64]; 6]; 3], [[[1.0; 64]; 6]; 3]);
        for (phase, role) in (0..3).flat_map(|phase| Role::ALL.map(|role| (phase, role))) {
            let of_role = role as u16 - 1;
            let of_phase = phase * 6 + of_role;
            for square in Bitboard::FULL {
                let (rank, file) = (square.rank() as u16, square.file() as u16);
                let [of_phase_at, of_role_at, at] = [phase, of_role, square as u16].map(usize::from);
                to[of_phase_at][of_role_at][at] = factor(TO_RANK + of_phase * 8 + rank)
                    * factor(TO_FILE + of_phase * 4 + file.min(7 - file));
                let is_minor = matches!(role, Role::Knight | Role::Bishop);
                let develops = if phase == 0 && is_minor && rank == 0 { factor(DEVELOPS) } else { 1.0 };
                from[of_phase_at][of_role_at][at] =
                    develops * factor(PHASE + of_phase) * factor(FROM_RANK + of_phase * 8 + rank);
            }
        }
        Factors { of, from, to }
    }
}

/// One turn of the side to move.
pub(super) struct Turn<'a> {
    factors: &'a Factors,
    scene: Scene<'a>,
    phase: u16,
    /// Squares that own men attack, once at least and twice at least, on a board without the other side.
    once: Bitboard,
    twice: Bitboard,
    /// Squares that own bishops, rooks and queens attack: who leaves one of them may open a line.
    lines: Bitboard,
    unseen: Unseen,
}

impl<'a> Turn<'a> {
    pub(super) fn new(factors: &'a Factors, scene: &Scene<'a>) -> Turn<'a> {
        let sides = scene.legal.sides();
        let (color, men): (_, &Men) = (sides.color, sides.mover);
        let (mut once, mut twice, mut lines) = (Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY);
        let mut add = |attacked: Bitboard| {
            twice |= once & attacked;
            once |= attacked;
        };
        add(attacks::king_attacks(men.king));
        add(nebel_position::side::west_captures(men.pawns, color));
        add(nebel_position::side::east_captures(men.pawns, color));
        for knight in men.knights {
            add(attacks::knight_attacks(knight));
        }
        for role in [Role::Bishop, Role::Rook, Role::Queen] {
            for from in men.by_role(role) {
                let attacked = nebel_position::side::attacks_of(role, from, men.all);
                lines |= attacked;
                add(attacked);
            }
        }
        Turn {
            factors,
            scene: *scene,
            phase: phase(men),
            once,
            twice,
            lines,
            unseen: Unseen::of(scene.legal),
        }
    }

    /// Calls `each` with every legal move and its share, which is its chance but for a common factor.
    #[inline]
    pub(super) fn for_each(&self, mut each: impl FnMut(Move, f32)) {
        self.scene.legal.for_each_man(|role, from, targets| {
            let leaves = self.leaves(role, from);
            for to in targets {
                let m = Move { from, to, role, promotion: None };
                let share = leaves * self.arrives(m);
                if role == Role::Pawn && Bitboard::BACKRANKS.contains(to) {
                    for promotion in PROMOTIONS {
                        let m = Move { promotion: Some(promotion), ..m };
                        each(m, share * self.promotes(promotion));
                    }
                } else {
                    each(m, share);
                }
            }
        });
    }

    /// The share of one move.
    pub(super) fn share(&self, m: Move) -> f32 {
        self.leaves(m.role, m.from) * self.arrives(m) * m.promotion.map_or(1.0, |role| self.promotes(role))
    }

    fn factor(&self, feature: u16) -> f32 {
        self.factors.of[usize::from(feature)]
    }

    fn promotes(&self, role: Role) -> f32 {
        self.factor(PROMOTION + u16::from(role != Role::Queen))
    }

    /// What depends on the man that moves.
    #[inline]
    fn leaves(&self, role: Role, from: Square) -> f32 {
        let color = self.scene.legal.sides().color;
        let of_role = role as u16 - 1;
        let seen = seen_from(color, from);
        let mut share = self.factors.from[usize::from(self.phase)][usize::from(of_role)][seen.to_usize()];
        let was_protected = role != Role::King && self.once.contains(from);
        if was_protected {
            share *= self.factor(LEAVES_PROTECTION + of_role);
        }
        if self.scene.sight.check {
            share *= self.factor(CHECKED + u16::from(role == Role::King));
        }
        if self.scene.last.is_some_and(|last| last.to() == from) {
            share *= self.factor(SAME_MAN + self.phase);
        }
        if let Some(guard) = self.unseen.guard(from, was_protected) {
            share *= self.factor(ESCAPES + of_role * 3 + guard);
        }
        share
    }

    /// What depends on where it goes.
    #[inline]
    fn arrives(&self, m: Move) -> f32 {
        let Scene { legal, sight, last } = &self.scene;
        let sides = legal.sides();
        let (color, men) = (sides.color, sides.mover);
        let Move { from, to, role, .. } = m;
        let of_role = role as u16 - 1;
        let mut share =
            self.factors.to[usize::from(self.phase)][usize::from(of_role)][seen_from(color, to).to_usize()];
        let is_protected = self.is_protected(m);
        if is_protected {
            share *= self.factor(PROTECTED + of_role);
        }
        if let Some(lost) = sight.lost {
            if lost == to {
                share *= self.factor(RECAPTURE + of_role);
            } else if (attacks::queen_attacks(from, men.all) | attacks::knight_attacks(from)).contains(lost) {
                share *= self.factor(FLEES + of_role);
            }
        }
        let is_recapture = sight.lost == Some(to);
        if !is_recapture && m.is_pawn_capture() {
            share *= self.factor(TRY + sight.tries.map_or(2, u16::from));
        }
        self.unseen.met(m, is_recapture, is_protected, sides.other.role_at(to), |met| {
            share *= self.factor(met);
        });
        if last.is_some_and(|last| last.to() == from && last.from() == to) {
            share *= self.factor(BACK);
        }
        if role == Role::King && m.is_castling() {
            share *= self.factor(CASTLING);
        }
        share
    }

    /// Whether another own man protects the square that a man goes to, as far as its side sees.
    #[inline]
    fn is_protected(&self, m: Move) -> bool {
        let sides = self.scene.legal.sides();
        let (color, men) = (sides.color, sides.mover);
        if self.lines.contains(m.from) {
            let others = men.all & !Bitboard::from_square(m.from);
            return (men.attackers(color, m.to, others) & others).any();
        }
        // Whoever leaves here opens no line, so only its own attack is to be left out.
        let is_attacker = match m.role {
            Role::Pawn => pawn_captures(Bitboard::from_square(m.from), color).contains(m.to),
            Role::King => !m.is_castling(),
            _ => true,
        };
        if is_attacker { self.twice.contains(m.to) } else { self.once.contains(m.to) }
    }
}
