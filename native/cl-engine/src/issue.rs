//! Issuing a credential: the request's proof, and what is signed, Q = Z / (U S^v'' Rctxt^m2 prod R_i^m_i).
//!
//! A root of a number that is right modulo one factor and wrong modulo the other gives away a factor, because
//! everybody can compute Q. Hence Q is computed modulo n, and `signing.rs` takes its residues from there.

use std::collections::BTreeMap;

use openssl::bn::{BigNum, BigNumRef};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::disturbance::{Disturbance, Step};
use crate::error::{invalid, not_understood, Result};
use crate::group::{Group, Quotient, SIGNATURE_BITS};
use crate::issuer_key::IssuerKey;
use crate::limbs;
use crate::montgomery::Element;
use crate::prime_pool;
use crate::random;
use crate::signing::{decimal, hash};
use crate::wire::issuance::{
    common_view, BlindedSecrets, BlindedSecretsProof, Offer, PrimarySignature, Request, Signature, SignatureProof, Values,
};
use crate::wire::number::Number;

const LINK_SECRET: &str = "master_secret";

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
    let mut bytes = [0u8; SIGNATURE_BITS.div_ceil(8)];
    random::fill(&mut bytes, &[])?;
    let top = 1 << ((SIGNATURE_BITS - 1) % 8);
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

/// What is signed, and 1 / U, both below n.
struct Prepared<const M: usize> {
    q: Element<M>,
    u_inverse: BigNum,
}

impl<const N: usize, const M: usize> IssuerKey<N, M> {
    pub fn issue(&self, issuance: &Issuance) -> Result<(Signature, SignatureProof)> {
        self.issue_disturbed(issuance, &())
    }

    #[doc(hidden)]
    pub fn issue_disturbed(
        &self,
        issuance: &Issuance,
        disturbance: &impl Disturbance,
    ) -> Result<(Signature, SignatureProof)> {
        let inputs = Inputs::new(issuance, &self.r_names, &self.n.modulus.number)?;
        let mut prepared = self.prepare(&inputs)?;
        disturbance.strike(Step::Signed, &mut prepared.q);
        let commitment_p = commitment(&self.p, issuance.request, &prepared.u_inverse)?;
        let commitment_q = commitment(&self.q, issuance.request, &prepared.u_inverse)?;
        let commitment = self.joined(&commitment_p, &commitment_q);
        let (u, nonce) = (inputs.blinded.u.to_vec(), issuance.offer.nonce.to_vec());
        if hash(&[&u, &limbs::to_bytes(&commitment), &nonce])? != *inputs.proof.c {
            return invalid("credential request: the proof does not hold");
        }
        let e = prime_pool::take()?;
        let (a, proof) = self.sign(&prepared.q, &e, &issuance.request.nonce, disturbance)?;
        let signature = PrimarySignature {
            m_2: decimal(&inputs.context)?,
            a: decimal(&*limbs::to_number(&a)?)?,
            e: decimal(&*limbs::to_number(&e)?)?,
            v: decimal(&inputs.v)?,
        };
        Ok((Signature { p_credential: signature, r_credential: None }, proof))
    }

    /// Modulo n, with tables of their own: no factor takes part, so that no fault can touch one factor alone.
    fn prepare(&self, inputs: &Inputs) -> Result<Prepared<M>> {
        let (group, modulus) = (&self.n, &self.n.modulus);
        let u = modulus.enter(&inputs.blinded.u)?;
        let mut signed = Quotient::new(group);
        signed.times(&group.s, &inputs.v)?;
        signed.times(&group.rctxt, &inputs.context)?;
        for (name, value) in &inputs.attributes {
            signed.times(group.base(name)?, value)?;
        }
        let (above, below) = signed.values();
        let inverse = modulus.inverse(&modulus.mul(&above, &u))?;
        let q = modulus.mul(&modulus.mul(&group.z.element, &below), &inverse);
        let u_inverse = modulus.mul(&above, &inverse);
        Ok(Prepared { q: modulus.leave(&q), u_inverse: limbs::to_number(&modulus.leave(&u_inverse))? })
    }
}

/// Modulo one of the factors: the commitment that the request's proof must hash to. It is compared, not given out.
/// The timing tests call it as well.
pub fn commitment<const N: usize>(
    group: &Group<N>,
    request: &Request,
    u_inverse: &BigNumRef,
) -> Result<Zeroizing<Element<N>>> {
    let proof = &request.blinded_ms_correctness_proof;
    let u_inverse = Zeroizing::new(group.modulus.enter(u_inverse)?);
    let mut commitment = Quotient::new(group);
    commitment.times(&group.s, &proof.v_dash_cap)?;
    commitment.times(group.base(LINK_SECRET)?, &proof.m_caps[LINK_SECRET])?;
    commitment.sides().0.base(&group.modulus, &u_inverse, limbs::from_number(&proof.c));
    Ok(Zeroizing::new(commitment.value()?))
}
