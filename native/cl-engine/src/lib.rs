//! Issues and verifies AnonCreds (CL) signatures, and generates their keys.

#[cfg(target_endian = "big")]
compile_error!("limbs are read as little-endian bytes");

pub mod backend;
pub mod disturbance;
pub mod error;
pub mod kernels;
pub mod limbs;
pub mod montgomery;
pub mod comb;
pub mod order;
pub mod product;
pub mod prime_pool;
pub mod primes;
pub mod random;
pub mod special_modulus;
pub mod checks;
pub mod group;
pub mod issue;
pub mod issuer_key;
pub mod restrictions;
pub mod root_exponent;
pub mod signing;
pub mod tau;
pub mod verify;
pub mod wire;
#[cfg(feature = "addon")]
mod binding;
pub mod cache;
pub mod key_generation;
pub mod safe_primes;
pub mod service;
