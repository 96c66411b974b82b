//! What the densities of a model are worth to the belief matrices (Ciancarini and Favini 2010, section 5.2): the log-likelihood of the hidden men in whole
//! games, with the model's densities and without, and with more or less of each attraction even.

use std::{fmt::Write as _, sync::Arc};

use nebel_belief::{
    Men,
    matrices::MatrixTracker,
    opponent::{Gradient, Model},
};
use nebel_kriegspiel::{Attempt, Color, Event, Input, Position, Transcript};

use crate::beliefs::LEAST;

/// The ways to use the densities that are compared.
const WAYS: [(&str, Gradient); 6] = [
    ("where they rise, 30% even (the default)", Gradient::Rises),
    ("60% even", Gradient::Mixed(60)),
    ("80% even", Gradient::Mixed(80)),
    ("90% even", Gradient::Mixed(90)),
    ("95% even", Gradient::Mixed(95)),
    ("scaled and centred, as the paper says", Gradient::Centred),
];

/// What a model's densities are worth over some games.
#[derive(Debug)]
pub struct Densities {
    /// Turns of the listening sides.
    pub turns: u32,
    /// Nats a turn without a model.
    pub without: f64,
    /// Nats a turn by each way to use the densities.
    pub with: Vec<(&'static str, f64)>,
}

impl Densities {
    /// Listens to the games as the opponents of the sides that are `wanted`.
    pub fn of<'a>(
        model: &Model,
        games: impl Iterator<Item = &'a Transcript>,
        wanted: impl Fn(&Transcript, Color) -> bool,
    ) -> Densities {
        let mut models = vec![Arc::new(Model::even())];
        models.extend(WAYS.iter().map(|&(_, gradient)| Arc::new(model.clone().with_gradient(gradient))));
        let (mut sums, mut turns) = (vec![0.0; models.len()], 0);
        for game in games {
            for side in Color::ALL.into_iter().filter(|&side| wanted(game, !side)) {
                turns += listen(game, side, &models, &mut sums);
            }
        }
        let mean = |sum: &f64| sum / f64::from(turns.max(1));
        let with = WAYS.iter().zip(&sums[1..]).map(|(&(name, _), sum)| (name, mean(sum))).collect();
        Densities { turns, without: mean(&sums[0]), with }
    }

    /// Lines for people.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{} turns; nats a turn for where the hidden men stand: {:.2} without densities\n",
            self.turns, self.without
        );
        for (name, nats) in &self.with {
            // Writing into a String cannot fail.
            let _ = writeln!(text, "{nats:8.2} {name}");
        }
        text
    }
}

/// Adds the log-likelihoods at all turns of `side` to the sums, and returns how many there were.
fn listen(game: &Transcript, side: Color, models: &[Arc<Model>], sums: &mut [f64]) -> u32 {
    let header = game.header();
    let listener =
        |model: &Arc<Model>| MatrixTracker::new(header.rules.clone(), &header.start, side, model.clone());
    let mut listeners: Vec<MatrixTracker> = models.iter().map(listener).collect();
    let mut position = header.start.clone();
    let mut turns = 0;
    for event in game.events() {
        let mut is_turn = false;
        if let Event::Attempt { by, said: Some(Input::Attempt(attempt)), .. } = event
            && event.announcement().is_some()
        {
            let made = position.legal_moves().into_iter().find(|&made| Attempt::of_move(made) == *attempt);
            let Some(made) = made else { return turns };
            position.play_unchecked(made);
            is_turn = *by != side;
        }
        if let Some(heard) = event.heard_by(side, &header.rules) {
            for listener in &mut listeners {
                if listener.hear(&heard).is_err() {
                    return turns;
                }
            }
        }
        if is_turn {
            let truth = Men::of(&position, !side);
            for (sum, listener) in sums.iter_mut().zip(&listeners) {
                let own = listener.own().men().squares();
                *sum += listener.matrices().marginals().log_likelihood(&truth, own, LEAST);
            }
            turns += 1;
        }
    }
    turns
}
