//! One move of the model: the umpire's answer, the opponent's, and the exchange that may follow.
//!
//! The process is written once, over [`Chance`]. Approach C takes its expectation, approach B draws from it; so C is
//! B with k = 1 and infinitely many samples, as Ciancarini and Favini (2010, section 5.3) define it. The opponent
//! follows their second set of assumptions with the frequencies of the model: he takes back, takes a checker,
//! uses his pawn tries, and else takes what he controls. Quiescence is the exchange on the square of a capture: the own
//! side takes back as long as it has men that bear on it.

use nebel_kriegspiel::{Attempt, Role, Square};

use super::{
    chance::{Chance, Expected, Retaliation, exchange},
    numbers::NUMBERS,
    odds::Odds,
    premises::Replies,
    state::{SearchParams, State},
};
use nebel_belief::opponent::Reactions;

/// What all moves of a turn share: what it is worth as it stands, and how exposed each own man is.
#[derive(Clone, Debug)]
pub(crate) struct Exposure {
    /// The balance and what exposed men will cost if they stay exposed for some turns ([`SearchParams::safety`]).
    pub(crate) stand: f32,
    /// The chance that the man there is captured after silence.
    pub(super) risk: [f32; 64],
    /// What that changes.
    loss: [f32; 64],
    total_risk: f32,
    /// Risk times loss, summed.
    danger: f32,
}

/// One move, ready to be valued.
#[derive(Clone, Debug)]
pub(crate) struct MoveOutcome {
    pub(crate) odds: Odds,
    /// What the move changes by itself: a pawn comes further, or is promoted.
    pub(crate) step: f32,
    /// What the opponent's man that takes is worth.
    pub(super) taker: f32,
    /// What the man that moves is worth at its target.
    worth: f32,
    guards: super::state::Guards,
    pub(super) gain: f32,
    /// The chance that something is captured after silence, and what it changes then.
    pub(super) risk: f32,
    pub(super) loss: f32,
    /// The chances of reactions: it is taken by a pawn that was announced, as a checker, as a capturer.
    pub(super) by_pawn: f32,
    pub(super) by_reaction: f32,
    pub(super) recapture: f32,
    /// Whether hidden men take again on the target.
    again: Retaliation,
    /// What a refusal changes.
    pub(super) refused: f32,
    /// What it changes after silence that other men are exposed now, or the same ones elsewhere.
    pub(crate) exposure_change: f32,
}

impl State {
    /// How exposed the own men are.
    pub(crate) fn exposure(&self, params: &SearchParams) -> Exposure {
        let mut exposure = Exposure {
            stand: params.worth.balance(&self.men, &self.matrices),
            risk: [0.0; 64],
            loss: [0.0; 64],
            total_risk: 0.0,
            danger: 0.0,
        };
        let own = self.men.squares();
        for square in own & !self.men.by_role(Role::King) {
            let control = self.matrices.control(square, own);
            let risk = self.hazard(control, params);
            if risk < NUMBERS.no_risk {
                continue;
            }
            let Some(role) = self.men.role_at(square) else { continue };
            let worth = params.worth.of(role, square, self.men.color());
            let guards = self.guards(square, square, params.worth);
            let taker = self.taker(square, control, params);
            let loss = exchange(&mut Expected, worth, &guards, self.premises.retaliation(control), taker);
            let at = square.to_usize();
            (exposure.risk[at], exposure.loss[at]) = (risk, loss);
            exposure.total_risk += risk;
            exposure.danger += risk * loss;
        }
        exposure.stand += params.safety * self.certain(exposure.total_risk, exposure.danger);
        exposure
    }

    /// Gathers what the process needs of one attempt.
    pub(crate) fn outcome(
        &self,
        attempt: Attempt,
        exposure: &Exposure,
        params: &SearchParams,
    ) -> MoveOutcome {
        let odds = self.odds(attempt);
        let Attempt { from, to, promotion } = attempt;
        let color = self.men.color();
        let role = self.men.role_at(from).unwrap_or(Role::Pawn);
        let worth = params.worth.of(promotion.unwrap_or(role), to, color);
        let guards = self.guards(to, from, params.worth);
        let taker = self.taker(to, odds.control, params);
        let from = from.to_usize();
        // The king is not captured; whatever else moves takes its risk with it.
        let (risk, loss) = if role == Role::King {
            (0.0, 0.0)
        } else {
            let risk = self.hazard(odds.control, params);
            let again = self.premises.retaliation(odds.control);
            (risk, exchange(&mut Expected, worth, &guards, again, taker))
        };
        let reactions = &params.model.reactions;
        let total = exposure.total_risk - exposure.risk[from] + risk;
        let danger = exposure.danger - exposure.risk[from] * exposure.loss[from] + risk * loss;
        MoveOutcome {
            step: worth - params.worth.of(role, attempt.from, color),
            taker,
            worth,
            guards,
            gain: odds.pawn * params.worth.hidden_pawn() + (1.0 - odds.pawn) * params.worth.hidden_piece(),
            by_pawn: odds.tries * reactions.use_try,
            by_reaction: odds.check * self.premises.take_checker(reactions, odds.control),
            recapture: self.premises.recapture(reactions, odds.control),
            exposure_change: params.safety
                * (self.certain(total, danger) - self.certain(exposure.total_risk, exposure.danger)),
            risk: self.some_loss(total),
            loss: if total > 0.0 { danger / total } else { 0.0 },
            again: self.premises.retaliation(odds.control),
            refused: self.premises.refused(),
            odds,
        }
    }

    /// The chance that some man is lost out of silence, by the risks of all.
    fn some_loss(&self, total: f32) -> f32 {
        match self.premises.replies {
            Replies::Rates => total.min(NUMBERS.most_risk),
            // "There is a fixed chance to suffer a capture."
            Replies::Constant => {
                if total > 0.0 {
                    NUMBERS.printed.loss
                } else {
                    0.0
                }
            }
        }
    }

    /// What is expected to be lost out of silence, given all risks and what they weigh.
    fn certain(&self, total: f32, danger: f32) -> f32 {
        match self.premises.replies {
            Replies::Rates => danger,
            Replies::Constant => {
                if total > 0.0 {
                    NUMBERS.printed.loss * danger / total
                } else {
                    0.0
                }
            }
        }
    }

    /// The chance that a man on a square of this control is captured after silence; where the chance that any is captured is fixed, how
    /// likely it is this one: "directly proportional to `Prob_control`".
    fn hazard(&self, control: f32, params: &SearchParams) -> f32 {
        if self.premises.replies == Replies::Constant {
            return control;
        }
        let (pawns, pieces) = self.matrices.left();
        Reactions::chance(params.model.reactions.hazard_of(pawns + pieces), control).min(NUMBERS.most_risk)
    }

    /// The worth of the man that would capture on a square.
    fn taker(&self, square: Square, control: f32, params: &SearchParams) -> f32 {
        let pawns = self.matrices.pawn_control(square).min(control);
        let share = if control > 1e-6 { pawns / control } else { 0.0 };
        share * params.worth.hidden_pawn() + (1.0 - share) * params.worth.hidden_piece()
    }
}

impl MoveOutcome {
    /// The change of the balance by this move and the reply; `silent` is what follows if neither is announced.
    pub(crate) fn run<C: Chance>(
        &self,
        chance: &mut C,
        params: &SearchParams,
        silent: impl FnOnce(&mut C) -> f32,
    ) -> f32 {
        let falls = |chance: &mut C, taker: f32| self.falls(chance, taker);
        chance.fork(
            self.odds.legal,
            |chance| {
                self.step
                    + chance.fork(
                        self.odds.capture,
                        |chance| {
                            self.gain
                                + chance.fork(self.recapture, |chance| falls(chance, self.taker), |_| 0.0)
                        },
                        |chance| {
                            chance.fork(
                                self.by_pawn,
                                |chance| falls(chance, params.worth.hidden_pawn()),
                                |chance| {
                                    chance.fork(
                                        self.by_reaction,
                                        |chance| falls(chance, self.taker),
                                        |chance| chance.fork(self.risk, |_| self.loss, silent),
                                    )
                                },
                            )
                        },
                    )
            },
            |_| self.refused,
        )
    }

    /// The man that moved falls on its target to one that is worth so much, and the exchange that follows.
    pub(super) fn falls<C: Chance>(&self, chance: &mut C, taker: f32) -> f32 {
        exchange(chance, self.worth, &self.guards, self.again, taker)
    }

    /// The probability that neither the move nor the reply is announced.
    pub(crate) fn silence(&self) -> f32 {
        self.odds.legal
            * (1.0 - self.odds.capture)
            * (1.0 - self.by_pawn)
            * (1.0 - self.by_reaction)
            * (1.0 - self.risk)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use nebel_kriegspiel::{Color, Directions, OwnMen, start};
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::favini::{chance::Drawn, premises::Premises, worth::Worth};
    use nebel_belief::{OwnTries, matrices::Matrices, opponent::Model};

    /// Every way through the process, with the probabilities of those that end in silence.
    struct Leaves {
        probability: f32,
        silent: Vec<f32>,
    }

    impl Chance for Leaves {
        fn fork(
            &mut self,
            p: f32,
            yes: impl FnOnce(&mut Self) -> f32,
            no: impl FnOnce(&mut Self) -> f32,
        ) -> f32 {
            let before = self.probability;
            self.probability = before * p;
            let with = yes(self);
            self.probability = before * (1.0 - p);
            let without = no(self);
            self.probability = before;
            p * with + (1.0 - p) * without
        }
    }

    /// The kind of board of the paper's Figure 9: White may play Rg1, which a knight guards, and Black has a few men
    /// about. The drawing's own numbers are not in the paper's text, so the average is worked out here by hand.
    fn board() -> (State, SearchParams) {
        let position = start::position("6k1/5p2/8/8/7p/8/4N3/K2R4 w - - 0 1").unwrap();
        let mut matrices = Matrices::of(&position, Color::Black);
        let men = OwnMen::of(&position, Color::White);
        let model = Arc::new(Model::even());
        for _ in 0..6 {
            matrices.spread(model.attraction(Color::Black, 99), men.squares());
            matrices.normalise(men.squares());
        }
        let state = State {
            men,
            matrices,
            tries: OwnTries::None,
            check: Directions::NONE,
            contested: None,
            refused: Vec::new(),
            next_unseen: 30,
            premises: Premises::USUAL,
        };
        (state, SearchParams { model, worth: Worth::Count, safety: 0.0, silence_denies_tries: true })
    }

    #[test]
    fn the_value_of_a_move_is_the_average_of_its_outcomes_as_in_figure_9() {
        let (state, params) = board();
        let exposure = state.exposure(&params);
        let outcome = state.outcome("d1g1".parse().unwrap(), &exposure, &params);
        let Odds { legal, capture, tries, check, .. } = outcome.odds;
        assert!(legal > 0.5 && capture > 0.0 && capture < 0.5 && check > 0.0, "{:?}", outcome.odds);
        // The knight takes back on g1 if the rook falls: the quiescence move of the figure.
        assert_eq!(outcome.guards.as_slice(), [1.5]);
        let MoveOutcome { gain, worth, taker, risk, loss, .. } = outcome;
        let again = 1.0 - (1.0 - outcome.odds.control.max(1.0)).exp();
        let falls = |taker: f32| -worth + NUMBERS.take_back * (taker - again * 1.5);
        let reactions = params.model.reactions;
        let taken = |rate: f32| Reactions::chance(rate, outcome.odds.control);
        let (by_pawn, by_reaction) = (tries * reactions.use_try, check * taken(reactions.take_checker));
        let quiet = 1.0 - by_reaction;
        let by_hand = (1.0 - legal) * NUMBERS.refused
            + legal * capture * (gain + taken(reactions.recapture) * falls(taker))
            + legal
                * (1.0 - capture)
                * (by_pawn * falls(0.8)
                    + (1.0 - by_pawn) * (by_reaction * falls(taker) + quiet * risk * loss));
        let value = outcome.run(&mut Expected, &params, |_| 0.0);
        assert!((value - by_hand).abs() < 1e-5, "{value} and {by_hand}");
        let mut leaves = Leaves { probability: 1.0, silent: Vec::new() };
        let same = outcome.run(&mut leaves, &params, |leaves| {
            leaves.silent.push(leaves.probability);
            0.0
        });
        let silence: f32 = leaves.silent.iter().sum();
        assert!((same - value).abs() < 1e-5 && (silence - outcome.silence()).abs() < 1e-5);
    }

    #[test]
    fn many_samples_of_b_are_the_expectation_of_c() {
        let (state, params) = board();
        let exposure = state.exposure(&params);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for attempt in ["d1g1", "d1d7", "e2f4", "a1b2"] {
            let outcome = state.outcome(attempt.parse().unwrap(), &exposure, &params);
            let samples = 200_000;
            let drawn: f64 =
                (0..samples).map(|_| f64::from(outcome.run(&mut Drawn(&mut random), &params, |_| 0.0))).sum();
            let expected = f64::from(outcome.run(&mut Expected, &params, |_| 0.0));
            assert!((drawn / f64::from(samples) - expected).abs() < 0.01, "{attempt}");
        }
    }
}
