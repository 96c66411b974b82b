//! What a game must not be thrown away by: the same position again and again, and stalemate.

use std::collections::BTreeMap;

use nebel_kriegspiel::{Attempt, Bitboard, Event, OwnMen, OwnSide, Role};

use nebel_belief::matrices::{Matrices, MatrixTracker};

/// The own placements of this game since the last capture, and the moves since the last capture or own pawn's move.
#[derive(Clone, Debug, Default)]
pub(crate) struct Past {
    seen: BTreeMap<Vec<u64>, u32>,
    idle: u32,
    pawns: Bitboard,
}

impl Past {
    /// Takes in an event that `own` has heard.
    pub(crate) fn hear(&mut self, event: &Event, own: &OwnSide) {
        let Some(said) = event.announcement() else { return };
        if said.capture.is_some() {
            self.seen.clear();
            self.idle = 0;
        } else if event.by() == Some(own.men().color()) {
            let pawns = own.men().by_role(Role::Pawn);
            self.idle = if pawns == self.pawns { self.idle + 1 } else { 0 };
            self.pawns = pawns;
            *self.seen.entry(placement(own.men())).or_default() += 1;
        }
    }

    /// Own moves without a capture or an own pawn's move.
    pub(crate) fn idle(&self) -> u32 {
        self.idle
    }

    /// How often the own men stood as they would after this attempt.
    pub(crate) fn visits(&self, men: &OwnMen, attempt: Attempt) -> u32 {
        let mut after = men.clone();
        after.make(attempt);
        self.seen.get(&placement(&after)).copied().unwrap_or(0)
    }
}

fn placement(men: &OwnMen) -> Vec<u64> {
    Role::ALL.iter().map(|&role| men.by_role(role).into()).collect()
}

/// The probability that an attempt, if legal, leaves the other side without a move: no safe square for its king wherever he is
/// believed to be, and no other man that could move. Only few men left make it more than a fancy.
pub(crate) fn stalemate(listener: &MatrixTracker, men_after: &OwnMen) -> f32 {
    let hidden = listener.matrices();
    let left = listener.men_left();
    if left > 3 {
        return 0.0;
    }
    let not_attacked = hidden.not_attacked(men_after);
    let own = men_after.squares();
    let mut chance = 0.0;
    for square in Bitboard::FULL & !own {
        let king = hidden.king(square);
        if king < 1e-4 || not_attacked[square.to_usize()] < 0.5 {
            continue;
        }
        let flights = shakmaty::attacks::king_attacks(square);
        let free: f32 = flights
            .into_iter()
            .filter(|&to| !(own.contains(to) && guarded(men_after, to)))
            .map(|to| if own.contains(to) { 1.0 } else { not_attacked[to.to_usize()] })
            .fold(0.0, f32::max);
        chance += king * (1.0 - free).max(0.0);
    }
    chance * immobile(hidden, own)
}

fn guarded(men: &OwnMen, square: nebel_kriegspiel::Square) -> bool {
    nebel_belief::matrices::evidence::attacked_by(men).contains(square)
}

/// The probability that no hidden pawn or piece can move: pieces nearly always can, pawns if the square before them is free.
fn immobile(hidden: &Matrices, own: Bitboard) -> f32 {
    let (_, pieces) = hidden.left();
    let forward: i32 = if hidden.color() == nebel_kriegspiel::Color::White { 8 } else { -8 };
    let mut mobile = pieces;
    for square in Bitboard::FULL {
        let pawn = hidden.pawn(square);
        if pawn > 1e-3
            && let Some(before) = square.offset(forward)
            && !own.contains(before)
        {
            mobile += pawn * hidden.empty(before);
        }
    }
    (-mobile).exp()
}
