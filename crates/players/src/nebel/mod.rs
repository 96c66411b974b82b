//! `nebel`: the champion. One modelled reply over weighted positions.
//!
//! Its belief is made of positions that agree with everything heard, weighed by how likely the other side has played so
//! ([`Belief`] with a move policy). Of these it draws some, values every attempt in each of them (`outcome`), and plans
//! the turn: what to try first, and what next where it is refused (`plan`). A bare king is left to the tables, by way of
//! [`Minimax`], which also says what is surely illegal.

mod ahead;
mod choice;
mod numbers;
mod options;
mod outcome;
mod placement;
mod plan;
mod prospect;
mod value;
mod worth;

use std::{collections::BTreeMap, sync::Arc};

use nebel_belief::{Belief, BeliefLimits, Key, particles::HowKnown};
use nebel_kriegspiel::{Attempt, Role, ViewEvent, rules::TriesAnnounced};
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

pub use self::{
    choice::NotedInputs,
    value::{Calibration, Inputs, Layers, NAMES as INPUT_NAMES, Odds, Value, ValueError, logistic, men_left},
};

pub(crate) use self::options::OPTIONS;
use self::{
    choice::{Answer, Question},
    numbers::NUMBERS,
    options::Settings,
    plan::{Announced, Planned},
    value::inputs::History,
};
use crate::{
    Budget, Choice, Explanation, Fault, Game, Minimax, Player, candidates::worth_trying,
    conversion::past::Past, explain::Weighed, options::OptionError,
};

/// The champion.
pub struct Nebel {
    settings: Settings,
    spec: String,
    /// Plays on against a bare king.
    closer: Minimax,
    is_closing: bool,
    game: Option<State>,
    last: Vec<Planned>,
    /// What may be announced of each of those.
    announced: Vec<Announced>,
    notes: Vec<String>,
    /// What a learned value is told of each of the last attempts; `None` where nobody wants to know.
    noted: Option<Vec<NotedInputs>>,
}

/// One game.
struct State {
    belief: Belief,
    past: Past,
    history: History,
    random: Xoshiro256PlusPlus,
}

impl Nebel {
    /// A player by its options, or the option that is wrong.
    pub fn new(options: Option<&str>) -> Result<Nebel, OptionError> {
        let settings = Settings::parse(options)?;
        let closer = Minimax::new((!settings.tables).then_some("tables=off"))?;
        let spec = options.map_or_else(|| "nebel".to_owned(), |options| format!("nebel:{options}"));
        let (last, announced, notes) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Nebel {
            settings,
            spec,
            closer,
            is_closing: false,
            game: None,
            last,
            announced,
            notes,
            noted: None,
        })
    }

    /// How well its positions are known, and how many they are; nothing before the first game.
    pub fn belief(&self) -> Option<&Belief> {
        self.game.as_ref().map(|game| &game.belief)
    }
}

impl Player for Nebel {
    fn spec(&self) -> String {
        self.spec.clone()
    }

    fn start(&mut self, game: Game) -> Result<(), Fault> {
        self.forget();
        self.is_closing = false;
        self.closer.start(game.clone())?;
        let limits = BeliefLimits { exact: 0, particles: self.settings.limits };
        let mut belief = Belief::new(game.rules, &game.start, game.side, limits, game.seed);
        if let Some(policy) = &self.settings.weighing {
            belief = belief.with_policy(Arc::clone(policy));
        }
        let random = Xoshiro256PlusPlus::seed_from_u64(game.seed);
        self.game = Some(State { belief, past: Past::default(), history: History::default(), random });
        Ok(())
    }

    fn hear(&mut self, event: &ViewEvent) -> Result<(), Fault> {
        let Some(game) = &mut self.game else { return Ok(()) };
        game.past.hear(event, game.belief.view().own().men());
        game.history.hear(event);
        game.belief.hear(event).map_err(|error| Fault::Protocol(error.to_string()))?;
        self.closer.hear(event)?;
        self.forget();
        Ok(())
    }

    fn choose(&mut self, budget: &Budget) -> Result<Choice, Fault> {
        self.choose_among(None, budget)
    }

    fn explain(&self) -> Option<Explanation> {
        if self.is_closing {
            return self.closer.explain();
        }
        let game = self.game.as_ref()?;
        let weighed = |(planned, announced): (&Planned, &Announced)| Weighed {
            attempt: planned.attempt,
            value: planned.value.into(),
            visits: 0,
            messages: [
                ("illegal", 1.0 - planned.legal),
                ("capture", announced.captures),
                ("check", announced.checks),
            ]
            .map(|(message, share)| (message.to_owned(), f64::from(share)))
            .to_vec(),
        };
        let belief = (!game.belief.is_empty()).then(|| game.belief.marginals());
        let attempts = self.last.iter().zip(&self.announced).map(weighed).collect();
        Some(Explanation { belief, attempts, notes: self.notes.clone() })
    }
}

impl Nebel {
    /// How likely it is to win, by its last choice and the curve by which it values balances; nothing before the first.
    pub fn chance(&self) -> Option<f64> {
        if self.is_closing {
            return self
                .closer
                .explain()?
                .attempts
                .first()
                .map(|best| if best.value > FORCED { 1.0 } else { CLOSING });
        }
        self.last.first().map(|best| self.settings.utility.chance(best.value))
    }

    /// How likely it is to win by an attempt of its last explanation; nothing where the tables have the word.
    pub fn chance_of(&self, weighed: &Weighed) -> Option<f64> {
        (!self.is_closing).then(|| self.settings.utility.chance(weighed.value as f32))
    }

    /// The same player, who keeps what a learned value is told of its attempts.
    #[must_use]
    pub fn noting(mut self) -> Nebel {
        self.noted = Some(Vec::new());
        self
    }

    /// What a learned value is told of the best attempts of the last choice, the best first: nothing unless the player is [noting](Nebel::noting), and where
    /// it did not look at its next turn.
    pub fn noted(&self) -> &[NotedInputs] {
        self.noted.as_deref().unwrap_or_default()
    }

    /// Chooses as if these positions, with weights that add up to one, were all that may be; by its own belief if there are none
    /// given. For experiments that ask what a better belief is worth.
    pub fn choose_among(
        &mut self,
        positions: Option<&[(Key, f64)]>,
        budget: &Budget,
    ) -> Result<Choice, Fault> {
        let Some(game) = &mut self.game else { return Ok(Choice::Resign) };
        let own = game.belief.view().own();
        // Where a "yes" binds the whole turn to pawn captures, the answer costs more than it tells.
        if own.may_ask() && own.rules().tries != TriesAnnounced::AskBinding {
            return Ok(Choice::Ask);
        }
        self.is_closing = self.closer.is_bare();
        if self.is_closing {
            return self.closer.choose(budget);
        }
        let sensible = own.sensible_attempts();
        let attempts = match self.closer.legality() {
            Some(legality) => worth_trying(&sensible, &legality),
            None => sensible.clone(),
        };
        let answer = game.ask(&self.settings, &attempts, positions, budget, self.noted.is_some());
        if let Some(noted) = &mut self.noted {
            *noted = answer.noted;
        }
        self.notes = vec![
            format!("{} positions, {}", game.belief.len(), known(game.belief.how_known())),
            format!("valued {} attempts in {} of them", attempts.len(), answer.positions),
        ];
        if answer.lines > 0 {
            let (best, lines) = (answer.planned.len(), answer.lines);
            self.notes.push(format!("valued the best {best} again by {lines} lines to the next own turn"));
        }
        (self.last, self.announced) = (answer.planned, answer.announced);
        if let [first, others @ ..] = &*answer.course
            && !others.is_empty()
        {
            let others: Vec<String> = others.iter().map(Attempt::to_string).collect();
            self.notes.push(format!("plans {first}, and where that is refused {}", others.join(", then ")));
        }
        if let Some(best) = self.last.first() {
            self.notes.push(format!("expects to lose {:.2} by the reply to {}", best.lost, best.attempt));
        }
        let best = self.last.first().map(|planned| planned.attempt);
        let chosen = best.or_else(|| sensible.choose(&mut game.random).copied());
        Ok(chosen.map_or(Choice::Resign, Choice::Try))
    }

    fn forget(&mut self) {
        self.last.clear();
        self.notes.clear();
        self.noted.iter_mut().for_each(Vec::clear);
    }
}

/// A value of the tables that only a forced mate has.
const FORCED: f64 = 500.0;
/// The chance against a bare king when no mate is forced yet: most of these games are won, and none is lost. By hand.
const CLOSING: f64 = 0.9;

/// How well positions are known, in words.
const fn known(how: HowKnown) -> &'static str {
    match how {
        HowKnown::All => "all there are",
        HowKnown::Some => "some of those that agree with everything heard",
        HowKnown::Since => "which agree with what was heard of late",
        HowKnown::LastEvent => "which agree with the last event",
    }
}

impl State {
    /// Values the attempts, by positions drawn from the belief or by those given.
    fn ask(
        &mut self,
        settings: &Settings,
        attempts: &[Attempt],
        given: Option<&[(Key, f64)]>,
        budget: &Budget,
        notes_inputs: bool,
    ) -> Answer {
        let men = self.belief.view().own().men();
        let hurry = NUMBERS.drive.hurry(self.past.idle());
        // What repeats is worth less, and so is what does not move on.
        let bonuses: BTreeMap<Attempt, f32> = attempts
            .iter()
            .map(|&attempt| {
                let is_pawn = men.role_at(attempt.from) == Some(Role::Pawn);
                let again = NUMBERS.drive.standing_again(self.past.visits(men, attempt));
                let noise = self.random.random_range(0.0..NUMBERS.noise);
                (attempt, if is_pawn { hurry } else { 0.0 } + noise - again)
            })
            .collect();
        let (history, idle) = (self.history, self.past.idle());
        let question =
            Question { settings, belief: &self.belief, given, budget, history, idle, notes_inputs };
        question.answer(attempts, |attempt| bonuses[&attempt], &mut self.random)
    }
}
