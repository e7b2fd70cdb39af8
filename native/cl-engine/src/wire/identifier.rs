//! Identifiers as the library accepts them: URIs, and Indy's older forms.

use crate::error::{invalid, Result};

#[derive(Clone, Copy)]
pub enum Kind {
    Issuer,
    Schema,
    Definition,
}

pub fn check(kind: Kind, text: &str) -> Result<()> {
    let parts: Vec<&str> = text.split(':').collect();
    let legacy = match kind {
        Kind::Issuer => is_legacy_did(text),
        Kind::Schema => is_legacy_schema(&parts),
        Kind::Definition => is_legacy_definition(&parts),
    };
    if legacy || is_uri(text) {
        return Ok(());
    }
    invalid("an identifier is neither a URI nor of Indy's older form")
}

fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let first = scheme.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic());
    let scheme_byte = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    first && scheme.bytes().all(scheme_byte) && !rest.is_empty() && !rest.contains('\n')
}

pub fn is_legacy_did(text: &str) -> bool {
    let base58 = |byte: u8| byte.is_ascii_alphanumeric() && !matches!(byte, b'0' | b'I' | b'O' | b'l');
    (21..=22).contains(&text.len()) && text.bytes().all(base58)
}

fn is_schema_tail(name: &str, version: &str) -> bool {
    !name.is_empty() && !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

fn is_legacy_schema(parts: &[&str]) -> bool {
    matches!(parts, [did, "2", name, version] if is_legacy_did(did) && is_schema_tail(name, version))
}

fn is_legacy_definition(parts: &[&str]) -> bool {
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty() && !text.starts_with('0');
    match parts {
        [did, "3", "CL", schema, _tag] => is_legacy_did(did) && number(schema),
        [did, "3", "CL", issuer, "2", name, version, _tag] => {
            let issuer_fits = (21..=22).contains(&issuer.len()) && issuer.bytes().all(|byte| byte.is_ascii_alphanumeric());
            is_legacy_did(did) && issuer_fits && is_schema_tail(name, version)
        }
        _ => false,
    }
}

/// For fields whose mere presence matters, whatever they hold, null included.
pub fn presence<'de, D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<bool, D::Error> {
    <serde::de::IgnoredAny as serde::Deserialize>::deserialize(deserializer).map(|_| true)
}
