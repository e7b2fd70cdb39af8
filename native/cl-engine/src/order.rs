//! Exponents modulo the order p - 1 = 2p' of a secret prime p = 2p' + 1.
//!
//! A long exponent is reduced modulo p - 1 in constant time and a random multiple of p - 1 is added: the bits
//! that multi-exponentiation walks over are then fresh at every use and say nothing about p.

use openssl::bn::BigNumRef;
use zeroize::Zeroizing;

use crate::error::Result;
use crate::limbs;
use crate::montgomery::Modulus;

/// Length of the random multiple.
const BLIND_BITS: usize = 64;

/// p' has 1,023 bits in keys of exactly 2,048 and 1,024 in the library's.
const HALF_LIMBS: usize = 16;
const EXPONENT_LIMBS: usize = HALF_LIMBS + 2;

pub struct Order {
    half: Modulus<HALF_LIMBS>,
    pub exponent_bits: usize,
}

impl Order {
    /// `half` is p', prime and odd.
    pub fn new(half: &BigNumRef) -> Result<Self> {
        let bits = half.num_bits() as usize;
        Ok(Self { half: Modulus::secret(half)?, exponent_bits: bits + 1 + BLIND_BITS + 1 })
    }

    /// p' itself, the exponent of Euler's criterion.
    pub fn half(&self) -> &[u64] {
        &self.half.n
    }

    #[doc(hidden)]
    pub fn stored(&mut self, name: &str, visit: &mut dyn FnMut(&str, &mut [u64])) {
        self.half.stored(name, visit);
    }

    /// A blinded representative of a non-negative exponent, 18 limbs. Of a public exponent, too, it has to be wiped:
    /// the difference of the two is a multiple of p - 1.
    pub fn blind(&self, exponent: &[u64]) -> Result<Vec<u64>> {
        let mut random = [0u8; 8];
        openssl::rand::rand_priv_bytes(&mut random)?;
        let random = u64::from_le_bytes(random);
        let mut residue = vec![0u64; EXPONENT_LIMBS];
        residue[..HALF_LIMBS].copy_from_slice(&Zeroizing::new(self.half.reduce(exponent))[..]);
        // Modulo 2p': the residue modulo p' plus p' where the parity differs.
        let parity = (exponent.first().copied().unwrap_or(0) ^ residue[0]) & 1;
        let mut half = Zeroizing::new(vec![0u64; EXPONENT_LIMBS]);
        half[..HALF_LIMBS].copy_from_slice(&self.half.n);
        limbs::add_masked(&mut residue, &half, 0u64.wrapping_sub(parity));
        let product = Zeroizing::new(limbs::multiply(&self.half.n, &[random]));
        let mut multiple = Zeroizing::new(vec![0u64; EXPONENT_LIMBS]);
        multiple[..product.len()].copy_from_slice(&product);
        let copy = multiple.clone();
        limbs::add(&mut multiple, &copy);
        limbs::add(&mut residue, &multiple);
        Ok(residue)
    }
}
