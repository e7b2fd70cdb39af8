//! A = Q^(1/e) for a Q below n, and the proof that it was made with the key.
//!
//! Here alone do the factors take part in what is given out. The residues are taken from the one Q that is checked
//! against at the end: whatever goes wrong modulo one factor, or where both are joined, ends with A^e != Q.

use openssl::bn::{BigNum, BigNumRef};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::comb::{Comb, Shape};
use crate::disturbance::{Disturbance, Step};
use crate::error::{fault, invalid, Result};
use crate::group::Group;
use crate::issuer_key::{IssuerKey, ORDER_LIMBS};
use crate::limbs;
use crate::montgomery::Element;
use crate::product::{Product, Window};
use crate::random;
use crate::root_exponent::root_exponent;
use crate::special_modulus::Wide;
use crate::wire::issuance::SignatureProof;

/// One table serves the two secret powers of Q.
const SECRET_SHAPE: Shape = Shape { teeth: 5, blocks: 2 };
/// e is 2^596 and 119 bits: few digits for many squarings.
const PRIME_WINDOW: usize = 4;

/// A residue modulo a factor gives the factor away as much as the factor itself.
type Residue<const N: usize> = Zeroizing<Element<N>>;

/// Q^d and Q^r modulo one of the factors.
fn secret_powers<const N: usize>(
    group: &Group<N>,
    q: &Element<N>,
    d: &[u64],
    r: &[u64],
) -> Result<(Residue<N>, Residue<N>)> {
    let Some(order) = &group.order else { return fault("the order of the group is not known") };
    let (d, r) = (Zeroizing::new(order.blind(d)?), Zeroizing::new(order.blind(r)?));
    let mut comb = Comb::new(&group.modulus, q, order.exponent_bits, SECRET_SHAPE);
    let to_the_d = Zeroizing::new(comb.secret_power(&group.modulus, &d));
    let to_the_r = Zeroizing::new(comb.secret_power(&group.modulus, &r));
    comb.wipe();
    Ok((to_the_d, to_the_r))
}

/// Euler's criterion, with the secret exponent p' in constant time.
fn is_square<const N: usize>(group: &Group<N>, value: &Element<N>) -> Result<bool> {
    let Some(order) = &group.order else { return fault("the order of the group is not known") };
    let mut comb = Comb::new(&group.modulus, value, order.exponent_bits, SECRET_SHAPE);
    let above = Zeroizing::new(comb.secret_power(&group.modulus, order.half()));
    let power = Zeroizing::new(group.modulus.leave(&above));
    comb.wipe();
    Ok(power[0] == 1 && power[1..].iter().all(|limb| *limb == 0))
}

pub fn hash(parts: &[&[u8]]) -> Result<BigNum> {
    let mut hash = Sha256::new();
    parts.iter().for_each(|part| hash.update(part));
    Ok(BigNum::from_slice(&hash.finalize())?)
}

pub fn decimal(number: &BigNumRef) -> Result<String> {
    Ok(number.to_dec_str()?.to_string())
}

impl<const N: usize, const M: usize> IssuerKey<N, M> {
    /// A and its proof. The timing tests call it as well.
    pub fn sign(
        &self,
        q: &Element<M>,
        e: &Wide,
        nonce: &BigNumRef,
        disturbance: &impl Disturbance,
    ) -> Result<(Vec<u64>, SignatureProof)> {
        let mut q = *q;
        let mut d = root_exponent(&self.order, e)?;
        disturbance.strike(Step::Exponent, &mut d[..]);
        // An r that served twice would give d away. Made from what is signed as well, it differs with that.
        let mut r = self.random_exponent(&[&limbs::padded_bytes(&d[..]), &limbs::padded_bytes(&q), &nonce.to_vec()])?;
        let mut q_p = Zeroizing::new(self.p.modulus.enter(&*limbs::to_number(&q)?)?);
        disturbance.strike(Step::ResidueModuloP, &mut q_p[..]);
        disturbance.strike(Step::SignedAfterFirstResidue, &mut q);
        let q_q = Zeroizing::new(self.q.modulus.enter(&*limbs::to_number(&q)?)?);
        let (mut a_p, cap_p) = secret_powers(&self.p, &q_p, &d[..], &r[..])?;
        disturbance.strike(Step::RootModuloP, &mut a_p[..]);
        disturbance.strike(Step::ExponentAfterFirstPower, &mut d[..]);
        let (a_q, cap_q) = secret_powers(&self.q, &q_q, &d[..], &r[..])?;
        let (mut a, cap) = (self.joined(&a_p, &a_q), self.joined(&cap_p, &cap_q));
        disturbance.strike(Step::Root, &mut a);
        if !self.is_signature(&a, e, &q)? {
            // A request outside the group of squares has no signature; that is the requester's doing.
            let squares = is_square(&self.p, &q_p)? && is_square(&self.q, &q_q)?;
            let reason = "a signature did not verify and was thrown away";
            return if squares { fault(reason) } else { invalid("credential request: u is no square") };
        }
        let c = hash(&[&limbs::to_bytes(&q), &limbs::to_bytes(&a), &limbs::to_bytes(&cap), &nonce.to_vec()])?;
        disturbance.strike(Step::CommitmentExponent, &mut r[..]);
        let se = self.answer(&r, &c, &d, e, disturbance)?;
        Ok((a, SignatureProof { se: decimal(&*limbs::to_number(&se)?)?, c: decimal(&c)? }))
    }

    /// s = r - c d modulo the order; given out only where e (r - s) = c.
    fn answer(
        &self,
        r: &Element<ORDER_LIMBS>,
        c: &BigNumRef,
        d: &Element<ORDER_LIMBS>,
        e: &Wide,
        disturbance: &impl Disturbance,
    ) -> Result<Element<ORDER_LIMBS>> {
        let order = &self.order;
        // One operand stands in its Montgomery form, so that the product stands for itself.
        let mut product = Zeroizing::new(order.mul(&order.enter(c)?, d));
        limbs::subtract_once(&mut product[..], &order.n, 0);
        disturbance.strike(Step::Product, &mut product[..]);
        let mut answer = *r;
        let borrow = limbs::sub(&mut answer, &product[..]);
        limbs::add_masked(&mut answer, &order.n, 0u64.wrapping_sub(borrow));
        disturbance.strike(Step::Answer, &mut answer);
        let mut hidden = Zeroizing::new(*r);
        let borrow = limbs::sub(&mut hidden[..], &answer);
        limbs::add_masked(&mut hidden[..], &order.n, 0u64.wrapping_sub(borrow));
        let mut product = Zeroizing::new(order.mul(&hidden, &order.enter(&*limbs::to_number(e)?)?));
        limbs::subtract_once(&mut product[..], &order.n, 0);
        if product[..] != limbs::array_from_number::<ORDER_LIMBS>(c) {
            return fault("the proof of a signature did not verify and was thrown away");
        }
        Ok(answer)
    }

    fn random_exponent(&self, hedge: &[&[u8]]) -> Result<Residue<ORDER_LIMBS>> {
        // 128 bits more than needed make the reduction's bias invisible.
        let mut bytes = Zeroizing::new([0u8; 8 * (ORDER_LIMBS + 2)]);
        random::fill(&mut bytes[..], hedge)?;
        Ok(Zeroizing::new(self.order.reduce(&Zeroizing::new(limbs::from_bytes(&bytes[..])))))
    }

    /// A^e = Q modulo n, without the factors.
    fn is_signature(&self, a: &[u64], e: &[u64], q: &[u64]) -> Result<bool> {
        let modulus = &self.n.modulus;
        let window = Window::new(modulus, &modulus.enter(&*limbs::to_number(a)?)?, PRIME_WINDOW);
        let mut power = Product::new();
        power.window(&window, e.to_vec());
        let power = modulus.leave(&power.value(modulus));
        Ok(limbs::to_bytes(&power) == limbs::to_bytes(q))
    }
}
