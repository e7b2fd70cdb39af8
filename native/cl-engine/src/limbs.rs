//! Little-endian slices of 64-bit limbs and their way to and from OpenSSL numbers.

use openssl::bn::{BigNum, BigNumRef};
use zeroize::Zeroizing;

use crate::error::Result;

/// a += b, over the length of a; returns the carry.
#[inline]
pub fn add(a: &mut [u64], b: &[u64]) -> u64 {
    let mut carry = 0u64;
    for (x, y) in a.iter_mut().zip(b) {
        let (sum, first) = x.overflowing_add(*y);
        let (sum, second) = sum.overflowing_add(carry);
        *x = sum;
        carry = (first | second) as u64;
    }
    carry
}

/// a -= b, over the length of a; returns the borrow.
#[inline]
pub fn sub(a: &mut [u64], b: &[u64]) -> u64 {
    let mut borrow = 0u64;
    for (x, y) in a.iter_mut().zip(b) {
        let (difference, first) = x.overflowing_sub(*y);
        let (difference, second) = difference.overflowing_sub(borrow);
        *x = difference;
        borrow = (first | second) as u64;
    }
    borrow
}

/// a += b where `mask` is all ones, a unchanged where it is zero; the same instructions either way.
#[inline]
pub fn add_masked(a: &mut [u64], b: &[u64], mask: u64) -> u64 {
    // Opaque: a compiler that knows the two possible masks makes a branch of them.
    let mask = std::hint::black_box(mask);
    let mut carry = 0u64;
    for (x, y) in a.iter_mut().zip(b) {
        let (sum, first) = x.overflowing_add(*y & mask);
        let (sum, second) = sum.overflowing_add(carry);
        *x = sum;
        carry = (first | second) as u64;
    }
    carry
}

/// a -= n where a >= n or where `carry` (a limb above a) is 1, in constant time.
#[inline]
pub fn subtract_once(a: &mut [u64], n: &[u64], carry: u64) {
    let borrow = sub(a, n);
    add_masked(a, n, 0u64.wrapping_sub(borrow & !carry & 1));
}

#[inline]
pub fn bit(limbs: &[u64], index: usize) -> usize {
    let word = index >> 6;
    if word < limbs.len() {
        ((limbs[word] >> (index & 63)) & 1) as usize
    } else {
        0
    }
}

pub fn bit_length(limbs: &[u64]) -> usize {
    for index in (0..limbs.len()).rev() {
        if limbs[index] != 0 {
            return index * 64 + 64 - limbs[index].leading_zeros() as usize;
        }
    }
    0
}

/// The magnitude of a number, without leading zero limbs.
pub fn from_number(number: &BigNumRef) -> Vec<u64> {
    let mut bytes = Zeroizing::new(number.to_vec());
    bytes.reverse();
    from_bytes(&bytes)
}

/// From little-endian bytes.
pub fn from_bytes(bytes: &[u8]) -> Vec<u64> {
    let mut limbs = vec![0u64; bytes.len().div_ceil(8)];
    for (index, byte) in bytes.iter().enumerate() {
        limbs[index >> 3] |= (*byte as u64) << (8 * (index & 7));
    }
    limbs
}

/// Padded to N limbs; a longer number is cut, so callers check the size first.
pub fn array_from_number<const N: usize>(number: &BigNumRef) -> [u64; N] {
    let mut array = [0u64; N];
    for (place, limb) in array.iter_mut().zip(Zeroizing::new(from_number(number)).iter()) {
        *place = *limb;
    }
    array
}

/// Wiped when dropped: OpenSSL clears the memory of "secure" numbers.
pub fn to_number(limbs: &[u64]) -> Result<BigNum> {
    secret_number(&padded_bytes(limbs))
}

pub fn secret_number(bytes: &[u8]) -> Result<BigNum> {
    let mut number = BigNum::new_secure()?;
    number.copy_from_slice(bytes)?;
    Ok(number)
}

/// Big-endian bytes, as many whatever the value.
pub fn padded_bytes(limbs: &[u64]) -> Zeroizing<Vec<u8>> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(limbs.len() * 8));
    for limb in limbs.iter().rev() {
        bytes.extend_from_slice(&limb.to_be_bytes());
    }
    bytes
}

/// Big-endian bytes without leading zeros, as OpenSSL and the library hash them.
pub fn to_bytes(limbs: &[u64]) -> Vec<u8> {
    let bytes = padded_bytes(limbs);
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    bytes[zeros..].to_vec()
}

/// a * b, full length, the same steps for every value.
pub fn multiply(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut product = vec![0u64; a.len() + b.len()];
    for (i, x) in a.iter().enumerate() {
        let mut carry = 0u128;
        for (j, y) in b.iter().enumerate() {
            let sum = *x as u128 * *y as u128 + product[i + j] as u128 + carry;
            product[i + j] = sum as u64;
            carry = sum >> 64;
        }
        product[i + b.len()] = carry as u64;
    }
    product
}
