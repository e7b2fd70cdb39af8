//! Products of powers with one chain of squarings (Straus), from combs for fixed bases and sliding windows for
//! the others. Exponents here are public or blinded: the steps depend on them.

use crate::comb::Comb;
use crate::limbs::{bit, bit_length};
use crate::montgomery::{Element, Modulus};

/// Odd powers of a base, for sliding windows.
pub struct Window<const N: usize> {
    width: usize,
    odd_powers: Vec<Element<N>>,
}

impl<const N: usize> Window<N> {
    pub fn new(modulus: &Modulus<N>, base: &Element<N>, width: usize) -> Self {
        let mut odd_powers = vec![*base];
        if width > 1 {
            let square = modulus.sqr(base);
            for index in 1..1 << (width - 1) {
                odd_powers.push(modulus.mul(&odd_powers[index - 1], &square));
            }
        }
        Self { width, odd_powers }
    }

    /// For an exponent of this length.
    pub fn width_for(bits: usize) -> usize {
        match bits {
            0..=100 => 3,
            101..=300 => 4,
            301..=800 => 5,
            _ => 6,
        }
    }

    /// digits[k] is an odd number: multiply with that power when 2^k is the current weight.
    fn digits(&self, exponent: &[u64]) -> Vec<u8> {
        let length = bit_length(exponent);
        let mut digits = vec![0u8; length];
        let mut rest = length;
        while rest > 0 {
            let high = rest - 1;
            if bit(exponent, high) == 0 {
                rest -= 1;
                continue;
            }
            let mut low = rest.saturating_sub(self.width);
            while bit(exponent, low) == 0 {
                low += 1;
            }
            digits[low] = (low..=high).rev().fold(0, |value, k| value << 1 | bit(exponent, k) as u8);
            rest = low;
        }
        digits
    }
}

#[derive(Default)]
pub struct Product<'a, const N: usize> {
    combs: Vec<(&'a Comb<N>, Vec<u64>)>,
    windows: Vec<(std::borrow::Cow<'a, Window<N>>, Vec<u64>)>,
}

impl<const N: usize> Clone for Window<N> {
    fn clone(&self) -> Self {
        Self { width: self.width, odd_powers: self.odd_powers.clone() }
    }
}

impl<const N: usize> Drop for Window<N> {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.odd_powers);
    }
}

/// Modulo a factor, its blinded exponents give the factor away.
impl<const N: usize> Drop for Product<'_, N> {
    fn drop(&mut self) {
        let exponents = self.combs.iter_mut().map(|(_, exponent)| exponent);
        exponents.chain(self.windows.iter_mut().map(|(_, exponent)| exponent)).for_each(zeroize::Zeroize::zeroize);
    }
}

impl<'a, const N: usize> Product<'a, N> {
    pub fn new() -> Self {
        Self { combs: Vec::new(), windows: Vec::new() }
    }

    pub fn is_empty(&self) -> bool {
        self.combs.is_empty() && self.windows.is_empty()
    }

    pub fn comb(&mut self, comb: &'a Comb<N>, exponent: Vec<u64>) {
        self.combs.push((comb, exponent));
    }

    pub fn window(&mut self, window: &'a Window<N>, exponent: Vec<u64>) {
        self.windows.push((std::borrow::Cow::Borrowed(window), exponent));
    }

    pub fn base(&mut self, modulus: &Modulus<N>, base: &Element<N>, exponent: Vec<u64>) {
        let width = Window::<N>::width_for(bit_length(&exponent));
        self.windows.push((std::borrow::Cow::Owned(Window::new(modulus, base, width)), exponent));
    }

    pub fn value(&self, modulus: &Modulus<N>) -> Element<N> {
        let digits: Vec<Vec<u8>> = self.windows.iter().map(|(window, exponent)| window.digits(exponent)).collect();
        let comb_depth = self.combs.iter().map(|(comb, _)| comb.depth).max().unwrap_or(0);
        let length = digits.iter().map(Vec::len).max().unwrap_or(0).max(comb_depth);
        let mut result: Option<Element<N>> = None;
        for row in (0..length).rev() {
            result = result.map(|value| modulus.sqr(&value));
            for (comb, exponent) in &self.combs {
                for entry in comb.entries(exponent, row) {
                    result = Some(result.map_or(*entry, |value| modulus.mul(&value, entry)));
                }
            }
            for ((window, _), digits) in self.windows.iter().zip(&digits) {
                if let Some(digit @ 1..) = digits.get(row).copied() {
                    let entry = &window.odd_powers[(digit >> 1) as usize];
                    result = Some(result.map_or(*entry, |value| modulus.mul(&value, entry)));
                }
            }
        }
        result.unwrap_or(modulus.one)
    }
}

/// base^exponent for a single public exponent.
pub fn power<const N: usize>(modulus: &Modulus<N>, base: &Element<N>, exponent: &[u64]) -> Element<N> {
    let mut product = Product::new();
    product.base(modulus, base, exponent.to_vec());
    product.value(modulus)
}
