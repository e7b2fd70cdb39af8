//! Does the time of a signature depend on the private key? Two classes in random order, Welch's t over the
//! samples and over cropped ones (as "dudect" does): a constant difference shows as a growing |t|.
//!
//! CL_ENGINE_TIMING_SAMPLES sets the sample size; the README gives the one at which figures were taken.

use std::time::Instant;

use cl_engine::comb::{Comb, Shape};
use cl_engine::issuer_key::IssuerKey;
use cl_engine::key_generation::generate;
use cl_engine::montgomery::Modulus;
use cl_engine::primes;
use cl_engine::wire::definition::{parse_private, Definition};
use openssl::bn::{BigNum, MsbOption};

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

type Key = IssuerKey<16, 32>;

fn key(texts: &(String, String)) -> Key {
    let definition = Definition::parse(&texts.0).unwrap();
    Key::new(definition.public_key(), &parse_private(&texts.1).unwrap()).unwrap()
}

fn texts() -> (String, String) {
    let made: serde_json::Value = serde_json::from_str(&generate("did:x:s", "did:x:i", "t", &["name".into()]).unwrap()).unwrap();
    (made["credentialDefinition"].to_string(), made["credentialDefinitionPrivate"].to_string())
}

/// One fixed private key against many; the key is loaded afresh for each sample, so that memory is no hint.
#[test]
fn signing_time_does_not_tell_private_keys_apart() {
    let fixed = texts();
    let others: Vec<_> = (0..8).map(|_| texts()).collect();
    let e = primes::generate().unwrap();
    let nonce = BigNum::from_u32(77).unwrap();
    let sample = |class: usize| {
        let chosen = &others[random_below(8) as usize];
        let key = key(if class == 0 { &fixed } else { chosen });
        // A square below both factors, different every time.
        let mut root = BigNum::new().unwrap();
        root.rand(500, MsbOption::ONE, true).unwrap();
        let square = &root * &root;
        let (q_p, q_q) = (key.p.modulus.enter(&square).unwrap(), key.q.modulus.enter(&square).unwrap());
        let start = Instant::now();
        key.sign(&q_p, &q_q, &e, &nonce).unwrap();
        start.elapsed().as_nanos() as f64
    };
    (0..20).for_each(|round| assert!(sample(round % 2) > 0.0));
    measure("signature, fixed key against others", samples(), sample);
}

/// The power itself: an exponent with one bit set against random ones.
#[test]
fn power_time_does_not_depend_on_the_exponent() {
    let mut number = BigNum::new().unwrap();
    number.rand(1024, MsbOption::TWO_ONES, true).unwrap();
    let modulus = Modulus::<16>::secret(&number).unwrap();
    let base = modulus.enter(&BigNum::from_u32(7).unwrap()).unwrap();
    let comb = Comb::new(&modulus, &base, 1090, Shape { teeth: 5, blocks: 1 });
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
