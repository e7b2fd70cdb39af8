//! Signature primes lie in their range, are prime for OpenSSL too, and are never handed out twice.

use std::collections::HashSet;
use std::sync::Mutex;

use cl_engine::special_modulus::SpecialModulus;
use cl_engine::{limbs, prime_pool, primes};
use openssl::bn::{BigNum, BigNumContext};

#[test]
fn generated_numbers_are_primes_of_the_range() {
    let mut context = BigNumContext::new().unwrap();
    let mut low = BigNum::new().unwrap();
    low.set_bit(596).unwrap();
    for _ in 0..100 {
        let prime = limbs::to_number(&primes::generate().unwrap()).unwrap();
        assert!(prime.is_prime(64, &mut context).unwrap());
        let mut distance = BigNum::new().unwrap();
        distance.checked_sub(&prime, &low).unwrap();
        assert!(!distance.is_negative() && distance.num_bits() <= 119);
    }
}

#[test]
fn special_arithmetic_agrees_with_openssl() {
    let mut context = BigNumContext::new().unwrap();
    for round in 0..2000u64 {
        let mut random = [0u8; 16 + 150];
        openssl::rand::rand_bytes(&mut random).unwrap();
        let mut k = u128::from_le_bytes(random[..16].try_into().unwrap()) >> 9 | 1;
        if round % 5 == 0 {
            k = (1 << 119) - 1;
        }
        let modulus = SpecialModulus::new(k);
        let mut a = [0u64; 10];
        let mut b = [0u64; 10];
        for (index, chunk) in random[16..].chunks_exact(8).take(18).enumerate() {
            let limb = if round % 7 == 0 { u64::MAX } else { u64::from_le_bytes(chunk.try_into().unwrap()) };
            if index < 9 { a[index] = limb } else { b[index - 9] = limb }
        }
        a[9] = (1 << 21) - 1;
        b[9] = (1 << 22) - 1;
        let number = limbs::to_number(&modulus.m).unwrap();
        let (x, y) = (limbs::to_number(&a).unwrap(), limbs::to_number(&b).unwrap());
        for (ours, left, right) in [(modulus.mul(&a, &b), &x, &y), (modulus.sqr(&b), &y, &y)] {
            let mut expected = BigNum::new().unwrap();
            expected.mod_mul(left, right, &number, &mut context).unwrap();
            let mut reduced = BigNum::new().unwrap();
            reduced.nnmod(&limbs::to_number(&ours).unwrap(), &number, &mut context).unwrap();
            assert_eq!(reduced, expected);
        }
    }
}

/// Draws CL_ENGINE_DRAWS primes over four threads while another one fills the pool.
#[test]
fn the_pool_hands_out_no_prime_twice() {
    let draws: usize = std::env::var("CL_ENGINE_DRAWS").ok().and_then(|text| text.parse().ok()).unwrap_or(2_000);
    let seen = Mutex::new(HashSet::new());
    std::thread::scope(|scope| {
        scope.spawn(|| prime_pool::fill(draws / 2).unwrap());
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..draws / 4 {
                    let prime = prime_pool::take().unwrap();
                    assert!(seen.lock().unwrap().insert(prime), "a prime came out twice");
                }
            });
        }
    });
    assert_eq!(seen.lock().unwrap().len(), draws / 4 * 4);
}
