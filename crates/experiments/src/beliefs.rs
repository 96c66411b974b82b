//! How well beliefs live through long games, and how near they are to the truth. No paper's experiment: what the project's own
//! belief is measured by.
//!
//! Games of our players, of sixty moves and more, are heard again from both sides. At every own turn it is noted how many
//! fully consistent positions there are (or whether those there are are all that can be), how long the work since the last
//! turn took on the processor, and the logarithm of the probability that the belief's marginals give to what truly stood on each square that
//! holds no own man; beside it the same for belief matrices, and for the exact belief where it fits.

use std::{fmt::Write as _, path::Path, sync::Arc, time::Duration};

use nebel_arena::{
    game::{Contestant, MatchTerms, play},
    time::TimeControl,
};
use nebel_belief::{
    Belief, BeliefLimits, DrawnBoards, Estimate, Limit, Marginals, Men, TrackError, Tracker,
    matrices::MatrixTracker,
    opponent::Model,
    particles::{HowKnown, ParticleLimits},
};
use nebel_kriegspiel::{Attempt, Chess, Color, Event, Input, Position as _, Rules, Transcript};
use nebel_players::{SpecError, by_spec};
use nebel_search::{Clock, Stopwatch};

use serde::{Deserialize, Serialize};

use crate::{error::ExperimentError, journal::Journal, page::Page};

/// How the experiment is run.
#[derive(Clone, Debug)]
pub struct Beliefs {
    /// Games of sixty moves and more under each ruleset.
    pub games: u32,
    /// Nodes for each choice.
    pub nodes: u64,
    /// The rulesets.
    pub rules: Vec<Rules>,
    /// How many positions beliefs may have.
    pub limits: BeliefLimits,
    /// The seed of everything.
    pub seed: u64,
}

/// Who plays, in turn.
const PAIRS: [[&str; 2]; 3] = [["c", "minimax"], ["hs:k=50", "c"], ["minimax", "hs:k=50"]];
/// A game counts if each side has made so many moves…
const LONG: usize = 60;
/// …and ends after so many.
const MAX_MOVES: u32 = 150;
/// The exact belief is followed for comparison up to so many positions.
const EXACT: usize = 200_000;
/// No probability counts as less than this: one square must not outweigh a game.
pub(crate) const LEAST: f64 = 0.001;

/// The ways to believe that are compared.
const KINDS: [&str; 4] = ["particles", "weighted particles", "matrices", "exact"];

/// What was measured: of one game, or of all under one ruleset.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Measured {
    games: u32,
    turns: u32,
    /// Of particles, and of weighted ones.
    lives: [Life; 2],
    /// Sums of log-likelihoods: over all turns, and over those where the exact belief is known.
    likelihood: [[f64; 2]; KINDS.len()],
    known: u32,
}

/// How well particles lived.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Life {
    /// Turns with at least 1000, 100, 1 fully consistent positions, or with all there are.
    at_least: [u32; 3],
    /// The same, or where a search for more came to nothing.
    or_exhausted: [u32; 3],
    /// Turns at which the particles were proved to be all.
    all: u32,
    time: Duration,
    longest: Duration,
}

impl Beliefs {
    /// The sizes that the web app uses.
    pub fn limits() -> BeliefLimits {
        BeliefLimits { exact: 0, particles: ParticleLimits::REFILLED }
    }

    /// Plays, listens and writes the page. What is measured of each game is noted in `journal` at once, and a killed run goes on
    /// from there. `report` hears of games measured.
    pub fn run(&self, journal: &Path, mut report: impl FnMut(u32)) -> Result<Page, ExperimentError> {
        let (mut journal, lines) =
            Journal::open(journal, &self.header(), "it is of other games, or of another version")?;
        let mut noted = lines.iter().map_while(|line| serde_json::from_str::<Measured>(line).ok());
        let mut done = 0;
        let mut all = Vec::new();
        for rules in &self.rules {
            let mut measured = Measured::default();
            let mut number = 0;
            while measured.games < self.games {
                let of_game = if let Some(of_game) = noted.next() {
                    of_game
                } else {
                    let of_game = self.measure(rules, number)?;
                    // Counts, times and finite sums can always be written.
                    journal.note(&serde_json::to_string(&of_game).unwrap_or_default())?;
                    of_game
                };
                number += 1;
                measured.add(&of_game);
                done += of_game.games;
                report(done);
            }
            all.push((rules.name.to_string(), measured));
        }
        Ok(self.page(&all))
    }

    /// What a journal must begin with to be this run's.
    fn header(&self) -> String {
        let rules: Vec<&str> = self.rules.iter().map(|rules| &*rules.name).collect();
        format!(
            "{} games under each of {}, {} nodes, seed {}, {:?}, {}\n",
            self.games,
            rules.join(", "),
            self.nodes,
            self.seed,
            self.limits,
            env!("CARGO_PKG_VERSION"),
        )
    }

    /// One game heard from both sides; nothing of one that is too short.
    fn measure(&self, rules: &Rules, number: u64) -> Result<Measured, SpecError> {
        let game = self.play(rules, number)?;
        let mut measured = Measured::default();
        if made(&game) >= 2 * LONG {
            measured.games = 1;
            for side in Color::ALL {
                // A transcript's own events cannot contradict it.
                let _ = measured.listen(&game, side, self.limits, self.seed);
            }
        }
        Ok(measured)
    }

    fn play(&self, rules: &Rules, number: u64) -> Result<Transcript, SpecError> {
        let [white, black] = PAIRS[number as usize % PAIRS.len()];
        let (mut white, mut black) = (by_spec(white)?, by_spec(black)?);
        let terms = MatchTerms { rules: rules.clone(), start: Chess::new(), max_moves: Some(MAX_MOVES) };
        let seed = self.seed.wrapping_mul(0x9E37_79B9).wrapping_add(number) << 1;
        let time = TimeControl::Nodes(self.nodes);
        let white = Contestant { player: &mut *white, seed, time };
        let black = Contestant { player: &mut *black, seed: seed | 1, time };
        Ok(play(&terms, white, black, |_| {}).transcript)
    }

    fn page(&self, all: &[(String, Measured)]) -> Page {
        let (mut alive, mut near) = (String::new(), String::new());
        for (rules, measured) in all {
            let percent = |count: u32| 100.0 * f64::from(count) / f64::from(measured.turns.max(1));
            for (name, life) in KINDS.iter().zip(&measured.lives) {
                let [thousand, hundred, one] = life.at_least.map(percent);
                let [or_thousand, or_hundred, _] = life.or_exhausted.map(percent);
                // Writing into a String cannot fail.
                let _ = writeln!(
                    alive,
                    "| `{rules}` | {name} | {} | {} | {thousand:.1}% | {hundred:.1}% | {one:.1}% | {or_thousand:.1}% | {or_hundred:.1}% | {:.1}% | {:.1} ms | {:.0} ms |",
                    measured.games,
                    measured.turns,
                    percent(life.all),
                    life.time.as_secs_f64() * 1e3 / f64::from(measured.turns.max(1)),
                    life.longest.as_secs_f64() * 1e3,
                );
            }
            for (name, [of_all, of_known]) in KINDS.iter().zip(measured.likelihood) {
                let mean = |sum: f64, of: u32| format!("{:.2}", sum / f64::from(of.max(1)));
                let of_all = if *name == "exact" { "–".to_owned() } else { mean(of_all, measured.turns) };
                let of_known = mean(of_known, measured.known);
                let _ = writeln!(near, "| `{rules}` | {name} | {of_all} | {of_known} |");
            }
            let _ = writeln!(near, "| `{rules}` | turns | {} | {} |", measured.turns, measured.known);
        }
        let ParticleLimits { most, keep, low, changes, rescues, .. } = self.limits.particles;
        let markdown = format!(
            "# Beliefs in long games\n\n\
             Games of `c`, `minimax` and `hs:k=50` among each other, {} nodes a choice, of {LONG} moves and more (at most {MAX_MOVES}), seed {}; \
             heard from both sides, every own turn. Up to {most} particles, cut to {keep}; below {low} they are refilled by up to {changes} changed \
             histories, {rescues} when next to none are left.\n\n\
             ## How many fully consistent positions\n\n\
             Turns with at least so many, or with all that there are (proved by an enclosing set of boards, or never cut). Few enemy men \
             leave few positions, and most of those beliefs cannot be proved to be whole; the columns with \"or no more found\" count turns as well \
             at which two thousand changed histories in a row led to nothing new.\n\n\
             | rules | belief | games | turns | 1,000 | 100 | 1 | 1,000 or no more found | 100 or no more found | proved whole | processor time a turn | longest |\n\
             |---|---|---|---|---|---|---|---|---|---|---|---|\n{alive}\n\
             ## How near to the truth\n\n\
             The mean over turns of the sum over squares without an own man of the log-probability of what stands there (king, pawn, \
             piece or nothing), none below {LEAST}. The last column is over the turns at which the exact belief has at most {EXACT} positions.\n\n\
             | rules | belief | all turns | where the exact belief is known |\n|---|---|---|---|\n{near}",
            self.nodes, self.seed,
        );
        Page { markdown, files: Vec::new() }
    }
}

/// How many moves were made.
fn made(game: &Transcript) -> usize {
    game.events().iter().filter(|event| event.announcement().is_some()).count()
}

impl Measured {
    fn add(&mut self, other: &Measured) {
        self.games += other.games;
        self.turns += other.turns;
        self.known += other.known;
        for (life, more) in self.lives.iter_mut().zip(&other.lives) {
            life.add(more);
        }
        for (sums, more) in self.likelihood.iter_mut().flatten().zip(other.likelihood.iter().flatten()) {
            *sums += more;
        }
    }

    /// Hears a game from one side.
    fn listen(
        &mut self,
        game: &Transcript,
        side: Color,
        limits: BeliefLimits,
        seed: u64,
    ) -> Result<(), TrackError> {
        let header = game.header();
        let (rules, model) = (&header.rules, Model::standard());
        let mut belief = Belief::new(rules.clone(), &header.start, side, limits, seed);
        let mut weighted = belief.clone().with_policy(Arc::clone(&model.policy));
        let matrices = MatrixTracker::new(rules.clone(), &header.start, side, model);
        let mut matrices = DrawnBoards::of_matrices(matrices, &header.start);
        let mut exact = Some(Tracker::new(rules.clone(), &header.start, side, Limit::positions(EXACT)));
        let (mut position, mut spent, mut is_new) = (header.start.clone(), [Duration::ZERO; 2], true);
        for event in game.events() {
            if position.turn() == side && is_new {
                let marginals = [
                    Some(belief.marginals()),
                    Some(weighted.marginals()),
                    Some(matrices.marginals()),
                    exact.as_ref().map(Estimate::marginals),
                ];
                self.note(&belief, &marginals, &Men::of(&position, !side));
                for ((life, belief), spent) in self.lives.iter_mut().zip([&belief, &weighted]).zip(spent) {
                    life.note(belief, spent);
                }
                (spent, is_new) = ([Duration::ZERO; 2], false);
            }
            if let Some(heard) = event.heard_by(side, rules) {
                for (belief, spent) in [&mut belief, &mut weighted].into_iter().zip(&mut spent) {
                    let begun = Stopwatch::new(Clock::Processor);
                    belief.hear(&heard)?;
                    *spent += begun.elapsed();
                }
                matrices.hear(&heard)?;
                exact = exact.take().and_then(|mut exact| exact.hear(&heard).is_ok().then_some(exact));
            }
            if let Event::Attempt { said: Some(Input::Attempt(attempt)), .. } = event
                && event.announcement().is_some()
                && let Some(m) = position.legal_moves().into_iter().find(|&m| Attempt::of_move(m) == *attempt)
            {
                position.play_unchecked(m);
                is_new = true;
            }
        }
        Ok(())
    }

    fn note(&mut self, belief: &Belief, marginals: &[Option<Marginals>; KINDS.len()], truth: &Men) {
        self.turns += 1;
        let own = belief.view().own().men().squares();
        let is_known = marginals[KINDS.len() - 1].is_some();
        self.known += u32::from(is_known);
        for (sums, marginals) in self.likelihood.iter_mut().zip(marginals) {
            let Some(marginals) = marginals else { continue };
            let likelihood = marginals.log_likelihood(truth, own, LEAST);
            sums[0] += likelihood;
            sums[1] += if is_known { likelihood } else { 0.0 };
        }
    }
}

impl Life {
    fn add(&mut self, other: &Life) {
        self.all += other.all;
        self.time += other.time;
        self.longest = self.longest.max(other.longest);
        for index in 0..3 {
            self.at_least[index] += other.at_least[index];
            self.or_exhausted[index] += other.or_exhausted[index];
        }
    }

    fn note(&mut self, belief: &Belief, spent: Duration) {
        self.time += spent;
        self.longest = self.longest.max(spent);
        let is_all = belief.how_known() == HowKnown::All;
        let consistent = if belief.how_known() >= HowKnown::Some { belief.len() } else { 0 };
        self.all += u32::from(is_all);
        let is_exhausted = consistent > 0 && belief.is_exhausted();
        for (index, least) in [1000, 100, 1].into_iter().enumerate() {
            let is_enough = is_all || consistent >= least;
            self.at_least[index] += u32::from(is_enough);
            self.or_exhausted[index] += u32::from(is_enough || is_exhausted);
        }
    }
}
