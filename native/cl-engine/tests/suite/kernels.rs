//! Kernels, plain Rust and OpenSSL give the same products for random and for edge values.

use cl_engine::backend::Backend;
use cl_engine::montgomery::Modulus;
use cl_engine::special_modulus::plain_square;
use cl_engine::{kernels, limbs};
use openssl::bn::{BigNum, MsbOption};

struct Stream(u64);

impl Stream {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Random limbs, long runs of ones and zeros, and values next to 0 and R.
    fn limbs<const N: usize>(&mut self) -> [u64; N] {
        let kind = self.next() % 8;
        let mut value = [0u64; N];
        for limb in value.iter_mut() {
            *limb = match kind {
                0 => u64::MAX,
                1 => 0,
                2 => if self.next() % 2 == 0 { u64::MAX } else { 0 },
                3 => 1u64 << (self.next() % 64),
                _ => self.next(),
            };
        }
        if kind < 2 {
            value[0] ^= self.next() % 4;
        }
        value
    }
}

fn modulus<const N: usize>(stream: &mut Stream, bits: usize) -> BigNum {
    let mut number = BigNum::new().unwrap();
    number.rand(bits as i32, MsbOption::ONE, true).unwrap();
    match stream.next() % 4 {
        0 => {
            number = limbs::to_number(&[u64::MAX; N]).unwrap();
            number.mask_bits(bits as i32).ok();
        }
        1 => {
            let mut small = BigNum::new().unwrap();
            small.set_bit(bits as i32 - 1).unwrap();
            small.add_word(1).unwrap();
            number = small;
        }
        _ => {}
    }
    number
}

fn agree<const N: usize>(stream: &mut Stream, bits: usize, operations: usize) {
    let per_modulus = 500;
    for _ in 0..operations.div_ceil(per_modulus) {
        let number = modulus::<N>(stream, bits);
        let kernel = Modulus::<N>::with_backend(&number, false, Backend::Kernels).unwrap();
        let portable = Modulus::<N>::with_backend(&number, false, Backend::Portable).unwrap();
        let openssl = Modulus::<N>::with_backend(&number, false, Backend::OpenSsl).unwrap();
        for _ in 0..per_modulus / 2 {
            let (mut a, mut b) = (stream.limbs::<N>(), stream.limbs::<N>());
            if bits % 64 != 0 {
                // Lazily reduced sizes take operands below twice the modulus.
                a = kernel.reduce(&a);
                b = kernel.reduce(&b);
                if stream.next() % 2 == 0 {
                    limbs::add(&mut a, &kernel.n);
                }
            }
            let product = kernel.leave(&kernel.mul(&a, &b));
            let square = kernel.leave(&kernel.sqr(&a));
            assert_eq!(product, portable.leave(&portable.mul(&a, &b)), "N={N} bits={bits} a={a:x?} b={b:x?} n={:x?}", kernel.n);
            assert_eq!(square, portable.leave(&portable.sqr(&a)), "N={N} bits={bits} a={a:x?} n={:x?}", kernel.n);
            let (ra, rb) = (kernel.reduce(&a), kernel.reduce(&b));
            assert_eq!(product, openssl.leave(&openssl.mul(&ra, &rb)), "N={N} OpenSSL");
            assert_eq!(square, openssl.leave(&openssl.sqr(&ra)), "N={N} OpenSSL");
        }
    }
}

#[test]
fn back_ends_agree() {
    if !kernels::available() {
        eprintln!("this CPU has no BMI2 and ADX: the kernels are not used here");
        return;
    }
    let operations = std::env::var("CL_ENGINE_FUZZ").ok().and_then(|text| text.parse().ok()).unwrap_or(40_000);
    let seed = std::env::var("CL_ENGINE_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or_else(|| {
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as u64
    });
    println!("CL_ENGINE_SEED={seed} CL_ENGINE_FUZZ={operations}");
    let mut stream = Stream(seed);
    let share = operations / 8;
    agree::<16>(&mut stream, 1024, 2 * share);
    agree::<16>(&mut stream, 1023, share);
    agree::<17>(&mut stream, 1025, 2 * share);
    agree::<32>(&mut stream, 2048, share);
    agree::<33>(&mut stream, 2049, share);
    agree::<33>(&mut stream, 2050, share);
    for _ in 0..share {
        let a = stream.limbs::<10>();
        assert_eq!(kernels::square(&a), plain_square(&a), "a={a:x?}");
    }
}
