//! Integers as canonical decimal strings of bounded length.

use std::borrow::Cow;

use openssl::bn::{BigNum, BigNumRef};
use serde::de::Error;
use serde::{Deserialize, Deserializer};

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
        Ok(Self(BigNum::from_dec_str(text)?))
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
        let text = Cow::<str>::deserialize(deserializer)?;
        Self::parse(&text).map_err(D::Error::custom)
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
