//! How likely a move leaves the other side without a move.
//!
//! There are two halves to it, whatever is believed of the hidden men: how likely the king stands where he is not attacked and
//! cannot go anywhere ([`Flights::stuck`]), and how likely no other man of his can move then ([`Flights::immobile`]). A
//! metaposition knows squares and counts ([`Cage`]), belief matrices know probabilities ([`Believed`]).

use nebel_belief::{
    matrices::{Matrices, MatrixTracker, evidence::attacked_by},
    metaposition::Metaposition,
};
use nebel_kriegspiel::{Bitboard, Color, File, OwnMen, Role};
use nebel_position::side::{forward, neighbours, pawn_captures};
use shakmaty::attacks;

/// What stalemate is to the side that gives it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StalemateValue {
    /// A half point lost.
    Draw,
    /// A game won.
    Win,
}

/// The numbers of this module. None of them comes from a paper, and none was tuned by a match.
struct Numbers {
    /// How likely a hidden piece of a metaposition cannot move: chosen by hand, no match.
    stuck_piece: f32,
    /// How likely a pawn of which the file is not known, or which may be a piece by now, cannot move: chosen by hand, no match.
    stuck_pawn: f32,
    /// With more hidden men beside the king than this the matrices see no stalemate: chosen by hand, no match.
    few_men: u32,
    /// The king is not looked for where he is less likely than this: for speed.
    unlikely_king: f32,
    /// Squares less likely than this to be free of attack are taken for attacked: chosen by hand, no match.
    attacked: f32,
    /// Pawns less likely than this are not looked at: for speed.
    unlikely_pawn: f32,
}

const NUMBERS: Numbers = Numbers {
    stuck_piece: 0.05,
    stuck_pawn: 0.3,
    few_men: 3,
    unlikely_king: 1e-4,
    attacked: 0.5,
    unlikely_pawn: 1e-3,
};

/// What is believed of the hidden side after an own move, as far as stalemate goes.
pub(crate) trait Flights {
    /// How likely the king is not attacked and cannot move.
    fn stuck(&self) -> f32;

    /// How likely no other man can move.
    fn immobile(&self) -> f32;

    /// How likely it is stalemate.
    fn stalemate_risk(&self) -> f32 {
        self.stuck() * self.immobile()
    }
}

/// Where the enemy king may be after an own move by a metaposition, and where he could not get away.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cage {
    /// All his squares.
    pub(crate) squares: Bitboard,
    /// Those on which he is attacked and cannot move.
    pub(crate) mated: Bitboard,
    /// Those on which he is not attacked and perhaps cannot move.
    pub(crate) stuck: Bitboard,
    immobile: f32,
}

impl Cage {
    pub(crate) fn of(meta: &Metaposition) -> Cage {
        let squares = meta.may_hold(Role::King);
        let surely = meta.surely_attacked();
        // His own men stand in his way too.
        let held = meta.surely_held() & !squares;
        let leaving = |attacked: Bitboard| neighbours(!attacked & !held);
        let mated = squares & surely & !leaving(surely);
        let stuck = squares & !surely & !leaving(meta.perhaps_attacked());
        let immobile = if stuck.is_empty() { 0.0 } else { immobility(meta) };
        Cage { squares, mated, stuck, immobile }
    }

    /// The share of the king's squares that are among these.
    pub(crate) fn share(&self, part: Bitboard) -> f32 {
        part.count() as f32 / self.squares.count().max(1) as f32
    }

    /// Whether the move mates wherever the king is, as far as he alone can help himself.
    pub(crate) fn is_mate(&self) -> bool {
        self.squares.any() && self.mated == self.squares
    }
}

impl Flights for Cage {
    fn stuck(&self) -> f32 {
        self.share(self.stuck)
    }

    fn immobile(&self) -> f32 {
        self.immobile
    }
}

/// How likely it is that the men besides the king cannot move: pieces hardly ever, pawns if they are blocked.
fn immobility(meta: &Metaposition) -> f32 {
    let census = meta.census();
    let pieces = i32::from(census.pieces().least);
    let color = !meta.own().color();
    let blocked = meta.may_hold(Role::Pawn) & forward(!meta.may_be_empty(), !color);
    let blocked = blocked & !pawn_captures(meta.own().squares(), !color);
    let mut chance = NUMBERS.stuck_piece.powi(pieces);
    let mut pawns = i32::from(census.men()) - pieces;
    for file in File::ALL {
        let here = meta.may_hold(Role::Pawn) & Bitboard::from(file);
        let surely = i32::from(census.on(file).least).min(pawns);
        if surely > 0 && here.any() {
            let share = (blocked & here).count() as f32 / here.count() as f32;
            chance *= share.powi(surely);
            pawns -= surely;
        }
    }
    chance * NUMBERS.stuck_pawn.powi(pawns.max(0))
}

/// The hidden side by belief matrices, before own men that stand like this. Only few men left make stalemate more than a fancy.
pub(crate) struct Believed<'a> {
    pub(crate) listener: &'a MatrixTracker,
    pub(crate) men_after: &'a OwnMen,
}

impl Believed<'_> {
    fn hidden(&self) -> &Matrices {
        self.listener.matrices()
    }
}

impl Flights for Believed<'_> {
    fn stuck(&self) -> f32 {
        if self.listener.men_left() > NUMBERS.few_men {
            return 0.0;
        }
        let not_attacked = self.hidden().not_attacked(self.men_after);
        let (own, guarded) = (self.men_after.squares(), attacked_by(self.men_after));
        let mut chance = 0.0;
        for square in Bitboard::FULL & !own {
            let king = self.hidden().king(square);
            if king < NUMBERS.unlikely_king || not_attacked[square.to_usize()] < NUMBERS.attacked {
                continue;
            }
            let free: f32 = (attacks::king_attacks(square) & !(own & guarded))
                .into_iter()
                .map(|to| if own.contains(to) { 1.0 } else { not_attacked[to.to_usize()] })
                .fold(0.0, f32::max);
            chance += king * (1.0 - free).max(0.0);
        }
        chance
    }

    /// Pieces nearly always can, pawns if the square before them is free.
    fn immobile(&self) -> f32 {
        let (hidden, own) = (self.hidden(), self.men_after.squares());
        let (_, pieces) = hidden.left();
        let ahead: i32 = if hidden.color() == Color::White { 8 } else { -8 };
        let mut mobile = pieces;
        for square in Bitboard::FULL {
            let pawn = hidden.pawn(square);
            if pawn > NUMBERS.unlikely_pawn
                && let Some(before) = square.offset(ahead)
                && !own.contains(before)
            {
                mobile += pawn * hidden.empty(before);
            }
        }
        (-mobile).exp()
    }

    fn stalemate_risk(&self) -> f32 {
        match self.stuck() {
            stuck if stuck > 0.0 => stuck * self.immobile(),
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Rules, start};

    use super::*;

    fn cage(fen: &str) -> Cage {
        Cage::of(&Metaposition::new(&Rules::icc(), &start::position(fen).unwrap(), Color::White))
    }

    #[test]
    fn a_cornered_king_is_stuck_or_mated() {
        let stalemate = cage("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
        assert!(stalemate.stalemate_risk() >= 1.0 && !stalemate.is_mate());
        let mate = cage("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
        assert!(mate.stalemate_risk() <= 0.0 && mate.is_mate());
        let free = cage("7k/8/5QK1/8/8/8/8/8 b - - 0 1");
        assert!(!free.is_mate());
    }

    #[test]
    fn a_pawn_that_can_move_saves_from_stalemate() {
        assert!(cage("7k/p4Q2/6K1/8/8/8/8/8 b - - 0 1").stalemate_risk() <= 0.0);
        assert!(cage("7k/p4Q2/P5K1/8/8/8/8/8 b - - 0 1").stalemate_risk() >= 1.0);
    }

    #[test]
    fn a_king_can_be_stuck_behind_his_own_pawn() {
        assert!(cage("5RR1/8/1N2kP2/5p2/3Q1P2/8/8/K7 b - - 0 1").stalemate_risk() >= 1.0);
    }

    #[test]
    fn metaposition_and_matrices_see_the_same_stalemate() {
        for (fen, is_stalemate) in
            [("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", true), ("7k/8/5QK1/8/8/8/8/8 b - - 0 1", false)]
        {
            let start = start::position(fen).unwrap();
            let model = nebel_belief::opponent::Model::standard();
            let listener = MatrixTracker::new(Rules::icc(), &start, Color::White, model);
            let men_after = OwnMen::of(&start, Color::White);
            let believed = Believed { listener: &listener, men_after: &men_after }.stalemate_risk();
            assert_eq!(
                (believed > 0.5, cage(fen).stalemate_risk() > 0.5),
                (is_stalemate, is_stalemate),
                "{fen}"
            );
        }
    }
}
