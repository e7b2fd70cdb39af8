//! A definition whose private key is known: its group modulo p and modulo q, and the way back to modulo n.

use openssl::bn::{BigNum, BigNumContext, BigNumRef};
use zeroize::Zeroizing;

use crate::error::{invalid, Result};
use crate::group::Group;
use crate::limbs;
use crate::montgomery::{Element, Modulus};
use crate::order::Order;
use crate::wire::definition::{Factors, PublicKey};

/// p'q' has 2,046 to 2,048 bits whatever the size of n.
pub const ORDER_LIMBS: usize = 32;

/// M limbs for n, N for each of p and q: 32 and 16, or 33 and 17 for keys made by the library.
pub struct IssuerKey<const N: usize, const M: usize> {
    pub p: Group<N>,
    pub q: Group<N>,
    /// Modulo n, with what a signature is made over.
    pub n: Group<M>,
    /// p'q', the order of the group in which credentials are signed.
    pub order: Modulus<ORDER_LIMBS>,
    pub r_names: Vec<String>,
    q_inverse: Element<N>,
}

/// 2p' + 1; wiped when dropped, as every "secure" number of OpenSSL.
pub fn safe_prime(half: &BigNumRef) -> Result<BigNum> {
    let mut prime = BigNum::new_secure()?;
    prime.lshift1(half)?;
    prime.add_word(1)?;
    Ok(prime)
}

impl<const N: usize, const M: usize> IssuerKey<N, M> {
    pub fn new(key: &PublicKey, factors: &Factors) -> Result<Self> {
        let mut context = BigNumContext::new()?;
        let (p, q) = (safe_prime(&factors.p)?, safe_prime(&factors.q)?);
        let mut n = BigNum::new()?;
        n.checked_mul(&p, &q, &mut context)?;
        if n != *key.n {
            return invalid("the private key does not belong to this definition");
        }
        let p_group = Group::new(key, Modulus::secret(&p)?, Some(Order::new(&factors.p)?))?;
        let q_group = Group::new(key, Modulus::secret(&q)?, Some(Order::new(&factors.q)?))?;
        let mut order = BigNum::new_secure()?;
        order.checked_mul(&factors.p, &factors.q, &mut context)?;
        Ok(Self {
            q_inverse: p_group.modulus.inverse(&p_group.modulus.enter(&q)?)?,
            p: p_group,
            q: q_group,
            n: Group::for_signing(key, Modulus::public(&n)?)?,
            order: Modulus::secret(&order)?,
            r_names: key.r.keys().cloned().collect(),
        })
    }

    #[doc(hidden)]
    pub fn stored(&mut self, visit: &mut dyn FnMut(&str, &mut [u64])) {
        self.p.stored("p", visit);
        self.q.stored("q", visit);
        self.n.stored("n", visit);
        self.order.stored("order", visit);
        visit("q_inverse", &mut self.q_inverse);
    }

    /// The number below n that these elements stand for.
    pub fn joined(&self, modulo_p: &Element<N>, modulo_q: &Element<N>) -> Vec<u64> {
        let (modulo_p, modulo_q) = (self.p.modulus.leave(modulo_p), self.q.modulus.leave(modulo_q));
        self.combine(&Zeroizing::new(modulo_p), &Zeroizing::new(modulo_q))
    }

    /// The number below n with these residues, in constant time: b + q ((a - b) q^-1 mod p).
    pub fn combine(&self, modulo_p: &Element<N>, modulo_q: &Element<N>) -> Vec<u64> {
        let p = &self.p.modulus;
        let mut b = Zeroizing::new(*modulo_q);
        limbs::subtract_once(&mut b[..], &p.n, 0);
        let mut difference = Zeroizing::new(*modulo_p);
        let borrow = limbs::sub(&mut difference[..], &b[..]);
        limbs::add_masked(&mut difference[..], &p.n, 0u64.wrapping_sub(borrow));
        let mut h = Zeroizing::new(p.mul(&difference, &self.q_inverse));
        limbs::subtract_once(&mut h[..], &p.n, 0);
        let mut result = limbs::multiply(&h[..], &self.q.modulus.n);
        let mut low = Zeroizing::new(vec![0u64; 2 * N]);
        low[..N].copy_from_slice(modulo_q);
        limbs::add(&mut result, &low);
        result
    }
}

impl<const N: usize, const M: usize> Drop for IssuerKey<N, M> {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.q_inverse);
    }
}
