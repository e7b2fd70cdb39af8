//! Signing a credential.
//!
//! Q = Z / (U S^v'' Rctxt^m2 prod R_i^m_i), A = Q^(1/e), and a proof that A was made with the key. Everything
//! is computed modulo p and modulo q; the powers with secret exponents in constant time. Nothing leaves before
//! A^e = Q held modulo n: a single wrong step would otherwise give away a factor.

use std::collections::BTreeMap;

use openssl::bn::{BigNum, BigNumRef};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::comb::{Comb, Shape};
use crate::error::{fault, invalid, not_understood, Result};
use crate::group::{Group, Quotient};
use crate::issuer_key::{IssuerKey, ORDER_LIMBS};
use crate::limbs;
use crate::montgomery::Element;
use crate::prime_pool;
use crate::product::power;
use crate::random;
use crate::wire::issuance::{
    common_view, BlindedSecrets, BlindedSecretsProof, Offer, PrimarySignature, Request, Signature, SignatureProof, Values,
};
use crate::wire::number::Number;

const LINK_SECRET: &str = "master_secret";
const V_BITS: usize = 2724;
/// One table serves the two secret powers of Q.
const SECRET_SHAPE: Shape = Shape { teeth: 5, blocks: 1 };

pub struct Issuance<'a> {
    pub offer: &'a Offer,
    pub request: &'a Request,
    pub values: &'a Values,
}

struct Inputs<'a> {
    blinded: &'a BlindedSecrets,
    proof: &'a BlindedSecretsProof,
    attributes: BTreeMap<String, Number>,
    context: BigNum,
    v: BigNum,
}

/// m2: ties the credential to the prover's entropy; "-1" stands for "not revocable".
fn credential_context(entropy: &str) -> Result<BigNum> {
    let encode = |text: &str| -> Result<Vec<u8>> {
        let mut digest = Sha256::digest(text.as_bytes());
        digest.reverse();
        Ok(BigNum::from_slice(&digest)?.to_vec())
    };
    let mut hash = Sha256::new();
    hash.update(encode(entropy)?);
    hash.update(encode("-1")?);
    Ok(BigNum::from_slice(&hash.finalize())?)
}

fn random_v() -> Result<BigNum> {
    let mut bytes = [0u8; V_BITS.div_ceil(8)];
    random::fill(&mut bytes, &[])?;
    let top = 1 << ((V_BITS - 1) % 8);
    bytes[0] = bytes[0] & (top - 1) | top;
    Ok(BigNum::from_slice(&bytes)?)
}

impl<'a> Inputs<'a> {
    fn new(issuance: &Issuance<'a>, names: &[String], n: &BigNumRef) -> Result<Self> {
        let request = issuance.request;
        if request.cred_def_id != issuance.offer.cred_def_id {
            return invalid("credential request: made for another definition");
        }
        let blinded = &request.blinded_ms;
        if blinded.ur.is_some() || !blinded.committed_attributes.is_empty() {
            return invalid("credential request: it blinds more than the link secret");
        }
        // Whoever hides a value that the issuer also signs gets the sum of both: no other engine may try either.
        if blinded.hidden_attributes.len() != 1 || !blinded.hidden_attributes.contains(LINK_SECRET) {
            return invalid("credential request: it hides other attributes than the link secret");
        }
        let proof = &request.blinded_ms_correctness_proof;
        if !proof.m_caps.contains_key(LINK_SECRET) || !proof.c.is_within(256) {
            return invalid("credential request: the proof is incomplete");
        }
        if blinded.u.is_negative() || blinded.u.bits() == 0 || *blinded.u >= *n {
            return invalid("credential request: u is outside the group");
        }
        Ok(Self {
            blinded,
            proof,
            attributes: attributes(issuance.values, names)?,
            context: credential_context(request.entropy()?)?,
            v: random_v()?,
        })
    }
}

/// Encoded values by common name: exactly those of the definition.
fn attributes(values: &Values, names: &[String]) -> Result<BTreeMap<String, Number>> {
    let mut attributes = BTreeMap::new();
    for (name, value) in values {
        let encoded = Number::parse(&value.encoded)?;
        if !encoded.has_size_within(256) {
            return not_understood("an encoded value is longer than 256 bits");
        }
        if attributes.insert(common_view(name), encoded).is_some() {
            return invalid(format!("attribute {name} is given twice"));
        }
    }
    let wanted = names.iter().filter(|name| *name != LINK_SECRET);
    if !wanted.eq(attributes.keys()) {
        return invalid("the values are not those of the definition's attributes");
    }
    Ok(attributes)
}

/// A residue modulo a factor gives the factor away as much as the factor itself.
type Residue<const N: usize> = Zeroizing<Element<N>>;

/// Modulo one of the factors: the commitment that the request's proof must hash to, and Q.
fn commitment_and_q<const N: usize>(group: &Group<N>, inputs: &Inputs) -> Result<(Residue<N>, Residue<N>)> {
    let modulus = &group.modulus;
    let u = Zeroizing::new(modulus.enter(&inputs.blinded.u)?);
    let u_power = Zeroizing::new(power(modulus, &u, &limbs::from_number(&inputs.proof.c)));
    let mut commitment = Quotient::new(group);
    commitment.times(&group.s, &inputs.proof.v_dash_cap)?;
    for name in &inputs.blinded.hidden_attributes {
        commitment.times(group.base(name)?, &inputs.proof.m_caps[name])?;
    }
    let mut signed = Quotient::new(group);
    signed.times(&group.s, &inputs.v)?;
    signed.times(&group.rctxt, &inputs.context)?;
    for (name, value) in &inputs.attributes {
        signed.times(group.base(name)?, value)?;
    }
    let (commitment_above, commitment_below) = residues(commitment.values());
    let (signed_above, signed_below) = residues(signed.values());
    let divisors = Zeroizing::new([modulus.mul(&commitment_below, &u_power), modulus.mul(&signed_above, &u)]);
    let inverses = Zeroizing::new(modulus.inverses(&divisors[..])?);
    let numerator = Zeroizing::new(modulus.mul(&group.z.element, &signed_below));
    Ok(residues((modulus.mul(&commitment_above, &inverses[0]), modulus.mul(&numerator, &inverses[1]))))
}

fn residues<const N: usize>((first, second): (Element<N>, Element<N>)) -> (Residue<N>, Residue<N>) {
    (Zeroizing::new(first), Zeroizing::new(second))
}

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
    let powers = residues((comb.secret_power(&group.modulus, &d), comb.secret_power(&group.modulus, &r)));
    comb.wipe();
    Ok(powers)
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

fn hash(parts: &[&[u8]]) -> Result<BigNum> {
    let mut hash = Sha256::new();
    parts.iter().for_each(|part| hash.update(part));
    Ok(BigNum::from_slice(&hash.finalize())?)
}

fn decimal(number: &BigNumRef) -> Result<String> {
    Ok(number.to_dec_str()?.to_string())
}

impl<const N: usize, const M: usize> IssuerKey<N, M> {
    pub fn issue(&self, issuance: &Issuance) -> Result<(Signature, SignatureProof)> {
        let inputs = Inputs::new(issuance, &self.r_names, &self.n.number)?;
        let (commitment_p, q_p) = commitment_and_q(&self.p, &inputs)?;
        let (commitment_q, q_q) = commitment_and_q(&self.q, &inputs)?;
        let commitment = self.joined(&commitment_p, &commitment_q);
        let (u, nonce) = (inputs.blinded.u.to_vec(), issuance.offer.nonce.to_vec());
        if hash(&[&u, &limbs::to_bytes(&commitment), &nonce])? != *inputs.proof.c {
            return invalid("credential request: the proof does not hold");
        }
        let e = prime_pool::take()?;
        let (a, proof) = self.sign(&q_p, &q_q, &e, &issuance.request.nonce)?;
        let signature = PrimarySignature {
            m_2: decimal(&inputs.context)?,
            a: decimal(&*limbs::to_number(&a)?)?,
            e: decimal(&*limbs::to_number(&e)?)?,
            v: decimal(&inputs.v)?,
        };
        Ok((Signature { p_credential: signature, r_credential: None }, proof))
    }

    fn joined(&self, modulo_p: &Element<N>, modulo_q: &Element<N>) -> Vec<u64> {
        let (modulo_p, modulo_q) = (self.p.modulus.leave(modulo_p), self.q.modulus.leave(modulo_q));
        self.combine(&Zeroizing::new(modulo_p), &Zeroizing::new(modulo_q))
    }

    /// A and the proof that it was made with the key, for Q given modulo both factors. The timing tests call it.
    pub fn sign(&self, q_p: &Element<N>, q_q: &Element<N>, e: &[u64], nonce: &BigNumRef) -> Result<(Vec<u64>, SignatureProof)> {
        let inverse = Zeroizing::new(self.order.inverse(&self.order.enter(&*limbs::to_number(e)?)?)?);
        let d = Zeroizing::new(self.order.leave(&inverse));
        let q = self.joined(q_p, q_q);
        // An r that served twice would give d away. Made from what is signed as well, it differs with that.
        let r = self.random_exponent(&[&limbs::padded_bytes(&d[..]), &limbs::padded_bytes(&q), &nonce.to_vec()])?;
        let (a_p, cap_p) = secret_powers(&self.p, q_p, &d[..], &r[..])?;
        let (a_q, cap_q) = secret_powers(&self.q, q_q, &d[..], &r[..])?;
        let (a, cap) = (self.joined(&a_p, &a_q), self.joined(&cap_p, &cap_q));
        if !self.is_signature(&a, e, &q)? {
            // A request outside the group of squares has no signature; that is the requester's doing.
            let squares = is_square(&self.p, q_p)? && is_square(&self.q, q_q)?;
            let reason = "a signature did not verify and was thrown away";
            return if squares { fault(reason) } else { invalid("credential request: u is no square") };
        }
        let c = hash(&[&limbs::to_bytes(&q), &limbs::to_bytes(&a), &limbs::to_bytes(&cap), &nonce.to_vec()])?;
        let product = Zeroizing::new(self.order.mul(&self.order.enter(&c)?, &inverse));
        let product = Zeroizing::new(self.order.leave(&product));
        let mut se = *r;
        let borrow = limbs::sub(&mut se, &product[..]);
        limbs::add_masked(&mut se, &self.order.n, 0u64.wrapping_sub(borrow));
        Ok((a, SignatureProof { se: decimal(&*limbs::to_number(&se)?)?, c: decimal(&c)? }))
    }

    fn random_exponent(&self, hedge: &[&[u8]]) -> Result<Residue<ORDER_LIMBS>> {
        // 128 bits more than needed make the reduction's bias invisible.
        let mut bytes = Zeroizing::new([0u8; 8 * (ORDER_LIMBS + 2)]);
        random::fill(&mut bytes[..], hedge)?;
        Ok(Zeroizing::new(self.order.reduce(&Zeroizing::new(limbs::from_bytes(&bytes[..])))))
    }

    /// A^e = Q modulo n, without the factors.
    fn is_signature(&self, a: &[u64], e: &[u64], q: &[u64]) -> Result<bool> {
        let a = self.n.enter(&*limbs::to_number(a)?)?;
        let power = self.n.leave(&power(&self.n, &a, e));
        Ok(limbs::to_bytes(&power) == limbs::to_bytes(q))
    }
}
