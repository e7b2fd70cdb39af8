//! Which code multiplies: generated kernels where the CPU has BMI2 and ADX; without them OpenSSL for public
//! moduli and plain constant-time Rust for secret ones (OpenSSL's public interface strips leading zero limbs,
//! which a secret modulus would show in its timing).

use std::cell::RefCell;
use std::ptr;

use foreign_types_shared::ForeignTypeRef;
use openssl::bn::{BigNumContext, BigNumRef};

use crate::error::{fault, Result};
use crate::kernels;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    Kernels,
    Portable,
    OpenSsl,
}

impl Backend {
    pub fn detect(secret_modulus: bool) -> Self {
        if kernels::available() {
            Self::Kernels
        } else if secret_modulus {
            Self::Portable
        } else {
            Self::OpenSsl
        }
    }

    pub fn name() -> &'static str {
        match Self::detect(false) {
            Self::Kernels => "mulx-adx",
            _ => "openssl",
        }
    }
}

/// Word-by-word Montgomery multiplication (CIOS); the result is below R, not always below n.
pub fn portable_mul<const N: usize>(a: &[u64; N], b: &[u64; N], n: &[u64; N], n0: u64) -> [u64; N] {
    let mut t = [0u64; N];
    let mut above = 0u64;
    for x in a {
        let mut carry = 0u128;
        for (place, y) in t.iter_mut().zip(b) {
            let sum = *x as u128 * *y as u128 + *place as u128 + carry;
            *place = sum as u64;
            carry = sum >> 64;
        }
        let top = above as u128 + carry;
        let m = t[0].wrapping_mul(n0);
        let mut carry = (m as u128 * n[0] as u128 + t[0] as u128) >> 64;
        for j in 1..N {
            let sum = m as u128 * n[j] as u128 + t[j] as u128 + carry;
            t[j - 1] = sum as u64;
            carry = sum >> 64;
        }
        let sum = top + carry;
        t[N - 1] = sum as u64;
        above = (sum >> 64) as u64;
    }
    // Opaque: a compiler that knows the two possible masks makes a branch of them.
    let mask = std::hint::black_box(0u64.wrapping_sub(above));
    let masked: [u64; N] = std::array::from_fn(|k| n[k] & mask);
    crate::limbs::sub(&mut t, &masked);
    t
}

thread_local! {
    static CONTEXT: RefCell<Option<BigNumContext>> = const { RefCell::new(None) };
}

#[allow(non_camel_case_types)]
enum BN_MONT_CTX {}

extern "C" {
    fn BN_MONT_CTX_new() -> *mut BN_MONT_CTX;
    fn BN_MONT_CTX_free(ctx: *mut BN_MONT_CTX);
    fn BN_MONT_CTX_set(ctx: *mut BN_MONT_CTX, n: *const openssl_sys::BIGNUM, bn: *mut openssl_sys::BN_CTX) -> i32;
    fn BN_mod_mul_montgomery(
        r: *mut openssl_sys::BIGNUM,
        a: *const openssl_sys::BIGNUM,
        b: *const openssl_sys::BIGNUM,
        mont: *mut BN_MONT_CTX,
        ctx: *mut openssl_sys::BN_CTX,
    ) -> i32;
    fn BN_lebin2bn(s: *const u8, len: i32, ret: *mut openssl_sys::BIGNUM) -> *mut openssl_sys::BIGNUM;
    fn BN_bn2lebinpad(a: *const openssl_sys::BIGNUM, to: *mut u8, len: i32) -> i32;
}

/// OpenSSL's Montgomery context of one modulus; read-only once made, hence shared between threads.
pub struct OpenSslContext(*mut BN_MONT_CTX);

// SAFETY: BN_mod_mul_montgomery only reads the context.
unsafe impl Send for OpenSslContext {}
unsafe impl Sync for OpenSslContext {}

impl OpenSslContext {
    pub fn new(modulus: &BigNumRef) -> Result<Self> {
        let context = BigNumContext::new()?;
        // SAFETY: plain allocation and set-up of OpenSSL objects, freed in Drop.
        let made = unsafe {
            let made = Self(BN_MONT_CTX_new());
            if made.0.is_null() || BN_MONT_CTX_set(made.0, modulus.as_ptr(), context_ptr(&context)) != 1 {
                return fault("OpenSSL has no Montgomery context for this modulus");
            }
            made
        };
        Ok(made)
    }

    /// Operands must be below the modulus; so is the result.
    pub fn mul<const N: usize>(&self, a: &[u64; N], b: &[u64; N]) -> [u64; N] {
        let mut result = [0u64; N];
        CONTEXT.with(|cell| {
            let mut slot = cell.borrow_mut();
            let context = slot.get_or_insert_with(|| BigNumContext::new().expect("out of memory"));
            // SAFETY: limbs are little-endian bytes on every platform this compiles for (checked in lib.rs);
            // the numbers are freed before return.
            unsafe {
                let bytes = (8 * N) as i32;
                let x = BN_lebin2bn(a.as_ptr() as *const u8, bytes, ptr::null_mut());
                let y = BN_lebin2bn(b.as_ptr() as *const u8, bytes, ptr::null_mut());
                let done = BN_mod_mul_montgomery(x, x, y, self.0, context_ptr(context)) == 1
                    && BN_bn2lebinpad(x, result.as_mut_ptr() as *mut u8, bytes) == bytes;
                openssl_sys::BN_clear_free(x);
                openssl_sys::BN_clear_free(y);
                assert!(done, "OpenSSL multiplication failed");
            }
        });
        result
    }
}

fn context_ptr(context: &BigNumContext) -> *mut openssl_sys::BN_CTX {
    use std::ops::Deref;
    context.deref().as_ptr()
}

impl Drop for OpenSslContext {
    fn drop(&mut self) {
        // SAFETY: made by BN_MONT_CTX_new, freed once.
        unsafe { BN_MONT_CTX_free(self.0) }
    }
}
