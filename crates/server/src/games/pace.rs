//! How much time a turn of the machine can have, so that all turns are shown on their ticks.
//!
//! Two things bound it. What waits: the turns behind this one must be done by their own times as well, and while they
//! are thought about others come, so that each of them counts double. And what the last seconds asked for: without
//! that, the first of a crowd would have all the time and the last none. When the threads cannot afford even the least
//! that players need, some turns are not thought about at all: what else the server does must not wait for players.

use std::time::{Duration, Instant};

/// What the turns of the last seconds asked for, and what they cost.
#[derive(Clone, Debug)]
pub(super) struct Pace {
    threads: f64,
    /// When the sums below were last brought up to date. Each is a number a second, forgotten over [`MEMORY`].
    at: Instant,
    turns: f64,
    /// Turns that were thought about.
    thought: f64,
    /// Turns that used what they were given; one that used half of it counts half.
    demand: f64,
    /// Seconds that turns took beyond what they were given. No smaller share saves them.
    beyond: f64,
}

/// How long a turn is remembered.
const MEMORY: f64 = 2.0;
/// The part of the threads that is shared out; the rest is for bursts.
const SHARED_OUT: f64 = 0.7;
/// The part of the threads that may be needed when every turn is as short as it can be.
const NEEDED: f64 = 0.85;
/// Turns a second of a game of which nothing is known: a person answers, looks, and tries again.
const USUAL: f64 = 0.5;

impl Pace {
    pub(super) fn new(threads: usize, now: Instant) -> Pace {
        Pace { threads: threads as f64, at: now, turns: 0.0, thought: 0.0, demand: 0.0, beyond: 0.0 }
    }

    /// What a turn can have that is begun now: `most` at most, and nothing when it cannot be thought about. `due` are the
    /// times by which it and those that wait must be done, in order, its own first.
    pub(super) fn share(
        &mut self,
        most: Duration,
        now: Instant,
        due: impl Iterator<Item = Instant>,
    ) -> Option<Duration> {
        self.forget(now);
        let beyond = self.beyond_each();
        let of_demand = SHARED_OUT * self.threads / self.demand.max(f64::MIN_POSITIVE) - beyond;
        let mut share = of_demand;
        for (place, due) in due.enumerate() {
            let left = due.saturating_duration_since(now).as_secs_f64();
            if of_demand < 0.0 || place == 0 && left <= beyond {
                return None;
            }
            let of_queue =
                if place == 0 { left } else { left / (1.0 + 2.0 * place as f64 / self.threads) - beyond };
            share = share.min(of_queue);
        }
        Some(most.min(Duration::try_from_secs_f64(share.max(0.0)).unwrap_or(most)))
    }

    /// Takes note of a turn: what it was given, if it was thought about, and what it took.
    pub(super) fn note(&mut self, given: Option<Duration>, taken: Duration, now: Instant) {
        self.forget(now);
        self.turns += 1.0 / MEMORY;
        let Some(given) = given else { return };
        let used = if given.is_zero() { 1.0 } else { taken.div_duration_f64(given).min(1.0) };
        self.thought += 1.0 / MEMORY;
        self.demand += used / MEMORY;
        self.beyond += taken.saturating_sub(given).as_secs_f64() / MEMORY;
    }

    /// Whether so many games can be played, each turn with `shortest` at least.
    pub(super) fn has_room_for(&mut self, games: usize, shortest: Duration, now: Instant) -> bool {
        self.forget(now);
        let shortest = shortest.as_secs_f64();
        let others = games.saturating_sub(1).max(1) as f64;
        let used = if self.thought > 0.0 { self.demand / self.thought } else { 0.0 };
        let measured = self.turns * (self.beyond_each() + used * shortest) * games as f64 / others;
        let usual = games as f64 * USUAL * shortest;
        measured.max(usual) <= NEEDED * self.threads
    }

    /// What a turn takes beyond what it is given.
    fn beyond_each(&self) -> f64 {
        if self.thought > 0.0 { self.beyond / self.thought } else { 0.0 }
    }

    fn forget(&mut self, now: Instant) {
        let kept = (-now.saturating_duration_since(self.at).as_secs_f64() / MEMORY).exp();
        self.at = now;
        for sum in [&mut self.turns, &mut self.thought, &mut self.demand, &mut self.beyond] {
            *sum *= kept;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn who_is_alone_has_all_his_time_and_a_crowd_shares() {
        let now = Instant::now();
        let mut pace = Pace::new(2, now);
        assert_eq!(pace.share(ms(350), now, std::iter::once(now + ms(425))), Some(ms(350)));
        assert_eq!(pace.share(ms(350), now, std::iter::once(now + ms(30))), Some(ms(30)), "begun late");
        let crowd = std::iter::repeat_n(now + ms(425), 100);
        assert_eq!(pace.share(ms(350), now, crowd), Some(Duration::from_micros(4250)));
        assert_eq!(pace.share(ms(350), now, std::iter::once(now)), None, "too late");
    }

    /// One thread, and a turn every 10 ms with half a second each, which costs something whatever it is given: what
    /// the turns were given once all has settled, and how many were done after their time.
    fn crowd(cost: Duration) -> (Vec<Option<Duration>>, u32) {
        let begin = Instant::now();
        let mut pace = Pace::new(1, begin);
        let (mut waiting, mut late, mut shares) = (std::collections::VecDeque::new(), 0, Vec::new());
        let (mut now, mut come) = (begin, 0);
        while come < 2000 {
            while begin + ms(10) * come <= now {
                waiting.push_back(begin + ms(10) * come + ms(425));
                come += 1;
            }
            let Some(&due) = waiting.front() else {
                now += ms(1);
                continue;
            };
            let given = pace.share(ms(350), now, waiting.iter().copied());
            waiting.pop_front();
            let taken = given.map_or(Duration::ZERO, |given| given + cost);
            now += taken;
            pace.note(given, taken, now);
            late += u32::from(now > due);
            shares.push(given);
        }
        (shares.split_off(1000), late)
    }

    #[test]
    fn a_steady_crowd_is_always_in_time() {
        let (shares, late) = crowd(ms(2));
        assert_eq!(late, 0);
        let given: Vec<Duration> = shares.iter().copied().flatten().collect();
        assert_eq!(given.len(), shares.len(), "all are thought about");
        let mean = given.iter().sum::<Duration>() / given.len() as u32;
        assert!((ms(3)..ms(8)).contains(&mean), "{mean:?} of the 8 ms that there are");
    }

    #[test]
    fn what_cannot_be_afforded_is_not_thought_about() {
        let (shares, late) = crowd(ms(20));
        let thought = shares.iter().filter(|given| given.is_some()).count();
        // Seven tenths of a second are 35 turns of 20 ms, of the hundred that come.
        assert!((300..=400).contains(&(thought * 1000 / shares.len())), "{thought} of {}", shares.len());
        assert!(late < 10, "{late}");
    }

    #[test]
    fn quick_players_take_nothing_from_slow_ones() {
        let begin = Instant::now();
        let mut pace = Pace::new(2, begin);
        for number in 0..1000 {
            pace.note(Some(ms(350)), Duration::from_micros(100), begin + ms(5) * number);
        }
        let now = begin + ms(5000);
        assert_eq!(pace.share(ms(350), now, std::iter::once(now + ms(425))), Some(ms(350)));
    }

    #[test]
    fn no_more_games_than_the_threads_can_serve() {
        let begin = Instant::now();
        let mut pace = Pace::new(2, begin);
        assert!(pace.has_room_for(1000, ms(3), begin) && !pace.has_room_for(1200, ms(3), begin));
        // Two hundred games that cost 8 ms a turn and have a turn a second each.
        for number in 0..1000 {
            pace.note(Some(ms(1)), ms(9), begin + ms(5) * number);
        }
        let now = begin + ms(5000);
        assert!(!pace.has_room_for(201, ms(3), now), "200 turns a second of 11 ms are more than two threads");
        assert!(pace.has_room_for(201, ms(3), now + ms(20_000)), "what was measured is forgotten");
    }
}
