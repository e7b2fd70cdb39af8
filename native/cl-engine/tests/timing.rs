//! Does the time of a signature, or of what comes before it, depend on the private key? Two classes in random order, Welch's t over the
//! samples and over cropped ones (as "dudect" does): a constant difference shows as a growing |t|.
//!
//! CL_ENGINE_TIMING_SAMPLES sets the sample size; the README gives the one at which figures were taken.

use std::time::Instant;

use anoncreds_clsignatures::Issuer;
use cl_engine::comb::{Comb, Shape};
use cl_engine::issue::commitment;
use cl_engine::issuer_key::IssuerKey;
use cl_engine::key_generation::generate;
use cl_engine::montgomery::Modulus;
use cl_engine::wire::definition::{parse_private, Definition};
use cl_engine::wire::issuance::{parse, Request};
use cl_engine::{limbs, primes};
use openssl::bn::{BigNum, MsbOption};
use serde_json::{json, Value};

/// |t| that no sample of equal classes reaches in practice; dudect speaks of a leak from 10 on.
const LEAK: f64 = 5.0;

fn samples() -> usize {
    std::env::var("CL_ENGINE_TIMING_SAMPLES").ok().and_then(|text| text.parse().ok()).unwrap_or(2_000)
}

fn random_below(limit: u32) -> u32 {
    let mut bytes = [0u8; 4];
    openssl::rand::rand_bytes(&mut bytes).unwrap();
    u32::from_le_bytes(bytes) % limit
}

fn welch(classes: &[Vec<f64>; 2], ceiling: f64) -> f64 {
    let moments = |values: &Vec<f64>| {
        let kept: Vec<f64> = values.iter().copied().filter(|value| *value <= ceiling).collect();
        let count = kept.len() as f64;
        let mean = kept.iter().sum::<f64>() / count;
        let variance = kept.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
        (mean, variance / count)
    };
    let ((first, spread), (second, other)) = (moments(&classes[0]), moments(&classes[1]));
    (first - second) / (spread + other).sqrt()
}

/// The largest |t| over croppings at several percentiles.
fn worst_t(classes: &[Vec<f64>; 2]) -> f64 {
    let mut all: Vec<f64> = classes.iter().flatten().copied().collect();
    all.sort_by(f64::total_cmp);
    let at = |share: f64| all[((all.len() - 1) as f64 * share) as usize];
    [1.0, 0.95, 0.9, 0.8, 0.7, 0.5].iter().map(|share| welch(classes, at(*share)).abs()).fold(0.0, f64::max)
}

fn measure(name: &str, count: usize, mut sample: impl FnMut(usize) -> f64) {
    let mut classes = [Vec::with_capacity(count), Vec::with_capacity(count)];
    for _ in 0..count {
        let class = random_below(2) as usize;
        let time = sample(class);
        classes[class].push(time);
    }
    let t = worst_t(&classes);
    println!("{name}: {count} samples, largest |t| {t:.2}");
    assert!(t < LEAK, "{name}: |t| = {t:.2} over {count} samples");
}

struct Texts {
    definition: String,
    private: String,
}

impl Texts {
    fn ours() -> Self {
        let made: Value = serde_json::from_str(&generate("did:x:s", "did:x:i", "t", &["name".into()]).unwrap()).unwrap();
        Self { definition: made["credentialDefinition"].to_string(), private: made["credentialDefinitionPrivate"].to_string() }
    }

    /// With factors of 1,025 bits.
    fn of_library() -> Self {
        let mut schema = Issuer::new_credential_schema_builder().unwrap();
        schema.add_attr("name").unwrap();
        let mut hidden = Issuer::new_non_credential_schema_builder().unwrap();
        hidden.add_attr("master_secret").unwrap();
        let (public, private, _) =
            Issuer::new_credential_def(&schema.finalize().unwrap(), &hidden.finalize().unwrap(), false).unwrap();
        let primary = serde_json::to_value(public.get_primary_key()).unwrap();
        let definition = json!({ "schemaId": "did:x:s", "type": "CL", "tag": "t", "issuerId": "did:x:i", "value": { "primary": primary } });
        Self { definition: definition.to_string(), private: json!({ "value": private }).to_string() }
    }

    fn key<const N: usize, const M: usize>(&self) -> IssuerKey<N, M> {
        let definition = Definition::parse(&self.definition).unwrap();
        IssuerKey::new(definition.public_key(), &parse_private(&self.private).unwrap()).unwrap()
    }
}

fn random_number(bits: i32) -> BigNum {
    let mut number = BigNum::new().unwrap();
    number.rand(bits, MsbOption::ONE, true).unwrap();
    number
}

/// One fixed private key against others; the key is loaded afresh for each sample, so that memory is no hint.
fn measure_signatures<const N: usize, const M: usize>(name: &str, make: fn() -> Texts, others: u32) {
    let fixed = make();
    let others: Vec<_> = (0..others).map(|_| make()).collect();
    let e = primes::generate().unwrap();
    let nonce = BigNum::from_u32(77).unwrap();
    let sample = |class: usize| {
        let chosen = &others[random_below(others.len() as u32) as usize];
        let key = (if class == 0 { &fixed } else { chosen }).key::<N, M>();
        // A square below n, different every time.
        let root = random_number(900);
        let q = limbs::array_from_number(&(&root * &root));
        let start = Instant::now();
        key.sign(&q, &e, &nonce, &()).unwrap();
        start.elapsed().as_nanos() as f64
    };
    (0..20).for_each(|round| assert!(sample(round % 2) > 0.0));
    measure(name, samples(), sample);
}

#[test]
fn signing_time_does_not_tell_private_keys_apart() {
    measure_signatures::<16, 32>("signature, fixed key against others", Texts::ours, 8);
}

#[test]
fn signing_time_does_not_tell_private_keys_of_the_library_apart() {
    measure_signatures::<17, 33>("signature, fixed key of the library against others", Texts::of_library, 3);
}

fn request() -> Request {
    let decimal = |bits: i32| random_number(bits).to_dec_str().unwrap().to_string();
    let request = json!({
        "cred_def_id": "d", "nonce": "1", "entropy": "e",
        "blinded_ms": { "u": decimal(2040), "hidden_attributes": ["master_secret"], "committed_attributes": {} },
        "blinded_ms_correctness_proof": {
            "c": decimal(256), "v_dash_cap": decimal(3060), "m_caps": { "master_secret": decimal(592) }, "r_caps": {},
        },
    });
    parse("request", &request.to_string()).unwrap()
}

/// The commitment of the request's proof modulo both factors, the one thing before the signature that they take part
/// in. (What is signed is computed from n, and its time may differ with n.) The key is loaded afresh for each sample and
/// does it once before, which builds its tables: where they lie and how near they are says nothing then.
fn measure_requests<const N: usize, const M: usize>(name: &str, make: fn() -> Texts, others: u32) {
    let fixed = make();
    let others: Vec<_> = (0..others).map(|_| make()).collect();
    let sample = |class: usize| {
        let chosen = &others[random_below(others.len() as u32) as usize];
        let key = (if class == 0 { &fixed } else { chosen }).key::<N, M>();
        let time = || {
            let (request, u_inverse) = (request(), random_number(2040));
            let start = Instant::now();
            let modulo_p = commitment(&key.p, &request, &u_inverse).unwrap();
            let modulo_q = commitment(&key.q, &request, &u_inverse).unwrap();
            std::hint::black_box(key.joined(&modulo_p, &modulo_q));
            start.elapsed().as_nanos() as f64
        };
        time();
        time()
    };
    (0..20).for_each(|round| assert!(sample(round % 2) > 0.0));
    measure(name, samples(), sample);
}

#[test]
fn the_time_of_a_request_does_not_tell_private_keys_apart() {
    measure_requests::<16, 32>("request, fixed key against others", Texts::ours, 4);
}

#[test]
fn the_time_of_a_request_does_not_tell_private_keys_of_the_library_apart() {
    measure_requests::<17, 33>("request, fixed key of the library against others", Texts::of_library, 3);
}

/// The power itself: an exponent with one bit set against random ones.
#[test]
fn power_time_does_not_depend_on_the_exponent() {
    let mut number = BigNum::new().unwrap();
    number.rand(1024, MsbOption::TWO_ONES, true).unwrap();
    let modulus = Modulus::<16>::secret(&number).unwrap();
    let base = modulus.enter(&BigNum::from_u32(7).unwrap()).unwrap();
    let comb = Comb::new(&modulus, &base, 1090, Shape { teeth: 5, blocks: 2 });
    let sample = |class: usize| {
        let mut exponent = [0u64; 18];
        let mut bytes = [0u8; 136];
        openssl::rand::rand_bytes(&mut bytes).unwrap();
        let random = cl_engine::limbs::from_bytes(&bytes);
        let mask = 0u64.wrapping_sub(class as u64);
        exponent.iter_mut().zip(&random).for_each(|(limb, value)| *limb = value & mask);
        exponent[0] |= 1;
        let start = Instant::now();
        std::hint::black_box(comb.secret_power(&modulus, std::hint::black_box(&exponent)));
        start.elapsed().as_nanos() as f64
    };
    measure("power, sparse exponent against random ones", samples() * 5, sample);
}
