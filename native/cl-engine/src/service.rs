//! The engine's operations, JSON in and JSON out.

use std::collections::HashMap;

use serde_json::value::RawValue;
use zeroize::Zeroizing;

use crate::cache;
use crate::error::{invalid, EngineError, Result};
use crate::issue::Issuance;
use crate::key_generation;
use crate::verify::{self, Directory, KnownDefinition, Schema};
use crate::wire::definition;
use crate::wire::issuance::{parse, Credential, Offer, Request, Values};
use crate::wire::presentation::Presentation;
use crate::wire::request::PresentationRequest;

/// Larger than any honest input: 125 attributes in each of 32 credentials stay below.
const LARGEST_INPUT: usize = 8 << 20;

fn check_sizes(inputs: &[&str]) -> Result<()> {
    if inputs.iter().any(|input| input.len() > LARGEST_INPUT) {
        return invalid("an input is too large");
    }
    Ok(())
}

/// A definition to sign with. Another engine may sign for a definition that is not understood here, but never with
/// an odd private key of one that is: it would give out what it does not check.
fn own_definition(definition: &str, private: &str) -> Result<cache::Known> {
    cache::get(definition, Some(private)).map_err(|error| match error {
        EngineError::NotUnderstood(reason) if definition::Definition::parse(definition).is_ok() => EngineError::Invalid(reason),
        error => error,
    })
}

/// A credential for a request that answers the offer.
pub fn issue(definition: &str, private: &str, offer: &str, request: &str, values: &str) -> Result<String> {
    check_sizes(&[definition, private, offer, request, values])?;
    let offer: Offer = parse("credential offer", offer)?;
    let request: Request = parse("credential request", request)?;
    let values: Values = parse("values", values)?;
    let known = own_definition(definition, private)?;
    let issued = cache::key_for_issuing(&known)?.issue(&Issuance { offer: &offer, request: &request, values: &values });
    cache::recount(&known)?;
    let (signature, proof) = issued?;
    let credential = Credential {
        schema_id: &offer.schema_id,
        cred_def_id: &offer.cred_def_id,
        rev_reg_id: None,
        values: &values,
        signature,
        signature_correctness_proof: proof,
        rev_reg: None,
        witness: None,
    };
    serde_json::to_string(&credential).or_else(|error| invalid(format!("credential: {error}")))
}

struct Known {
    schemas: HashMap<String, Schema>,
    definitions: HashMap<String, KnownDefinition>,
}

impl Directory for Known {
    fn schema(&self, id: &str) -> Option<&Schema> {
        self.schemas.get(id)
    }

    fn definition(&self, id: &str) -> Option<&KnownDefinition> {
        self.definitions.get(id)
    }
}

/// Ok where everything requested is proven. `privates` holds the private parts of own definitions, by id.
pub fn verify(presentation: &str, request: &str, schemas: &str, definitions: &str, privates: &str) -> Result<()> {
    check_sizes(&[presentation, request, schemas, definitions, privates])?;
    let presentation: Presentation = parse("presentation", presentation)?;
    let request: PresentationRequest = parse("presentation request", request)?;
    let texts: HashMap<String, &RawValue> = parse("credential definitions", definitions)?;
    let privates: HashMap<String, &RawValue> = parse("private parts", privates)?;
    let mut known = Known { schemas: parse("schemas", schemas)?, definitions: HashMap::new() };
    let mut loaded = Vec::new();
    known.schemas.values().try_for_each(Schema::check)?;
    for (id, text) in &texts {
        let one = cache::get(text.get(), privates.get(id).map(|private| private.get()))?;
        let (key, issuer_id, schema_id) = (one.key.verifying(), one.issuer_id.clone(), one.schema_id.clone());
        known.definitions.insert(id.clone(), KnownDefinition { key, issuer_id, schema_id });
        loaded.push(one);
    }
    let verified = verify::verify(&presentation, &request, &known);
    loaded.iter().try_for_each(cache::recount)?;
    verified
}

/// A new definition with its private part and key correctness proof.
pub fn generate_definition(schema_id: &str, issuer_id: &str, tag: &str, attributes: &str) -> Result<Zeroizing<String>> {
    check_sizes(&[schema_id, issuer_id, tag, attributes])?;
    let attributes: Vec<String> = parse("attribute names", attributes)?;
    key_generation::generate(schema_id, issuer_id, tag, &attributes)
}
