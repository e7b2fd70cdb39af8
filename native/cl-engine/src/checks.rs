//! What is checked of a presentation before any arithmetic: that it answers the request, and that its integers
//! and commitments are those an honest prover sends. The library checks only a part of this.

use std::collections::{BTreeMap, BTreeSet};

use openssl::bn::BigNumRef;
use sha2::{Digest, Sha256};

use crate::error::{invalid, not_understood, Result};
use crate::tau::COMMITMENTS;
use crate::wire::issuance::common_view;
use crate::wire::number::Number;
use crate::wire::presentation::{Predicate, PredicateProof, Presentation, SubProof};
use crate::wire::request::PresentationRequest;

pub const LINK_SECRET: &str = "master_secret";
const MOST_SUB_PROOFS: usize = 32;
const MOST_PREDICATES: usize = 64;

/// Lengths in bits that honest provers stay below.
mod bits {
    pub const CHALLENGE: usize = 256;
    pub const E: usize = 457;
    pub const M: usize = 594;
    pub const M2: usize = 2434;
    pub const V: usize = 3062;
    pub const U: usize = 594;
    pub const R: usize = 2386;
    pub const ALPHA: usize = 2790;
    pub const VALUE: usize = 256;
}

/// What one sub-proof has to show, by the library's attribute names.
#[derive(Default)]
pub struct Demand {
    pub revealed: BTreeMap<String, String>,
    pub predicates: BTreeSet<Predicate>,
    /// Requested and not shown: the credential must have them all the same.
    pub hidden: BTreeSet<String>,
}

/// The standard encoding: 32-bit integers as themselves, everything else as its SHA-256.
pub fn encode(raw: &str) -> Result<String> {
    match raw.parse::<i32>() {
        // To wallets "+5" is a text; only Rust's parser takes it for a number.
        Ok(number) if !raw.starts_with('+') => return Ok(number.to_string()),
        _ => {}
    }
    let digest = openssl::bn::BigNum::from_slice(&Sha256::digest(raw.as_bytes()))?;
    Ok(digest.to_dec_str()?.to_string())
}

/// The library takes "+5" for 5 when it encodes by itself, so issuers have signed either.
pub fn is_encoding_of(encoded: &str, raw: &str) -> Result<bool> {
    if encode(raw)? == encoded {
        return Ok(true);
    }
    let digits = raw.strip_prefix('+').filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    let number = digits.and_then(|digits| digits.parse::<i32>().ok());
    Ok(number.is_some_and(|number| number.to_string() == encoded))
}

fn reveal(demand: Option<&mut Demand>, name: &str, raw: &str, encoded: &str) -> Result<()> {
    let Some(demand) = demand else { return invalid("a revealed attribute points to no credential") };
    if !is_encoding_of(encoded, raw)? {
        return invalid("a revealed value and its encoding differ");
    }
    let previous = demand.revealed.insert(common_view(name), encoded.to_string());
    if previous.is_some_and(|previous| previous != encoded) {
        return invalid("an attribute is revealed with two values");
    }
    Ok(())
}

/// Sorts what was requested by the sub-proof that answers it; every referent must be answered exactly once.
pub fn demands(request: &PresentationRequest, presentation: &Presentation) -> Result<Vec<Demand>> {
    let count = presentation.identifiers.len();
    if count > MOST_SUB_PROOFS || presentation.proof.proofs.len() != count {
        return invalid("the number of sub-proofs is wrong");
    }
    let mut demands: Vec<Demand> = (0..count).map(|_| Demand::default()).collect();
    let proof = &presentation.requested_proof;
    let mut answered: Vec<&String> = proof.revealed_attrs.keys().collect();
    answered.extend(proof.revealed_attr_groups.keys());
    answered.extend(proof.unrevealed_attrs.keys());
    answered.extend(proof.self_attested_attrs.keys());
    let distinct: BTreeSet<&String> = answered.iter().copied().collect();
    if answered.len() != distinct.len() || !distinct.iter().copied().eq(request.requested_attributes.keys().collect::<BTreeSet<_>>()) {
        return invalid("the presented attributes are not the requested ones");
    }
    for (referent, revealed) in &proof.revealed_attrs {
        let Some(name) = &request.requested_attributes[referent].name else {
            return invalid("a group of attributes was requested, and a single one presented");
        };
        reveal(demands.get_mut(revealed.sub_proof_index as usize), name, &revealed.raw, &revealed.encoded)?;
    }
    for (referent, group) in &proof.revealed_attr_groups {
        let names = request.requested_attributes[referent].names.as_deref().unwrap_or_default();
        if names.len() != group.values.len() || names.is_empty() {
            return invalid("a presented group of attributes is not the requested one");
        }
        for name in names {
            let Some(value) = group.values.get(name) else { return invalid("a requested attribute is missing in its group") };
            reveal(demands.get_mut(group.sub_proof_index as usize), name, &value.raw, &value.encoded)?;
        }
    }
    for (referent, reference) in &proof.unrevealed_attrs {
        let Some(demand) = demands.get_mut(reference.sub_proof_index as usize) else {
            return invalid("an unrevealed attribute points to no credential");
        };
        let asked = &request.requested_attributes[referent];
        demand.hidden.extend(asked.name.iter().chain(asked.names.iter().flatten()).map(|name| common_view(name)));
    }
    if !proof.predicates.keys().collect::<BTreeSet<_>>().into_iter().eq(request.requested_predicates.keys().collect::<BTreeSet<_>>()) {
        return invalid("the presented predicates are not the requested ones");
    }
    for (referent, reference) in &proof.predicates {
        let asked = &request.requested_predicates[referent];
        let Some(demand) = demands.get_mut(reference.sub_proof_index as usize) else {
            return invalid("a predicate points to no credential");
        };
        demand.predicates.insert(Predicate { attr_name: common_view(&asked.name), p_type: asked.p_type, value: asked.p_value });
    }
    Ok(demands)
}

/// Sizes and bindings inside one sub-proof; `attributes` are those of the definition, the link secret included.
pub fn check_sub_proof(proof: &SubProof, demand: &Demand, attributes: &[&str], n: &BigNumRef) -> Result<()> {
    if proof.non_revoc_proof.is_some() {
        return not_understood("a proof of non-revocation");
    }
    let equality = &proof.primary_proof.eq_proof;
    if equality.has_m1 {
        return invalid("the sub-proof uses an outdated form");
    }
    let names: BTreeSet<&str> = attributes.iter().copied().collect();
    let revealed: BTreeSet<&str> = equality.revealed_attrs.keys().map(String::as_str).collect();
    if !revealed.iter().copied().eq(demand.revealed.keys().map(String::as_str)) || !revealed.is_subset(&names) || revealed.contains(LINK_SECRET) {
        return invalid("the sub-proof reveals other attributes than requested");
    }
    if demand.hidden.iter().any(|name| name == LINK_SECRET || !names.contains(name.as_str())) {
        return invalid("the credential has no such attribute");
    }
    for (name, value) in &equality.revealed_attrs {
        if !value.has_size_within(bits::VALUE) || demand.revealed[name] != value.to_dec_str()?.to_string() {
            return invalid("a revealed value is not the proven one");
        }
    }
    if !equality.m.keys().map(String::as_str).eq(names.difference(&revealed).copied()) {
        return invalid("the sub-proof does not hide exactly what it does not reveal");
    }
    let sizes = equality.e.is_within(bits::E)
        && equality.v.is_within(bits::V)
        && equality.m2.is_within(bits::M2)
        && equality.m.values().all(|m| m.is_within(bits::M));
    if !sizes || !is_unit(&equality.a_prime, n) {
        return invalid("an integer of the sub-proof is out of range");
    }
    check_predicates(proof, demand, n)
}

fn is_unit(number: &Number, n: &BigNumRef) -> bool {
    !number.is_negative() && number.bits() > 0 && **number < *n
}

fn check_predicates(proof: &SubProof, demand: &Demand, n: &BigNumRef) -> Result<()> {
    let predicates = &proof.primary_proof.ge_proofs;
    if predicates.len() > MOST_PREDICATES || !predicates.iter().map(|proof| &proof.predicate).eq(demand.predicates.iter()) {
        return invalid("the predicates of the sub-proof are not the requested ones in the prover's order");
    }
    for predicate in predicates {
        let bound = proof.primary_proof.eq_proof.m.get(&predicate.predicate.attr_name);
        if bound.is_none_or(|m| **m != *predicate.mj) {
            return invalid("a predicate is not about the credential's attribute");
        }
        if !predicate_sizes(predicate, n) {
            return invalid("an integer of a predicate is out of range");
        }
    }
    Ok(())
}

fn predicate_sizes(proof: &PredicateProof, n: &BigNumRef) -> bool {
    let names = |map: &BTreeMap<String, Number>, wanted: &[&str]| map.keys().map(String::as_str).eq(wanted.iter().copied());
    names(&proof.u, &COMMITMENTS[..4])
        && names(&proof.r, &COMMITMENTS)
        && names(&proof.t, &COMMITMENTS)
        && proof.u.values().all(|u| u.is_within(bits::U))
        && proof.r.values().all(|r| r.is_within(bits::R))
        && proof.t.values().all(|t| is_unit(t, n))
        && proof.alpha.has_size_within(bits::ALPHA)
}

/// The list that the challenge is made from holds exactly the sub-proofs' commitments, in the prover's order.
pub fn check_commitments(presentation: &Presentation) -> Result<()> {
    let aggregated = &presentation.proof.aggregated_proof;
    if !aggregated.c_hash.is_within(bits::CHALLENGE) {
        return invalid("the challenge is out of range");
    }
    let mut expected = Vec::new();
    for proof in &presentation.proof.proofs {
        expected.push(proof.primary_proof.eq_proof.a_prime.to_vec());
        for predicate in &proof.primary_proof.ge_proofs {
            for name in COMMITMENTS {
                expected.push(crate::tau::named(&predicate.t, name)?.to_vec());
            }
        }
    }
    if expected != aggregated.c_list {
        return invalid("the list of commitments is not that of the sub-proofs");
    }
    Ok(())
}

/// One holder: the same hidden link secret in every sub-proof.
pub fn check_link_secret(presentation: &Presentation) -> Result<()> {
    let mut secrets = presentation.proof.proofs.iter().map(|proof| proof.primary_proof.eq_proof.m.get(LINK_SECRET));
    let Some(Some(first)) = secrets.next() else { return invalid("the link secret is missing") };
    if secrets.all(|other| other.is_some_and(|other| **other == **first)) {
        Ok(())
    } else {
        invalid("the credentials belong to different holders")
    }
}
