//! Nanoseconds per multiplication and squaring of each back-end and size.

use cl_engine::backend::Backend;
use cl_engine::montgomery::Modulus;
use openssl::bn::{BigNum, MsbOption};
use std::time::Instant;

fn measure<const N: usize>(bits: i32) {
    let mut number = BigNum::new().unwrap();
    number.rand(bits, MsbOption::ONE, true).unwrap();
    for backend in [Backend::Kernels, Backend::Portable, Backend::OpenSsl] {
        if backend == Backend::Kernels && !cl_engine::kernels::available() {
            continue;
        }
        let modulus = Modulus::<N>::with_backend(&number, false, backend).unwrap();
        let rounds = 100_000;
        let mut a = modulus.one;
        a = modulus.mul(&a, &modulus.reduce(&[7; N]));
        let start = Instant::now();
        for _ in 0..rounds {
            a = modulus.mul(&a, &a);
        }
        let mul = start.elapsed().as_nanos() / rounds;
        let start = Instant::now();
        for _ in 0..rounds {
            a = modulus.sqr(&a);
        }
        let sqr = start.elapsed().as_nanos() / rounds;
        println!("{bits} bits {backend:?}: mul {mul} ns, sqr {sqr} ns ({:x})", a[0] & 1);
    }
}

fn main() {
    measure::<16>(1024);
    measure::<17>(1025);
    measure::<32>(2048);
    measure::<33>(2049);
}
