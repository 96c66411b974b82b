//! The clock that limits on time go by: everybody's, or the processor's, for measurements on a machine that others use too.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

/// Which clock a limit on time goes by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// The one on the wall.
    #[default]
    Wall,
    /// What the searching thread has had of a processor, where the system tells; a second thread goes by the wall.
    Processor,
}

/// The processor time of this thread, where the system tells.
pub fn processor_time() -> Option<Duration> {
    // The account of a running thread is brought up to date when it is scheduled anew.
    thread::yield_now();
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
}

/// Time that has passed by a clock.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    begun: Instant,
    /// What the thread had had by then.
    processor: Option<Duration>,
}

impl Stopwatch {
    /// Begins to run.
    pub fn new(clock: Clock) -> Self {
        let processor = if clock == Clock::Processor { processor_time() } else { None };
        Stopwatch { begun: Instant::now(), processor }
    }

    /// What has passed. To be asked on the thread that it was made on.
    pub fn elapsed(&self) -> Duration {
        let processor = self.processor.and_then(|begun| processor_time()?.checked_sub(begun));
        processor.unwrap_or_else(|| self.begun.elapsed())
    }
}

/// The moment at which a limit on time ends a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    time: Duration,
    watch: Stopwatch,
    /// Before this there is no need to look at the processor's clock, which never goes faster than the wall's.
    earliest: Instant,
}

impl Deadline {
    /// None where the limit is beyond the clock's range.
    pub(crate) fn new(time: Duration, clock: Clock) -> Option<Self> {
        let earliest = Instant::now().checked_add(time)?;
        Some(Deadline { time, watch: Stopwatch::new(clock), earliest })
    }

    /// The same for another thread, by the wall.
    pub(crate) fn elsewhere(self) -> Self {
        Deadline { watch: Stopwatch { processor: None, ..self.watch }, ..self }
    }

    /// Whether it has come.
    pub(crate) fn has_come(&mut self) -> bool {
        let now = Instant::now();
        if now < self.earliest {
            return false;
        }
        let left = self.time.saturating_sub(self.watch.elapsed());
        self.earliest = now + left;
        left.is_zero()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleeping_takes_no_processor_time() {
        let time = Duration::from_millis(20);
        let mut wall = Deadline::new(time, Clock::Wall).expect("in range");
        // Begun first, so that it has run for as long when the time is over.
        let watch = Stopwatch::new(Clock::Processor);
        let mut processor = Deadline::new(time, Clock::Processor).expect("in range");
        thread::sleep(2 * time);
        assert!(wall.has_come());
        if processor_time().is_some() {
            assert!(!processor.has_come() && watch.elapsed() < time);
            while !processor.has_come() {}
            assert!(watch.elapsed() >= time);
        }
    }
}
