//! What is refused rather than left to another engine, and which encodings of a text count.

use cl_engine::checks::{encode, is_encoding_of};
use cl_engine::error::EngineError;
use cl_engine::key_generation::{generate, secret_decimal};
use cl_engine::{limbs, service};
use openssl::bn::BigNum;
use serde_json::{json, Value};
use sha2::{Digest, Sha256};

const NO_REQUEST: &str = r#"{"cred_def_id":"d","nonce":"1","entropy":"e",
    "blinded_ms":{"u":"4","hidden_attributes":["master_secret"],"committed_attributes":{}},
    "blinded_ms_correctness_proof":{"c":"1","v_dash_cap":"1","m_caps":{"master_secret":"1"},"r_caps":{}}}"#;
const OFFER: &str = r#"{"schema_id":"s","cred_def_id":"d","nonce":"1"}"#;
const VALUES: &str = r#"{"name":{"raw":"5","encoded":"5"}}"#;

fn hash(raw: &str) -> String {
    BigNum::from_slice(&Sha256::digest(raw.as_bytes())).unwrap().to_dec_str().unwrap().to_string()
}

#[test]
fn a_text_has_the_encoding_that_wallets_give_it() {
    for (raw, encoded) in [("5", "5"), ("007", "7"), ("-0", "0"), ("-2147483648", "-2147483648"), ("2147483647", "2147483647")] {
        assert_eq!(encode(raw).unwrap(), encoded);
        assert!(is_encoding_of(encoded, raw).unwrap());
        assert!(!is_encoding_of(&hash(raw), raw).unwrap(), "the hash of the number {raw}");
    }
    for raw in ["", "+", "-", "+-5", "++5", " 5", "5 ", "5\n", "5.0", "2147483648", "-2147483649", "+2147483648", "٥", "x"] {
        assert_eq!(encode(raw).unwrap(), hash(raw));
        assert!(is_encoding_of(&hash(raw), raw).unwrap());
        for other in ["5", "-5", "0", "", "2147483648", "2147483647", "-2147483649"] {
            assert!(!is_encoding_of(other, raw).unwrap(), "{other} for the text {raw}");
        }
    }
}

#[test]
fn a_number_with_a_plus_sign_counts_as_text_and_as_number() {
    for (raw, number) in [("+5", "5"), ("+0", "0"), ("+1234567", "1234567"), ("+007", "7"), ("+2147483647", "2147483647")] {
        assert_eq!(encode(raw).unwrap(), hash(raw));
        assert!(is_encoding_of(&hash(raw), raw).unwrap());
        assert!(is_encoding_of(number, raw).unwrap());
        for other in [&hash(number), raw, "6", "-5", "", &format!("0{number}")] {
            assert!(!is_encoding_of(other, raw).unwrap(), "{other} for the text {raw}");
        }
    }
}

fn made() -> (String, Value) {
    let made: Value = serde_json::from_str(&generate("did:x:s", "did:x:i", "t", &["name".into()]).unwrap()).unwrap();
    (made["credentialDefinition"].to_string(), made["credentialDefinitionPrivate"].clone())
}

fn refusal(definition: &str, private: &Value, request: &Value) -> EngineError {
    service::issue(definition, &private.to_string(), OFFER, &request.to_string(), VALUES).unwrap_err()
}

#[test]
fn nobody_else_gets_to_sign_with_an_odd_private_key() {
    let (definition, private) = made();
    let request: Value = serde_json::from_str(NO_REQUEST).unwrap();
    let p = private["value"]["p_key"]["p"].as_str().unwrap();
    let q = private["value"]["p_key"]["q"].as_str().unwrap();
    let even = format!("{}0", &p[..p.len() - 1]);
    for (p, q) in [("1", q), ("0", q), ("-1", q), (p, "1"), (p, p), (q, p), (&even, q), (p, &even), (&format!("{p}1"), q)] {
        let mut odd = private.clone();
        odd["value"]["p_key"] = json!({ "p": p, "q": q });
        // Exchanged factors are as good as the others; the request is what is wrong then.
        assert!(matches!(refusal(&definition, &odd, &request), EngineError::Invalid(_)));
    }
    let mut revocable = private.clone();
    revocable["value"]["r_key"] = json!({ "x": "1" });
    assert!(matches!(refusal(&definition, &revocable, &request), EngineError::Invalid(_)));
}

#[test]
fn nobody_else_gets_to_sign_a_request_that_hides_more_than_the_link_secret() {
    let (definition, private) = made();
    let request: Value = serde_json::from_str(NO_REQUEST).unwrap();
    let changes = [
        ("hidden_attributes", json!(["master_secret", "name"])),
        ("hidden_attributes", json!(["name"])),
        ("hidden_attributes", json!([])),
        ("committed_attributes", json!({ "name": "5" })),
        ("ur", json!("5")),
    ];
    for (part, value) in changes {
        let mut changed = request.clone();
        changed["blinded_ms"][part] = value;
        assert!(matches!(refusal(&definition, &private, &changed), EngineError::Invalid(_)), "{part}");
    }
}

#[test]
fn secret_decimals_are_those_of_openssl() {
    for text in ["0", "1", "9999999999999999999", "10000000000000000000", "18446744073709551616", "340282366920938463463374607431768211456"] {
        assert_eq!(*secret_decimal(&limbs::from_number(&BigNum::from_dec_str(text).unwrap())), text);
    }
    for bits in [64, 600, 1023] {
        let mut number = BigNum::new().unwrap();
        number.rand(bits, openssl::bn::MsbOption::ONE, true).unwrap();
        assert_eq!(*secret_decimal(&limbs::from_number(&number)), number.to_dec_str().unwrap().to_string());
    }
}
