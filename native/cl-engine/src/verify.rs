//! Verifying a presentation: checks first, then the challenge is recomputed from the sub-proofs.

use std::collections::BTreeSet;
use std::sync::Arc;

use openssl::bn::BigNum;
use sha2::{Digest, Sha256};

use crate::checks;
use crate::error::{invalid, not_understood, EngineError, Result};
use crate::restrictions::{self, Facts};
use crate::tau::VerifyingKey;
use crate::wire::definition::MOST_ATTRIBUTES;
use crate::wire::identifier;
use crate::wire::issuance::common_view;
use crate::wire::presentation::{Identifier, Presentation};
use crate::wire::request::PresentationRequest;

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Schema {
    pub name: String,
    pub version: String,
    pub attr_names: Vec<String>,
    pub issuer_id: String,
}

impl Schema {
    /// As the library checks a schema.
    pub fn check(&self) -> Result<()> {
        identifier::check(identifier::Kind::Issuer, &self.issuer_id)?;
        let distinct: BTreeSet<&String> = self.attr_names.iter().collect();
        if distinct.is_empty() || distinct.len() != self.attr_names.len() || distinct.len() > MOST_ATTRIBUTES {
            return invalid("a schema's attributes are not 1 to 125 distinct names");
        }
        Ok(())
    }
}

pub struct KnownDefinition {
    pub key: Arc<dyn VerifyingKey>,
    pub issuer_id: String,
    pub schema_id: String,
}

/// Where schemas and definitions come from; the maps of the caller.
pub trait Directory {
    fn schema(&self, id: &str) -> Option<&Schema>;
    fn definition(&self, id: &str) -> Option<&KnownDefinition>;
}

fn facts<'a>(identifier: &'a Identifier, directory: &'a dyn Directory) -> Result<Facts<'a>> {
    let schema = schema_of(identifier, directory)?;
    let definition = definition_of(identifier, directory)?;
    Ok(Facts {
        schema_id: &identifier.schema_id,
        schema_issuer_id: &schema.issuer_id,
        schema_name: &schema.name,
        schema_version: &schema.version,
        issuer_id: &definition.issuer_id,
        cred_def_id: &identifier.cred_def_id,
    })
}

fn schema_of<'a>(identifier: &Identifier, directory: &'a dyn Directory) -> Result<&'a Schema> {
    directory.schema(&identifier.schema_id).ok_or_else(|| EngineError::Invalid("a schema is not known".into()))
}

fn definition_of<'a>(identifier: &Identifier, directory: &'a dyn Directory) -> Result<&'a KnownDefinition> {
    directory
        .definition(&identifier.cred_def_id)
        .ok_or_else(|| EngineError::Invalid("a credential definition is not known".into()))
}

fn check_identifier(presented: &Identifier, directory: &dyn Directory) -> Result<()> {
    identifier::check(identifier::Kind::Schema, &presented.schema_id)?;
    identifier::check(identifier::Kind::Definition, &presented.cred_def_id)?;
    if presented.rev_reg_id.is_some() || presented.timestamp.is_some() {
        return not_understood("a revocable credential");
    }
    let schema = schema_of(presented, directory)?;
    let definition = definition_of(presented, directory)?;
    if definition.schema_id != presented.schema_id {
        return not_understood("a definition under another schema's name");
    }
    let mut names: BTreeSet<String> = schema.attr_names.iter().map(|name| common_view(name)).collect();
    names.insert(checks::LINK_SECRET.into());
    if names != definition.key.attributes().into_iter().map(String::from).collect() {
        return not_understood("schema and definition differ in their attributes");
    }
    Ok(())
}

/// Ok only for a presentation that proves everything requested.
pub fn verify(presentation: &Presentation, request: &PresentationRequest, directory: &dyn Directory) -> Result<()> {
    restrictions::check_request(request)?;
    let demands = checks::demands(request, presentation)?;
    restrictions::check(request, presentation, &|identifier| facts(identifier, directory))?;
    for ((identifier, demand), proof) in presentation.identifiers.iter().zip(&demands).zip(&presentation.proof.proofs) {
        check_identifier(identifier, directory)?;
        let key = &definition_of(identifier, directory)?.key;
        checks::check_sub_proof(proof, demand, &key.attributes(), key.modulus())?;
    }
    checks::check_commitments(presentation)?;
    checks::check_link_secret(presentation)?;
    check_challenge(presentation, request, directory)
}

fn check_challenge(presentation: &Presentation, request: &PresentationRequest, directory: &dyn Directory) -> Result<()> {
    let aggregated = &presentation.proof.aggregated_proof;
    let mut hash = Sha256::new();
    for (identifier, proof) in presentation.identifiers.iter().zip(&presentation.proof.proofs) {
        let key = &definition_of(identifier, directory)?.key;
        let hidden: Vec<&str> = proof.primary_proof.eq_proof.m.keys().map(String::as_str).collect();
        for value in key.tau_bytes(&aggregated.c_hash, &proof.primary_proof, &hidden)? {
            hash.update(&value);
        }
    }
    aggregated.c_list.iter().for_each(|commitment| hash.update(commitment));
    hash.update(request.nonce.to_vec());
    if BigNum::from_slice(&hash.finalize())? == *aggregated.c_hash {
        Ok(())
    } else {
        invalid("the proof does not hold")
    }
}
