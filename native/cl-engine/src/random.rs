//! Randomness of keys and signatures, from two sources: OpenSSL's generator, and the operating system's, which is
//! asked anew at every draw. OpenSSL's lives in this process, so a copy of a running machine repeats it; the
//! system's is seeded afresh in such a copy where the hypervisor tells the system of it.

use sha2::{Digest, Sha512};
use zeroize::Zeroizing;

use crate::error::{fault, Result};

const SEED_BYTES: usize = 64;

/// Fills `out` with bytes that are unpredictable as long as one of the sources is, and that differ with `hedge`
/// even where both repeat.
pub fn fill(out: &mut [u8], hedge: &[&[u8]]) -> Result<()> {
    let mut own = Zeroizing::new([0u8; SEED_BYTES]);
    let mut fresh = Zeroizing::new([0u8; SEED_BYTES]);
    openssl::rand::rand_priv_bytes(&mut own[..])?;
    if getrandom::getrandom(&mut fresh[..]).is_err() {
        return fault("the operating system gives no randomness");
    }
    expand(out, &own[..], &fresh[..], hedge);
    Ok(())
}

/// SHA-512 over both sources and the hedge, then SHA-512 of that and a counter for each block.
pub fn expand(out: &mut [u8], own: &[u8], fresh: &[u8], hedge: &[&[u8]]) {
    let mut hash = Sha512::new();
    for part in [own, fresh].iter().chain(hedge) {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    let seed = Zeroizing::new(<[u8; 64]>::from(hash.finalize()));
    for (counter, chunk) in out.chunks_mut(64).enumerate() {
        let hash = Sha512::new().chain_update(&seed[..]).chain_update((counter as u64).to_le_bytes());
        let block = Zeroizing::new(<[u8; 64]>::from(hash.finalize()));
        chunk.copy_from_slice(&block[..chunk.len()]);
    }
}
