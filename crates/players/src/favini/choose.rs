//! From a search to a choice: root parallelism, time, and what is vetoed.

use std::thread;

use nebel_belief::ViewState;
use nebel_kriegspiel::{Attempt, Role};
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{
    approach::{Grown, MessageSearch},
    numbers::NUMBERS,
    options::{Parallel, Settings},
    plans::Plans,
    search::{Search, Stop},
    state::{SearchParams, State, silence_denies_tries},
    tree::{Branch, Tree},
};
use crate::{
    Budget,
    candidates::worth_trying,
    conversion::{
        past::Past,
        stalemate::{Believed, Flights as _},
    },
    explain::Weighed,
};
use nebel_belief::{
    last_observation::LastObservation,
    matrices::MatrixTracker,
    metaposition::{Census, Legality},
};

/// Where a search begins.
pub(crate) struct Root<'a> {
    pub(crate) listener: &'a MatrixTracker,
    pub(crate) hearing: &'a ViewState,
    pub(crate) observed: &'a LastObservation,
    pub(crate) past: &'a Past,
    pub(crate) settings: &'a Settings,
    /// What may be legal by all that was heard.
    pub(crate) legality: Legality<'a>,
    /// How many pawns may stand on each file.
    pub(crate) census: &'a Census,
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

impl Root<'_> {
    /// Weighs the attempts, and names the best.
    pub(crate) fn weigh(
        &self,
        sensible: &[Attempt],
        budget: &Budget,
        random: &mut Xoshiro256PlusPlus,
    ) -> Decision {
        let mut attempts = worth_trying(sensible, &self.legality);
        // Equal attempts are not to be taken in the order of squares.
        attempts.shuffle(random);
        let until = budget.share(NUMBERS.share);
        let stop = self.stop(&until);
        let Grown { branches, effort } = self.settings.approach.grow(self, &attempts, stop, random);
        let state = self.state();
        let mut blur = || if self.settings.terms { random.random_range(0.0..NUMBERS.noise) } else { 0.0 };
        let scored: Vec<(f32, &Branch)> =
            branches.iter().map(|branch| (self.score(branch, &state) + blur(), branch)).collect();
        let best = scored.iter().max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, branch)| branch.attempt);
        let notes = vec![format!("{} nodes, {} iterations", effort.0, effort.1)];
        let attempts = branches.iter().map(|branch| weighed(branch, &state)).collect();
        Decision { best, attempts, notes, effort }
    }

    fn stop<'b>(&self, until: &'b Budget) -> Stop<'b> {
        let is_limited = until.aim.is_some() || self.settings.iterations.is_some();
        let default = if is_limited { NUMBERS.most_nodes } else { NUMBERS.nodes };
        Stop {
            until,
            nodes: until.nodes.unwrap_or(default).min(NUMBERS.most_nodes),
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

    /// The turn as it stands.
    fn state(&self) -> State {
        State::of(self.listener, self.settings.premises)
    }

    /// Searches with as many threads as were asked for. Each values all root attempts, so that they promise the same, and grows a
    /// tree from its share of them, or from all; then the roots are put together again.
    pub(super) fn search<A: MessageSearch>(
        &self,
        approach: A,
        attempts: &[Attempt],
        stop: Stop<'_>,
        random: &mut Xoshiro256PlusPlus,
    ) -> Grown {
        let params = self.params();
        let threads = self.settings.threads.clamp(1, attempts.len().max(1));
        let stop = Stop { nodes: stop.nodes / threads as u64, ..stop };
        let run = |index: usize, seed: u64| {
            let mut search = Search {
                approach,
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
            search.root(self.state(), attempts);
            if self.settings.parallel == Parallel::Deal {
                search.tree.deal(index, threads);
            }
            search.run();
            Grown { branches: search.tree.of(Tree::ROOT).to_vec(), effort: (search.nodes, search.iterations) }
        };
        let grown = in_threads(threads, random, run);
        match self.settings.parallel {
            Parallel::Deal => Grown::dealt(grown),
            Parallel::Trees => Grown::added(grown),
        }
    }

    /// What the choice goes by: the approach's score, less where the attempt may stalemate or repeats, more where it keeps a
    /// game alive that is being won.
    fn score(&self, branch: &Branch, state: &State) -> f32 {
        if !self.settings.terms {
            return self.settings.approach.score(branch);
        }
        let mut after = state.men.clone();
        after.make(branch.attempt);
        let risk = Believed { listener: self.listener, men_after: &after }.stalemate_risk();
        let visits = self.past.visits(&state.men, branch.attempt);
        self.settings.approach.score(branch) + self.progress(branch.attempt, state)
            - NUMBERS.stalemate * risk
            - NUMBERS.drive.standing_again(visits)
    }

    /// When nothing has moved on for a while and the own side is ahead, captures and moves of pawns gain.
    fn progress(&self, attempt: Attempt, state: &State) -> f32 {
        let hurry = NUMBERS.drive.hurry(self.past.idle());
        if hurry <= 0.0 || !self.settings.worth.is_ahead(&state.men, &state.matrices) {
            return 0.0;
        }
        let odds = state.odds(attempt);
        let is_pawn = state.men.role_at(attempt.from) == Some(Role::Pawn);
        hurry * odds.legal * if is_pawn { 1.0 } else { odds.capture }
    }
}

/// Runs as many searches as there are threads, each with its number and seed.
pub(super) fn in_threads(
    threads: usize,
    random: &mut Xoshiro256PlusPlus,
    run: impl Fn(usize, u64) -> Grown + Sync,
) -> Vec<Grown> {
    if threads == 1 {
        return vec![run(0, random.random())];
    }
    let seeds: Vec<u64> = (0..threads).map(|_| random.random()).collect();
    let run = &run;
    thread::scope(|scope| {
        let jobs = seeds.into_iter().enumerate();
        let workers: Vec<_> = jobs.map(|(index, seed)| scope.spawn(move || run(index, seed))).collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
    })
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
