//! Time on the processor, which other work on the machine does not change.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The time that this thread has spent on the processor.
pub(crate) fn spent() -> Duration {
    // The system's count is neither negative nor too large.
    clock_gettime(ClockId::ThreadCPUTime).try_into().unwrap_or_default()
}
