//! `minimax`: Darkboard's first player, a weighted maximax over metapositions (Ciancarini and Favini 2010, section 4.3).
//!
//! | part | module |
//! |---|---|
//! | which attempts, and what comes of them | `moves` |
//! | the search | `search` |
//! | the value of a metaposition | `judge`, `material`, `progress` |
//! | captures, tries and checks just announced | `reaction` |
//! | all numbers, and where they come from | `numbers` |
//! | what it can be told | `options` |
//! | circles, converting an advantage, endings | [`crate::conversion`] |
//! | what it can say of its choice | `explain` |
//!
//! What differs from the program, as far as it is known: the metaposition is sound and concludes more
//! ([`nebel_belief::metaposition`]); endings against a bare king are played by exact tables unless `tables=off`; mate and stalemate are told
//! apart and stalemate is weighed by its chance; there is no book, and a little noise takes its place. Without
//! a budget it looks at 5,000 metapositions, as the program does; the paper's opponent of Figure 10, with some 10,000 and with checks against
//! blunders, is `preset=paper`.

mod explain;
mod judge;
mod material;
pub(crate) mod moves;
pub(crate) mod numbers;
mod options;
pub(crate) mod progress;
mod reaction;
mod search;

use std::time::{Duration, Instant};

use nebel_kriegspiel::{Answer, Attempt, Event, OwnSide, Role, Rules, ViewEvent};
use nebel_tablebase::SolverLimits;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

pub(crate) use self::options::{OPTIONS, TABLES};
use self::{
    explain::{Reason, Thought},
    judge::Judge,
    material::is_blunder,
    moves::Likely,
    numbers::NUMBERS,
    options::Settings,
    reaction::Reaction,
    search::Search,
};
use crate::{
    Budget, Choice, Explanation, Fault, Game, Player,
    conversion::{
        convert,
        finish::{Advice, Finish},
        past::Past,
    },
    options::OptionError,
};
use nebel_belief::metaposition::{Census, Legality, Metaposition};

/// Whether endings are played by tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tables {
    On,
    Off,
}

/// Darkboard's metaposition player.
#[derive(Debug)]
pub struct Minimax {
    settings: Settings,
    options: String,
    finish: Option<Finish>,
    game: Option<State>,
    last: Thought,
    /// Metapositions a second, as measured so far.
    rate: f64,
}

#[derive(Debug)]
struct State {
    rules: Rules,
    own: OwnSide,
    meta: Metaposition,
    past: Past,
    reaction: Reaction,
    settings: Settings,
    random: Xoshiro256PlusPlus,
}

impl Minimax {
    /// A player by its options, or the option that is wrong.
    pub fn new(options: Option<&str>) -> Result<Minimax, OptionError> {
        let settings = Settings::read(options)?;
        let options = options.map(|options| format!(":{options}")).unwrap_or_default();
        Ok(Minimax { settings, options, finish: None, game: None, last: Thought::default(), rate: 100_000.0 })
    }

    /// Whether nothing but the king is left of the other side; not before the first game.
    pub(crate) fn is_bare(&self) -> bool {
        self.game.as_ref().is_some_and(|state| state.meta.census().men() == 0)
    }

    /// How many men the other side has, and pawns on each file; nothing before the first game.
    pub(crate) fn census(&self) -> Option<&Census> {
        self.game.as_ref().map(|state| state.meta.census())
    }

    /// Which attempts may be legal now, by all that was heard; nothing before the first game.
    pub(crate) fn legality(&self) -> Option<Legality<'_>> {
        self.game.as_ref().map(|state| state.meta.legality().after(state.own.turn().refused()))
    }
}

impl Player for Minimax {
    fn spec(&self) -> String {
        format!("minimax{}", self.options)
    }

    fn start(&mut self, game: Game) -> Result<(), Fault> {
        if self.settings.tables == Tables::On {
            self.finish.get_or_insert_with(Finish::new).new_game();
        }
        self.game = Some(State {
            own: OwnSide::new(game.rules.clone(), &game.start, game.side),
            meta: Metaposition::new(&game.rules, &game.start, game.side),
            past: Past::default(),
            reaction: Reaction::default(),
            settings: self.settings,
            random: Xoshiro256PlusPlus::seed_from_u64(game.seed),
            rules: game.rules,
        });
        Ok(())
    }

    fn hear(&mut self, event: &ViewEvent) -> Result<(), Fault> {
        let Some(state) = &mut self.game else { return Ok(()) };
        self.last = Thought::default();
        state.hear(event).map_err(|error| Fault::Protocol(error.to_string()))
    }

    fn choose(&mut self, budget: &Budget) -> Result<Choice, Fault> {
        let Some(state) = &mut self.game else { return Ok(Choice::Resign) };
        self.last = Thought::default();
        if state.own.may_ask() {
            return Ok(Choice::Ask);
        }
        let begin = Instant::now();
        // A fixed number of metapositions needs no share of the time: what a turn costs is known.
        let share = if self.settings.nodes.is_some() { 1.0 } else { NUMBERS.search.share };
        let until = budget.share(share);
        let limits = SolverLimits {
            nodes: budget.nodes.or(until.aim.is_none().then_some(NUMBERS.search.solver_nodes)),
            deadline: until.aim,
            stop: Some(until.stop.flag()),
            ..SolverLimits::default()
        };
        let is_bare = state.meta.census().men() == 0;
        let finish = self.finish.as_mut().filter(|_| is_bare);
        let advice =
            finish.and_then(|finish| finish.advise(state.own.men(), state.meta.may_hold(Role::King), limits));
        // Waiting for a forced mate must not become a repetition: then the search, which counts them, decides.
        let is_onward = |advice: &Advice| {
            advice.mate_in.is_some() || state.past.visits(state.own.men(), advice.attempt) < 2
        };
        if let Some(advice) = advice.filter(is_onward).filter(|advice| state.own.makes_sense(advice.attempt))
        {
            self.last = Thought::by_tables(advice, state.meta.may_hold(Role::King).count());
            return Ok(Choice::Try(advice.attempt));
        }
        let judge = Judge::new(&state.meta, &state.rules, self.settings.tables, self.settings.danger);
        let nodes = self
            .settings
            .nodes
            .or(budget.nodes)
            .or(until.time().map(|time| (time.as_secs_f64() * self.rate) as u64));
        let mut search = Search::new(Likely::new(&state.rules), judge, until);
        let chosen = state.search(&mut search, nodes.unwrap_or(NUMBERS.search.nodes), &mut self.last);
        self.rate = measured(self.rate, search.nodes(), begin.elapsed());
        Ok(chosen.map_or(Choice::Resign, Choice::Try))
    }

    fn explain(&self) -> Option<Explanation> {
        self.game.as_ref().map(|state| self.last.explain(&state.meta))
    }
}

/// The rate by one more measurement, if it was long enough to count.
fn measured(rate: f64, nodes: u64, time: Duration) -> f64 {
    if nodes < 200 { rate } else { 0.8 * rate + 0.2 * nodes as f64 / time.as_secs_f64().max(1e-6) }
}

impl State {
    fn hear(&mut self, event: &ViewEvent) -> Result<(), nebel_kriegspiel::side::Contradiction> {
        self.past.hear(event, self.own.men());
        self.own.hear(event)?;
        self.meta.hear(event);
        let refused = matches!(&**event, Event::Attempt { answer: Answer::Illegal | Answer::Nonsense, .. });
        if !refused {
            self.reaction = Reaction::to(event, &self.meta, self.settings.checks);
        }
        Ok(())
    }

    /// The attempts worth a thought; all that make sense if none is.
    fn attempts(&self) -> Vec<Attempt> {
        let sensible = self.own.sensible_attempts();
        let legality = self.meta.legality().after(self.own.turn().refused());
        let mut likely = Vec::new();
        moves::for_each(&self.meta, |attempt| likely.push(attempt));
        likely.retain(|&attempt| sensible.contains(&attempt) && legality.may_be(attempt));
        if likely.is_empty() { sensible } else { likely }
    }

    fn search(&mut self, search: &mut Search, nodes: u64, thought: &mut Thought) -> Option<Attempt> {
        let attempts = self.attempts();
        let mut valued = search.run(&self.meta, &attempts, nodes);
        let (likely, stalemate) = (search.likely(), search.judge().stalemate());
        for valued in &mut valued {
            valued.value += convert::bonus(&self.meta, &self.past, valued.attempt, likely, stalemate);
            valued.value += self.random.random_range(0.0..NUMBERS.search.noise);
            if self.settings.blunders && is_blunder(&self.meta, valued.attempt, likely) {
                valued.value -= NUMBERS.search.blunder;
            }
        }
        valued.sort_by(|a, b| b.value.total_cmp(&a.value));
        let best = valued.first()?.attempt;
        let onward = valued.iter().map(|valued| valued.attempt).find(|&attempt| !self.past.loops(attempt));
        let (chosen, reason) = match (self.reaction.choose(&self.meta, &valued), onward) {
            (Some(reaction), _) => (reaction, Some(Reason::Reaction(reaction))),
            (None, Some(onward)) if onward != best => (onward, Some(Reason::Circle(onward))),
            (None, _) => (best, None),
        };
        *thought = Thought { valued, nodes: search.nodes(), reason };
        Some(chosen)
    }
}
