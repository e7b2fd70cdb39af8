//! Credential definitions, their private part and the proof of the key's correctness.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::identifier::{self, presence};
use super::number::Number;
use crate::error::{invalid, not_understood, Result};

/// libanoncreds allows 125 attributes; the link secret comes on top.
pub const MOST_ATTRIBUTES: usize = 125;
const MODULUS_BITS: std::ops::RangeInclusive<usize> = 2040..=2100;

#[derive(Deserialize)]
#[serde(remote = "Self")]
pub struct PublicKey {
    pub n: Number,
    pub s: Number,
    pub rctxt: Number,
    pub z: Number,
    pub r: BTreeMap<String, Number>,
    /// An old way to carry the link secret's base; it would replace the one in `r`.
    #[serde(default, deserialize_with = "presence", rename = "rms")]
    pub has_rms: bool,
}

#[derive(Deserialize)]
enum SignatureType {
    CL,
}

#[derive(Deserialize)]
#[serde(remote = "Self")]
struct Value {
    primary: PublicKey,
    #[serde(default)]
    revocation: Option<serde_json::Value>,
}

#[derive(Deserialize)]
#[serde(remote = "Self")]
#[serde(rename_all = "camelCase")]
pub struct Definition {
    pub issuer_id: String,
    pub schema_id: String,
    #[serde(rename = "type")]
    _signature_type: SignatureType,
    #[serde(rename = "tag")]
    _tag: String,
    value: Value,
}

impl Definition {
    pub fn parse(json: &str) -> Result<Self> {
        let definition: Self = match serde_json::from_str(json) {
            Ok(definition) => definition,
            Err(error) => return not_understood(format!("credential definition: {error}")),
        };
        identifier::check(identifier::Kind::Schema, &definition.schema_id)?;
        identifier::check(identifier::Kind::Issuer, &definition.issuer_id)?;
        if definition.value.revocation.is_some() {
            return not_understood("the definition supports revocation");
        }
        definition.value.primary.check()?;
        Ok(definition)
    }

    pub fn public_key(&self) -> &PublicKey {
        &self.value.primary
    }
}

impl PublicKey {
    fn check(&self) -> Result<()> {
        if !MODULUS_BITS.contains(&self.n.bits()) || !self.n.is_within(2100) || !self.n.is_bit_set(0) {
            return not_understood("the modulus of the definition has an unusual size");
        }
        if self.has_rms || self.r.len() > MOST_ATTRIBUTES + 1 || !self.r.contains_key("master_secret") {
            return not_understood("the definition has unusual attributes");
        }
        for base in [&self.s, &self.rctxt, &self.z].into_iter().chain(self.r.values()) {
            if base.is_negative() || base.bits() == 0 || **base >= *self.n {
                return invalid("a base of the definition is outside its group");
            }
        }
        Ok(())
    }
}

#[derive(Deserialize)]
#[serde(remote = "Self")]
pub struct Factors {
    pub p: Number,
    pub q: Number,
}

#[derive(Deserialize)]
#[serde(remote = "Self")]
struct PrivateValue {
    p_key: Factors,
    #[serde(default)]
    r_key: Option<serde_json::Value>,
}

#[derive(Deserialize)]
#[serde(remote = "Self")]
struct Private {
    value: PrivateValue,
}

/// p' and q' with p = 2p' + 1, q = 2q' + 1.
pub fn parse_private(json: &str) -> Result<Factors> {
    let private: Private = match serde_json::from_str(json) {
        Ok(private) => private,
        // The parser's message could quote the input, and the input is private.
        Err(_) => return invalid("private part of the definition: unreadable"),
    };
    if private.value.r_key.is_some() {
        return not_understood("the private key supports revocation");
    }
    Ok(private.value.p_key)
}

objects_only!(PublicKey, Value, Definition, Factors, PrivateValue, Private);
