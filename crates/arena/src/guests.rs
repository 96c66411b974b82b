//! Players that no spec makes: whoever embeds the arena brings them, each under a name of its own.
//!
//! In a schedule a guest is written by its name, where others have their spec. A farm knows nothing of guests and refuses their games.

use std::{collections::BTreeMap, fmt, sync::Arc};

use nebel_players::{Player, SpecError, by_spec};

use crate::identity::{Identity, IdentityError, Introductions, Reported};

/// Players by name.
#[derive(Clone, Default)]
pub struct Guests(BTreeMap<String, Guest>);

#[derive(Clone)]
struct Guest {
    make: Arc<dyn Fn() -> Box<dyn Player> + Send + Sync>,
    reported: Reported,
}

impl Guests {
    /// One guest more. `make` is called by each thread that plays; `version` tells apart what must not be counted together.
    #[must_use]
    pub fn with(
        mut self,
        name: &str,
        version: Option<String>,
        make: impl Fn() -> Box<dyn Player> + Send + Sync + 'static,
    ) -> Guests {
        let reported = Reported { name: name.to_owned(), version };
        self.0.insert(name.to_owned(), Guest { make: Arc::new(make), reported });
        self
    }

    /// The guest of this name, or else the player of this spec.
    pub fn player(&self, spec: &str) -> Result<Box<dyn Player>, SpecError> {
        self.0.get(spec).map_or_else(|| by_spec(spec), |guest| Ok((guest.make)()))
    }

    /// Who plays: guests are known by what they report, others as [`Identity::of_all`] finds out.
    pub fn identities(
        &self,
        specs: &[String],
        introductions: Introductions,
    ) -> Result<Vec<Identity>, IdentityError> {
        let known: Vec<String> = specs.iter().filter(|spec| !self.0.contains_key(*spec)).cloned().collect();
        let mut known = Identity::of_all(&known, introductions)?.into_iter();
        let identity = |spec: &String| match self.0.get(spec) {
            Some(guest) => Some(Identity::reported(spec, guest.reported.clone())),
            None => known.next(),
        };
        Ok(specs.iter().filter_map(identity).collect())
    }
}

impl fmt::Debug for Guests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use nebel_kriegspiel::{Chess, Rules};
    use nebel_players::{Cancel, Greedy};

    use super::*;
    use crate::{
        game::MatchTerms,
        runner::{Place, Run},
        schedule::Schedule,
        store::{Store, Versions},
        time::{TimeControl, Times},
    };

    fn run(guests: Guests, place: Place) -> Run {
        let schedule = Schedule::of_two("me", "random", 4, vec![Chess::new()], 1).with_guests(guests);
        let terms = MatchTerms { rules: Rules::icc(), start: Chess::new(), max_moves: Some(40) };
        let times = Times::alike(TimeControl::Unlimited);
        Run { schedule, terms, times, place, sprt: None, versions: Versions::Same }
    }

    fn greedy(version: &str) -> Guests {
        Guests::default().with("me", Some(version.to_owned()), || Box::new(Greedy::default()))
    }

    #[test]
    fn a_guest_plays_and_is_known_by_its_version() {
        let store = Store::in_memory().unwrap();
        let one = run(greedy("1"), Place::Here(2));
        assert_eq!(one.play(&store, |_| {}).unwrap().len(), 4);
        let again = one.begin(&store).unwrap();
        assert_eq!(one.begin(&store).unwrap(), again);
        assert_ne!(run(greedy("2"), Place::Here(1)).begin(&store).unwrap(), again);
        assert!(run(Guests::default(), Place::Here(1)).begin(&store).is_err(), "nobody is called me");
    }

    #[test]
    fn a_run_that_is_stopped_ends_without_its_games() {
        let cancel = Cancel::default();
        cancel.cancel();
        let stopped = run(greedy("1"), Place::Until(2, cancel)).play(&Store::in_memory().unwrap(), |_| {});
        assert_eq!(stopped.unwrap_err().to_string(), "stopped; the same command goes on where it was");
    }
}
