//! The generated assembly and its Rust face. `build/kernel_writer.rs` writes it.

#[cfg(all(target_arch = "x86_64", unix))]
mod native {
    use std::mem::MaybeUninit;

    core::arch::global_asm!(include_str!(concat!(env!("OUT_DIR"), "/kernels.s")), options(raw));

    extern "C" {
        fn cl_engine_mul_16(r: *mut u64, a: *const u64, b: *const u64, n: *const u64, n0: u64);
        fn cl_engine_mul_17(r: *mut u64, a: *const u64, b: *const u64, n: *const u64, n0: u64);
        fn cl_engine_mul_32(r: *mut u64, a: *const u64, b: *const u64, n: *const u64, n0: u64);
        fn cl_engine_mul_33(r: *mut u64, a: *const u64, b: *const u64, n: *const u64, n0: u64);
        fn cl_engine_sqr_16(r: *mut u64, a: *const u64, n: *const u64, n0: u64);
        fn cl_engine_sqr_17(r: *mut u64, a: *const u64, n: *const u64, n0: u64);
        fn cl_engine_sqr_32(r: *mut u64, a: *const u64, n: *const u64, n0: u64);
        fn cl_engine_sqr_33(r: *mut u64, a: *const u64, n: *const u64, n0: u64);
        fn cl_engine_square_10(r: *mut u64, a: *const u64);
    }

    pub fn available() -> bool {
        std::arch::is_x86_feature_detected!("bmi2") && std::arch::is_x86_feature_detected!("adx")
    }

    /// Only called after `available()` said so: `Backend::detect` is the one place that chooses it.
    #[inline]
    pub fn mul<const N: usize>(a: &[u64; N], b: &[u64; N], n: &[u64; N], n0: u64) -> [u64; N] {
        let mut r = MaybeUninit::<[u64; N]>::uninit();
        let (rp, ap, bp, np) = (r.as_mut_ptr() as *mut u64, a.as_ptr(), b.as_ptr(), n.as_ptr());
        // SAFETY: each kernel reads N limbs of a, b, n and writes exactly N limbs of r.
        unsafe {
            match N {
                16 => cl_engine_mul_16(rp, ap, bp, np, n0),
                17 => cl_engine_mul_17(rp, ap, bp, np, n0),
                32 => cl_engine_mul_32(rp, ap, bp, np, n0),
                33 => cl_engine_mul_33(rp, ap, bp, np, n0),
                _ => unreachable!("no kernel of this size"),
            }
            r.assume_init()
        }
    }

    #[inline]
    pub fn sqr<const N: usize>(a: &[u64; N], n: &[u64; N], n0: u64) -> [u64; N] {
        let mut r = MaybeUninit::<[u64; N]>::uninit();
        let (rp, ap, np) = (r.as_mut_ptr() as *mut u64, a.as_ptr(), n.as_ptr());
        // SAFETY: as for `mul`.
        unsafe {
            match N {
                16 => cl_engine_sqr_16(rp, ap, np, n0),
                17 => cl_engine_sqr_17(rp, ap, np, n0),
                32 => cl_engine_sqr_32(rp, ap, np, n0),
                33 => cl_engine_sqr_33(rp, ap, np, n0),
                _ => unreachable!("no kernel of this size"),
            }
            r.assume_init()
        }
    }

    /// a^2, not reduced.
    #[inline]
    pub fn square(a: &[u64; 10]) -> [u64; 20] {
        let mut r = MaybeUninit::<[u64; 20]>::uninit();
        // SAFETY: the kernel reads 10 limbs of a and writes exactly 20 of r.
        unsafe {
            cl_engine_square_10(r.as_mut_ptr() as *mut u64, a.as_ptr());
            r.assume_init()
        }
    }
}

#[cfg(not(all(target_arch = "x86_64", unix)))]
mod native {
    pub fn available() -> bool {
        false
    }

    pub fn mul<const N: usize>(_: &[u64; N], _: &[u64; N], _: &[u64; N], _: u64) -> [u64; N] {
        unreachable!("kernels are not available on this platform")
    }

    pub fn sqr<const N: usize>(_: &[u64; N], _: &[u64; N], _: u64) -> [u64; N] {
        unreachable!("kernels are not available on this platform")
    }

    pub fn square(_: &[u64; 10]) -> [u64; 20] {
        unreachable!("kernels are not available on this platform")
    }
}

pub use native::{available, mul, sqr, square};
