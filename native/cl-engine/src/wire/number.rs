//! Integers as canonical decimal strings of bounded length.

use std::fmt;
use std::os::raw::c_char;

use foreign_types_shared::ForeignTypeRef;
use openssl::bn::{BigNum, BigNumRef};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};
use zeroize::Zeroizing;

use crate::error::{invalid, Result};

/// The longest honest integer (v of a proof) has 922 digits.
const MOST_DIGITS: usize = 1000;

/// Overwritten when dropped: some of these are private.
#[derive(Debug)]
pub struct Number(BigNum);

impl Number {
    pub fn parse(text: &str) -> Result<Self> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let canonical = !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && (text == "0" || !digits.starts_with('0'));
        if !canonical || digits.len() > MOST_DIGITS {
            return invalid("an integer is not a canonical decimal of a sensible length");
        }
        let mut terminated = Zeroizing::new(Vec::with_capacity(text.len() + 1));
        terminated.extend_from_slice(text.as_bytes());
        terminated.push(0);
        let number = BigNum::new_secure()?;
        let mut target = number.as_ptr();
        // SAFETY: the text ends with a zero byte; OpenSSL writes into the number it is given. The crate's own
        // function would leave a copy of the text in freed memory.
        if unsafe { openssl_sys::BN_dec2bn(&mut target, terminated.as_ptr() as *const c_char) } == 0 {
            return Err(openssl::error::ErrorStack::get().into());
        }
        Ok(Self(number))
    }

    pub fn bits(&self) -> usize {
        self.0.num_bits() as usize
    }

    /// 0 <= x < 2^bits
    pub fn is_within(&self, bits: usize) -> bool {
        !self.0.is_negative() && self.bits() <= bits
    }

    /// |x| < 2^bits
    pub fn has_size_within(&self, bits: usize) -> bool {
        self.bits() <= bits
    }
}

impl std::ops::Deref for Number {
    type Target = BigNumRef;

    fn deref(&self) -> &BigNumRef {
        &self.0
    }
}

impl Drop for Number {
    fn drop(&mut self) {
        self.0.clear();
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_str(Digits)
    }
}

/// Reads where the text stands: a copy of a private one would outlive it.
struct Digits;

impl Visitor<'_> for Digits {
    type Value = Number;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an integer in a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> std::result::Result<Number, E> {
        Number::parse(text).map_err(E::custom)
    }
}

/// A nonce enters hashes by its bytes, which have no sign: a negative one would pass for its opposite.
#[derive(Debug)]
pub struct Nonce(Number);

impl std::ops::Deref for Nonce {
    type Target = BigNumRef;

    fn deref(&self) -> &BigNumRef {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Nonce {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let number = Number::deserialize(deserializer)?;
        if number.is_negative() {
            return Err(D::Error::custom("a nonce is negative"));
        }
        Ok(Self(number))
    }
}
