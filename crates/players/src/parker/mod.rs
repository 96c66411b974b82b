//! The sampling players of Parker, Nau and Subrahmanian (2005): `los`, `aos`, `aosp`, `hs`.
//!
//! All four sample positions, value every attempt in each of them with full information, and take the best
//! average ([`choose`]). They differ in where the sample comes from ([`Source`]):
//!
//! | player | sample |
//! |---|---|
//! | `los` | boards that agree with the last observation ([`LastObservation`]) |
//! | `aos` | random histories that agree with everything, found anew each time |
//! | `aosp` | a pool of positions that agree with everything, kept up from event to event ([`Particles`]) |
//! | `hs` | the pool, filled up with boards of the last observation when it runs low |
//!
//! These are the timed versions of section 4.1: with a time limit, positions are valued until three
//! quarters of it are used (the paper's estimate, deliberately low), and the rest goes into finding
//! more consistent histories for the pool (section 4.2). With a limit on nodes the same is done by
//! count, and repeats. Where the rules have the question "any?", it is asked first.

pub mod choose;
mod options;
mod thinking;

use std::{fmt::Display, iter, sync::Arc};

use nebel_belief::{
    History, HistorySampler, Key, LastObservation, Marginals,
    particles::{ParticleLimits, Particles},
};
use nebel_kriegspiel::{Attempt, Event, ViewEvent};
use rand::{
    RngExt, SeedableRng,
    seq::{IndexedRandom, SliceRandom},
};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::{ThreadPool, ThreadPoolBuilder};

pub use self::options::options;
use self::{
    choose::{Rule, Values},
    options::Settings,
    thinking::Thinking,
};
use crate::{
    Budget, Choice, Explanation, Fault, Game, Player,
    evaluate::{self, Evaluate},
    explain::Weighed,
    options::OptionError,
};

/// Where a sampling player's positions come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// Last observation sampling.
    Los,
    /// All observation sampling.
    Aos,
    /// All observation sampling with a pool.
    Aosp,
    /// Hybrid sampling.
    Hs,
}

impl Source {
    const fn name(self) -> &'static str {
        match self {
            Source::Los => "los",
            Source::Aos => "aos",
            Source::Aosp => "aosp",
            Source::Hs => "hs",
        }
    }

    const fn has_pool(self) -> bool {
        matches!(self, Source::Aosp | Source::Hs)
    }

    const fn has_last_observation(self) -> bool {
        matches!(self, Source::Los | Source::Hs)
    }
}

/// A sampling player.
pub struct Sampling {
    source: Source,
    sample_size: usize,
    rule: Rule,
    limits: ParticleLimits,
    /// One for each thread.
    evaluators: Vec<Box<dyn Evaluate>>,
    /// The threads, where there is more than one.
    workers: Option<Arc<ThreadPool>>,
    options: String,
    game: Option<State>,
    sampled: Sampled,
    last: Option<Last>,
}

/// The last choice: the positions of its sample, what they say, and what was chosen.
struct Last {
    sample: Vec<Key>,
    values: Values,
    chosen: Option<Attempt>,
}

/// Where the positions of the last choice came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sampled {
    /// Positions that agree with everything heard.
    pub consistent: usize,
    /// Boards that agree with the last observation.
    pub last_observation: usize,
}

/// One game of a sampling player.
struct State {
    game: Game,
    pool: Particles,
    last: LastObservation,
    heard: Vec<Event>,
    random: Xoshiro256PlusPlus,
}

impl Sampling {
    /// A player by its options, or the option that is wrong.
    pub fn new(source: Source, options: Option<&str>) -> Result<Sampling, OptionError> {
        let Settings { sample_size, rule, eval, depth, threads, limits } = Settings::read(source, options)?;
        let refused =
            |given: String, cause: &dyn Display| OptionError::Build { given, cause: cause.to_string() };
        let evaluators = (0..threads).map(|_| evaluate::by_spec(eval, depth)).collect::<Option<Vec<_>>>();
        let evaluators = evaluators.ok_or_else(|| refused(format!("eval={eval}"), &"no such evaluator"))?;
        let workers = ThreadPoolBuilder::new().num_threads(threads);
        let workers = (threads > 1).then(|| workers.build()).transpose();
        let workers = workers.map_err(|error| refused(format!("threads={threads}"), &error))?;
        Ok(Sampling {
            source,
            sample_size,
            rule,
            limits,
            evaluators,
            workers: workers.map(Arc::new),
            options: options.map(|options| format!(":{options}")).unwrap_or_default(),
            game: None,
            sampled: Sampled::default(),
            last: None,
        })
    }

    /// Where the positions of the last choice came from.
    pub fn sampled(&self) -> Sampled {
        self.sampled
    }
}

impl Player for Sampling {
    fn spec(&self) -> String {
        format!("{}{}", self.source.name(), self.options)
    }

    fn start(&mut self, game: Game) -> Result<(), Fault> {
        self.evaluators.iter_mut().try_for_each(|evaluate| evaluate.ready())?;
        self.last = None;
        let pool = if self.source.has_pool() {
            let pool = Particles::new(game.rules.clone(), &game.start, game.side, self.limits);
            pool.with_workers(self.workers.clone())
        } else {
            Particles::only_listening(game.rules.clone(), &game.start, game.side)
        };
        self.game = Some(State {
            pool,
            last: LastObservation::new(&game.start, game.side),
            heard: Vec::new(),
            random: Xoshiro256PlusPlus::seed_from_u64(game.seed),
            game,
        });
        Ok(())
    }

    fn hear(&mut self, event: &ViewEvent) -> Result<(), Fault> {
        let Some(state) = &mut self.game else { return Ok(()) };
        self.last = None;
        state.last.hear(event, state.game.side);
        state.heard.push((**event).clone());
        state.pool.hear(event, &mut state.random).map_err(|error| Fault::Protocol(error.to_string()))
    }

    fn choose(&mut self, budget: &Budget) -> Result<Choice, Fault> {
        let Some(state) = &mut self.game else { return Ok(Choice::Resign) };
        let own = state.pool.view().own();
        if own.may_ask() {
            return Ok(Choice::Ask);
        }
        let sensible = own.sensible_attempts();
        let mut thinking = Thinking::new(
            sensible.clone(),
            &mut self.evaluators,
            self.workers.as_deref(),
            self.sample_size,
            budget,
        );
        if self.source.has_pool() {
            let mut keys = state.pool.keys().to_vec();
            keys.shuffle(&mut state.random);
            let mut keys = keys.into_iter();
            thinking.value_all(state, |_| keys.next());
        }
        if self.source == Source::Aos {
            state.value_histories(&mut thinking, budget);
        }
        let consistent = thinking.values.len();
        if self.source.has_last_observation() {
            thinking.value_all(state, |state| state.last.draw(state.pool.view(), &mut state.random));
        }
        self.sampled = Sampled { consistent, last_observation: thinking.values.len() - consistent };
        // The rule of answers compares every pair of attempts in every position: too long when nobody waits any more.
        let rule = if budget.stop.is_cancelled() { Rule::Legal } else { self.rule };
        let chosen = thinking.values.best(rule).map(|(attempt, _)| attempt);
        let (sample, values) = (thinking.sample, thinking.values);
        if self.source.has_pool() {
            state.find_histories(budget);
        }
        let chosen = chosen.or_else(|| sensible.choose(&mut state.random).copied());
        self.last = Some(Last { sample, values, chosen });
        Ok(chosen.map_or(Choice::Resign, Choice::Try))
    }

    fn explain(&self) -> Option<Explanation> {
        let state = self.game.as_ref()?;
        let sample: &[Key] = self.last.as_ref().map_or(&[], |last| &last.sample);
        let keys =
            if self.source.has_pool() && !state.pool.keys().is_empty() { state.pool.keys() } else { sample };
        let belief = (!keys.is_empty()).then(|| Marginals::alike(keys.iter().copied()));
        let mut explanation = Explanation { belief, ..Explanation::default() };
        if self.source.has_pool() {
            let whole = if state.pool.is_complete() { "the whole belief" } else { "a part of the belief" };
            explanation.notes.push(format!("the pool holds {} positions, {whole}", state.pool.keys().len()));
        }
        if let Some(Last { sample, values, chosen }) = &self.last {
            let Sampled { consistent, last_observation } = self.sampled;
            explanation.notes.push(format!(
                "valued {consistent} consistent positions and {last_observation} boards of the last observation"
            ));
            let size = sample.len().max(1) as f64;
            explanation.attempts = values
                .all(self.rule)
                .into_iter()
                .map(|(attempt, value, legal)| {
                    let refused = ("illegal".to_owned(), 1.0 - legal as f64 / size);
                    Weighed { attempt, value: value.into(), visits: legal as u64, messages: vec![refused] }
                })
                .collect();
            explanation.sort();
            let is_listed = |attempt: &Attempt| explanation.attempts.iter().any(|w| w.attempt == *attempt);
            if let Some(attempt) = chosen.filter(|attempt| !is_listed(attempt)) {
                let refused = ("illegal".to_owned(), if sample.is_empty() { 0.0 } else { 1.0 });
                let weighed = Weighed { attempt, value: 0.0, visits: 0, messages: vec![refused] };
                explanation.attempts.push(weighed);
                explanation.notes.push(format!("{attempt}: anything, since no position allows a thing"));
            }
        }
        Some(explanation)
    }
}

/// How many walks in a row may fail before histories are given up for this turn.
const FAILED_WALKS: u64 = 200;

impl State {
    fn history(&self) -> Option<History> {
        History::new(self.game.rules.clone(), &self.game.start, self.game.side, &self.heard).ok()
    }

    /// Values positions at the end of random consistent histories.
    fn value_histories(&mut self, thinking: &mut Thinking<'_>, budget: &Budget) {
        let Some(history) = self.history() else { return };
        let seed = self.random.random();
        let mut walks = HistorySampler::new(&history, seed, 1);
        thinking.value_all(self, |_| next_walk(&mut walks, budget));
    }

    /// Uses the rest of the time to find more consistent histories for the pool.
    fn find_histories(&mut self, budget: &Budget) {
        if self.pool.is_complete() || self.pool.keys().len() >= WORTH_FILLING {
            return;
        }
        let Some(history) = self.history() else { return };
        let seed = self.random.random();
        let mut walks = HistorySampler::new(&history, seed, 1);
        let found: Vec<Key> =
            iter::from_fn(|| next_walk(&mut walks, budget)).take(WALKS_WITHOUT_CLOCK).collect();
        self.pool.add(found, &mut self.random);
    }
}

/// The position at the end of the next walk that does not get stuck. Each of `walks` is a single one, so that many failures in
/// a row can be broken off.
fn next_walk(walks: &mut HistorySampler<'_>, until: &Budget) -> Option<Key> {
    let attempts = (0..FAILED_WALKS).take_while(|_| !until.is_over());
    attempts.into_iter().find_map(|_| walks.next()).map(|walked| walked.key)
}

/// A pool with fewer positions than this is worth filling up.
const WORTH_FILLING: usize = 1000;

/// How many histories are looked for at most in a turn.
const WALKS_WITHOUT_CLOCK: usize = 100;
