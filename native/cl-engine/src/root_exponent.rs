//! d = 1/e modulo a secret order, for a public prime e that is much shorter.
//!
//! With k = -1/order modulo e, 1 + k order is a multiple of e and d the quotient. So only numbers of the length of e
//! are inverted; the division is exact, hence a multiplication by 1/e modulo a power of two.

use zeroize::Zeroizing;

use crate::backend::Backend;
use crate::error::Result;
use crate::limbs;
use crate::montgomery::{Element, Modulus};
use crate::special_modulus::Wide;

/// The first `length` limbs of a product.
fn low_product(a: &[u64], b: &[u64], length: usize) -> Zeroizing<Vec<u64>> {
    let mut product = Zeroizing::new(limbs::multiply(a, b));
    product.resize(length, 0);
    product
}

/// 1/e modulo 2^(64 N), for an odd and public e (Newton's iteration).
fn inverse_of_public<const N: usize>(e: &Wide) -> Zeroizing<Vec<u64>> {
    let mut inverse = Zeroizing::new(vec![1u64]);
    for _ in 0..6 {
        inverse[0] = inverse[0].wrapping_mul(2u64.wrapping_sub(e[0].wrapping_mul(inverse[0])));
    }
    while inverse.len() < N {
        let length = N.min(2 * inverse.len());
        let mut correction = vec![0u64; length];
        correction[0] = 2;
        limbs::sub(&mut correction, &low_product(&inverse, e, length));
        inverse = low_product(&inverse, &correction, length);
    }
    inverse
}

/// Constant time in the order; inversion sees it times a random number only.
pub fn root_exponent<const N: usize>(order: &Modulus<N>, e: &Wide) -> Result<Zeroizing<Element<N>>> {
    let modulus = Modulus::<10>::with_backend(&*limbs::to_number(e)?, true, Backend::Portable)?;
    let rest = Zeroizing::new(modulus.enter(&order.number)?);
    let inverse = Zeroizing::new(modulus.leave(&Zeroizing::new(modulus.inverse(&rest)?)));
    let mut k = Zeroizing::new(*e);
    limbs::sub(&mut k[..], &inverse[..]);
    let mut multiple = low_product(&order.n, &k[..], N);
    let mut one = [0u64; N];
    one[0] = 1;
    limbs::add(&mut multiple, &one);
    let mut d = Zeroizing::new([0u64; N]);
    d.copy_from_slice(&low_product(&multiple, &inverse_of_public::<N>(e), N));
    Ok(d)
}
