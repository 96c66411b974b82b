//! What a player believes, and why it chooses what it chooses.
//!
//! An [`Explanation`] is plain data, so that the terminal, the web app and tests can show it their own
//! way. Players fill in what they have: probabilities of hidden men by square ([`Marginals`]), the attempts
//! they weighed ([`Weighed`]), and remarks in words.

use nebel_belief::{Man, Marginals};
use nebel_kriegspiel::{Attempt, Bitboard, Square};
use serde_json::{Value, json};

/// What a player can say about its last choice.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Explanation {
    /// Where it believes the other side's men to be.
    pub belief: Option<Marginals>,
    /// The attempts that it weighed, the best first.
    pub attempts: Vec<Weighed>,
    /// Anything else, a sentence each.
    pub notes: Vec<String>,
}

/// An attempt that a player weighed.
#[derive(Clone, PartialEq, Debug)]
pub struct Weighed {
    /// The attempt.
    pub attempt: Attempt,
    /// What it is worth, in the player's own measure: comparable within one explanation only.
    pub value: f64,
    /// How often it was looked at: visits of a tree, or positions in which it was valued.
    pub visits: u64,
    /// Answers of the umpire that the player reckons with, and their probabilities.
    pub messages: Vec<(String, f64)>,
}

impl Explanation {
    /// The explanation as JSON: `belief` by square and man (what cannot be is left out), `attempts`, `notes`.
    pub fn to_json(&self) -> Value {
        let square = |belief: &Marginals, square: Square| -> Value {
            let men = Man::ALL.into_iter().filter(|&man| belief.get(square, man) > 0.0);
            men.map(|man| (man.name().to_owned(), json!(belief.get(square, man)))).collect()
        };
        let board = |belief: &Marginals| -> Value {
            let squares = Bitboard::FULL.into_iter().filter(|&at| belief.occupied(at) > 0.0);
            squares.map(|at| (at.to_string(), square(belief, at))).collect()
        };
        let weighed = |weighed: &Weighed| {
            let messages: Value =
                weighed.messages.iter().map(|(text, share)| (text.clone(), json!(share))).collect();
            json!({
                "attempt": weighed.attempt.to_string(),
                "value": weighed.value,
                "visits": weighed.visits,
                "messages": messages,
            })
        };
        json!({
            "belief": self.belief.as_ref().map(board),
            "attempts": self.attempts.iter().map(weighed).collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }

    /// Puts the best attempt first; those of the same value stay in their order.
    pub fn sort(&mut self) {
        self.attempts.sort_by(|a, b| b.value.total_cmp(&a.value));
    }
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::Role;

    use super::*;

    #[test]
    fn json_leaves_out_what_cannot_be() {
        let mut belief = Marginals::default();
        belief.set(Square::E8, Man::Of(Role::King), 0.75);
        belief.set(Square::E8, Man::Piece, 0.25);
        assert_eq!(belief.most_likely(Square::E8), Some(Man::Of(Role::King)));
        assert_eq!(belief.most_likely(Square::E4), None);
        let weighed = |value| Weighed {
            attempt: "e2e4".parse().unwrap(),
            value,
            visits: 3,
            messages: vec![("illegal".to_owned(), 0.5)],
        };
        let mut explanation = Explanation {
            belief: Some(belief),
            attempts: vec![weighed(0.25), weighed(0.5)],
            notes: vec!["hello".to_owned()],
        };
        explanation.sort();
        let attempt = |value: f64| json!({"attempt": "e2e4", "value": value, "visits": 3, "messages": {"illegal": 0.5}});
        let wanted = json!({
            "belief": {"e8": {"king": 0.75, "piece": 0.25}},
            "attempts": [attempt(0.5), attempt(0.25)],
            "notes": ["hello"],
        });
        assert_eq!(explanation.to_json(), wanted);
    }
}
