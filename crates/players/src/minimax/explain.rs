//! What the player can say of its last choice.

use nebel_kriegspiel::{Attempt, Role, Square};

use super::search::Valued;
use crate::{
    Explanation,
    explain::{Belief, Man, Weighed},
    metaposition::Metaposition,
};

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

impl Thought {
    /// The explanation of this choice in this metaposition.
    pub(crate) fn explain(&self, meta: &Metaposition) -> Explanation {
        let mut belief = Belief::default();
        for square in Square::ALL {
            let chances = meta.chances(square);
            belief.set(square, Man::Of(Role::Pawn), f64::from(chances.pawn));
            belief.set(square, Man::Piece, f64::from(chances.piece));
            belief.set(square, Man::Of(Role::King), f64::from(chances.king));
        }
        let attempts = self.valued.iter().map(|valued| Weighed {
            attempt: valued.attempt,
            value: f64::from(valued.value),
            visits: valued.nodes,
            messages: match valued.stalemate {
                risk if risk > 0.0 => vec![("Stalemate.".to_owned(), f64::from(risk))],
                _ => Vec::new(),
            },
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
