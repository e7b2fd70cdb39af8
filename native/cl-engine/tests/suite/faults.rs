//! One wrong bit, anywhere in what signing reads or computes: no credential leaves that is right modulo one factor
//! and wrong modulo the other. Whoever has such a one has the factors.

use std::cell::Cell;

use anoncreds_clsignatures as reference;
use cl_engine::disturbance::{Disturbance, Step};
use cl_engine::error::EngineError;
use cl_engine::group::{Group, Quotient};
use cl_engine::issue::Issuance;
use cl_engine::issuer_key::IssuerKey;
use cl_engine::montgomery::Element;
use cl_engine::wire::definition::{parse_private, Definition};
use cl_engine::wire::issuance::{parse, Offer, PrimarySignature, Request, Values};
use cl_engine::{checks, key_generation, limbs, primes};
use openssl::bn::{BigNum, BigNumContext, BigNumRef};
use reference::{CredentialPublicKey, Issuer, Prover};
use serde_json::{json, Value};

type Key = IssuerKey<16, 32>;

struct Bench {
    key: Key,
    definition: Definition,
    offer: Offer,
    request: Request,
    values: Values,
}

fn read<T: serde::de::DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap()
}

fn bench() -> Bench {
    let made: Value = serde_json::from_str(&key_generation::generate("did:x:s", "did:x:i", "t", &["name".into()]).unwrap()).unwrap();
    let definition = Definition::parse(&made["credentialDefinition"].to_string()).unwrap();
    let factors = parse_private(&made["credentialDefinitionPrivate"].to_string()).unwrap();
    let public = CredentialPublicKey::build_from_parts(&read(&made["credentialDefinition"]["value"]["primary"]), None).unwrap();
    let secret = Prover::new_link_secret().unwrap();
    let mut hidden = Issuer::new_credential_values_builder().unwrap();
    hidden.add_value_hidden("master_secret", secret.as_ref()).unwrap();
    let nonce = reference::new_nonce().unwrap();
    let (blinded, _, proof) =
        Prover::blind_credential_secrets(&public, &read(&made["keyCorrectnessProof"]), &hidden.finalize().unwrap(), &nonce).unwrap();
    let request = json!({
        "entropy": "entropy", "cred_def_id": "d", "nonce": "5",
        "blinded_ms": serde_json::to_value(&blinded).unwrap(),
        "blinded_ms_correctness_proof": serde_json::to_value(&proof).unwrap(),
    });
    let offer = json!({ "schema_id": "s", "cred_def_id": "d", "nonce": nonce.to_dec().unwrap() });
    let values = json!({ "name": { "raw": "Ann", "encoded": checks::encode("Ann").unwrap() } });
    Bench {
        key: Key::new(definition.public_key(), &factors).unwrap(),
        definition,
        offer: parse("offer", &offer.to_string()).unwrap(),
        request: parse("request", &request.to_string()).unwrap(),
        values: parse("values", &values.to_string()).unwrap(),
    }
}

fn random_below(limit: usize) -> usize {
    let mut bytes = [0u8; 8];
    openssl::rand::rand_bytes(&mut bytes).unwrap();
    usize::from_le_bytes(bytes) % limit
}

fn flip(limbs: &mut [u64], bit: usize) {
    limbs[bit / 64] ^= 1 << (bit % 64);
}

#[derive(Debug, PartialEq, Eq, Clone, Copy)]
enum Standing {
    Right,
    /// Modulo both factors: whoever has it has nothing.
    Wrong,
    GivesAFactorAway,
}

fn standing(difference: &BigNumRef, n: &BigNumRef) -> Standing {
    let (mut common, mut context) = (BigNum::new().unwrap(), BigNumContext::new().unwrap());
    common.gcd(difference, n, &mut context).unwrap();
    match common {
        common if common == *n => Standing::Right,
        common if common.num_bits() == 1 => Standing::Wrong,
        _ => Standing::GivesAFactorAway,
    }
}

impl Bench {
    fn issuance(&self) -> Issuance<'_> {
        Issuance { offer: &self.offer, request: &self.request, values: &self.values }
    }

    /// A^e U S^v Rctxt^m2 R^m - Z, by OpenSSL and from public values alone.
    fn standing(&self, signature: &PrimarySignature) -> Standing {
        let (key, mut context) = (self.definition.public_key(), BigNumContext::new().unwrap());
        let number = |text: &str| BigNum::from_dec_str(text).unwrap();
        let mut left = self.request.blinded_ms.u.to_owned().unwrap();
        let name = number(&self.values["name"].encoded);
        let powers = [
            (&number(&signature.a), &number(&signature.e)),
            (&key.s.to_owned().unwrap(), &number(&signature.v)),
            (&key.rctxt.to_owned().unwrap(), &number(&signature.m_2)),
            (&key.r["name"].to_owned().unwrap(), &name),
        ];
        for (base, exponent) in powers {
            let (mut power, mut product) = (BigNum::new().unwrap(), BigNum::new().unwrap());
            power.mod_exp(base, exponent, &key.n, &mut context).unwrap();
            product.mod_mul(&left, &power, &key.n, &mut context).unwrap();
            left = product;
        }
        standing(&(&left - &key.z.to_owned().unwrap()), &key.n)
    }

    /// What comes out, if anything does.
    fn outcome(&self, disturbance: &impl Disturbance) -> Result<Standing, EngineError> {
        let (signature, _) = self.key.issue_disturbed(&self.issuance(), disturbance)?;
        Ok(self.standing(&signature.p_credential))
    }

    /// Names and sizes of all that stays in memory.
    fn places(&mut self) -> Vec<(String, usize)> {
        let mut places: Vec<(String, usize)> = Vec::new();
        self.key.stored(&mut |name, limbs| match places.iter_mut().find(|(known, _)| known == name) {
            Some((_, count)) => *count += limbs.len(),
            None => places.push((name.to_string(), limbs.len())),
        });
        places
    }

    /// Flips bits of the stored words of this name, counted through.
    fn damage(&mut self, place: &str, words: &[usize], bit: usize) {
        let mut passed = 0;
        self.key.stored(&mut |name, limbs| {
            if name == place {
                let here = words.iter().filter_map(|word| word.checked_sub(passed));
                let here: Vec<usize> = here.filter(|word| *word < limbs.len()).collect();
                here.into_iter().for_each(|word| limbs[word] ^= 1 << bit);
                passed += limbs.len();
            }
        });
    }
}

#[test]
fn a_wrong_bit_in_memory_gives_no_factor_away() {
    let mut bench = bench();
    assert_eq!(bench.outcome(&()), Ok(Standing::Right));
    for (place, words) in bench.places() {
        let mut outcomes = Vec::new();
        for round in 0..6 {
            // Half of a table, so that the fault is certainly met; else one bit alone.
            let table = place.ends_with(".table");
            let struck: Vec<usize> = if table && round % 2 == 0 { (0..words).step_by(2).collect() } else { vec![random_below(words)] };
            let bit = random_below(64);
            bench.damage(&place, &struck, bit);
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| bench.outcome(&())));
            bench.damage(&place, &struck, bit);
            let outcome = outcome.unwrap_or(Err(EngineError::Fault("panicked".into())));
            assert_ne!(outcome, Ok(Standing::GivesAFactorAway), "{place}, words {:?}, bit {bit}", &struck[..1]);
            // Only what is computed modulo n before any factor takes part may end in a signature over something else.
            assert!(outcome != Ok(Standing::Wrong) || place.starts_with("n."), "{place}");
            outcomes.push(match outcome {
                Ok(standing) => format!("{standing:?}"),
                Err(error) => error.to_string(),
            });
        }
        outcomes.sort();
        outcomes.dedup();
        println!("{place}: {}", outcomes.join(" | "));
    }
    assert_eq!(bench.outcome(&()), Ok(Standing::Right));
}

struct Flip {
    step: Step,
    bit: usize,
    struck: Cell<bool>,
}

impl Disturbance for Flip {
    fn strike(&self, step: Step, limbs: &mut [u64]) {
        if step == self.step {
            flip(limbs, self.bit);
            self.struck.set(true);
        }
    }
}

#[test]
fn a_wrong_bit_on_the_way_gives_no_factor_away() {
    let bench = bench();
    let refused = [
        Step::SignedAfterFirstResidue,
        Step::ResidueModuloP,
        Step::Exponent,
        Step::ExponentAfterFirstPower,
        Step::RootModuloP,
        Step::Root,
        Step::Product,
        Step::Answer,
    ];
    for step in refused.into_iter().chain([Step::Signed, Step::CommitmentExponent]) {
        for _ in 0..8 {
            let flip = Flip { step, bit: random_below(1000), struck: Cell::new(false) };
            let outcome = bench.outcome(&flip);
            assert_ne!(outcome, Ok(Standing::GivesAFactorAway), "{step:?}, bit {}", flip.bit);
            if refused.contains(&step) {
                assert!(matches!(outcome, Err(EngineError::Fault(_) | EngineError::Invalid(_))), "{step:?}: {outcome:?}");
            }
            assert!(flip.struck.get() || outcome.is_err(), "{step:?} was never reached");
        }
    }
}

/// Q with each residue computed modulo its factor, which is what the engine does not do.
fn by_factors(bench: &Bench, group: &Group<16>, exponent: &BigNumRef) -> Element<16> {
    let mut quotient = Quotient::new(group);
    quotient.times(&group.s, exponent).unwrap();
    let above = quotient.value().unwrap();
    let inverse = group.modulus.inverse(&above).unwrap();
    group.modulus.mul(&group.modulus.enter(&bench.definition.public_key().z).unwrap(), &inverse)
}

#[test]
fn the_final_check_alone_would_not_have_seen_a_wrong_table_of_one_factor() {
    let mut bench = bench();
    assert_eq!(bench.outcome(&()), Ok(Standing::Right));
    let v = BigNum::from_dec_str(&"7".repeat(820)).unwrap();
    let sign = |bench: &Bench| {
        let residues = (by_factors(bench, &bench.key.p, &v), by_factors(bench, &bench.key.q, &v));
        let q = bench.key.joined(&residues.0, &residues.1);
        let signed: [u64; 32] = q.clone().try_into().unwrap();
        let e = primes::generate().unwrap();
        let (a, _) = bench.key.sign(&signed, &e, &BigNum::from_u32(5).unwrap(), &()).ok()?;
        Some((limbs::to_number(&q).unwrap(), limbs::to_number(&a).unwrap(), limbs::to_number(&e).unwrap()))
    };
    let (right, ..) = sign(&bench).unwrap();
    let words = bench.places().into_iter().find(|(name, _)| name == "p.s.table").unwrap().1;
    let struck: Vec<usize> = (0..words).step_by(2).collect();
    // Every other wrong residue is a square.
    let mut signed = None;
    for bit in 0..64 {
        bench.damage("p.s.table", &struck, bit);
        signed = sign(&bench);
        if signed.is_some() {
            break;
        }
        bench.damage("p.s.table", &struck, bit);
    }
    let (_, a, e) = signed.unwrap();
    let n = &bench.definition.public_key().n;
    let (mut power, mut context) = (BigNum::new().unwrap(), BigNumContext::new().unwrap());
    power.mod_exp(&a, &e, n, &mut context).unwrap();
    assert_eq!(standing(&(&power - &right), n), Standing::GivesAFactorAway);
    // The same table is of no consequence to what the engine signs: the request's proof does not hold with it.
    assert!(matches!(bench.outcome(&()), Err(EngineError::Invalid(_))));
}
