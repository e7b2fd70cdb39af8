//! Definitions that were used lately, with their tables, up to a number of bytes.
//!
//! One cache serves all threads of the process. The key is a hash over the texts of a definition and of its
//! private part, so a changed definition is another entry.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use sha2::{Digest, Sha256};

use crate::error::{fault, not_understood, EngineError, Result};
use crate::group::Group;
use crate::issue::Issuance;
use crate::issuer_key::IssuerKey;
use crate::montgomery::Modulus;
use crate::tau::VerifyingKey;
use crate::wire::definition::{parse_private, Definition, PublicKey};
use crate::wire::issuance::{Signature, SignatureProof};

const DEFAULT_CAPACITY: usize = 512 << 20;

pub trait IssuingKey: VerifyingKey {
    fn issue(&self, issuance: &Issuance) -> Result<(Signature, SignatureProof)>;
}

impl<const N: usize, const M: usize> IssuingKey for IssuerKey<N, M> {
    fn issue(&self, issuance: &Issuance) -> Result<(Signature, SignatureProof)> {
        IssuerKey::issue(self, issuance)
    }
}

#[derive(Clone)]
pub enum Key {
    Own(Arc<dyn IssuingKey>),
    Foreign(Arc<dyn VerifyingKey>),
}

#[derive(Clone)]
pub struct Known {
    id: [u8; 32],
    pub key: Key,
    pub issuer_id: String,
    pub schema_id: String,
}

impl Key {
    fn bytes(&self) -> usize {
        match self {
            Self::Own(key) => key.bytes(),
            Self::Foreign(key) => key.bytes(),
        }
    }

    pub fn verifying(&self) -> Arc<dyn VerifyingKey> {
        match self {
            Self::Own(key) => key.clone(),
            Self::Foreign(key) => key.clone(),
        }
    }
}

struct Entry {
    known: Known,
    bytes: usize,
    last_use: u64,
}

struct Cache {
    entries: HashMap<[u8; 32], Entry>,
    capacity: usize,
    bytes: usize,
    uses: u64,
}

fn cache() -> Result<MutexGuard<'static, Cache>> {
    static CACHE: OnceLock<Mutex<Cache>> = OnceLock::new();
    let new = || Mutex::new(Cache { entries: HashMap::new(), capacity: DEFAULT_CAPACITY, bytes: 0, uses: 0 });
    match CACHE.get_or_init(new).lock() {
        Ok(guard) => Ok(guard),
        Err(_) => fault("the cache of definitions was left in an unknown state"),
    }
}

impl Cache {
    fn make_room(&mut self, except: &[u8; 32]) {
        while self.bytes > self.capacity {
            let candidates = self.entries.iter().filter(|(id, _)| *id != except);
            let Some(oldest) = candidates.min_by_key(|(_, entry)| entry.last_use).map(|(id, _)| *id) else { return };
            if let Some(entry) = self.entries.remove(&oldest) {
                self.bytes -= entry.bytes;
            }
        }
    }
}

fn identity(definition: &str, private: Option<&str>) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update((definition.len() as u64).to_le_bytes());
    hash.update(definition);
    hash.update(private.unwrap_or_default());
    hash.finalize().into()
}

fn own_key(key: &PublicKey, private: &str) -> Result<Arc<dyn IssuingKey>> {
    let factors = parse_private(private)?;
    if !factors.p.is_within(1024) || factors.p.bits() != factors.q.bits() {
        return not_understood("the factors have unusual sizes");
    }
    Ok(match (factors.p.bits(), key.n.bits()) {
        (1023, ..=2048) => Arc::new(IssuerKey::<16, 32>::new(key, &factors)?),
        (1024, 2049..) => Arc::new(IssuerKey::<17, 33>::new(key, &factors)?),
        _ => return not_understood("the factors have unusual sizes"),
    })
}

fn foreign_key(key: &PublicKey) -> Result<Arc<dyn VerifyingKey>> {
    Ok(if key.n.bits() <= 2048 {
        Arc::new(Group::<32>::new(key, Modulus::public(&key.n)?, None)?)
    } else {
        Arc::new(Group::<33>::new(key, Modulus::public(&key.n)?, None)?)
    })
}

fn load(id: [u8; 32], definition: &str, private: Option<&str>) -> Result<Known> {
    let parsed = Definition::parse(definition)?;
    let key = match private {
        Some(private) => Key::Own(own_key(parsed.public_key(), private)?),
        None => Key::Foreign(foreign_key(parsed.public_key())?),
    };
    Ok(Known { id, key, issuer_id: parsed.issuer_id, schema_id: parsed.schema_id })
}

/// The loaded definition. Its tables grow with its use: `recount` says so to the cache afterwards.
pub fn get(definition: &str, private: Option<&str>) -> Result<Known> {
    let id = identity(definition, private);
    {
        let mut cache = cache()?;
        cache.uses += 1;
        let now = cache.uses;
        if let Some(entry) = cache.entries.get_mut(&id) {
            entry.last_use = now;
            return Ok(entry.known.clone());
        }
    }
    let known = load(id, definition, private)?;
    let mut cache = cache()?;
    let (bytes, last_use) = (known.key.bytes(), cache.uses);
    if let Some(other) = cache.entries.insert(id, Entry { known: known.clone(), bytes, last_use }) {
        cache.bytes -= other.bytes;
    }
    cache.bytes += bytes;
    cache.make_room(&id);
    Ok(known)
}

/// After a use: counts the tables that it built, and lets the least used go where that is too much.
pub fn recount(known: &Known) -> Result<()> {
    let bytes = known.key.bytes();
    let mut cache = cache()?;
    if let Some(entry) = cache.entries.get_mut(&known.id) {
        let before = std::mem::replace(&mut entry.bytes, bytes);
        cache.bytes = cache.bytes - before + bytes;
        cache.make_room(&known.id);
    }
    Ok(())
}

pub struct Usage {
    pub definitions: usize,
    pub bytes: usize,
    pub capacity: usize,
}

pub fn usage() -> Result<Usage> {
    let cache = cache()?;
    let bytes = cache.entries.values().map(|entry| entry.known.key.bytes()).sum();
    Ok(Usage { definitions: cache.entries.len(), bytes, capacity: cache.capacity })
}

pub fn set_capacity(bytes: usize) -> Result<()> {
    let mut cache = cache()?;
    cache.capacity = bytes;
    cache.make_room(&[0; 32]);
    Ok(())
}

pub fn key_for_issuing(known: &Known) -> Result<Arc<dyn IssuingKey>> {
    match &known.key {
        Key::Own(key) => Ok(key.clone()),
        Key::Foreign(_) => Err(EngineError::Invalid("the definition's private key is missing".into())),
    }
}
