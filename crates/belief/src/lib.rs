//! What may be: every way to say where the hidden men stand, given what one side has heard.
//!
//! Each event of a view becomes a [`Step`]: positions stay, go, or are followed by others. The own men
//! are known, so a position is the opponent's men in sixteen bytes ([`Key`]).
//!
//! | concept | module |
//! |---|---|
//! | men, packed positions, what is legal and what is said of it | crate `nebel_position` |
//! | events turned into steps: announcements, own attempts, the opponent's unseen moves and refusals | [`view_state`], [`step`], [`announced`], [`own_move`], [`hidden`], [`refusals`] |
//! | all positions that agree: tracked, streamed, sampled | [`exact`] |
//! | some of them, where they are too many | [`particles`] |
//! | boards that agree with the last thing heard only | [`last_observation`] |
//! | a sound superset in a few words | [`metaposition`] |
//! | probabilities by square, kept up without positions | [`matrices`] |
//! | how the other side plays | [`opponent`] |
//! | exact while it fits, then particles: what players and the web app hold | [`Belief`] |
//! | what all of them can be asked | [`estimate`] |
//! | the one form that all of them give; counts over positions | [`marginals`], [`statistics`] |
//!
//! What is deliberately absent: the fifty-move rule and repetition, which depend on the history of a
//! game and not on its position.

pub mod announced;
mod belief;
pub mod estimate;
pub mod exact;
pub mod hidden;
pub mod last_observation;
pub mod marginals;
pub mod matrices;
pub mod metaposition;
pub mod moved;
pub mod opponent;
pub mod own_move;
mod own_tries;
pub mod particles;
pub mod refusals;
mod static_mobility;
pub mod statistics;
pub mod step;
mod tries;
pub mod view_state;

pub use announced::Announced;
pub use belief::{Belief, BeliefLimits};
pub use estimate::{DrawnBoards, Estimate};
pub use exact::{
    budget::Limit,
    progress::Progress,
    sample::{self, HistorySampler, Walked},
    set::PositionSet,
    spill::{Spill, SpillError, SpillingTracker},
    stream::{self, History, Stream},
    tracker::{TrackError, Tracker},
};
pub use hidden::HiddenMove;
pub use last_observation::LastObservation;
pub use marginals::{Man, Marginals};
pub use moved::Moved;
pub use nebel_position::{Key, Men};
pub use own_move::OwnAttempt;
pub use own_tries::OwnTries;
pub use statistics::{Announce, AttemptStats, Statistics};
pub use step::Step;
pub use view_state::ViewState;
