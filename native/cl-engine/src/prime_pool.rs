//! Primes made ahead of time, in memory only, each given out once.
//!
//! Two signatures of one key with the same e can be combined into a forgery, so a prime must never be seen
//! twice: the pool is shared by all threads of a process behind one lock, is never written anywhere, and is
//! thrown away when its process is not the one that filled it (fork), when the clocks show that the machine
//! was stopped and resumed (a restored snapshot would give the same primes twice), or when it is old.

use std::sync::{Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant, SystemTime};

use crate::error::{fault, Result};
use crate::primes;
use crate::special_modulus::Wide;

const CAPACITY: usize = 4096;
const OLDEST: Duration = Duration::from_secs(600);
/// More drift than this between wall clock and monotonic clock means that one of them stood still or jumped.
const DRIFT: Duration = Duration::from_millis(500);

#[derive(Clone, Copy)]
struct Stamp {
    process: u32,
    wall: SystemTime,
    monotonic: Instant,
}

impl Stamp {
    fn now() -> Self {
        Self { process: std::process::id(), wall: SystemTime::now(), monotonic: Instant::now() }
    }

    fn still_holds(&self) -> bool {
        let monotonic = self.monotonic.elapsed();
        let Ok(wall) = self.wall.elapsed() else { return false };
        let drift = if wall > monotonic { wall - monotonic } else { monotonic - wall };
        self.process == std::process::id() && drift < DRIFT && monotonic < OLDEST
    }
}

const MOST_ATTEMPTS: usize = 8;

struct Pool {
    stamp: Stamp,
    primes: Vec<Wide>,
}

impl Pool {
    fn discard_if_stale(&mut self) {
        if !self.stamp.still_holds() {
            zeroize::Zeroize::zeroize(&mut self.primes);
        }
    }

    /// The stamp of the pool is that of its oldest prime. A prime that is stale already is not kept.
    fn add(&mut self, prime: Wide, begun: &Stamp) {
        if !begun.still_holds() {
            return;
        }
        if self.primes.is_empty() || begun.monotonic < self.stamp.monotonic {
            self.stamp = *begun;
        }
        self.primes.push(prime);
    }
}

fn pool() -> Result<MutexGuard<'static, Pool>> {
    static POOL: OnceLock<Mutex<Pool>> = OnceLock::new();
    let pool = POOL.get_or_init(|| Mutex::new(Pool { stamp: Stamp::now(), primes: Vec::new() }));
    match pool.lock() {
        Ok(mut guard) => {
            guard.discard_if_stale();
            Ok(guard)
        }
        Err(_) => fault("the prime pool was left in an unknown state"),
    }
}

/// A prime that nobody else gets: from the pool, else searched now.
pub fn take() -> Result<Wide> {
    if let Some(prime) = pool()?.primes.pop() {
        return Ok(prime);
    }
    for _ in 0..MOST_ATTEMPTS {
        let begun = Stamp::now();
        let prime = primes::generate()?;
        if begun.still_holds() {
            return Ok(prime);
        }
    }
    fault("the clocks do not agree while a prime is searched")
}

/// Adds up to `count` primes; returns how many the pool holds then.
pub fn fill(count: usize) -> Result<usize> {
    for _ in 0..count {
        if pool()?.primes.len() >= CAPACITY {
            break;
        }
        // From before its randomness was drawn: a machine that stops while it is searched is noticed, too.
        let begun = Stamp::now();
        let prime = primes::generate()?;
        pool()?.add(prime, &begun);
    }
    size()
}

pub fn size() -> Result<usize> {
    Ok(pool()?.primes.len())
}

/// As after a fork or a resumed machine.
pub fn discard() -> Result<()> {
    zeroize::Zeroize::zeroize(&mut pool()?.primes);
    Ok(())
}
