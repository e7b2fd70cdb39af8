//! Safe primes p = 2p' + 1 of exactly 1,024 bits.
//!
//! Candidates p' = start + 6 i are sieved for p' and p together; survivors take a Fermat test to base 2 for p'
//! and then for p. Given that p' is prime, 2^p' = +-1 (mod p) proves p prime (Pocklington). p' itself finally
//! takes OpenSSL's primality test with its own number of rounds.

use std::sync::OnceLock;

use openssl::bn::{BigNum, BigNumContext};
use zeroize::Zeroizing;

use crate::error::{fault, Result};
use crate::limbs;
use crate::montgomery::Modulus;
use crate::random;
use crate::issuer_key::safe_prime;

const HALF_BITS: usize = 1023;
const SIEVE_LIMIT: usize = 1 << 20;
const BLOCK: usize = 1 << 17;
/// Fresh randomness after this many blocks without a find.
const BLOCKS: usize = 64;

struct SmallPrime {
    prime: u32,
    /// 1/6 modulo the prime.
    sixth: u32,
}

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
            if candidate > 3 {
                let p = candidate as u64;
                let k = (1..6).find(|k| (k * p + 1) % 6 == 0).unwrap_or(1);
                primes.push(SmallPrime { prime: candidate as u32, sixth: ((k * p + 1) / 6) as u32 });
            }
        }
        primes
    })
}

fn remainder(words: &[u32], prime: u64) -> u64 {
    words.iter().fold(0, |rest, word| (rest << 32 | *word as u64) % prime)
}

/// Where each small prime first divides p' (left) and p (right).
fn offsets(start: &BigNum) -> Zeroizing<Vec<(u32, u32)>> {
    let limbs = Zeroizing::new(limbs::from_number(start));
    let mut words = Zeroizing::new(Vec::with_capacity(2 * limbs.len()));
    limbs.iter().rev().for_each(|limb| words.extend([(limb >> 32) as u32, *limb as u32]));
    let first = |missing: u64, small: &SmallPrime| (missing % small.prime as u64 * small.sixth as u64 % small.prime as u64) as u32;
    let mut offsets = Zeroizing::new(Vec::with_capacity(small_primes().len()));
    offsets.extend(small_primes().iter().map(|small| {
        let p = small.prime as u64;
        let rest = remainder(&words, p);
        (first(p - rest, small), first((p - 1) / 2 + p - rest, small))
    }));
    offsets
}

/// A random p' candidate: 1,023 bits, the two top bits set, 5 modulo 6.
fn random_start() -> Result<BigNum> {
    let mut bytes = Zeroizing::new([0u8; HALF_BITS.div_ceil(8)]);
    random::fill(&mut bytes[..], &[])?;
    bytes[0] = bytes[0] & 0x1f | 0x60;
    let mut start = limbs::secret_number(&bytes[..])?;
    let rest = start.mod_word(6)? as u32;
    start.add_word((11 - rest) % 6)?;
    Ok(start)
}

/// 2^exponent modulo the modulus is 1 or, where allowed, -1.
fn two_to_the(modulus: &Modulus<16>, exponent: &[u64], allow_minus_one: bool) -> bool {
    let mut power = modulus.one;
    for index in (0..limbs::bit_length(exponent)).rev() {
        power = modulus.sqr(&power);
        if limbs::bit(exponent, index) == 1 {
            // A representative below R is below 2.7 n here; doubling needs one below n.
            limbs::subtract_once(&mut power, &modulus.n, 0);
            limbs::subtract_once(&mut power, &modulus.n, 0);
            let copy = power;
            let carry = limbs::add(&mut power, &copy);
            limbs::subtract_once(&mut power, &modulus.n, carry);
        }
    }
    let mut result = modulus.leave(&power);
    if result[0] == 1 && result[1..].iter().all(|limb| *limb == 0) {
        return true;
    }
    limbs::add(&mut result, &{
        let mut one = [0u64; 16];
        one[0] = 1;
        one
    });
    allow_minus_one && result == modulus.n
}

fn is_safe(half: &BigNum) -> Result<bool> {
    let mut less_one = Zeroizing::new(limbs::from_number(half));
    less_one[0] -= 1;
    if !two_to_the(&Modulus::secret(half)?, &less_one, false) {
        return Ok(false);
    }
    if !two_to_the(&Modulus::secret(&*safe_prime(half)?)?, &Zeroizing::new(limbs::from_number(half)), true) {
        return Ok(false);
    }
    Ok(half.is_prime(64, &mut *BigNumContext::new()?)?)
}

/// p' of a safe prime 2p' + 1 with exactly 1,024 bits, its two top bits set.
pub fn generate_half() -> Result<BigNum> {
    let mut composite = Zeroizing::new(vec![false; BLOCK]);
    for _ in 0..1000 {
        let start = random_start()?;
        let mut offsets = offsets(&start);
        for block in 0..BLOCKS {
            composite.fill(false);
            for (small, offsets) in small_primes().iter().zip(offsets.iter_mut()) {
                for offset in [&mut offsets.0, &mut offsets.1] {
                    let mut index = *offset as usize;
                    while index < BLOCK {
                        composite[index] = true;
                        index += small.prime as usize;
                    }
                    *offset = (index - BLOCK) as u32;
                }
            }
            for index in (0..BLOCK).filter(|index| !composite[*index]) {
                let mut candidate = (*start).to_owned()?;
                candidate.add_word(6 * (block * BLOCK + index) as u32)?;
                if candidate.num_bits() as usize == HALF_BITS && is_safe(&candidate)? {
                    return Ok(candidate);
                }
            }
        }
    }
    fault("no safe prime was found")
}
