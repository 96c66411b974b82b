//! The default algorithm: GL-DBU, told what the game with full information and refuted beliefs can tell it.
//!
//! * *Iterative deepening*: 1 ply, 3 plies and so on; the first proof is one of the shortest.
//! * *Full information*: a state that has no win for a solver who sees everything refutes its belief, and an attempt that does
//!   not win a state in that way cannot be part of a proof. What is found is remembered by state.
//! * *States together*: all states that a reply leads to rule attempts out before any is searched.
//! * *Order of states*: those without a quick win with full information come first, because they refute most.
//! * *Refuted and proved beliefs* are remembered (`table`): a superset of a refuted core is refuted, a subset of a proved set proved.
//! * *Ordering*: the attempt that wins a state with full information first, then those that have won others most often.
//! * *Proof numbers*, told the same, take turns with all this (`rival`), for long forced lines.
//! * *A second thread* joins in long searches. It takes the attempts of the root from the other end, and both add to the same
//!   tables: what one has refuted or won the other meets there. A refutation by either, or a proof, is final.

mod full_information;
mod hitting;
mod part;
mod rival;
mod states;
mod table;

pub use part::{Share, largest_part, part_of};

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::algorithm::{Breadth, Part, Pruning};
use crate::domain::{AttemptId, Domain};
use crate::incremental::{Blame, Engine, Guide};
use crate::keys::KeySet;
use crate::limits::{Cancel, DEFAULT_MEMORY, Limits, Meter, Stop};
use crate::source::{Listed, Source};
use crate::strategy::Strategy;
use full_information::FullInformation;
use rival::Rival;
use table::Beliefs;

/// So many states are searched to the full depth with full information while the belief is being computed.
const EARLY_LOOKS: u32 = 2;

/// A look at the first states ends after so many: it is to spare work, not to be all of it.
const EARLY_LOOK: u64 = 100_000;

/// A second thread joins after so many states: short problems are over by then.
const HELP_AFTER: u64 = 800_000;

/// What `auto` knows beyond its proof tree.
struct Informed<'a, D: Domain> {
    full: FullInformation,
    beliefs: Arc<Mutex<Beliefs>>,
    /// Bytes of the table that the meter knows of.
    held: usize,
    /// Who waits to help in long searches.
    helper: Option<Sender<(FullInformation, Arc<Mutex<Beliefs>>)>>,
    /// The turn whose attempts are tried from the other end, by the plies left.
    reversed: Option<u32>,
    rival: Option<Rival<'a, D>>,
    without: Option<Part>,
}

impl<D: Domain> Informed<'_, D> {
    fn new(limits: &Limits, without: Option<Part>) -> Self {
        let bytes = limits.memory.unwrap_or(DEFAULT_MEMORY) / limits.threads.max(1) / 2;
        let beliefs = Arc::new(Mutex::new(Beliefs::new(bytes / 2)));
        Informed::of(FullInformation::new(bytes, without), beliefs, without)
    }

    fn of(full: FullInformation, beliefs: Arc<Mutex<Beliefs>>, without: Option<Part>) -> Self {
        Informed { full, beliefs, held: 0, helper: None, reversed: None, rival: None, without }
    }

    /// The table of beliefs; a thread that panicked with it has left it whole.
    fn beliefs(&self) -> MutexGuard<'_, Beliefs> {
        self.beliefs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the meter what the table of beliefs holds, and calls for help when the search takes long.
    fn account(&mut self, meter: &mut Meter) {
        let held = self.beliefs().bytes();
        meter.hold(held.saturating_sub(self.held));
        meter.release(self.held.saturating_sub(held));
        self.held = held;
        if meter.counters.constructed >= HELP_AFTER
            && let Some(helper) = self.helper.take()
        {
            // Nobody there is no harm.
            let _ = helper.send((self.full.share(meter), Arc::clone(&self.beliefs)));
        }
    }

    fn has(&self, part: Part) -> bool {
        self.without != Some(part)
    }

    /// Asks what full information tells, with pauses for the rival.
    fn ask(
        &mut self,
        meter: &mut Meter,
        question: impl Fn(&mut FullInformation, &mut Meter) -> Result<bool, Stop>,
    ) -> Result<bool, Stop> {
        loop {
            self.let_rival(meter)?;
            // Broken off, so that the rival can catch up; what was found by then is remembered.
            let slice = self.rival.as_ref().map_or(u64::MAX, |rival| rival.patience(meter));
            let full = &mut self.full;
            if let Some(answer) = meter.within(slice, |meter| question(full, meter))? {
                return Ok(answer);
            }
        }
    }

    /// Whether the solver, to move and seeing everything, wins within `plies`.
    fn wins(&mut self, domain: &D, meter: &mut Meter, state: &D::State, plies: u32) -> Result<bool, Stop> {
        self.ask(meter, |full, meter| full.turn(domain, meter, state, plies))
    }

    /// Lets the rival catch up. When it knows the answer, there is nothing more to do here.
    fn let_rival(&mut self, meter: &mut Meter) -> Result<(), Stop> {
        let Some(rival) = &mut self.rival else { return Ok(()) };
        if !rival.catch_up(&mut self.full, meter)? {
            self.rival.take().into_iter().for_each(|rival| rival.leave(meter));
            return Ok(());
        }
        if rival.found.is_some() { Err(Stop::Cancelled) } else { Ok(()) }
    }

    /// The result of a search that may have been ended by the rival's.
    fn result(&mut self, own: Result<Option<Strategy>, Stop>) -> Result<Option<Strategy>, Stop> {
        match self.rival.as_mut().and_then(|rival| rival.found.take()) {
            Some(found) if own.is_err() => Ok(found.strategy()),
            _ => own,
        }
    }
}

impl<D: Domain> Guide<D> for Informed<'_, D> {
    const TOGETHER: bool = true;
    const REMEMBERS: bool = true;

    fn admits(&mut self, domain: &D, meter: &mut Meter, state: &D::State, plies: u32) -> Result<bool, Stop> {
        // On the last ply the chain finds out as fast.
        self.account(meter);
        if plies <= 2 || self.full.is_left_out() { Ok(true) } else { self.wins(domain, meter, state, plies) }
    }

    fn admits_reply(
        &mut self,
        domain: &D,
        meter: &mut Meter,
        state: &D::State,
        plies: u32,
    ) -> Result<bool, Stop> {
        if !self.has(Part::FullInformation) {
            self.let_rival(meter)?;
            return Ok(true);
        }
        self.ask(meter, |full, meter| full.reply(domain, meter, state, plies))
    }

    fn knows_refuted(&mut self, keys: &KeySet, plies: u32) -> Option<Blame> {
        self.beliefs().refuted_within(keys, plies)
    }

    fn learn_refuted(&mut self, keys: &[u128], plies: u32) {
        // One state alone, and the last ply, are cheaper to ask with full information.
        if plies > 1 && keys.len() > 1 && self.has(Part::RefutedSets) {
            self.beliefs().learn_refuted(keys, plies);
        }
    }

    fn knows_proved(&mut self, keys: &KeySet, sum: u128, plies: u32) -> bool {
        self.beliefs().proves(keys, sum, plies)
    }

    fn learn_proved(&mut self, keys: &KeySet, sum: u128, plies: u32) {
        if self.has(Part::ProvedSets) {
            self.beliefs().learn_proved(keys.as_slice(), sum, plies);
        }
    }

    fn order(&mut self, domain: &D, state: &D::State, plies: u32, attempts: &mut [AttemptId]) {
        self.full.order(domain, domain.key(state), attempts);
        if self.reversed == Some(plies) {
            attempts.reverse();
        }
    }
}

/// A strategy for all states of the belief, or `None` as soon as there can be none.
pub(crate) fn run<D: Domain>(
    domain: &D,
    belief: &mut impl Source<State = D::State>,
    plies: u32,
    without: Option<Part>,
    meter: &mut Meter,
) -> Result<Option<Strategy>, Stop> {
    let mut informed = Informed::new(meter.limits(), without);
    let mut states = Vec::new();
    let looking = informed.has(Part::EarlyLooks) && informed.has(Part::FullInformation);
    let mut looks = if looking { EARLY_LOOKS } else { 0 };
    while let Some(state) = belief.find_next(meter)? {
        // While the belief is still being computed, one lost state ends it all. States with a quick win with full
        // information are not worth the look, and when some have stood it the others may wait for their turn.
        if looks > 0 && !informed.full.turn(domain, meter, &state, plies.min(3))? {
            looks -= 1;
            let full = &mut informed.full;
            let look = meter.within(EARLY_LOOK, |meter| full.turn(domain, meter, &state, plies))?;
            if look == Some(false) {
                return Ok(None);
            }
        }
        // Here, and once more in the order in which they are searched.
        meter.hold(2 * size_of::<D::State>());
        states.push(state);
    }
    if informed.has(Part::ProofNumbers) {
        let memory = meter.limits().memory.unwrap_or(DEFAULT_MEMORY) / 4;
        informed.rival = Some(Rival::new(domain, &states, plies, memory, meter)?);
    }
    if meter.limits().threads < 2 || states.len() < 2 {
        let own = deepen(domain, &states, plies, &mut informed, meter);
        return informed.result(own);
    }
    with_help(domain, &states, plies, informed, meter)
}

/// Searches 1 ply, 3 plies and so on, the states that were lost two plies before first: they refute most.
fn deepen<D: Domain>(
    domain: &D,
    states: &[D::State],
    plies: u32,
    informed: &mut Informed<'_, D>,
    meter: &mut Meter,
) -> Result<Option<Strategy>, Stop> {
    let sorted = informed.has(Part::StateOrder) && informed.has(Part::FullInformation);
    let first = if informed.has(Part::Deepening) { 1 } else { plies };
    for depth in (first..=plies).step_by(2) {
        let (mut hard, mut easy) = (Vec::new(), Vec::new());
        for state in states {
            meter.tick()?;
            let quick = sorted && informed.wins(domain, meter, state, depth - 1)?;
            (if quick { &mut easy } else { &mut hard }).push(state.clone());
        }
        hard.append(&mut easy);
        informed.reversed = informed.reversed.map(|_| depth);
        let mut engine = Engine::new(domain, informed, meter, Breadth::All, Pruning::Greedy);
        if let Some(strategy) = engine.solve(&mut Listed(hard.into_iter()), depth)? {
            return Ok(Some(strategy));
        }
        engine.drop_tree();
        meter.progress.refuted = Some(depth);
    }
    Ok(None)
}

/// Two threads on the same tables, the second from when the search has taken long; the first to know ends the other.
fn with_help<D: Domain>(
    domain: &D,
    states: &[D::State],
    plies: u32,
    mut informed: Informed<'_, D>,
    meter: &mut Meter,
) -> Result<Option<Strategy>, Stop> {
    let over = Cancel::default();
    let without = informed.without;
    let mut helper_meter = meter.fork(over.clone());
    meter.add_cancel(over.clone());
    let (sender, receiver) = channel();
    informed.helper = Some(sender);
    let (own, help) = thread::scope(|scope| {
        let finish = over.clone();
        let helper = scope.spawn(move || {
            let (full, beliefs) = receiver.recv().ok()?;
            let mut informed = Informed { reversed: Some(0), ..Informed::of(full, beliefs, without) };
            let result = deepen(domain, states, plies, &mut informed, &mut helper_meter);
            if result.is_ok() {
                finish.cancel();
            }
            Some((result, helper_meter.counters))
        });
        let own = deepen(domain, states, plies, &mut informed, meter);
        let own = informed.result(own);
        if own.is_ok() {
            over.cancel();
        }
        // Whoever still waits is not needed any more.
        informed.helper = None;
        match helper.join() {
            Ok(help) => (own, help),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    let Some((result, counters)) = help else { return own };
    meter.counters.add(&counters);
    match (own, result) {
        (Ok(result), _) | (Err(_), Ok(result)) => Ok(result),
        (Err(stop), Err(_)) => Err(stop),
    }
}
