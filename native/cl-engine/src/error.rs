//! What the engine answers when it does not sign or verify.

use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EngineError {
    /// The input is wrong; the library would refuse it as well, or the strict checks do.
    Invalid(String),
    /// Well-formed perhaps, but outside what this engine handles (revocation, unusual sizes): the caller may
    /// hand it to the library.
    NotUnderstood(String),
    /// A fault of the machine or of this code; nothing was signed.
    Fault(String),
}

pub type Result<T> = std::result::Result<T, EngineError>;

pub fn invalid<T>(reason: impl Into<String>) -> Result<T> {
    Err(EngineError::Invalid(reason.into()))
}

pub fn not_understood<T>(reason: impl Into<String>) -> Result<T> {
    Err(EngineError::NotUnderstood(reason.into()))
}

pub fn fault<T>(reason: impl Into<String>) -> Result<T> {
    Err(EngineError::Fault(reason.into()))
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(reason) => write!(f, "invalid: {reason}"),
            Self::NotUnderstood(reason) => write!(f, "not-understood: {reason}"),
            Self::Fault(reason) => write!(f, "fault: {reason}"),
        }
    }
}

impl std::error::Error for EngineError {}

impl From<openssl::error::ErrorStack> for EngineError {
    fn from(error: openssl::error::ErrorStack) -> Self {
        Self::Fault(format!("OpenSSL: {error}"))
    }
}
