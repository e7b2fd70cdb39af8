//! Offer, request and values of an issuance, and the credential that answers them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::number::{Nonce, Number};
use crate::error::{invalid, EngineError, Result};

#[derive(Deserialize)]
#[serde(remote = "Self")]
pub struct Offer {
    pub schema_id: String,
    pub cred_def_id: String,
    pub nonce: Nonce,
}

#[derive(Deserialize)]
#[serde(remote = "Self")]
pub struct BlindedSecrets {
    pub u: Number,
    #[serde(default)]
    pub ur: Option<serde_json::Value>,
    pub hidden_attributes: BTreeSet<String>,
    #[serde(default)]
    pub committed_attributes: BTreeMap<String, Number>,
}

#[derive(Deserialize)]
#[serde(remote = "Self")]
pub struct BlindedSecretsProof {
    pub c: Number,
    pub v_dash_cap: Number,
    pub m_caps: BTreeMap<String, Number>,
}

#[derive(Deserialize)]
#[serde(remote = "Self")]
pub struct Request {
    #[serde(default)]
    pub entropy: Option<String>,
    #[serde(default)]
    pub prover_did: Option<String>,
    pub cred_def_id: String,
    pub blinded_ms: BlindedSecrets,
    pub blinded_ms_correctness_proof: BlindedSecretsProof,
    pub nonce: Nonce,
}

#[derive(Deserialize, Serialize, Clone)]
pub struct AttributeValue {
    pub raw: String,
    pub encoded: String,
}

pub type Values = BTreeMap<String, AttributeValue>;

#[derive(Serialize)]
pub struct PrimarySignature {
    pub m_2: String,
    pub a: String,
    pub e: String,
    pub v: String,
}

#[derive(Serialize)]
pub struct Signature {
    pub p_credential: PrimarySignature,
    pub r_credential: Option<()>,
}

#[derive(Serialize)]
pub struct SignatureProof {
    pub se: String,
    pub c: String,
}

#[derive(Serialize)]
pub struct Credential<'a> {
    pub schema_id: &'a str,
    pub cred_def_id: &'a str,
    pub rev_reg_id: Option<()>,
    pub values: &'a Values,
    pub signature: Signature,
    pub signature_correctness_proof: SignatureProof,
    pub rev_reg: Option<()>,
    pub witness: Option<()>,
}

/// Names the part that does not parse, not the content: values are personal.
pub fn parse<'a, T: Deserialize<'a>>(part: &str, json: &'a str) -> Result<T> {
    serde_json::from_str(json)
        .map_err(|error| EngineError::Invalid(format!("{part}: unreadable at column {}", error.column())))
}

/// How the library names attributes in keys and proofs.
pub fn common_view(attribute: &str) -> String {
    attribute.replace(' ', "").to_lowercase()
}

impl Request {
    /// What the credential context is made from; exactly one source is allowed.
    pub fn entropy(&self) -> Result<&str> {
        match (&self.entropy, &self.prover_did) {
            (Some(entropy), None) => Ok(entropy),
            (None, Some(prover_did)) => Ok(prover_did),
            _ => invalid("credential request: exactly one of entropy and prover_did is needed"),
        }
    }
}

objects_only!(Offer, BlindedSecrets, BlindedSecretsProof, Request);
