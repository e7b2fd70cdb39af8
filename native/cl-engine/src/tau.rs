//! The verifier's side of a sub-proof: for challenge c, the values that the prover must have committed to.
//!
//! T  = A'^(e + 2^596 c) S^v Rctxt^m2 prod R_i^m_i  prod R_j^(c a_j) / Z^c   (i hidden, j revealed)
//! and for each predicate with commitments T0..T3, TD ("delta"), sign + for >= and > (- for <= and <):
//! t_k = Z^u_k S^r_k / T_k^c, k = 0..3
//! t_4 = Z^(mj - c bound) S^(+-r_delta) / TD^(+-c)
//! t_5 = S^alpha prod T_k^u_k / TD^c

use openssl::bn::{BigNum, BigNumContext, BigNumRef};

use crate::error::{invalid, EngineError, Result};
use crate::group::{Group, Quotient};
use crate::issuer_key::IssuerKey;
use crate::limbs;
use crate::montgomery::Element;
use crate::product::{Product, Window};
use crate::wire::number::Number;
use crate::wire::presentation::{PredicateProof, PrimaryProof};
use std::collections::BTreeMap;

const E_START: i32 = 596;
const SQUARES: [&str; 4] = ["0", "1", "2", "3"];
pub const DELTA: &str = "DELTA";
pub const COMMITMENTS: [&str; 5] = ["0", "1", "2", "3", DELTA];

pub fn named<'a>(map: &'a BTreeMap<String, Number>, name: &str) -> Result<&'a Number> {
    map.get(name).ok_or_else(|| EngineError::Invalid(format!("the proof has no value {name}")))
}

fn product_of(a: &BigNumRef, b: &BigNumRef) -> Result<BigNum> {
    let mut product = BigNum::new()?;
    product.checked_mul(a, b, &mut *BigNumContext::new()?)?;
    Ok(product)
}

/// Fractions collected for one common inversion.
struct Fractions<const N: usize> {
    above: Vec<Element<N>>,
    below: Vec<Element<N>>,
}

impl<const N: usize> Group<N> {
    /// All values of one sub-proof in the order in which they are hashed, modulo this group's number.
    pub fn tau(&self, c: &BigNumRef, proof: &PrimaryProof, hidden: &[&str]) -> Result<Vec<Element<N>>> {
        let mut fractions = Fractions { above: Vec::new(), below: Vec::new() };
        self.equality(c, proof, hidden, &mut fractions)?;
        for predicate in &proof.ge_proofs {
            self.predicate(c, predicate, &mut fractions)?;
        }
        let inverses = self.modulus.inverses(&fractions.below)?;
        let values = fractions.above.iter().zip(&inverses);
        Ok(values.map(|(above, inverse)| self.modulus.leave(&self.modulus.mul(above, inverse))).collect())
    }

    fn equality(&self, c: &BigNumRef, proof: &PrimaryProof, hidden: &[&str], out: &mut Fractions<N>) -> Result<()> {
        let equality = &proof.eq_proof;
        let mut shifted = BigNum::new()?;
        shifted.lshift(c, E_START)?;
        let mut exponent = BigNum::new()?;
        exponent.checked_add(&shifted, &equality.e)?;
        let a_prime = self.modulus.enter(&equality.a_prime)?;
        let mut quotient = Quotient::new(self);
        quotient.sides().0.base(&self.modulus, &a_prime, limbs::from_number(&exponent));
        quotient.times(&self.s, &equality.v)?;
        quotient.times(&self.rctxt, &equality.m2)?;
        for name in hidden {
            quotient.times(self.base(name)?, named(&equality.m, name)?)?;
        }
        for (name, value) in &equality.revealed_attrs {
            quotient.times(self.base(name)?, &*product_of(value, c)?)?;
        }
        quotient.over(&self.z, c)?;
        let (above, below) = quotient.values();
        out.above.push(above);
        out.below.push(below);
        Ok(())
    }

    fn predicate(&self, c: &BigNumRef, proof: &PredicateProof, out: &mut Fractions<N>) -> Result<()> {
        let modulus = &self.modulus;
        let challenge = limbs::from_number(c);
        let mut windows = Vec::with_capacity(COMMITMENTS.len());
        let mut to_the_c = Vec::with_capacity(COMMITMENTS.len());
        for name in COMMITMENTS {
            let window = Window::new(modulus, &modulus.enter(named(&proof.t, name)?)?, 5);
            {
                let mut power = Product::new();
                power.window(&window, challenge.clone());
                to_the_c.push(power.value(modulus));
            }
            windows.push(window);
        }
        let mut push = |quotient: &Quotient<'_, N>, above: Option<&Element<N>>, below: Option<&Element<N>>| {
            let (mut numerator, mut denominator) = quotient.values();
            numerator = above.map_or(numerator, |factor| modulus.mul(&numerator, factor));
            denominator = below.map_or(denominator, |factor| modulus.mul(&denominator, factor));
            out.above.push(numerator);
            out.below.push(denominator);
        };
        for (index, name) in SQUARES.iter().enumerate() {
            let mut quotient = Quotient::new(self);
            quotient.times(&self.z, named(&proof.u, name)?)?;
            quotient.times(&self.s, named(&proof.r, name)?)?;
            push(&quotient, None, Some(&to_the_c[index]));
        }
        let less = proof.predicate.is_less();
        let mut quotient = Quotient::new(self);
        quotient.times(&self.z, &*shifted_value(c, proof)?)?;
        let delta = named(&proof.r, DELTA)?;
        if less {
            quotient.over(&self.s, delta)?;
            push(&quotient, Some(&to_the_c[4]), None);
        } else {
            quotient.times(&self.s, delta)?;
            push(&quotient, None, Some(&to_the_c[4]));
        }
        let mut quotient = Quotient::new(self);
        quotient.times(&self.s, &proof.alpha)?;
        for (window, name) in windows.iter().zip(SQUARES) {
            let u = named(&proof.u, name)?;
            let (above, below) = quotient.sides();
            let side = if u.is_negative() { below } else { above };
            side.window(window, limbs::from_number(u));
        }
        push(&quotient, None, Some(&to_the_c[4]));
        Ok(())
    }
}

/// mj - c * bound
fn shifted_value(c: &BigNumRef, proof: &PredicateProof) -> Result<BigNum> {
    let Some(bound) = proof.predicate.inclusive_bound() else { return invalid("a predicate's bound overflows") };
    let mut number = BigNum::from_u32(bound.unsigned_abs())?;
    number.set_negative(bound < 0);
    let mut difference = BigNum::new()?;
    difference.checked_sub(&proof.mj, &*product_of(&number, c)?)?;
    Ok(difference)
}

/// A definition that proofs can be checked against, with or without its private key.
pub trait VerifyingKey: Send + Sync {
    fn tau_bytes(&self, c: &BigNumRef, proof: &PrimaryProof, hidden: &[&str]) -> Result<Vec<Vec<u8>>>;
    fn modulus(&self) -> &BigNumRef;
    fn attributes(&self) -> Vec<&str>;
    /// Memory held now, tables included.
    fn bytes(&self) -> usize;
}

impl<const N: usize> VerifyingKey for Group<N> {
    fn tau_bytes(&self, c: &BigNumRef, proof: &PrimaryProof, hidden: &[&str]) -> Result<Vec<Vec<u8>>> {
        Ok(self.tau(c, proof, hidden)?.iter().map(|value| limbs::to_bytes(value)).collect())
    }

    fn modulus(&self) -> &BigNumRef {
        &self.modulus.number
    }

    fn attributes(&self) -> Vec<&str> {
        self.r.keys().map(String::as_str).collect()
    }

    fn bytes(&self) -> usize {
        Group::bytes(self)
    }
}

impl<const N: usize, const M: usize> VerifyingKey for IssuerKey<N, M> {
    fn tau_bytes(&self, c: &BigNumRef, proof: &PrimaryProof, hidden: &[&str]) -> Result<Vec<Vec<u8>>> {
        let modulo_p = self.p.tau(c, proof, hidden)?;
        let modulo_q = self.q.tau(c, proof, hidden)?;
        Ok(modulo_p.iter().zip(&modulo_q).map(|(a, b)| limbs::to_bytes(&self.combine(a, b))).collect())
    }

    fn modulus(&self) -> &BigNumRef {
        &self.n.modulus.number
    }

    fn attributes(&self) -> Vec<&str> {
        self.r_names.iter().map(String::as_str).collect()
    }

    fn bytes(&self) -> usize {
        self.p.bytes() + self.q.bytes() + self.n.bytes()
    }
}
