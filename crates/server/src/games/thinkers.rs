//! The threads on which the machine thinks. The turn that is due first goes first, and each is given its share of the
//! time ([`Pace`]), so that turns keep their ticks under load. A long turn makes way when others would be late.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use nebel_search::Cancel;

use super::pace::Pace;
use crate::pool::{Failed, Job, Work};

/// Players recurse.
const STACK: usize = 16 << 20;

/// The threads; clones share them. They end with the last clone.
#[derive(Clone, Debug)]
pub(crate) struct Thinkers {
    owner: Arc<Owner>,
}

/// A turn that is thought about, or will be. Who drops this has lost interest.
#[derive(Debug)]
pub(super) struct Thought<T> {
    number: u64,
    job: Job<T>,
    given: Given,
}

/// The time that a turn was given; nothing before it is begun.
#[derive(Clone, Debug, Default)]
struct Given(Arc<AtomicU64>);

/// Counts a game among those that the machine plays, as long as it lives.
#[derive(Debug)]
pub(super) struct MachineGame {
    _counted: Arc<()>,
}

#[derive(Debug)]
struct Owner {
    shared: Arc<Shared>,
    /// Held once here, and once by each game that the machine plays.
    games: Arc<()>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    more: Condvar,
}

#[derive(Debug)]
struct State {
    /// By the time when it is due, and by its number.
    waiting: BTreeMap<(Instant, u64), Waiting>,
    /// By its number.
    running: BTreeMap<u64, Running>,
    next: u64,
    pace: Pace,
    is_closed: bool,
}

struct Waiting {
    most: Duration,
    turn: Running,
    task: Work,
}

#[derive(Clone, Debug)]
struct Running {
    /// When it was asked for, or begun.
    since: Instant,
    given: Given,
    stop: Cancel,
}

impl Thinkers {
    /// Starts so many threads.
    pub(crate) fn new(threads: usize) -> std::io::Result<Thinkers> {
        let threads = threads.max(1);
        let state = State {
            waiting: BTreeMap::new(),
            running: BTreeMap::new(),
            next: 0,
            pace: Pace::new(threads, Instant::now()),
            is_closed: false,
        };
        let shared = Arc::new(Shared { state: Mutex::new(state), more: Condvar::new() });
        // Made first, so that threads that could be started end if another could not.
        let owner = Arc::new(Owner { shared: Arc::clone(&shared), games: Arc::default() });
        for number in 1..=threads {
            let shared = Arc::clone(&shared);
            let builder = thread::Builder::new().name(format!("player {number}")).stack_size(STACK);
            builder.spawn(move || shared.work())?;
        }
        Ok(Thinkers { owner })
    }

    /// Has a turn thought about that is due then and may take `most`. The work is told how long it has, counted from when
    /// it is begun, or that there is no time to think at all. Its flag is raised when it must make way.
    pub(super) fn think<T: Send + 'static>(
        &self,
        due: Instant,
        most: Duration,
        work: impl FnOnce(Option<Duration>, &Cancel) -> T + Send + 'static,
    ) -> Thought<T> {
        let given = Given::default();
        let told = given.clone();
        let (task, job) = Job::of(move |stop| work(told.time(), stop));
        let turn = Running { since: Instant::now(), given: given.clone(), stop: job.stop().clone() };
        let mut state = self.owner.shared.state();
        let number = state.next;
        state.next += 1;
        state.waiting.insert((due, number), Waiting { most, turn, task });
        drop(state);
        self.owner.shared.more.notify_one();
        Thought { number, job, given }
    }

    /// If this turn still waits, has the one make way that has thought the longest, unless it had no more than its share.
    pub(super) fn press<T>(&self, thought: &Thought<T>) {
        let mut state = self.owner.shared.state();
        if !state.waiting.keys().any(|&(_, number)| number == thought.number) {
            return;
        }
        let now = Instant::now();
        let State { waiting, running, pace, .. } = &mut *state;
        let share = pace.share(Duration::MAX, now, waiting.keys().map(|&(due, _)| due));
        let longest = running.values().filter(|turn| !turn.stop.is_cancelled()).min_by_key(|turn| turn.since);
        let share = share.unwrap_or(Duration::ZERO);
        if let Some(turn) = longest.filter(|turn| now.duration_since(turn.since) > share) {
            turn.given.set(Some(now.duration_since(turn.since)));
            turn.stop.cancel();
        }
    }

    /// Counts a new game of the machine; none when its turns could not be thought about for `shortest` each and be shown on
    /// their ticks.
    pub(super) fn new_game(&self, shortest: Duration) -> Option<MachineGame> {
        // Counted first, so that of many at once none is overlooked.
        let game = self.game();
        let games = Arc::strong_count(&self.owner.games) - 1;
        let has_room = self.owner.shared.state().pace.has_room_for(games, shortest, Instant::now());
        has_room.then_some(game)
    }

    /// Counts a game of the machine that was begun before.
    pub(super) fn game(&self) -> MachineGame {
        MachineGame { _counted: Arc::clone(&self.owner.games) }
    }
}

impl<T> Thought<T> {
    /// Waits for the turn.
    pub(super) async fn wait(&mut self) -> Result<T, Failed> {
        self.job.wait().await
    }

    /// Asks for what there is by now.
    pub(super) fn stop(&self) {
        self.job.stop().cancel();
    }

    /// The time it was given, by what the server had to do; nothing if it was not begun.
    pub(super) fn given(&self) -> Duration {
        self.given.time().unwrap_or_default()
    }
}

impl Given {
    fn set(&self, time: Option<Duration>) {
        // Nought says that there is no time; the least time is another number.
        let number = time.map_or(0, |time| time.as_micros() as u64 + 1);
        self.0.store(number, Ordering::Relaxed);
    }

    fn time(&self) -> Option<Duration> {
        self.0.load(Ordering::Relaxed).checked_sub(1).map(Duration::from_micros)
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // Panics of players are caught before they get here.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a thread does all its life.
    fn work(&self) {
        let mut state = self.state();
        loop {
            if state.is_closed {
                return;
            }
            let now = Instant::now();
            let State { waiting, pace, .. } = &mut *state;
            let Some(first) = waiting.first_key_value() else {
                state = self.more.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let share = pace.share(first.1.most, now, waiting.keys().map(|&(due, _)| due));
            let Some(((_, number), Waiting { turn, task, .. })) = waiting.pop_first() else { continue };
            turn.given.set(share);
            state.running.insert(number, Running { since: now, ..turn });
            drop(state);
            task();
            state = self.state();
            state.running.remove(&number);
            let done = Instant::now();
            state.pace.note(share, done.duration_since(now), done);
        }
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.is_closed = true;
        state.running.values().for_each(|turn| turn.stop.cancel());
        drop(state);
        self.shared.more.notify_all();
    }
}

impl std::fmt::Debug for Waiting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Waiting").field("most", &self.most).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn until_stopped(time: Option<Duration>, stop: &Cancel) -> Duration {
        let begun = Instant::now();
        while time.is_some_and(|time| begun.elapsed() < time) && !stop.is_cancelled() {
            thread::sleep(Duration::from_millis(1));
        }
        begun.elapsed()
    }

    #[tokio::test]
    async fn a_long_turn_makes_way_for_one_that_would_be_late() {
        let thinkers = Thinkers::new(1).unwrap();
        let minute = Duration::from_mins(1);
        let mut long = thinkers.think(Instant::now() + minute, minute, until_stopped);
        while long.given().is_zero() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let soon = Duration::from_millis(300);
        let mut short = thinkers.think(Instant::now() + soon, soon, until_stopped);
        thinkers.press(&short);
        assert!(!long.job.stop().is_cancelled(), "it has not had more than its share yet");
        tokio::time::sleep(soon / 2).await;
        thinkers.press(&short);
        assert!(long.wait().await.unwrap() < minute / 2);
        assert!(long.given() < minute / 2, "what it had is said");
        assert!(short.wait().await.is_ok());
    }

    #[tokio::test]
    async fn who_is_due_first_goes_first_and_who_is_gone_is_passed_over() {
        let thinkers = Thinkers::new(1).unwrap();
        let now = Instant::now();
        let second = Duration::from_secs(1);
        let (order, done) = std::sync::mpsc::channel();
        let mut first = thinkers.think(now + second, second / 5, until_stopped);
        let think = |name: &'static str, seconds: u32| {
            let order = order.clone();
            thinkers.think(now + second * seconds, second, move |_, _: &Cancel| order.send(name).unwrap())
        };
        let (mut late, gone, mut soon) = (think("late", 9), think("gone", 3), think("soon", 2));
        drop(gone);
        first.wait().await.unwrap();
        soon.wait().await.unwrap();
        late.wait().await.unwrap();
        assert_eq!(done.try_iter().collect::<Vec<_>>(), ["soon", "late"]);
    }
}
