//! Which evaluation judges a metaposition: the general one, or that of an ending.

use nebel_kriegspiel::{Announcement, Attempt, Direction, Directions, Role, Rules, rules::Stalemate};

use super::{
    material::{DangerBy, Made, material},
    moves::Likely,
    numbers::NUMBERS,
    progress,
};
use crate::conversion::{
    endings,
    stalemate::{Cage, Flights as _, StalemateValue},
};
use nebel_belief::metaposition::Metaposition;

/// How metapositions are valued in one search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Judge {
    ending: Option<Ending>,
    stalemate: StalemateValue,
    danger: DangerBy,
}

/// Endings that Darkboard values by hand (the first that fits is taken).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// Nothing but the king.
    KingOnly,
    /// Pawns, and no queen or rook, against few men.
    Pawns,
    /// Two or more queens and rooks against a bare king.
    Heavies,
    /// One queen or rook against a bare king.
    Lone(Role),
}

impl Judge {
    /// The judge for a game that stands like this. Endings are valued by hand only where no tables are used.
    pub(crate) fn new(meta: &Metaposition, rules: &Rules, tables: super::Tables, danger: DangerBy) -> Judge {
        let stalemate =
            if rules.stalemate == Stalemate::Loss { StalemateValue::Win } else { StalemateValue::Draw };
        let ending = match tables {
            super::Tables::On => None,
            super::Tables::Off => Ending::of(meta),
        };
        Judge { ending, stalemate, danger }
    }

    /// What stalemate is under these rules.
    pub(crate) const fn stalemate(self) -> StalemateValue {
        self.stalemate
    }

    /// How much of a node's value is its own.
    pub(crate) const fn alpha(self) -> f32 {
        match self.ending {
            None | Some(Ending::Pawns) => NUMBERS.search.alpha,
            Some(Ending::KingOnly) => NUMBERS.search.alpha_king_only,
            Some(Ending::Lone(Role::Rook)) => NUMBERS.search.alpha_rook,
            Some(Ending::Heavies | Ending::Lone(_)) => NUMBERS.search.alpha_heavy,
        }
    }

    /// The values between which nodes are expanded.
    pub(crate) const fn undecided(self) -> (f32, f32) {
        match self.ending {
            None | Some(Ending::Pawns | Ending::KingOnly) => NUMBERS.search.undecided,
            Some(Ending::Heavies | Ending::Lone(_)) => NUMBERS.search.undecided_bare,
        }
    }

    /// The value of a metaposition after an own move, `ply` own moves deep.
    pub(crate) fn value(self, meta: &Metaposition, made: Option<Made>, ply: u32) -> f32 {
        match self.ending {
            None => {
                let progress = progress::progress(meta, made, ply, self.stalemate);
                material(meta, made, self.danger) + progress::position(meta) + progress
            }
            Some(Ending::KingOnly) => endings::king_only(meta),
            Some(Ending::Pawns) => endings::pawns(meta),
            Some(Ending::Heavies) => endings::heavies(meta),
            Some(Ending::Lone(role)) => endings::lone(meta, role),
        }
    }

    /// The chance that the move made gives stalemate away.
    pub(crate) fn stalemate_risk(self, meta: &Metaposition) -> f32 {
        match self.stalemate {
            StalemateValue::Draw if progress::is_ahead(meta) => Cage::of(meta).stalemate_risk(),
            StalemateValue::Draw | StalemateValue::Win => 0.0,
        }
    }

    /// What may be announced of an attempt, as far as it is looked at: the most likely answer, and against a bare king
    /// every one, for the worst counts there.
    pub(crate) fn outcomes(
        self,
        likely: &Likely,
        meta: &Metaposition,
        attempt: Attempt,
    ) -> Vec<Announcement> {
        let first = likely.of(meta, attempt);
        match self.ending {
            Some(Ending::Heavies | Ending::Lone(_)) => std::iter::once(first).chain(checks(first)).collect(),
            _ => vec![first],
        }
    }
}

/// The same announcement with a check from each direction.
pub(crate) fn checks(silent: Announcement) -> impl Iterator<Item = Announcement> {
    Direction::ALL
        .into_iter()
        .map(move |direction| Announcement { check: Directions::from_iter([direction]), ..silent })
}

impl Ending {
    fn of(meta: &Metaposition) -> Option<Ending> {
        let own = meta.own();
        let count = |role| own.by_role(role).count();
        let heavy = count(Role::Queen) + count(Role::Rook);
        let men = meta.census().men();
        if own.squares().count() == 1 {
            return Some(Ending::KingOnly);
        }
        if heavy == 0 && count(Role::Pawn) > 0 && men < NUMBERS.endings.pawns_against {
            return Some(Ending::Pawns);
        }
        match heavy {
            _ if men > 0 => None,
            0 => None,
            1 if count(Role::Queen) == 1 => Some(Ending::Lone(Role::Queen)),
            1 => Some(Ending::Lone(Role::Rook)),
            _ => Some(Ending::Heavies),
        }
    }
}
