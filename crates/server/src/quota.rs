//! Quotas: how often each address may ask, and how much of everything it may hold at once.
//!
//! What is counted is a [`Source`]. Rates are counted by the library `governor`; shares are given back when they
//! are dropped.

use std::{
    collections::BTreeMap,
    net::{IpAddr, Ipv6Addr},
    num::NonZeroU32,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

/// Where requests come from, as far as they are counted together: an IPv4 address, or the 64 bits of an IPv6
/// address that name a network, since whoever has such a network has all its addresses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Source(IpAddr);

impl Source {
    /// Whether it is the machine that the server runs on. Of `::1` the network is left, to which nobody else belongs.
    pub(crate) fn is_this_machine(self) -> bool {
        self.0.is_loopback() || self.0 == IpAddr::V6(Ipv6Addr::UNSPECIFIED)
    }

    /// Where this address belongs.
    pub(crate) fn of(address: IpAddr) -> Source {
        Source(match address.to_canonical() {
            IpAddr::V4(address) => address.into(),
            IpAddr::V6(address) => {
                let network = u128::from(address) & (u128::MAX << 64);
                Ipv6Addr::from(network).into()
            }
        })
    }
}

/// So many a second in the long run, so many at once.
pub(crate) fn steady(a_second: f64, at_once: f64) -> Quota {
    let period = Duration::try_from_secs_f64(1.0 / a_second).unwrap_or(LONGEST_PERIOD);
    let period = period.clamp(Duration::from_nanos(1), LONGEST_PERIOD);
    let at_once = NonZeroU32::new(at_once as u32).unwrap_or(NonZeroU32::MIN);
    // A period that is not zero is always a quota.
    Quota::with_period(period).map_or(Quota::per_second(at_once), |quota| quota.allow_burst(at_once))
}

/// Rates below one a day are one a day.
const LONGEST_PERIOD: Duration = Duration::from_hours(24);

/// How often each source may do something.
#[derive(Debug)]
pub(crate) struct Rates(DefaultKeyedRateLimiter<Source>);

/// So many sources are remembered; one that could ask as often as a new one goes first.
const MOST_SOURCES: usize = 10_000;

impl Rates {
    pub(crate) fn new(quota: Quota) -> Rates {
        Rates(RateLimiter::keyed(quota))
    }

    /// Whether this source may do it once more now.
    pub(crate) fn allow(&self, source: Source) -> bool {
        if self.0.len() > MOST_SOURCES {
            self.0.retain_recent();
        }
        self.0.len() <= MOST_SOURCES && self.0.check_key(&source).is_ok()
    }
}

/// How much each source, and all together, may hold at once; clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Shares(Arc<Pot>);

#[derive(Debug)]
struct Pot {
    of_one: usize,
    of_all: usize,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    all: usize,
    by: BTreeMap<Source, usize>,
}

impl Shares {
    /// At most `of_one` for each source, and `of_all` in all.
    pub(crate) fn new(of_one: usize, of_all: usize) -> Shares {
        Shares(Arc::new(Pot { of_one, of_all, taken: Mutex::default() }))
    }

    /// So much for this source, unless it has too much or nothing is left.
    pub(crate) fn take(&self, source: Source, amount: usize) -> Option<Share> {
        let mut taken = self.0.lock();
        let has = taken.by.get(&source).copied().unwrap_or(0);
        let fits = |has: usize, most| has.checked_add(amount).is_some_and(|sum| sum <= most);
        if !fits(has, self.0.of_one) || !fits(taken.all, self.0.of_all) {
            return None;
        }
        taken.all += amount;
        taken.by.insert(source, has + amount);
        Some(Share { pot: Arc::clone(&self.0), source, amount })
    }
}

impl Pot {
    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a source holds until this is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    pot: Arc<Pot>,
    source: Source,
    amount: usize,
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut taken = self.pot.lock();
        taken.all -= self.amount;
        if let Some(has) = taken.by.get_mut(&self.source) {
            *has -= self.amount;
            if *has == 0 {
                taken.by.remove(&self.source);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source::of(text.parse().unwrap())
    }

    #[test]
    fn a_network_is_one_source() {
        assert_eq!(source("2001:db8:1:2::1"), source("2001:db8:1:2:ffff:ffff:ffff:ffff"));
        assert_ne!(source("2001:db8:1:2::1"), source("2001:db8:1:3::1"));
        assert_ne!(source("192.0.2.1"), source("192.0.2.2"));
        assert_eq!(source("::ffff:192.0.2.1"), source("192.0.2.1"), "the same address in other clothes");
    }

    #[test]
    fn a_rate_allows_the_burst_and_then_the_rate() {
        let rates = Rates::new(steady(0.001, 3.0));
        let allowed = (0..10).filter(|_| rates.allow(source("127.0.0.1"))).count();
        assert_eq!(allowed, 3);
        assert!(rates.allow(source("127.0.0.2")), "another address has its own");
        let quick = Rates::new(steady(1e6, 1.0));
        let allowed = (0..1000).filter(|_| {
            std::thread::sleep(Duration::from_micros(2));
            quick.allow(source("127.0.0.1"))
        });
        assert_eq!(allowed.count(), 1000, "who waits may ask again");
    }

    #[test]
    fn shares_are_bounded_for_one_and_for_all_and_come_back() {
        let shares = Shares::new(3, 5);
        let (one, other) = (source("127.0.0.1"), source("127.0.0.2"));
        let two = shares.take(one, 2).unwrap();
        assert!(shares.take(one, 2).is_none(), "four are too many for one");
        let three = shares.take(other, 3).unwrap();
        assert!(shares.take(one, 1).is_none(), "six are too many for all");
        drop(three);
        assert!(shares.take(one, 1).is_some());
        drop(two);
        assert!(shares.take(one, 3).is_some() && shares.take(one, usize::MAX).is_none());
    }
}
