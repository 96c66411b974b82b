//! From a search to a choice: root parallelism, time, and what is vetoed.

use std::thread;

use nebel_belief::ViewState;
use nebel_kriegspiel::{Attempt, Role};
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{
    boards::{Playouts, Source},
    options::Settings,
    plans::Plans,
    search::{Approach, Search, Stop},
    state::{SearchParams, State, silence_denies_tries},
    tree::{Branch, Tree},
};
use crate::{
    Budget,
    conversion::veto::{Past, stalemate},
    explain::Weighed,
};
use nebel_belief::{last_observation::LastObservation, matrices::MatrixTracker, metaposition::Legality};

/// Where a search begins.
pub(crate) struct Root<'a> {
    pub(crate) listener: &'a MatrixTracker,
    pub(crate) hearing: &'a ViewState,
    pub(crate) observed: &'a LastObservation,
    pub(crate) past: &'a Past,
    pub(crate) settings: &'a Settings,
    /// What may be legal by all that was heard.
    pub(crate) legality: Legality<'a>,
}

/// What came of it.
#[derive(Default)]
pub(crate) struct Decision {
    pub(crate) best: Option<Attempt>,
    pub(crate) attempts: Vec<Weighed>,
    pub(crate) notes: Vec<String>,
    /// Nodes and iterations.
    pub(crate) effort: (u64, u64),
}

/// The share of the time that the first attempt of a turn may take: a refusal must leave some for the next.
const SHARE: f64 = 0.5;
/// Nodes without a clock and without a limit.
const NODES: u64 = 100_000;
/// Nodes beyond which a tree would fill the memory.
const MOST_NODES: u64 = 2_000_000;
/// What a stalemate costs that is certain.
const STALEMATE: f32 = 20.0;
/// What standing again as before costs.
const AGAIN: f32 = 0.15;
/// Own moves without a capture or a pawn's move after which progress is wanted; fifty make a draw.
const PATIENCE: f32 = 20.0;
/// How much the choice is blurred, so that games differ.
const NOISE: f32 = 0.02;

impl Root<'_> {
    /// Weighs the attempts, and names the best.
    pub(crate) fn weigh(
        &self,
        sensible: &[Attempt],
        budget: &Budget,
        random: &mut Xoshiro256PlusPlus,
    ) -> Decision {
        let mut attempts = self.candidates(sensible);
        // Equal attempts are not to be taken in the order of squares.
        attempts.shuffle(random);
        let until = budget.share(SHARE);
        let stop = self.stop(&until);
        let (branches, effort) = if self.settings.approach == Approach::Boards {
            self.play_out(&attempts, stop, random)
        } else {
            self.search(&attempts, stop, random)
        };
        let state = State::of(self.listener);
        let scored: Vec<(f32, &Branch)> = branches
            .iter()
            .map(|branch| (self.score(branch, &state) + random.random_range(0.0..NOISE), branch))
            .collect();
        let best = scored.iter().max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, branch)| branch.attempt);
        let notes = vec![format!("{} nodes, {} iterations", effort.0, effort.1)];
        let attempts = branches.iter().map(|branch| weighed(branch, &state)).collect();
        Decision { best, attempts, notes, effort }
    }

    /// The attempts worth a search: those that may be legal, promotion to a queen; whatever makes sense if nothing else is
    /// left.
    fn candidates(&self, sensible: &[Attempt]) -> Vec<Attempt> {
        let may_be_legal = |attempt: &&Attempt| self.legality.may_be(**attempt);
        let possible: Vec<Attempt> = sensible.iter().filter(may_be_legal).copied().collect();
        let is_wanted = |attempt: &&Attempt| matches!(attempt.promotion, None | Some(Role::Queen));
        let wanted: Vec<Attempt> = possible.iter().filter(is_wanted).copied().collect();
        let left = [wanted, possible].into_iter().find(|attempts| !attempts.is_empty());
        left.unwrap_or_else(|| sensible.to_vec())
    }

    fn stop<'b>(&self, until: &'b Budget) -> Stop<'b> {
        let is_limited = until.aim.is_some() || self.settings.iterations.is_some();
        let default = if is_limited { MOST_NODES } else { NODES };
        Stop {
            until,
            nodes: until.nodes.unwrap_or(default).min(MOST_NODES),
            iterations: self.settings.iterations.unwrap_or(u64::MAX),
        }
    }

    fn params(&self) -> SearchParams {
        SearchParams {
            model: self.listener.model().clone(),
            worth: self.settings.worth,
            safety: self.settings.safety,
            silence_denies_tries: silence_denies_tries(self.listener.own().rules().tries),
        }
    }

    /// Searches with as many threads as were asked for. Each values all root attempts, so that they promise the same, and grows a
    /// tree from its share of them; then the roots are put together again.
    fn search(
        &self,
        attempts: &[Attempt],
        stop: Stop<'_>,
        random: &mut Xoshiro256PlusPlus,
    ) -> (Vec<Branch>, (u64, u64)) {
        let params = self.params();
        let threads = self.settings.threads.clamp(1, attempts.len().max(1));
        let stop = Stop { nodes: stop.nodes / threads as u64, ..stop };
        let run = |index: usize, seed: u64| {
            let mut search = Search {
                approach: self.settings.approach,
                params: &params,
                c: self.settings.c,
                stop,
                random: Xoshiro256PlusPlus::seed_from_u64(seed),
                plans: self.settings.plans.then(|| Plans::new(self.listener.matrices())),
                tree: Tree::default(),
                nodes: 0,
                iterations: 0,
                continuation_bonus: 0.0,
            };
            search.root(State::of(self.listener), attempts);
            search.tree.deal(index, threads);
            search.run();
            (search.tree.of(Tree::ROOT).to_vec(), (search.nodes, search.iterations))
        };
        if threads == 1 {
            return run(0, random.random());
        }
        let seeds: Vec<u64> = (0..threads).map(|_| random.random()).collect();
        let run = &run;
        thread::scope(|scope| {
            let jobs = seeds.into_iter().enumerate();
            let workers: Vec<_> = jobs.map(|(index, seed)| scope.spawn(move || run(index, seed))).collect();
            let mut all = (Vec::new(), (0, 0));
            for (branches, (nodes, iterations)) in workers.into_iter().filter_map(|worker| worker.join().ok())
            {
                all.0.extend(branches);
                all.1 = (all.1.0 + nodes, all.1.1 + iterations);
            }
            all
        })
    }

    fn play_out(
        &self,
        attempts: &[Attempt],
        stop: Stop<'_>,
        random: &mut Xoshiro256PlusPlus,
    ) -> (Vec<Branch>, (u64, u64)) {
        let source = Source { listener: self.listener, hearing: self.hearing, last: self.observed };
        let random = Xoshiro256PlusPlus::seed_from_u64(random.random());
        let mut search =
            Playouts { source, c: self.settings.c, random, tree: Tree::default(), iterations: 0 };
        search.root(attempts);
        search.run(stop);
        (search.tree.of(Tree::ROOT).to_vec(), (search.iterations, search.iterations))
    }

    /// What the choice goes by: the value where values are maxima, the visits where they are averages; less where the
    /// attempt may stalemate or repeats, more where it keeps a game alive that is being won.
    fn score(&self, branch: &Branch, state: &State) -> f32 {
        let score = match self.settings.approach {
            Approach::Expectation { .. } | Approach::Hybrid { .. } => branch.value,
            _ => (branch.visits as f32).ln_1p() + branch.value / 1000.0,
        };
        let mut after = state.men.clone();
        after.make(branch.attempt);
        let again = self.past.visits(&state.men, branch.attempt) as f32;
        score + self.progress(branch.attempt, state)
            - STALEMATE * stalemate(self.listener, &after)
            - AGAIN * again
    }

    /// When nothing has moved on for a while and the own side is ahead, captures and moves of pawns gain.
    fn progress(&self, attempt: Attempt, state: &State) -> f32 {
        let waited = (self.past.idle() as f32 - PATIENCE) / PATIENCE;
        if waited <= 0.0 || !self.settings.worth.is_ahead(&state.men, &state.matrices) {
            return 0.0;
        }
        let odds = state.odds(attempt);
        let is_pawn = state.men.role_at(attempt.from) == Some(Role::Pawn);
        waited * odds.legal * if is_pawn { 1.0 } else { odds.capture }
    }
}

fn weighed(branch: &Branch, state: &State) -> Weighed {
    let odds = state.announced(branch.attempt);
    let messages = [
        ("illegal", 1.0 - odds.legal),
        ("capture", odds.legal * odds.capture),
        ("check", odds.legal * odds.check),
        ("gives a pawn try", odds.legal * odds.tries),
    ];
    Weighed {
        attempt: branch.attempt,
        value: branch.value.into(),
        visits: branch.visits.into(),
        messages: messages.map(|(text, share)| (text.to_owned(), share.into())).into(),
    }
}
