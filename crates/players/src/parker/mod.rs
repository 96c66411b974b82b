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
//! | `hs` | the pool, filled up with boards of the last observation when it runs low; while the pool is the whole belief, `aosp` |
//!
//! With a time limit these are the timed versions of section 4.1: as many positions are valued as three quarters of it
//! allow (the paper's estimate, deliberately low), and the rest goes into finding more consistent histories for
//! the pool, depth-first with backing up (section 4.2). With a limit on nodes the same is done by count, where a step of that search
//! costs a node, and repeats; with neither, `k` boards are valued. Where the rules have the question "any?", it is asked first.

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
    options::{SampleSize, Settings},
    thinking::Thinking,
};
use crate::{
    Budget, Choice, Explanation, Fault, Game, Player, TimeControl,
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
    sample_size: SampleSize,
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
    /// Whether every attempt has a time of its own, as in the paper; else a choice leaves some of the turn's for the next.
    has_time_each: bool,
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
            has_time_each: false,
        })
    }

    /// Where the positions of the last choice came from.
    pub fn sampled(&self) -> Sampled {
        self.sampled
    }

    /// What a choice may take: all that there is where every attempt has its time, "including moves which are decided after an attempted illegal
    /// move" (section 5), else a share, since all is used and a refusal must leave some for the next.
    fn for_a_choice(&self, budget: &Budget) -> Budget {
        if self.has_time_each { budget.clone() } else { budget.share(OF_A_TURN) }
    }
}

impl Player for Sampling {
    fn spec(&self) -> String {
        format!("{}{}", self.source.name(), self.options)
    }

    fn allow(&mut self, time: TimeControl) {
        self.has_time_each = matches!(time, TimeControl::Attempt(_));
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
        let budget = &self.for_a_choice(budget);
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
            state.value_histories(&mut thinking);
        }
        let consistent = thinking.values.len();
        // A pool that is the whole belief leaves nothing to be filled up: then HS is AOSP.
        let is_whole = self.source.has_pool() && state.pool.is_complete();
        if self.source.has_last_observation() && !is_whole {
            state.value_last_observation(&mut thinking);
        }
        self.sampled = Sampled { consistent, last_observation: thinking.values.len() - consistent };
        // The rule of answers compares every pair of attempts in every position: too long when nobody waits any more.
        let rule = if budget.stop.is_cancelled() { Rule::Legal } else { self.rule };
        let chosen = thinking.values.best(rule).map(|(attempt, _)| attempt);
        let nodes = thinking.nodes_for_histories();
        let (sample, values) = (thinking.sample, thinking.values);
        if self.source.has_pool() {
            state.find_histories(budget, nodes, self.limits.most);
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

impl State {
    fn history(&self) -> Option<History> {
        History::new(self.game.rules.clone(), &self.game.start, self.game.side, &self.heard).ok()
    }

    /// Values positions at the end of random consistent histories.
    fn value_histories(&mut self, thinking: &mut Thinking<'_>) {
        let Some(history) = self.history() else { return };
        let seed = self.random.random();
        let mut walks = HistorySampler::new(&history, seed, 1);
        while thinking.goes_on() {
            let before = walks.steps();
            let mut steps = 0;
            let found = walks.search(|| {
                steps += 1;
                steps <= MOST_STEPS && thinking.allows(steps)
            });
            thinking.spend(walks.steps() - before);
            let mut found = found.into_iter();
            if found.len() == 0 {
                return;
            }
            thinking.value_some(self, 1, |_| found.next());
        }
    }

    /// Values boards of the last observation: all of them, where they are fewer than those that can be valued.
    fn value_last_observation(&mut self, thinking: &mut Thinking<'_>) {
        if let Some(mut all) = self.last.all(self.pool.view(), thinking.wanted()) {
            all.shuffle(&mut self.random);
            let mut all = all.into_iter();
            return thinking.value_all(self, |_| all.next());
        }
        let until = thinking.until().clone();
        thinking.value_all(self, |state| {
            let goes_on = (0..MOST_DRAWS).take_while(|_| !until.is_over());
            goes_on.into_iter().find_map(|_| state.last.draw(state.pool.view(), &mut state.random))
        });
    }

    /// Uses the rest of the time, or of the nodes, to find more consistent histories for the pool.
    fn find_histories(&mut self, budget: &Budget, nodes: Option<u64>, most: usize) {
        let room = most.saturating_sub(self.pool.keys().len());
        let room = if budget.aim.is_some() || nodes.is_some() { room } else { room.min(WALKS_WITHOUT_CLOCK) };
        if self.pool.is_complete() || room == 0 {
            return;
        }
        let Some(history) = self.history() else { return };
        let seed = self.random.random();
        let mut walks = HistorySampler::new(&history, seed, 1);
        let limit = nodes.unwrap_or(if budget.aim.is_some() { u64::MAX } else { MOST_STEPS });
        let mut steps = 0;
        let mut goes_on = || {
            steps += 1;
            steps <= limit && !budget.is_over()
        };
        let found: Vec<Key> = iter::from_fn(|| walks.search(&mut goes_on)).take(room).collect();
        self.pool.add(found, &mut self.random);
    }
}

/// The share of what is left of a turn that a choice takes. By hand; the tree searches take as much.
const OF_A_TURN: f64 = 0.5;

/// The steps of a search for one history after which it is given up, where neither time nor nodes end it.
const MOST_STEPS: u64 = 1_000_000;

/// How often a board of the last observation is drawn before there is taken to be none. One draw, of two hundred placements, fails half of the time
/// early in a game: hardly any placement of fifteen men leaves all that own pawns could capture empty.
const MOST_DRAWS: usize = 20;

/// How many histories are looked for at most in a turn without a clock and without nodes.
const WALKS_WITHOUT_CLOCK: usize = 100;

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn a_refusal_leaves_time_unless_every_attempt_has_its_own() {
        let mut player = Sampling::new(Source::Hs, None).unwrap();
        let hour = Duration::from_hours(1);
        let budget = Budget { aim: Some(Instant::now() + hour), ..Budget::unlimited() };
        let taken = |player: &Sampling| player.for_a_choice(&budget).time().unwrap();
        assert!(taken(&player) < hour.mul_f64(0.6), "half of a turn");
        player.allow(TimeControl::Attempt(hour));
        assert!(taken(&player) > hour.mul_f64(0.9));
        player.allow(TimeControl::Turn(hour));
        assert!(taken(&player) < hour.mul_f64(0.6));
        assert!(player.for_a_choice(&Budget::unlimited()).aim.is_none());
    }
}
