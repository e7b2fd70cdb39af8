//! Issues and verifies AnonCreds (CL) signatures, and generates their keys.

#[cfg(target_endian = "big")]
compile_error!("limbs are read as little-endian bytes");

pub mod backend;
pub mod error;
pub mod kernels;
pub mod limbs;
pub mod montgomery;
pub mod comb;
pub mod order;
pub mod product;
pub mod prime_pool;
pub mod primes;
pub mod special_modulus;
