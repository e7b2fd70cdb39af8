//! What Node sees. A panic never crosses: it becomes an error with nothing in it.

use std::panic::{catch_unwind, AssertUnwindSafe};

use napi_derive::napi;

use crate::error::{EngineError, Result};
use crate::{backend, cache, prime_pool, service};

fn guarded<T>(work: impl FnOnce() -> Result<T>) -> napi::Result<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(napi::Error::from_reason(error.to_string())),
        Err(_) => Err(napi::Error::from_reason(EngineError::Fault("the engine failed inside".into()).to_string())),
    }
}

#[napi]
pub fn issue(definition: String, private: String, offer: String, request: String, values: String) -> napi::Result<String> {
    let private = zeroize::Zeroizing::new(private);
    guarded(|| service::issue(&definition, &private, &offer, &request, &values))
}

/// Throws where the presentation is not accepted; the message begins with `invalid`, `not-understood` or `fault`.
#[napi]
pub fn verify(presentation: String, request: String, schemas: String, definitions: String, privates: String) -> napi::Result<()> {
    let privates = zeroize::Zeroizing::new(privates);
    guarded(|| service::verify(&presentation, &request, &schemas, &definitions, &privates))
}

#[napi]
pub fn generate_definition(schema_id: String, issuer_id: String, tag: String, attributes: String) -> napi::Result<PrivateText> {
    guarded(|| service::generate_definition(&schema_id, &issuer_id, &tag, &attributes).map(PrivateText))
}

/// A text with a private key in it, wiped once Node has its copy.
pub struct PrivateText(zeroize::Zeroizing<String>);

impl napi::bindgen_prelude::ToNapiValue for PrivateText {
    unsafe fn to_napi_value(env: napi::sys::napi_env, value: Self) -> napi::Result<napi::sys::napi_value> {
        <&str as napi::bindgen_prelude::ToNapiValue>::to_napi_value(env, value.0.as_str())
    }
}

/// Searches primes ahead of need; returns how many wait in memory.
#[napi]
pub fn fill_prime_pool(count: u32) -> napi::Result<u32> {
    guarded(|| prime_pool::fill(count as usize).map(|size| size as u32))
}

#[napi]
pub fn prime_pool_size() -> napi::Result<u32> {
    guarded(|| prime_pool::size().map(|size| size as u32))
}

#[napi]
pub fn discard_prime_pool() -> napi::Result<()> {
    guarded(prime_pool::discard)
}

#[napi(object)]
pub struct EngineStatus {
    pub version: String,
    pub arithmetic: String,
    pub definitions: u32,
    pub definition_bytes: f64,
    pub capacity_bytes: f64,
}

#[napi]
pub fn status() -> napi::Result<EngineStatus> {
    guarded(|| {
        let usage = cache::usage()?;
        Ok(EngineStatus {
            version: env!("CARGO_PKG_VERSION").into(),
            arithmetic: backend::Backend::name().into(),
            definitions: usage.definitions as u32,
            definition_bytes: usage.bytes as f64,
            capacity_bytes: usage.capacity as f64,
        })
    })
}

/// How much memory loaded definitions and their tables may take.
#[napi]
pub fn set_capacity(bytes: f64) -> napi::Result<()> {
    guarded(|| cache::set_capacity(bytes.max(0.0) as usize))
}
