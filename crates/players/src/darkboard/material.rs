//! Material and safety: what the own men are worth, and how likely it is to lose each.
//!
//! The danger to a man is how much unknown territory bears on it: the ages of all squares from which a hidden man may
//! attack, against the age of the whole board. Protection lowers it, a move just made or a capture raises it. Added are
//! the men on both sides, and a small price for every square on which something may stand, the greater the longer
//! nothing has been learnt of it.
//!
//! The rules are Darkboard's, restated; so are nearly all [numbers](super::numbers).

use nebel_kriegspiel::{Attempt, Bitboard, File, Role, Square};
use nebel_position::side::man_attacks;
use shakmaty::attacks;

use super::{moves::Likely, numbers::NUMBERS};
use nebel_belief::metaposition::{Metaposition, OLD};

/// What an own man is worth by role, the king aside.
pub(crate) const fn value(role: Role) -> f32 {
    NUMBERS.material.worth.of(role)
}

/// The own move after which a metaposition is judged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Made {
    /// Where the man went.
    pub(crate) to: Square,
    /// Whether it captured.
    pub(crate) captured: bool,
}

/// Whose unknown squares endanger a man.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DangerBy {
    /// Those of pawns, the king, and what moves along lines: the program.
    Lines,
    /// Those of knights as well.
    WithKnights,
}

/// Whether a move surely loses a man: the one that moves, to where it is surely attacked and nobody protects it, or the queen, left where
/// she is surely attacked. The man that captures may be given for what it takes.
pub(crate) fn is_blunder(meta: &Metaposition, attempt: Attempt, likely: &Likely) -> bool {
    let announced = likely.of(meta, attempt);
    let mut after = meta.clone();
    after.moved(attempt, &announced);
    let scales = Scales::new(&after, DangerBy::WithKnights);
    let is_lost = |square: Square| scales.danger(square) >= 1.0 && scales.protectors(square).least.is_none();
    let role = after.own().role_at(attempt.to);
    let gives_itself =
        announced.capture.is_none() && !matches!(role, Some(Role::King)) && is_lost(attempt.to);
    let leaves_queen = || {
        let queens = after.own().by_role(Role::Queen) & !Bitboard::from_square(attempt.to);
        queens.into_iter().any(is_lost)
    };
    gives_itself || (announced.capture.is_none() && leaves_queen())
}

/// Material, safety and ignorance of a metaposition after an own move.
pub(crate) fn material(meta: &Metaposition, made: Option<Made>, by: DangerBy) -> f32 {
    let own = meta.own();
    let census = meta.census();
    let men = f32::from(census.men());
    let (numbers, scales) = (NUMBERS.material, Scales::new(meta, by));
    let mut total = 0.0;
    for role in Role::ALL {
        let worth = if role == Role::King { value(role) * men / 15.0 } else { value(role) };
        for square in own.by_role(role) {
            let danger = scales.danger(square);
            let safety = scales.safety(role, square, danger, made.filter(|made| made.to == square));
            total += worth * (safety - numbers.accepted * danger);
        }
    }
    let queens = own.by_role(Role::Queen).count() as f32;
    let pawns = f32::from(census.pawns().most);
    total += numbers.queen * queens - numbers.enemy_pawn * pawns - numbers.enemy_piece * (men - pawns)
        + (own.squares().count() as f32 - 1.0 - men);
    total + ignorance(meta)
}

/// The price of squares on which something may stand.
fn ignorance(meta: &Metaposition) -> f32 {
    let color = meta.own().color();
    let price = |role: Role, square: Square| match role {
        Role::Pawn => {
            let rank = usize::from(square.rank());
            NUMBERS.material.pawn_by_rank[color.fold_wb(rank, 7 - rank)]
        }
        _ => NUMBERS.material.ignorance.of(role),
    };
    let mut total = 0.0;
    for role in Role::ALL {
        for square in meta.may_hold(role) {
            total += price(role, square) * f32::from(meta.age(square));
        }
    }
    total / f32::from(OLD)
}

/// What the dangers of one metaposition are measured by.
struct Scales<'a> {
    meta: &'a Metaposition,
    by: DangerBy,
    /// Own men and squares that surely hold a hidden one: where lines end.
    ends: Bitboard,
    total_age: f32,
    /// Men of the other side, the king among them, of sixteen.
    strength: f32,
}

impl<'a> Scales<'a> {
    fn new(meta: &'a Metaposition, by: DangerBy) -> Scales<'a> {
        Scales {
            meta,
            by,
            ends: !meta.may_be_empty(),
            total_age: meta.total_age().max(1) as f32,
            strength: f32::from(meta.census().men() + 1) / 16.0,
        }
    }

    /// How much of the unknown bears on a square, from 0 to 1.
    fn danger(&self, square: Square) -> f32 {
        let meta = self.meta;
        let (straight, diagonal) =
            (attacks::rook_attacks(square, self.ends), attacks::bishop_attacks(square, self.ends));
        let pawns = attacks::pawn_attacks(meta.own().color(), square) & meta.may_hold(Role::Pawn);
        let queens = meta.may_hold(Role::Queen);
        let attackers = (straight & (meta.may_hold(Role::Rook) | queens))
            | (diagonal & (meta.may_hold(Role::Bishop) | queens))
            | (attacks::king_attacks(square) & meta.may_hold(Role::King))
            | pawns
            | match self.by {
                DangerBy::Lines => Bitboard::EMPTY,
                DangerBy::WithKnights => attacks::knight_attacks(square) & meta.may_hold(Role::Knight),
            };
        if (attackers & meta.surely_held()).any() {
            return 1.0;
        }
        let ages: u32 = attackers.into_iter().map(|from| u32::from(meta.age(from))).sum();
        let mut danger = ages as f32 / self.total_age;
        for pawn in pawns {
            let file: File = pawn.file();
            let squares = (meta.may_hold(Role::Pawn) & Bitboard::from(file)).count().max(1);
            danger += NUMBERS.material.pawn_danger * f32::from(meta.census().on(file).most) / squares as f32;
        }
        (danger * NUMBERS.material.danger * self.strength).min(1.0)
    }

    /// How likely a man is to stay, from 0 to 1.
    fn safety(&self, role: Role, square: Square, danger: f32, made: Option<Made>) -> f32 {
        if danger <= 0.0 {
            return 1.0;
        }
        let numbers = NUMBERS.material;
        let mut risk = danger;
        if let Some(made) = made {
            // Whoever captures is usually recaptured (Darkboard's rule), unless few are left to do it.
            if made.captured {
                let few = self.meta.census().men() <= NUMBERS.conversion.few_men;
                return if few { 1.0 - (numbers.danger_to_capturer * danger).min(1.0) } else { 0.0 };
            }
            risk *= numbers.just_moved;
        }
        let protectors = self.protectors(square);
        match protectors.least {
            None => risk = risk.max(numbers.unprotected),
            Some(_) if role == Role::King => {}
            Some(least) => {
                let men = f32::from(self.meta.census().men());
                let factor = numbers.protected * (1.0 - numbers.reliance.of(least)) * men / 15.0;
                risk *= factor.powi(protectors.count);
                if value(least) <= value(role) {
                    risk *= numbers.cheap_protector;
                }
            }
        }
        1.0 - risk.clamp(numbers.least_risk * danger * self.strength, 1.0)
    }

    /// The own men that protect a square: how many, and the least of them.
    fn protectors(&self, square: Square) -> Protectors {
        let own = self.meta.own();
        let mut found = Protectors { count: 0, least: None };
        for role in Role::ALL {
            let from = man_attacks(role, !own.color(), square, self.ends) & own.by_role(role);
            found.count += from.count() as i32;
            if from.any() && found.least.is_none() {
                found.least = Some(role);
            }
        }
        found
    }
}

struct Protectors {
    count: i32,
    least: Option<Role>,
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Chess, Color, Rules, start};

    use super::*;

    fn meta(fen: &str) -> Metaposition {
        Metaposition::new(&Rules::icc(), &start::position(fen).unwrap(), Color::White)
    }

    #[test]
    fn a_man_attacked_by_a_man_in_sight_is_in_full_danger() {
        let seen = meta("4k3/8/8/3r4/8/8/8/3QK3 w - - 0 1");
        assert!(Scales::new(&seen, DangerBy::Lines).danger(Square::D1) >= 1.0);
        let hidden_behind_pawn = meta("4k3/8/8/3r4/3P4/8/8/3QK3 w - - 0 1");
        assert!(Scales::new(&hidden_behind_pawn, DangerBy::Lines).danger(Square::D1) <= 0.0);
    }

    #[test]
    fn the_start_is_level_and_a_queen_more_is_worth_much() {
        let level =
            material(&Metaposition::new(&Rules::icc(), &Chess::new(), Color::White), None, DangerBy::Lines);
        let without = meta("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert!(material(&without, None, DangerBy::Lines) > level + 5.0);
    }

    #[test]
    fn a_knight_in_sight_endangers_only_where_knights_count() {
        let seen = meta("4k3/8/8/8/8/2n5/8/3QK3 w - - 0 1");
        assert!(Scales::new(&seen, DangerBy::Lines).danger(Square::D1) < 1.0);
        assert!(Scales::new(&seen, DangerBy::WithKnights).danger(Square::D1) >= 1.0);
    }

    #[test]
    fn what_surely_loses_a_man_is_a_blunder() {
        let likely = Likely::new(&Rules::icc());
        let blunders = |fen: &str, attempt: &str| is_blunder(&meta(fen), attempt.parse().unwrap(), &likely);
        let far = "1k6/8/8/3r4/8/8/P7/1N2K2Q w - - 0 1";
        // On h5 the rook takes the queen; on d2 the king protects the knight; what captures may be given.
        assert!(blunders(far, "h1h5"));
        assert!(!blunders(far, "h1h2") && !blunders(far, "b1d2") && !blunders(far, "h1d5"));
        let attacked = "1k6/8/8/3r3Q/8/8/P7/1N2K3 w - - 0 1";
        assert!(blunders(attacked, "a2a3") && !blunders(attacked, "h5h4") && !blunders(attacked, "h5d5"));
    }
}
