//! The sampling players of Parker, Nau and Subrahmanian (2005): `los`, `aos`, `aosp`, `hs`.
//!
//! All four sample positions, value every attempt in each of them with open cards, and take the best
//! average ([`choose`]). They differ in where the sample comes from ([`Source`]):
//!
//! | player | sample |
//! |---|---|
//! | `los` | boards that agree with the last observation ([`last_observation`]) |
//! | `aos` | random histories that agree with everything, found anew each time |
//! | `aosp` | a pool of positions that agree with everything, kept up from event to event ([`pool`]) |
//! | `hs` | the pool, filled up with boards of the last observation when it runs low |
//!
//! These are the timed versions of section 4.1: with a time limit, positions are valued until three
//! quarters of it are used (the paper's estimate, deliberately low), and the rest goes into finding
//! more consistent histories for the pool (section 4.2). With a limit on nodes the same is done by
//! count, and repeats. Where the rules have the question "any?", it is asked first.

pub mod choose;
pub mod last_observation;
pub mod pool;

use std::time::Instant;

use nebel_belief::{Announce, History, Key, Statistics, Walks};
use nebel_kriegspiel::{Bitboard, Event, Heard, Role};
use rand::{
    RngExt, SeedableRng,
    seq::{IndexedRandom, SliceRandom},
};
use rand_xoshiro::Xoshiro256PlusPlus;

use self::{
    choose::{Rule, Values},
    last_observation::LastObservation,
    pool::{Pool, PoolLimits},
};
use crate::{
    Budget, Choice, Explanation, Fault, Game, Player,
    evaluate::{self, Evaluate},
    explain::{Belief, Man, Weighed},
    spec::Options,
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

/// What a sampling player can be told.
pub const OPTIONS: &str = "k=100,eval=ab,depth=1,rule=legal,pool=20000,keep=10000";

/// A sampling player.
pub struct Sampling {
    source: Source,
    sample_size: usize,
    rule: Rule,
    limits: PoolLimits,
    evaluate: Box<dyn Evaluate>,
    options: String,
    game: Option<State>,
    sampled: Sampled,
    /// The sample of the last choice: its positions and what they say.
    last: Option<(Vec<Key>, Values)>,
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
    pool: Pool,
    last: LastObservation,
    heard: Vec<Event>,
    random: Xoshiro256PlusPlus,
}

impl Sampling {
    /// A player by its options, or the option that is wrong.
    pub fn new(source: Source, options: Option<&str>) -> Result<Sampling, String> {
        let mut given = Options::parse(options)?;
        let sample_size = given.number("k", 100)?;
        let depth = given.number("depth", 1)?;
        let eval = given.text("eval", "ab");
        let rule = match &*given.text("rule", "legal") {
            "legal" => Rule::Legal,
            "answers" => Rule::Answers,
            other => return Err(format!("rule={other}")),
        };
        let paper = PoolLimits::default();
        let most = given.number("pool", paper.most)?;
        let limits = PoolLimits { most, keep: given.number("keep", paper.keep.min(most))?.min(most) };
        given.none_left()?;
        let evaluate = evaluate::by_spec(&eval, u8::try_from(depth).map_err(|_| format!("depth={depth}"))?);
        Ok(Sampling {
            source,
            sample_size,
            rule,
            limits,
            evaluate: evaluate.ok_or_else(|| format!("eval={eval}"))?,
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
        self.last = None;
        self.game = Some(State {
            pool: Pool::new(game.rules.clone(), &game.start, game.side, self.limits),
            last: LastObservation::new(&game.start, game.side),
            heard: Vec::new(),
            random: Xoshiro256PlusPlus::seed_from_u64(game.seed),
            game,
        });
        Ok(())
    }

    fn hear(&mut self, event: &Heard) -> Result<(), Fault> {
        let Some(state) = &mut self.game else { return Ok(()) };
        self.last = None;
        state.last.hear(event, state.game.side);
        state.heard.push((**event).clone());
        state.pool.hear(event, &mut state.random).map_err(|error| Fault::Protocol(error.to_string()))
    }

    fn choose(&mut self, budget: &Budget) -> Result<Choice, Fault> {
        let Some(state) = &mut self.game else { return Ok(Choice::Resign) };
        let own = state.pool.hearing().own();
        if own.may_ask() {
            return Ok(Choice::Ask);
        }
        let sensible = own.sensible_attempts();
        let mut thinking = Thinking {
            values: Values::new(sensible.clone()),
            sample: Vec::new(),
            evaluate: &mut *self.evaluate,
            sample_size: self.sample_size,
            deadline: budget.time().map(|time| Instant::now() + time * 3 / 4),
            nodes_left: budget.nodes,
        };
        if self.source.has_pool() {
            let mut keys = state.pool.keys().to_vec();
            keys.shuffle(&mut state.random);
            thinking.value_all(keys, state);
        }
        if self.source == Source::Aos {
            state.value_histories(&mut thinking);
        }
        let consistent = thinking.values.len();
        while self.source.has_last_observation() && thinking.goes_on() {
            match state.last.draw(state.pool.hearing(), &mut state.random) {
                Some(key) => thinking.value(key, state),
                None => break,
            }
        }
        self.sampled = Sampled { consistent, last_observation: thinking.values.len() - consistent };
        let chosen = thinking.values.best(self.rule).map(|(attempt, _)| attempt);
        self.last = Some((thinking.sample, thinking.values));
        if self.source.has_pool() {
            state.find_histories(budget);
        }
        let chosen = chosen.or_else(|| sensible.choose(&mut state.random).copied());
        Ok(chosen.map_or(Choice::Resign, Choice::Try))
    }

    fn explain(&self) -> Option<Explanation> {
        let state = self.game.as_ref()?;
        let hearing = state.pool.hearing();
        let sample: &[Key] = self.last.as_ref().map_or(&[], |(sample, _)| sample);
        let keys =
            if self.source.has_pool() && !state.pool.keys().is_empty() { state.pool.keys() } else { sample };
        let statistics = Statistics::gather(hearing, keys.iter().copied(), Announce::Nothing);
        let count = statistics.positions() as f64;
        let mut belief = Belief::default();
        for (square, role) in
            Bitboard::FULL.into_iter().flat_map(|square| Role::ALL.map(|role| (square, role)))
        {
            belief.set(square, Man::Of(role), statistics.men(square, role) as f64 / count.max(1.0));
        }
        let mut explanation =
            Explanation { belief: (count > 0.0).then_some(belief), ..Explanation::default() };
        if self.source.has_pool() {
            let whole = if state.pool.is_complete() { "the whole belief" } else { "a part of the belief" };
            explanation.notes.push(format!("the pool holds {} positions, {whole}", state.pool.keys().len()));
        }
        if let Some((sample, values)) = &self.last {
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
        }
        Some(explanation)
    }
}

/// One choice while it is thought about.
struct Thinking<'a> {
    values: Values,
    sample: Vec<Key>,
    evaluate: &'a mut dyn Evaluate,
    sample_size: usize,
    deadline: Option<Instant>,
    nodes_left: Option<u64>,
}

impl Thinking<'_> {
    fn goes_on(&self) -> bool {
        self.values.len() < self.sample_size
            && self.deadline.is_none_or(|deadline| Instant::now() < deadline)
            && self.nodes_left.is_none_or(|nodes| nodes > 0)
    }

    fn value(&mut self, key: Key, state: &State) {
        let Some(position) = state.pool.hearing().position(key) else { return };
        let before = self.evaluate.nodes();
        let deadline = self.deadline;
        let in_time = || deadline.is_none_or(|deadline| Instant::now() < deadline);
        self.values.add(&position, self.evaluate, in_time);
        if self.values.len() > self.sample.len() {
            self.sample.push(key);
        }
        let used = self.evaluate.nodes() - before;
        self.nodes_left = self.nodes_left.map(|nodes| nodes.saturating_sub(used));
    }

    fn value_all(&mut self, keys: impl IntoIterator<Item = Key>, state: &State) {
        for key in keys {
            if !self.goes_on() {
                return;
            }
            self.value(key, state);
        }
    }
}

/// How many walks in a row may fail before histories are given up for this turn.
const FAILED_WALKS: u64 = 200;

impl State {
    fn history(&self) -> Option<History> {
        History::new(self.game.rules.clone(), &self.game.start, self.game.side, &self.heard).ok()
    }

    /// Values positions at the end of random consistent histories.
    fn value_histories(&mut self, thinking: &mut Thinking<'_>) {
        let Some(history) = self.history() else { return };
        let seed = self.random.random();
        let mut walks = Walks::new(&history, seed, FAILED_WALKS);
        while thinking.goes_on() {
            match walks.next() {
                Some(walked) => thinking.value(walked.key, self),
                None => return,
            }
        }
    }

    /// Uses the rest of the time to find more consistent histories for the pool.
    fn find_histories(&mut self, budget: &Budget) {
        if self.pool.is_complete() || self.pool.keys().len() >= WORTH_FILLING {
            return;
        }
        let Some(history) = self.history() else { return };
        let seed = self.random.random();
        let walks = Walks::new(&history, seed, FAILED_WALKS);
        let in_time = |_: &_| budget.aim.is_none_or(|aim| Instant::now() < aim);
        let found: Vec<Key> =
            walks.take_while(in_time).take(WALKS_WITHOUT_CLOCK).map(|walked| walked.key).collect();
        self.pool.add(found, &mut self.random);
    }
}

/// A pool with fewer positions than this is worth filling up.
const WORTH_FILLING: usize = 1000;

/// How many histories are looked for at most in a turn.
const WALKS_WITHOUT_CLOCK: usize = 100;
