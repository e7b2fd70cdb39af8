//! The primes e of signatures: random primes between 2^596 and 2^596 + 2^119.
//!
//! A window of odd numbers after a fresh random start is sieved with the small primes; survivors take a Fermat
//! test to base 2, and what passes takes Miller–Rabin rounds with random bases.

use std::sync::OnceLock;

use crate::error::Result;
use crate::random;
use crate::special_modulus::{SpecialModulus, Wide};

const START_BITS: u32 = 119;
const SIEVE_LIMIT: usize = 1 << 14;
const WINDOW: usize = 4096;
/// A random composite of this size passes one round with a probability far below 2^-60.
const MILLER_RABIN_ROUNDS: usize = 4;

/// Odd primes below the limit with 2^596 modulo each.
fn small_primes() -> &'static [(u32, u32)] {
    static PRIMES: OnceLock<Vec<(u32, u32)>> = OnceLock::new();
    PRIMES.get_or_init(|| {
        let mut composite = vec![false; SIEVE_LIMIT];
        let mut primes = Vec::new();
        for candidate in 2..SIEVE_LIMIT {
            if composite[candidate] {
                continue;
            }
            (candidate * candidate..SIEVE_LIMIT).step_by(candidate).for_each(|multiple| composite[multiple] = true);
            if candidate > 2 {
                let residue = (0..596).fold(1u64, |residue, _| residue * 2 % candidate as u64);
                primes.push((candidate as u32, residue as u32));
            }
        }
        primes
    })
}

fn remainder(x: u128, prime: u64) -> u64 {
    let (high, low) = ((x >> 64) as u64 % prime, x as u64);
    let upper = (high << 32 | low >> 32) % prime;
    (upper << 32 | low & 0xffff_ffff) % prime
}

/// composite[i] where 2^596 + start + 2i has a small factor.
fn sieve(start: u128) -> Vec<bool> {
    let mut composite = vec![false; WINDOW];
    for &(prime, residue) in small_primes() {
        let prime = prime as u64;
        let value = (remainder(start, prime) + residue as u64) % prime;
        let missing = if value == 0 { 0 } else { prime - value };
        let first = if missing % 2 == 0 { missing / 2 } else { (missing + prime) / 2 };
        (first as usize..WINDOW).step_by(prime as usize).for_each(|index| composite[index] = true);
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
