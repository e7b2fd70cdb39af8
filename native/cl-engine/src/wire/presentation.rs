//! A presentation as the prover sends it. Nothing in it is trusted.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;

use super::identifier::presence;
use super::number::Number;

#[derive(Deserialize)]
#[serde(remote = "Self")]
pub struct Presentation {
    pub proof: Proof,
    pub requested_proof: RequestedProof,
    pub identifiers: Vec<Identifier>,
}

#[derive(Deserialize)]
#[serde(remote = "Self")]
pub struct Proof {
    pub proofs: Vec<SubProof>,
    pub aggregated_proof: AggregatedProof,
}

#[derive(Deserialize)]
#[serde(remote = "Self")]
pub struct SubProof {
    pub primary_proof: PrimaryProof,
    #[serde(default)]
    pub non_revoc_proof: Option<serde_json::Value>,
}

#[derive(Deserialize)]
#[serde(remote = "Self")]
pub struct AggregatedProof {
    pub c_hash: Number,
    pub c_list: Vec<Vec<u8>>,
}

#[derive(Deserialize)]
#[serde(remote = "Self")]
pub struct PrimaryProof {
    pub eq_proof: EqualityProof,
    pub ge_proofs: Vec<PredicateProof>,
}

#[derive(Deserialize)]
#[serde(remote = "Self")]
pub struct EqualityProof {
    pub revealed_attrs: BTreeMap<String, Number>,
    pub a_prime: Number,
    pub e: Number,
    pub v: Number,
    pub m: BTreeMap<String, Number>,
    /// An old way to carry the link secret's value; it would silently replace the one in `m`.
    #[serde(default, deserialize_with = "presence", rename = "m1")]
    pub has_m1: bool,
    pub m2: Number,
}

#[derive(Deserialize)]
#[serde(remote = "Self")]
pub struct PredicateProof {
    pub u: BTreeMap<String, Number>,
    pub r: BTreeMap<String, Number>,
    pub mj: Number,
    pub alpha: Number,
    pub t: BTreeMap<String, Number>,
    pub predicate: Predicate,
}

/// The order of the fields is the order in which provers sort predicates.
#[derive(Deserialize, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[serde(remote = "Self")]
pub struct Predicate {
    pub attr_name: String,
    pub p_type: PredicateType,
    pub value: i32,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PredicateType {
    GE,
    LE,
    GT,
    LT,
}

impl Predicate {
    pub fn is_less(&self) -> bool {
        matches!(self.p_type, PredicateType::LE | PredicateType::LT)
    }

    /// The bound of the equivalent "greater or equal" or "less or equal".
    pub fn inclusive_bound(&self) -> Option<i32> {
        match self.p_type {
            PredicateType::GE | PredicateType::LE => Some(self.value),
            PredicateType::GT => self.value.checked_add(1),
            PredicateType::LT => self.value.checked_sub(1),
        }
    }
}

#[derive(Deserialize)]
#[serde(remote = "Self")]
pub struct RequestedProof {
    pub revealed_attrs: HashMap<String, RevealedAttribute>,
    #[serde(default)]
    pub revealed_attr_groups: HashMap<String, RevealedGroup>,
    #[serde(default)]
    pub self_attested_attrs: HashMap<String, String>,
    #[serde(default)]
    pub unrevealed_attrs: HashMap<String, SubProofReference>,
    #[serde(default)]
    pub predicates: HashMap<String, SubProofReference>,
}

#[derive(Deserialize)]
#[serde(remote = "Self")]
pub struct SubProofReference {
    pub sub_proof_index: u32,
}

#[derive(Deserialize)]
#[serde(remote = "Self")]
pub struct RevealedAttribute {
    pub sub_proof_index: u32,
    pub raw: String,
    pub encoded: String,
}

#[derive(Deserialize)]
#[serde(remote = "Self")]
pub struct RevealedGroup {
    pub sub_proof_index: u32,
    pub values: HashMap<String, super::issuance::AttributeValue>,
}

#[derive(Deserialize)]
#[serde(remote = "Self")]
pub struct Identifier {
    pub schema_id: String,
    pub cred_def_id: String,
    #[serde(default)]
    pub rev_reg_id: Option<String>,
    #[serde(default)]
    pub timestamp: Option<u64>,
}

objects_only!(Presentation, Proof, SubProof, AggregatedProof, PrimaryProof, EqualityProof, PredicateProof, Predicate, RequestedProof, SubProofReference, RevealedAttribute, RevealedGroup, Identifier);
