//! Montgomery arithmetic modulo an odd n of exactly N limbs.
//!
//! An element stands for a*R mod n with R = 2^(64 N) and may be any representative below R; only `leave`
//! brings it to [0, n). Multiplication, squaring, `enter` and `leave` take the same time for all values.

use openssl::bn::{BigNum, BigNumContext, BigNumRef};
use zeroize::Zeroizing;

use crate::backend::{portable_mul, Backend, OpenSslContext};
use crate::error::{invalid, not_understood, Result};
use crate::{kernels, limbs};

pub type Element<const N: usize> = [u64; N];

pub struct Modulus<const N: usize> {
    pub n: Element<N>,
    pub one: Element<N>,
    pub number: BigNum,
    n0: u64,
    r2: Element<N>,
    backend: Backend,
    openssl: Option<OpenSslContext>,
    secret: bool,
}

impl<const N: usize> Modulus<N> {
    pub fn public(number: &BigNumRef) -> Result<Self> {
        Self::with_backend(number, false, Backend::detect(false))
    }

    /// The modulus is a private value: only constant-time back-ends, and zeroized when dropped.
    pub fn secret(number: &BigNumRef) -> Result<Self> {
        Self::with_backend(number, true, Backend::detect(true))
    }

    pub fn with_backend(number: &BigNumRef, secret: bool, backend: Backend) -> Result<Self> {
        let bits = number.num_bits() as usize;
        let has_room = N % 8 == 0 || bits + 2 <= 64 * N;
        if number.is_negative() || !number.is_bit_set(0) || bits <= 64 * (N - 1) || !has_room || bits > 64 * N {
            return not_understood("modulus of an unusual size");
        }
        let mut context = BigNumContext::new()?;
        let n: Element<N> = limbs::array_from_number(number);
        let mut inverse = 1u64;
        for _ in 0..6 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(n[0].wrapping_mul(inverse)));
        }
        let mut r = BigNum::new()?;
        r.set_bit((64 * N) as i32)?;
        let mut one = BigNum::new_secure()?;
        one.nnmod(&r, number, &mut context)?;
        let mut r2 = BigNum::new_secure()?;
        r2.mod_sqr(&one, number, &mut context)?;
        let openssl = if backend == Backend::OpenSsl { Some(OpenSslContext::new(number)?) } else { None };
        Ok(Self {
            n,
            one: limbs::array_from_number(&one),
            number: number.to_owned()?,
            n0: inverse.wrapping_neg(),
            r2: limbs::array_from_number(&r2),
            backend,
            openssl,
            secret,
        })
    }

    #[inline]
    pub fn mul(&self, a: &Element<N>, b: &Element<N>) -> Element<N> {
        match (self.backend, &self.openssl) {
            (Backend::Kernels, _) => kernels::mul(a, b, &self.n, self.n0),
            (Backend::OpenSsl, Some(context)) => context.mul(a, b),
            _ => portable_mul(a, b, &self.n, self.n0),
        }
    }

    #[inline]
    pub fn sqr(&self, a: &Element<N>) -> Element<N> {
        match (self.backend, &self.openssl) {
            (Backend::Kernels, _) => kernels::sqr(a, &self.n, self.n0),
            (Backend::OpenSsl, Some(context)) => context.mul(a, a),
            _ => portable_mul(a, a, &self.n, self.n0),
        }
    }

    /// a mod n for a number of any length, in the plain domain. The length of a is public, its value is not
    /// seen: with chunks c_k of N limbs, ((c_k R + c_k-1) R + ...) where a multiplication by R^2 is "times R".
    pub fn reduce(&self, a: &[u64]) -> Element<N> {
        let mut sum = [0u64; N];
        for chunk in a.chunks(N).rev() {
            sum = self.mul(&sum, &self.r2);
            let mut part = [0u64; N];
            part[..chunk.len()].copy_from_slice(chunk);
            // Brings the chunk below the modulus, so that the sum fits.
            let part = self.mul(&self.mul(&part, &self.r2), &Self::plain_one());
            let carry = limbs::add(&mut sum, &part);
            limbs::subtract_once(&mut sum, &self.n, carry);
        }
        limbs::subtract_once(&mut sum, &self.n, 0);
        sum
    }

    fn plain_one() -> Element<N> {
        let mut one = [0u64; N];
        one[0] = 1;
        one
    }

    /// From a non-negative number to an element.
    pub fn enter(&self, number: &BigNumRef) -> Result<Element<N>> {
        if number.is_negative() {
            return invalid("a group element is negative");
        }
        if self.backend == Backend::OpenSsl {
            let mut reduced = BigNum::new()?;
            reduced.nnmod(number, &self.number, &mut *BigNumContext::new()?)?;
            return Ok(self.mul(&limbs::array_from_number(&reduced), &self.r2));
        }
        let all = Zeroizing::new(limbs::from_number(number));
        if all.len() <= N {
            let mut padded = Zeroizing::new([0u64; N]);
            padded[..all.len()].copy_from_slice(&all);
            return Ok(self.mul(&padded, &self.r2));
        }
        Ok(self.mul(&Zeroizing::new(self.reduce(&all)), &self.r2))
    }

    /// From an element to its number in [0, n).
    pub fn leave(&self, a: &Element<N>) -> Element<N> {
        let mut result = self.mul(a, &Self::plain_one());
        limbs::subtract_once(&mut result, &self.n, 0);
        result
    }

    pub fn inverse(&self, a: &Element<N>) -> Result<Element<N>> {
        if !self.secret {
            return self.inverse_unblinded(a);
        }
        // OpenSSL's inversion is not constant time: it sees a times a random unit only.
        let mut bytes = Zeroizing::new(vec![0u8; 8 * N]);
        openssl::rand::rand_priv_bytes(&mut bytes)?;
        let random = Zeroizing::new(limbs::from_bytes(&bytes));
        let blind = Zeroizing::new(self.mul(&Zeroizing::new(self.reduce(&random)), &self.r2));
        let blinded = Zeroizing::new(self.mul(a, &blind));
        Ok(self.mul(&Zeroizing::new(self.inverse_unblinded(&blinded)?), &blind))
    }

    fn inverse_unblinded(&self, a: &Element<N>) -> Result<Element<N>> {
        let number = limbs::to_number(&Zeroizing::new(self.leave(a))[..])?;
        let mut inverse = BigNum::new_secure()?;
        if inverse.mod_inverse(&number, &self.number, &mut *BigNumContext::new()?).is_err() {
            return invalid("a group element has no inverse");
        }
        self.enter(&inverse)
    }

    #[doc(hidden)]
    pub fn stored(&mut self, name: &str, visit: &mut dyn FnMut(&str, &mut [u64])) {
        visit(&format!("{name}.n"), &mut self.n);
        visit(&format!("{name}.n0"), std::slice::from_mut(&mut self.n0));
        visit(&format!("{name}.r2"), &mut self.r2);
        visit(&format!("{name}.one"), &mut self.one);
    }

    /// All inverses for the price of one (Montgomery's trick).
    pub fn inverses(&self, elements: &[Element<N>]) -> Result<Vec<Element<N>>> {
        let mut before = Zeroizing::new(Vec::with_capacity(elements.len()));
        let mut product = Zeroizing::new(self.one);
        for element in elements {
            before.push(*product);
            *product = self.mul(&product, element);
        }
        let mut rest = Zeroizing::new(self.inverse(&product)?);
        let mut inverses = vec![self.one; elements.len()];
        for index in (0..elements.len()).rev() {
            inverses[index] = self.mul(&rest, &before[index]);
            *rest = self.mul(&rest, &elements[index]);
        }
        Ok(inverses)
    }
}

impl<const N: usize> Drop for Modulus<N> {
    fn drop(&mut self) {
        if self.secret {
            zeroize::Zeroize::zeroize(&mut self.n);
            zeroize::Zeroize::zeroize(&mut self.one);
            zeroize::Zeroize::zeroize(&mut self.r2);
            self.number.clear();
        }
    }
}
