//! Arithmetic modulo m = 2^596 + k, k < 2^119: the numbers among which the primes of signatures are searched.
//!
//! 2^596 = -k (mod m), so a product is reduced by folding what lies above bit 596 back with two short
//! multiplications; a multiple of m added first keeps the difference positive. Elements have 10 limbs and
//! stay below 2^598; only `canonical` brings them below m. Candidates are public once chosen (the holder
//! receives e), so nothing here needs to be constant time.

use crate::{kernels, limbs};

pub type Wide = [u64; 10];

const TOP_MASK: u64 = (1 << 20) - 1;

pub struct SpecialModulus {
    k: [u64; 2],
    pub m: Wide,
    /// m * 2^132
    lift: [u64; 12],
    has_kernels: bool,
}

#[inline(always)]
fn multiply_add(a: u64, b: u64, c: u64, d: u64) -> (u64, u64) {
    let sum = a as u128 * b as u128 + c as u128 + d as u128;
    (sum as u64, (sum >> 64) as u64)
}

/// x >> 596.
#[inline(always)]
fn above<const L: usize, const O: usize>(x: &[u64; L]) -> [u64; O] {
    std::array::from_fn(|i| {
        let low = if i + 9 < L { x[i + 9] >> 20 } else { 0 };
        let high = if i + 10 < L { x[i + 10] << 44 } else { 0 };
        low | high
    })
}

#[inline(always)]
fn below<const L: usize, const O: usize>(x: &[u64; L]) -> [u64; O] {
    std::array::from_fn(|i| match i {
        0..=8 => x[i],
        9 => x[9] & TOP_MASK,
        _ => 0,
    })
}

/// a^2, not reduced, where there are no kernels.
#[inline(never)]
pub fn plain_square(a: &Wide) -> [u64; 20] {
    let mut t = [0u64; 20];
    for i in 0..10 {
        let mut carry = 0;
        for j in i + 1..10 {
            (t[i + j], carry) = multiply_add(a[i], a[j], t[i + j], carry);
        }
        t[i + 10] = carry;
    }
    let mut top = 0u64;
    for limb in t.iter_mut() {
        let value = *limb;
        *limb = (value << 1) | top;
        top = value >> 63;
    }
    let mut carry = 0u64;
    for i in 0..10 {
        let square = a[i] as u128 * a[i] as u128;
        let low = t[2 * i] as u128 + (square as u64) as u128 + carry as u128;
        let high = t[2 * i + 1] as u128 + (square >> 64) + (low >> 64);
        t[2 * i] = low as u64;
        t[2 * i + 1] = high as u64;
        carry = (high >> 64) as u64;
    }
    t
}

impl SpecialModulus {
    pub fn new(k: u128) -> Self {
        let mut m = [0u64; 10];
        m[0] = k as u64;
        m[1] = (k >> 64) as u64;
        m[9] = 1 << 20;
        let mut lift = [0u64; 12];
        for i in 0..10 {
            lift[i + 2] |= m[i] << 4;
            if i + 3 < 12 {
                lift[i + 3] |= m[i] >> 60;
            }
        }
        Self { k: [m[0], m[1]], m, lift, has_kernels: kernels::available() }
    }

    #[inline(always)]
    fn times_k<const L: usize, const O: usize>(&self, x: &[u64; L]) -> [u64; O] {
        let mut product = [0u64; O];
        let mut carry = 0;
        for i in 0..L {
            (product[i], carry) = multiply_add(x[i], self.k[0], 0, carry);
        }
        product[L] = carry;
        carry = 0;
        for i in 0..L {
            (product[i + 1], carry) = multiply_add(x[i], self.k[1], product[i + 1], carry);
        }
        product[L + 1] = carry;
        product
    }

    #[inline(always)]
    fn fold(&self, t: &[u64; 20]) -> Wide {
        let mut once: [u64; 12] = below(t);
        // The lift exceeds (t >> 596) * k for every t below 2^1212.
        limbs::add(&mut once, &self.lift);
        limbs::sub(&mut once, &self.times_k::<10, 12>(&above(t)));
        let mut twice: [u64; 10] = below(&once);
        limbs::add(&mut twice, &self.m);
        let folded: [u64; 5] = self.times_k::<3, 5>(&above(&once));
        let mut padded = [0u64; 10];
        padded[..5].copy_from_slice(&folded);
        limbs::sub(&mut twice, &padded);
        twice
    }

    pub fn sqr(&self, a: &Wide) -> Wide {
        self.fold(&if self.has_kernels { kernels::square(a) } else { plain_square(a) })
    }

    pub fn mul(&self, a: &Wide, b: &Wide) -> Wide {
        let mut t = [0u64; 20];
        for i in 0..10 {
            let mut carry = 0;
            for j in 0..10 {
                (t[i + j], carry) = multiply_add(a[i], b[j], t[i + j], carry);
            }
            t[i + 10] = carry;
        }
        self.fold(&t)
    }

    fn canonical(&self, a: &Wide) -> Wide {
        let mut result = *a;
        loop {
            let mut less = result;
            if limbs::sub(&mut less, &self.m) == 1 {
                return result;
            }
            result = less;
        }
    }

    fn is_one(a: &Wide) -> bool {
        a[0] == 1 && a[1..].iter().all(|limb| *limb == 0)
    }

    /// 2^(m-1) = 1 (mod m): all primes and hardly any composite.
    pub fn passes_fermat(&self) -> bool {
        let mut exponent = self.m;
        exponent[0] -= 1;
        let mut power: Wide = [0; 10];
        power[0] = 1;
        for index in (0..597).rev() {
            power = self.sqr(&power);
            if limbs::bit(&exponent, index) == 1 {
                let copy = power;
                limbs::add(&mut power, &copy);
            }
        }
        Self::is_one(&self.canonical(&power))
    }

    pub fn passes_miller_rabin(&self, base: &Wide) -> bool {
        let mut minus_one = self.m;
        minus_one[0] -= 1;
        let twos = (0..597).find(|index| limbs::bit(&minus_one, *index) == 1).unwrap_or(0);
        let mut table = [[0u64; 10]; 16];
        table[0][0] = 1;
        for index in 1..16 {
            table[index] = self.mul(&table[index - 1], base);
        }
        let mut power = table[0];
        for window in (0..(597 - twos).div_ceil(4)).rev() {
            (0..4).for_each(|_| power = self.sqr(&power));
            let digit = (0..4).rev().fold(0, |d, k| d << 1 | limbs::bit(&minus_one, twos + 4 * window + k));
            if digit != 0 {
                power = self.mul(&power, &table[digit]);
            }
        }
        power = self.canonical(&power);
        if Self::is_one(&power) || power == minus_one {
            return true;
        }
        for _ in 1..twos {
            power = self.canonical(&self.sqr(&power));
            if power == minus_one {
                return true;
            }
        }
        false
    }
}
