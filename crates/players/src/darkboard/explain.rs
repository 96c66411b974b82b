//! What the player can say of its last choice.

use nebel_kriegspiel::{Attempt, Bitboard, Role, Square};
use nebel_position::side::man_attacks;
use shakmaty::attacks;

use super::search::Valued;
use crate::{Explanation, conversion::finish::Advice, explain::Weighed};
use nebel_belief::metaposition::Metaposition;

/// The last choice.
#[derive(Clone, Debug, Default)]
pub(crate) struct Thought {
    /// The root moves with their values, the best first.
    pub(crate) valued: Vec<Valued>,
    /// Metapositions looked at.
    pub(crate) nodes: u64,
    /// Why the choice is not simply the best of them.
    pub(crate) reason: Option<Reason>,
}

/// Why an attempt was chosen without, or against, the values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reason {
    /// The ending is known.
    Ending(Attempt, Option<u16>),
    /// Something was just announced that calls for this answer.
    Reaction(Attempt),
    /// The best went in circles.
    Circle(Attempt),
}

impl Reason {
    fn sentence(self) -> String {
        match self {
            Reason::Ending(attempt, Some(moves)) => {
                format!("{attempt}: mate in {moves} at most, by the tables")
            }
            Reason::Ending(attempt, None) => {
                format!("{attempt}: progress without risk against the bare king, no mate being forced")
            }
            Reason::Reaction(attempt) => format!("{attempt}: the answer to what was just announced"),
            Reason::Circle(attempt) => format!("{attempt}: the best move that does not go in circles"),
        }
    }
}

/// What a forced mate is worth beside nothing, less the moves that it takes.
const MATE: f32 = 1000.0;

impl Thought {
    /// A choice by the tables, for a king who may stand on so many squares.
    pub(crate) fn by_tables(advice: Advice, squares: usize) -> Thought {
        let value = advice.mate_in.map_or(0.0, |moves| MATE - f32::from(moves));
        let Advice { attempt, mate_in } = advice;
        let valued = Valued { attempt, at_once: value, value, nodes: squares as u64, stalemate: 0.0 };
        Thought { valued: vec![valued], nodes: 0, reason: Some(Reason::Ending(attempt, mate_in)) }
    }

    /// The explanation of this choice in this metaposition.
    pub(crate) fn explain(&self, meta: &Metaposition) -> Explanation {
        let belief = meta.marginals();
        let attempts = self.valued.iter().map(|valued| Weighed {
            attempt: valued.attempt,
            value: f64::from(valued.value),
            visits: valued.nodes,
            messages: messages(meta, valued),
        });
        let census = meta.census();
        let (king, pawns) = (meta.may_hold(Role::King).count(), census.pawns());
        let mut notes = vec![
            format!(
                "the king may stand on {king} squares; {} other men are left, {} to {} of them pawns",
                census.men(),
                pawns.least,
                pawns.most
            ),
            "the board spreads men evenly over the squares that the metaposition leaves open".to_owned(),
        ];
        if self.nodes > 0 {
            notes.push(format!("looked at {} metapositions", self.nodes));
        }
        notes.extend(self.reason.map(Reason::sentence));
        Explanation { belief: Some(belief), attempts: attempts.collect(), notes }
    }
}

/// What the umpire would say, if men were spread as the board of the explanation shows them.
fn messages(meta: &Metaposition, valued: &Valued) -> Vec<(String, f64)> {
    let attempt = valued.attempt;
    let role = meta.own().role_at(attempt.from).unwrap_or(Role::Pawn);
    let legal = legal(meta, attempt, role);
    let captures = match role {
        Role::Pawn if meta.own().is_pawn_capture(attempt) => 1.0,
        Role::Pawn => 0.0,
        _ => man(meta, attempt.to),
    };
    let own =
        (meta.own().squares() & !Bitboard::from_square(attempt.from)) | Bitboard::from_square(attempt.to);
    let attacked = man_attacks(attempt.promotion.unwrap_or(role), meta.own().color(), attempt.to, own);
    let checks = if role == Role::King { 0.0 } else { king(meta, attacked) };
    let said = [
        ("illegal", 1.0 - legal),
        ("capture", legal * captures),
        ("check", legal * checks),
        ("stalemate", valued.stalemate),
    ];
    said.map(|(text, share)| (text.to_owned(), f64::from(share))).into()
}

/// How likely an attempt is legal.
fn legal(meta: &Metaposition, attempt: Attempt, role: Role) -> f32 {
    let Attempt { from, to, .. } = attempt;
    if !meta.legality().may_be(attempt) {
        return 0.0;
    }
    let free = |squares: Bitboard| -> f32 {
        squares.into_iter().map(|at| (1.0 - man(meta, at) - meta.chances(at).king).max(0.0)).product()
    };
    let way = attacks::between(from, to);
    match role {
        Role::Pawn if meta.own().is_pawn_capture(attempt) => man(meta, to),
        Role::Pawn => free(way | Bitboard::from_square(to)),
        Role::King => free(way) * safe(meta, from, to),
        Role::Knight => 1.0,
        Role::Bishop | Role::Rook | Role::Queen => free(way),
    }
}

/// How likely no hidden man bears on the square that the own king goes to.
fn safe(meta: &Metaposition, from: Square, to: Square) -> f32 {
    let near = (1.0 - king(meta, attacks::king_attacks(to))).max(0.0);
    let pieces = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    let bears = |role: Role, at: Square| {
        let chances = meta.chances(at);
        let alike = pieces.iter().filter(|&&role| meta.may_hold(role).contains(at)).count().max(1);
        if role == Role::Pawn { chances.pawn } else { chances.piece / alike as f32 }
    };
    let roles = pieces.into_iter().chain([Role::Pawn]);
    let each = roles.flat_map(|role| {
        let attackers = meta.perhaps_attackers(role, to, Bitboard::from_square(from));
        attackers.into_iter().map(move |at| 1.0 - bears(role, at))
    });
    each.fold(near, |all, none| all * none)
}

/// How likely a man that is not the king stands there.
fn man(meta: &Metaposition, square: Square) -> f32 {
    let chances = meta.chances(square);
    (chances.pawn + chances.piece).min(1.0)
}

/// How likely the king stands on one of these squares.
fn king(meta: &Metaposition, squares: Bitboard) -> f32 {
    squares.into_iter().map(|square| meta.chances(square).king).sum()
}
