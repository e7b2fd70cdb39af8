//! Beside anoncreds-clsignatures, the code under libanoncreds: its holder accepts our credentials and our keys,
//! and we accept its proofs, with and without the private key.

use anoncreds_clsignatures as reference;
use cl_engine::{key_generation, service};
use reference::{CredentialPublicKey, Issuer, Prover, Verifier};
use serde_json::{json, Value};

const SCHEMA: &str = "did:example:schema";
const DEFINITION: &str = "did:example:definition";
const ISSUER: &str = "did:example:issuer";

struct Published {
    definition: Value,
    private: Value,
    proof: Value,
}

fn ours() -> Published {
    let attributes = ["name".to_string(), "age".to_string()];
    let made: Value = serde_json::from_str(&key_generation::generate(SCHEMA, ISSUER, "tag", &attributes).unwrap()).unwrap();
    Published {
        definition: made["credentialDefinition"].clone(),
        private: made["credentialDefinitionPrivate"].clone(),
        proof: made["keyCorrectnessProof"].clone(),
    }
}

fn schema() -> (reference::CredentialSchema, reference::NonCredentialSchema) {
    let mut schema = Issuer::new_credential_schema_builder().unwrap();
    schema.add_attr("name").unwrap();
    schema.add_attr("age").unwrap();
    let mut hidden = Issuer::new_non_credential_schema_builder().unwrap();
    hidden.add_attr("master_secret").unwrap();
    (schema.finalize().unwrap(), hidden.finalize().unwrap())
}

fn theirs() -> Published {
    let (schema, hidden) = schema();
    let (public, private, proof) = Issuer::new_credential_def(&schema, &hidden, false).unwrap();
    let primary = serde_json::to_value(public.get_primary_key()).unwrap();
    Published {
        definition: json!({ "schemaId": SCHEMA, "type": "CL", "tag": "tag", "issuerId": ISSUER, "value": { "primary": primary } }),
        private: json!({ "value": serde_json::to_value(&private).unwrap() }),
        proof: serde_json::to_value(&proof).unwrap(),
    }
}

fn read<T: serde::de::DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap()
}

fn public_key(published: &Published) -> CredentialPublicKey {
    CredentialPublicKey::build_from_parts(&read(&published.definition["value"]["primary"]), None).unwrap()
}

/// "name" is text (its encoding is its SHA-256), "age" is 33.
fn encoded(raw: &str) -> String {
    cl_engine::checks::encode(raw).unwrap()
}

fn full_circle(published: &Published) {
    let key = public_key(published);
    let secret = Prover::new_link_secret().unwrap();
    let mut hidden_values = Issuer::new_credential_values_builder().unwrap();
    hidden_values.add_value_hidden("master_secret", secret.as_ref()).unwrap();
    let hidden_values = hidden_values.finalize().unwrap();
    let (offer_nonce, request_nonce) = (reference::new_nonce().unwrap(), reference::new_nonce().unwrap());
    let (blinded, factors, blinded_proof) =
        Prover::blind_credential_secrets(&key, &read(&published.proof), &hidden_values, &offer_nonce).unwrap();

    let offer = json!({ "schema_id": SCHEMA, "cred_def_id": DEFINITION, "nonce": offer_nonce.to_dec().unwrap() });
    let request = json!({
        "entropy": "entropy", "cred_def_id": DEFINITION, "nonce": request_nonce.to_dec().unwrap(),
        "blinded_ms": serde_json::to_value(&blinded).unwrap(),
        "blinded_ms_correctness_proof": serde_json::to_value(&blinded_proof).unwrap(),
    });
    let values = json!({ "name": { "raw": "Ann", "encoded": encoded("Ann") }, "age": { "raw": "33", "encoded": "33" } });
    let (definition, private) = (published.definition.to_string(), published.private.to_string());
    let issued = service::issue(&definition, &private, &offer.to_string(), &request.to_string(), &values.to_string()).unwrap();
    let credential: Value = serde_json::from_str(&issued).unwrap();

    let mut known = Issuer::new_credential_values_builder().unwrap();
    known.add_dec_known("name", &encoded("Ann")).unwrap();
    known.add_dec_known("age", "33").unwrap();
    known.add_value_hidden("master_secret", secret.as_ref()).unwrap();
    let all_values = known.finalize().unwrap();
    let mut signature: reference::CredentialSignature = read(&credential["signature"]);
    let proof = read(&credential["signature_correctness_proof"]);
    Prover::process_credential_signature(
        &mut signature, &all_values, &proof, &factors, &key, &request_nonce, None, None, None,
    )
    .unwrap();

    let (schema, hidden) = schema();
    let mut sub_proof = Verifier::new_sub_proof_request_builder().unwrap();
    sub_proof.add_revealed_attr("name").unwrap();
    sub_proof.add_predicate("age", "GE", 18).unwrap();
    let sub_proof = sub_proof.finalize().unwrap();
    let mut builder = Prover::new_proof_builder().unwrap();
    builder.add_common_attribute("master_secret").unwrap();
    builder.add_sub_proof_request(&sub_proof, &schema, &hidden, &signature, &all_values, &key, None, None).unwrap();
    let nonce = reference::new_nonce().unwrap();
    let presentation = json!({
        "proof": serde_json::to_value(builder.finalize(&nonce).unwrap()).unwrap(),
        "requested_proof": {
            "revealed_attrs": { "a": { "sub_proof_index": 0, "raw": "Ann", "encoded": encoded("Ann") } },
            "predicates": { "p": { "sub_proof_index": 0 } },
        },
        "identifiers": [{ "schema_id": SCHEMA, "cred_def_id": DEFINITION, "rev_reg_id": null, "timestamp": null }],
    });
    check(published, &presentation, &nonce.to_dec().unwrap());
}

fn check(published: &Published, presentation: &Value, nonce: &str) {
    let request = |bound: i32, nonce: &str| {
        json!({
            "name": "r", "version": "1.0", "ver": "2.0", "nonce": nonce,
            "requested_attributes": { "a": { "name": "name", "restrictions": [{ "cred_def_id": DEFINITION }] } },
            "requested_predicates": { "p": { "name": "age", "p_type": ">=", "p_value": bound } },
        })
        .to_string()
    };
    let schemas = json!({ SCHEMA: { "name": "s", "version": "1.0", "issuerId": ISSUER, "attrNames": ["name", "age"] } }).to_string();
    let definitions = json!({ DEFINITION: published.definition }).to_string();
    for privates in [json!({}), json!({ DEFINITION: published.private })] {
        let verify = |request: String| service::verify(&presentation.to_string(), &request, &schemas, &definitions, &privates.to_string());
        verify(request(18, nonce)).unwrap();
        assert!(verify(request(19, nonce)).is_err(), "another bound was accepted");
        assert!(verify(request(18, "5")).is_err(), "another nonce was accepted");
    }
}

#[test]
fn a_definition_of_ours_serves_the_reference_holder() {
    full_circle(&ours());
}

#[test]
fn a_definition_of_the_reference_is_served_by_us() {
    full_circle(&theirs());
}
