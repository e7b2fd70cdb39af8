//! The JSON that libanoncreds reads and writes.

#[macro_use]
mod objects;

pub mod definition;
pub mod identifier;
pub mod issuance;
pub mod number;
pub mod presentation;
pub mod request;
