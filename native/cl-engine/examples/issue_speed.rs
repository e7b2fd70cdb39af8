//! Processor time per credential in ms, with a waiting prime and with one searched on the spot, for a definition of the
//! library and one of ours; and the memory that a definition then takes.
//!
//! cargo run --release --example issue_speed -- [attributes [rounds]]

use anoncreds_clsignatures as reference;
use cl_engine::{cache, checks, key_generation, prime_pool, service};
use reference::{CredentialPublicKey, Issuer, Prover};
use serde_json::{json, Value};

struct Inputs {
    definition: String,
    private: String,
    offer: String,
    request: String,
    values: String,
}

fn names(attributes: usize) -> Vec<String> {
    (0..attributes).map(|index| format!("attribute{index:03}")).collect()
}

fn of_library(names: &[String]) -> (Value, Value, Value) {
    let mut schema = Issuer::new_credential_schema_builder().unwrap();
    names.iter().for_each(|name| schema.add_attr(name).unwrap());
    let mut hidden = Issuer::new_non_credential_schema_builder().unwrap();
    hidden.add_attr("master_secret").unwrap();
    let (public, private, proof) =
        Issuer::new_credential_def(&schema.finalize().unwrap(), &hidden.finalize().unwrap(), false).unwrap();
    let primary = serde_json::to_value(public.get_primary_key()).unwrap();
    let definition = json!({ "schemaId": "did:x:s", "type": "CL", "tag": "t", "issuerId": "did:x:i", "value": { "primary": primary } });
    let private = json!({ "value": serde_json::to_value(&private).unwrap() });
    (definition, private, serde_json::to_value(&proof).unwrap())
}

fn of_ours(names: &[String]) -> (Value, Value, Value) {
    let made: Value = serde_json::from_str(&key_generation::generate("did:x:s", "did:x:i", "t", names).unwrap()).unwrap();
    (made["credentialDefinition"].clone(), made["credentialDefinitionPrivate"].clone(), made["keyCorrectnessProof"].clone())
}

fn inputs((definition, private, proof): (Value, Value, Value), names: &[String]) -> Inputs {
    let primary = serde_json::from_value(definition["value"]["primary"].clone()).unwrap();
    let key = CredentialPublicKey::build_from_parts(&primary, None).unwrap();
    let secret = Prover::new_link_secret().unwrap();
    let mut hidden = Issuer::new_credential_values_builder().unwrap();
    hidden.add_value_hidden("master_secret", secret.as_ref()).unwrap();
    let nonce = reference::new_nonce().unwrap();
    let proof = serde_json::from_value(proof).unwrap();
    let (blinded, _, blinded_proof) =
        Prover::blind_credential_secrets(&key, &proof, &hidden.finalize().unwrap(), &nonce).unwrap();
    let values: serde_json::Map<String, Value> = names
        .iter()
        .map(|name| (name.clone(), json!({ "raw": name, "encoded": checks::encode(name).unwrap() })))
        .collect();
    let request = json!({
        "entropy": "entropy", "cred_def_id": "d", "nonce": "5",
        "blinded_ms": serde_json::to_value(&blinded).unwrap(),
        "blinded_ms_correctness_proof": serde_json::to_value(&blinded_proof).unwrap(),
    });
    Inputs {
        definition: definition.to_string(),
        private: private.to_string(),
        offer: json!({ "schema_id": "s", "cred_def_id": "d", "nonce": nonce.to_dec().unwrap() }).to_string(),
        request: request.to_string(),
        values: Value::Object(values).to_string(),
    }
}

/// Nanoseconds that this thread has computed, as Linux counts them.
fn processor_ns() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse().unwrap()
}

fn milliseconds(rounds: usize, inputs: &Inputs) -> f64 {
    let start = processor_ns();
    for _ in 0..rounds {
        let Inputs { definition, private, offer, request, values } = inputs;
        service::issue(definition, private, offer, request, values).unwrap();
    }
    (processor_ns() - start) as f64 / 1e6 / rounds as f64
}

fn main() {
    let number = |index: usize| std::env::args().nth(index).and_then(|text| text.parse::<usize>().ok());
    let (attributes, rounds) = (number(1).unwrap_or(5), number(2).unwrap_or(300));
    let names = names(attributes);
    for (maker, made) in [("library", of_library(&names)), ("own", of_ours(&names))] {
        let before = cache::usage().unwrap().bytes;
        let inputs = inputs(made, &names);
        let first = milliseconds(1, &inputs);
        let searched = milliseconds(rounds, &inputs);
        prime_pool::fill(rounds).unwrap();
        let waiting = milliseconds(rounds, &inputs);
        let megabytes = (cache::usage().unwrap().bytes - before) as f64 / (1 << 20) as f64;
        println!(
            "{maker} definition, {attributes} attributes: {searched:.3} ms, {waiting:.3} ms with a waiting prime, \
             {first:.1} ms the first, {megabytes:.2} MB"
        );
    }
}
