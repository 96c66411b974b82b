//! What every kind of belief can be asked: the one trait behind which players hold theirs.

use nebel_kriegspiel::{Attempt, Chess, Color, Event, OwnSide, Rules};
use nebel_position::Key;
use rand::{
    RngExt, SeedableRng,
    seq::{IteratorRandom, SliceRandom},
};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{
    belief::Belief,
    exact::tracker::{TrackError, Tracker},
    last_observation::LastObservation,
    marginals::Marginals,
    matrices::MatrixTracker,
    metaposition::Metaposition,
    own_move::OwnAttempt,
    view_state::ViewState,
};

/// What may be, as one side keeps it from event to event.
pub trait Estimate {
    /// Takes in an event of the side's view.
    fn hear(&mut self, event: &Event) -> Result<(), TrackError>;

    /// What the side knows of itself.
    fn own(&self) -> &OwnSide;

    /// How probable each hidden man is on each square.
    fn marginals(&self) -> Marginals;

    /// Up to so many positions with their weights, which add up to one; none where none can be drawn.
    fn sample(&self, count: usize, random: &mut Xoshiro256PlusPlus) -> Vec<(Key, f64)>;

    /// How likely an attempt is legal; zero for one that makes no sense, and where nothing is known.
    fn odds(&self, attempt: Attempt) -> f64 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
        share_legal(self.own(), attempt, self.sample(SAMPLE, &mut random).into_iter())
    }
}

/// So many boards answer a question of those kinds of belief that hold none.
const SAMPLE: usize = 500;
/// The same question gets the same answer.
const SEED: u64 = 0;

fn share_legal(own: &OwnSide, attempt: Attempt, weighted: impl Iterator<Item = (Key, f64)>) -> f64 {
    let Some(attempt) = OwnAttempt::new(own.men(), attempt) else { return 0.0 };
    weighted.filter(|(key, _)| attempt.is_legal(*key)).map(|(_, weight)| weight).sum()
}

/// Positions drawn alike, of those that are there.
fn alike(keys: Vec<Key>) -> Vec<(Key, f64)> {
    let weight = 1.0 / keys.len().max(1) as f64;
    keys.into_iter().map(|key| (key, weight)).collect()
}

impl Estimate for Tracker {
    fn hear(&mut self, event: &Event) -> Result<(), TrackError> {
        Tracker::hear(self, event)
    }

    fn own(&self) -> &OwnSide {
        Tracker::own(self)
    }

    fn marginals(&self) -> Marginals {
        Marginals::alike(self.set().iter())
    }

    fn sample(&self, count: usize, random: &mut Xoshiro256PlusPlus) -> Vec<(Key, f64)> {
        alike(crate::exact::sample::uniform(self.set(), count, random.random()))
    }

    fn odds(&self, attempt: Attempt) -> f64 {
        let weight = 1.0 / self.len() as f64;
        share_legal(self.own(), attempt, self.set().iter().map(|key| (key, weight)))
    }
}

impl Estimate for Belief {
    fn hear(&mut self, event: &Event) -> Result<(), TrackError> {
        Belief::hear(self, event)
    }

    fn own(&self) -> &OwnSide {
        self.view().own()
    }

    fn marginals(&self) -> Marginals {
        Belief::marginals(self)
    }

    fn sample(&self, count: usize, random: &mut Xoshiro256PlusPlus) -> Vec<(Key, f64)> {
        let mut drawn = self.weighted().sample(random, count);
        let total: f64 = drawn.iter().map(|(_, weight)| weight).sum();
        for (_, weight) in &mut drawn {
            *weight /= total;
        }
        drawn.shuffle(random);
        drawn
    }

    fn odds(&self, attempt: Attempt) -> f64 {
        share_legal(self.own(), attempt, self.weighted())
    }
}

/// A belief that holds no positions and draws boards when it is asked: they agree with the last observation, men put on squares
/// by what else is believed of them.
#[derive(Clone, Debug)]
pub struct DrawnBoards {
    view: ViewState,
    last: LastObservation,
    by: By,
}

#[derive(Clone, Debug)]
enum By {
    LastObservation,
    Metaposition(Box<Metaposition>),
    Matrices(Box<MatrixTracker>),
}

impl DrawnBoards {
    /// By the last observation alone.
    pub fn of_last_observation(rules: Rules, start: &Chess, side: Color) -> DrawnBoards {
        let last = LastObservation::new(start, side);
        DrawnBoards { view: ViewState::new(rules, start, side), last, by: By::LastObservation }
    }

    /// On squares that the metaposition allows.
    pub fn of_metaposition(rules: Rules, start: &Chess, side: Color) -> DrawnBoards {
        let by = By::Metaposition(Box::new(Metaposition::new(&rules, start, side)));
        DrawnBoards { by, ..DrawnBoards::of_last_observation(rules, start, side) }
    }

    /// By the probabilities of belief matrices at the start of a game.
    pub fn of_matrices(matrices: MatrixTracker, start: &Chess) -> DrawnBoards {
        let own = matrices.own();
        let (rules, side) = (own.rules().clone(), own.men().color());
        let by = By::Matrices(Box::new(matrices));
        DrawnBoards { by, ..DrawnBoards::of_last_observation(rules, start, side) }
    }

    fn draw(&self, random: &mut Xoshiro256PlusPlus) -> Option<Key> {
        match &self.by {
            By::LastObservation => self.last.draw(&self.view, random),
            By::Metaposition(meta) => {
                let weight = |role, square| meta.weight(role, square);
                self.last.draw_by(&self.view, Some(&weight), random)
            }
            By::Matrices(matrices) => {
                let weight = |role, square| matrices.weight(role, square);
                self.last.draw_by(&self.view, Some(&weight), random)
            }
        }
    }
}

impl Estimate for DrawnBoards {
    fn hear(&mut self, event: &Event) -> Result<(), TrackError> {
        let heard = self.view.own().clone().take(event.clone())?;
        self.view.hear(event)?;
        self.last.hear(&heard, self.view.side());
        match &mut self.by {
            By::LastObservation => {}
            By::Metaposition(meta) => meta.hear(&heard),
            By::Matrices(matrices) => matrices.hear(&heard)?,
        }
        Ok(())
    }

    fn own(&self) -> &OwnSide {
        self.view.own()
    }

    fn marginals(&self) -> Marginals {
        match &self.by {
            By::LastObservation => {
                let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
                Marginals::of(self.sample(SAMPLE, &mut random).into_iter())
            }
            By::Metaposition(meta) => meta.marginals(),
            By::Matrices(matrices) => matrices.matrices().marginals(),
        }
    }

    fn sample(&self, count: usize, random: &mut Xoshiro256PlusPlus) -> Vec<(Key, f64)> {
        alike((0..count).map_while(|_| self.draw(random)).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use nebel_kriegspiel::{Bitboard, Role, Umpire};

    use super::*;
    use crate::{belief::BeliefLimits, exact::budget::Limit, marginals::Man, opponent::Model};

    /// Every kind of belief answers every question alike where everything is known, and sensibly later on.
    #[test]
    fn all_kinds_can_be_asked_the_same() {
        let (rules, start, side) = (Rules::icc(), Chess::new(), Color::White);
        let matrices = MatrixTracker::new(rules.clone(), &start, side, Arc::new(Model::even()));
        let mut kinds: Vec<Box<dyn Estimate>> = vec![
            Box::new(Tracker::new(rules.clone(), &start, side, Limit::default())),
            Box::new(Belief::new(rules.clone(), &start, side, BeliefLimits::default(), 1)),
            Box::new(DrawnBoards::of_last_observation(rules.clone(), &start, side)),
            Box::new(DrawnBoards::of_metaposition(rules.clone(), &start, side)),
            Box::new(DrawnBoards::of_matrices(matrices, &start)),
        ];
        let mut umpire = Umpire::new(rules.clone());
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        for attempt in ["e2e4", "d7d5", "g1f3", "b8c6"] {
            let event = umpire.attempt(attempt.parse().unwrap()).unwrap();
            let heard = event.heard_by(side, &rules).unwrap();
            for kind in &mut kinds {
                kind.hear(&heard).unwrap();
            }
        }
        for kind in &kinds {
            let marginals = kind.marginals();
            let one_king: f64 =
                Bitboard::FULL.into_iter().map(|at| marginals.get(at, Man::Of(Role::King))).sum();
            assert!((one_king - 1.0).abs() < 1e-3);
            let total: f64 = kind.sample(20, &mut random).iter().map(|(_, weight)| weight).sum();
            assert!((total - 1.0).abs() < 1e-6);
            assert!((kind.odds("a2a3".parse().unwrap()) - 1.0).abs() < 0.5);
            assert!(kind.odds("a1a1".parse().unwrap()) <= 0.0);
            assert!(kind.own().is_to_move());
        }
        // One try was announced: with exact beliefs the capture on d5 is as likely as the one on f5.
        assert!(
            (kinds[0].odds("e4d5".parse().unwrap()) - kinds[1].odds("e4d5".parse().unwrap())).abs() < 1e-9
        );
    }
}
