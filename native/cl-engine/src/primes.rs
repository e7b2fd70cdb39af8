//! The primes e of signatures: random primes between 2^596 and 2^596 + 2^119.
//!
//! A window of odd numbers after a fresh random start is sieved with the small primes; survivors take a Fermat
//! test to base 2, and what passes takes Miller–Rabin rounds with random bases.

use std::sync::OnceLock;

use crate::error::Result;
use crate::random;
use crate::special_modulus::{SpecialModulus, Wide};

const START_BITS: u32 = 119;
const SIEVE_LIMIT: usize = 1 << 16;
const WINDOW: usize = 4096;
/// A random composite of this size passes one round with a probability far below 2^-60.
const MILLER_RABIN_ROUNDS: usize = 4;

struct SmallPrime {
    prime: u64,
    /// floor(2^64 / prime)
    reciprocal: u64,
    two_to_the_64: u64,
    two_to_the_596: u64,
}

impl SmallPrime {
    fn new(prime: u64) -> Self {
        let power = |exponent: u32| (0..exponent).fold(1, |residue, _| residue * 2 % prime);
        let reciprocal = ((1u128 << 64) / prime as u128) as u64;
        Self { prime, reciprocal, two_to_the_64: power(64), two_to_the_596: power(596) }
    }

    /// The estimated quotient is at most one too small.
    #[inline(always)]
    fn remainder(&self, x: u64) -> u64 {
        let quotient = (x as u128 * self.reciprocal as u128 >> 64) as u64;
        let rest = x - quotient * self.prime;
        if rest >= self.prime { rest - self.prime } else { rest }
    }

    /// The least i for which the prime divides 2^596 + start + 2i, for an odd start.
    #[inline(always)]
    fn first_multiple(&self, start: u128) -> usize {
        let high = self.remainder((start >> 64) as u64) * self.two_to_the_64;
        let value = self.remainder(high + self.remainder(start as u64) + self.two_to_the_596);
        let missing = if value == 0 { 0 } else { self.prime - value };
        (if missing % 2 == 0 { missing } else { missing + self.prime }) as usize / 2
    }
}

/// Odd primes below the limit.
fn small_primes() -> &'static [SmallPrime] {
    static PRIMES: OnceLock<Vec<SmallPrime>> = OnceLock::new();
    PRIMES.get_or_init(|| {
        let mut composite = vec![false; SIEVE_LIMIT];
        let mut primes = Vec::new();
        for candidate in 2..SIEVE_LIMIT {
            if composite[candidate] {
                continue;
            }
            (candidate * candidate..SIEVE_LIMIT).step_by(candidate).for_each(|multiple| composite[multiple] = true);
            if candidate > 2 {
                primes.push(SmallPrime::new(candidate as u64));
            }
        }
        primes
    })
}

/// composite[i] where 2^596 + start + 2i has a small factor.
fn sieve(start: u128) -> Vec<bool> {
    let mut composite = vec![false; WINDOW];
    for small in small_primes() {
        let mut index = small.first_multiple(start);
        while index < WINDOW {
            composite[index] = true;
            index += small.prime as usize;
        }
    }
    composite
}

fn random_base() -> Result<Wide> {
    let mut bytes = [0u8; 72];
    openssl::rand::rand_bytes(&mut bytes)?;
    let mut base: Wide = [0; 10];
    for (limb, chunk) in base.iter_mut().zip(bytes.chunks_exact(8)) {
        *limb = u64::from_le_bytes(chunk.try_into().unwrap_or_default());
    }
    base[0] |= 2;
    Ok(base)
}

fn is_prime(k: u128) -> Result<bool> {
    let modulus = SpecialModulus::new(k);
    if !modulus.passes_fermat() {
        return Ok(false);
    }
    for _ in 0..MILLER_RABIN_ROUNDS {
        if !modulus.passes_miller_rabin(&random_base()?) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A prime of the range, from fresh randomness; the caller uses it for one signature.
pub fn generate() -> Result<Wide> {
    loop {
        let mut bytes = [0u8; 16];
        random::fill(&mut bytes, &[])?;
        let start = (u128::from_le_bytes(bytes) & ((1 << START_BITS) - 1)) | 1;
        let composite = sieve(start);
        for index in (0..WINDOW).filter(|index| !composite[*index]) {
            let k = start + 2 * index as u128;
            if k >> START_BITS != 0 {
                break;
            }
            if is_prime(k)? {
                return Ok(SpecialModulus::new(k).m);
            }
        }
    }
}
