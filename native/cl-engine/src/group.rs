//! The bases of one definition modulo one number (n, p or q), with combs that are built on first use.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use openssl::bn::BigNumRef;

use crate::comb::{Comb, Shape};
use crate::error::{invalid, EngineError, Result};
use crate::limbs;
use crate::montgomery::{Element, Modulus};
use crate::order::Order;
use crate::product::Product;
use crate::wire::definition::PublicKey;

/// Challenges, contexts, encoded values.
const SHORT_BITS: usize = 256;
/// m and u of proofs; products of a value and the challenge.
const MEDIUM_BITS: usize = 600;
/// r and m2 of proofs.
const WIDE_BITS: usize = 2440;
/// The longest exponent of an honest proof (v) has 3,061 bits.
pub const LONG_BITS: usize = 3072;

/// v'' of a signature.
pub const SIGNATURE_BITS: usize = 2724;

const LONG_SHAPE: Shape = Shape { teeth: 8, blocks: 4 };
/// S takes part in every value of a proof, always with a long exponent.
const S_SHAPE: Shape = Shape { teeth: 10, blocks: 4 };
const SIGNING_S_SHAPE: Shape = Shape { teeth: 11, blocks: 4 };

pub struct Base<const N: usize> {
    pub element: Element<N>,
    shape: Shape,
    long_shape: Shape,
    short: OnceLock<Comb<N>>,
    medium: OnceLock<Comb<N>>,
    wide: OnceLock<Comb<N>>,
    long: OnceLock<Comb<N>>,
}

impl<const N: usize> Base<N> {
    fn new(modulus: &Modulus<N>, number: &BigNumRef, shape: Shape, long_shape: Shape) -> Result<Self> {
        let element = modulus.enter(number)?;
        let [short, medium, wide, long] = std::array::from_fn(|_| OnceLock::new());
        Ok(Self { element, shape, long_shape, short, medium, wide, long })
    }

    /// `long_bits`: the length of long exponents, where there is one for all.
    fn comb(&self, modulus: &Modulus<N>, bits: usize, long_bits: Option<usize>) -> &Comb<N> {
        let (slot, capacity, shape) = if bits <= SHORT_BITS {
            (&self.short, SHORT_BITS, self.shape)
        } else if bits <= MEDIUM_BITS {
            (&self.medium, MEDIUM_BITS, self.shape)
        } else if let Some(long_bits) = long_bits {
            (&self.long, long_bits, self.long_shape)
        } else if bits <= WIDE_BITS {
            (&self.wide, WIDE_BITS, self.long_shape)
        } else {
            (&self.long, LONG_BITS, self.long_shape)
        };
        slot.get_or_init(|| Comb::new(modulus, &self.element, capacity, shape))
    }

    fn bytes(&self) -> usize {
        let combs = [&self.short, &self.medium, &self.wide, &self.long];
        combs.iter().filter_map(|slot| slot.get()).map(Comb::bytes).sum()
    }

    fn wipe(&mut self) {
        self.stored("", &mut |_, limbs| zeroize::Zeroize::zeroize(limbs));
    }

    fn stored(&mut self, name: &str, visit: &mut dyn FnMut(&str, &mut [u64])) {
        visit(&format!("{name}.element"), &mut self.element);
        let combs = [&mut self.short, &mut self.medium, &mut self.wide, &mut self.long];
        let combs = combs.into_iter().filter_map(OnceLock::get_mut);
        combs.for_each(|comb| comb.stored(&format!("{name}.table"), visit));
    }
}

pub struct Group<const N: usize> {
    pub modulus: Modulus<N>,
    /// Known for p and q only.
    pub order: Option<Order>,
    pub s: Base<N>,
    pub z: Base<N>,
    pub rctxt: Base<N>,
    pub r: BTreeMap<String, Base<N>>,
    /// What is raised to them is no longer than this.
    longest_bits: usize,
    long_bits: Option<usize>,
}

struct Shapes {
    r: Shape,
    fixed: Shape,
    s: Shape,
}

/// Larger tables where there are few bases: a definition stays at about 10 MB.
fn shape_for(bases: usize) -> Shape {
    match bases {
        0..=13 => Shape { teeth: 8, blocks: 4 },
        14..=42 => Shape { teeth: 7, blocks: 2 },
        _ => Shape { teeth: 6, blocks: 1 },
    }
}

/// For products in which the squarings of S^v'' are there anyway: one block, and more teeth instead.
fn signing_shape_for(bases: usize) -> Shape {
    let teeth = match bases {
        0..=13 => 10,
        14..=42 => 9,
        _ => 8,
    };
    Shape { teeth, blocks: 1 }
}

impl<const N: usize> Group<N> {
    /// For proofs.
    pub fn new(key: &PublicKey, modulus: Modulus<N>, order: Option<Order>) -> Result<Self> {
        let shapes = Shapes { r: shape_for(key.r.len()), fixed: LONG_SHAPE, s: S_SHAPE };
        let long_bits = order.as_ref().map(|order| order.exponent_bits);
        Self::with_shapes(key, modulus, order, shapes, LONG_BITS, long_bits)
    }

    /// For what is signed, modulo n.
    pub fn for_signing(key: &PublicKey, modulus: Modulus<N>) -> Result<Self> {
        let shape = signing_shape_for(key.r.len());
        let shapes = Shapes { r: shape, fixed: shape, s: SIGNING_S_SHAPE };
        Self::with_shapes(key, modulus, None, shapes, SIGNATURE_BITS, Some(SIGNATURE_BITS))
    }

    fn with_shapes(
        key: &PublicKey,
        modulus: Modulus<N>,
        order: Option<Order>,
        shapes: Shapes,
        longest_bits: usize,
        long_bits: Option<usize>,
    ) -> Result<Self> {
        let base = |number: &BigNumRef, shape, long_shape| Base::new(&modulus, number, shape, long_shape);
        let r = key.r.iter().map(|(name, number)| Ok((name.clone(), base(number, shapes.r, LONG_SHAPE)?)));
        Ok(Self {
            r: r.collect::<Result<_>>()?,
            s: base(&key.s, shapes.fixed, shapes.s)?,
            z: base(&key.z, shapes.fixed, LONG_SHAPE)?,
            rctxt: base(&key.rctxt, shapes.fixed, LONG_SHAPE)?,
            modulus,
            order,
            longest_bits,
            long_bits,
        })
    }

    pub fn base(&self, name: &str) -> Result<&Base<N>> {
        self.r.get(name).ok_or_else(|| EngineError::Invalid(format!("the definition has no attribute {name}")))
    }

    /// Every number that stays in memory, tables included: tests let faults strike them.
    #[doc(hidden)]
    pub fn stored(&mut self, name: &str, visit: &mut dyn FnMut(&str, &mut [u64])) {
        self.modulus.stored(&format!("{name}.modulus"), visit);
        self.order.iter_mut().for_each(|order| order.stored(&format!("{name}.order"), visit));
        for (base, part) in [(&mut self.s, "s"), (&mut self.z, "z"), (&mut self.rctxt, "rctxt")] {
            base.stored(&format!("{name}.{part}"), visit);
        }
        self.r.values_mut().for_each(|base| base.stored(&format!("{name}.r"), visit));
    }

    pub fn bytes(&self) -> usize {
        let bases = [&self.s, &self.z, &self.rctxt].into_iter().chain(self.r.values());
        bases.map(|base| base.bytes() + N * 8).sum()
    }

    /// The exponent as it may be walked over: blinded where it is long and the order is known.
    fn exponent(&self, number: &BigNumRef) -> Result<Vec<u64>> {
        let exponent = limbs::from_number(number);
        match &self.order {
            Some(order) if number.num_bits() as usize > MEDIUM_BITS => order.blind(&exponent),
            _ => Ok(exponent),
        }
    }
}

/// Residues modulo p or q give the factor away as much as the factor itself.
impl<const N: usize> Drop for Group<N> {
    fn drop(&mut self) {
        if self.order.is_some() {
            let fixed = [&mut self.s, &mut self.z, &mut self.rctxt];
            fixed.into_iter().chain(self.r.values_mut()).for_each(Base::wipe);
        }
    }
}

/// A quotient of two products of powers; negative exponents go below the line.
pub struct Quotient<'a, const N: usize> {
    group: &'a Group<N>,
    above: Product<'a, N>,
    below: Product<'a, N>,
}

impl<'a, const N: usize> Quotient<'a, N> {
    pub fn new(group: &'a Group<N>) -> Self {
        Self { group, above: Product::new(), below: Product::new() }
    }

    /// Multiplies by base^exponent.
    pub fn times(&mut self, base: &'a Base<N>, exponent: &BigNumRef) -> Result<()> {
        let bits = exponent.num_bits() as usize;
        if bits == 0 {
            return Ok(());
        }
        if bits > self.group.longest_bits {
            return invalid("an exponent is too long");
        }
        let comb = base.comb(&self.group.modulus, bits, self.group.long_bits);
        let side = if exponent.is_negative() { &mut self.below } else { &mut self.above };
        side.comb(comb, self.group.exponent(exponent)?);
        Ok(())
    }

    /// Divides by base^exponent, for a non-negative exponent.
    pub fn over(&mut self, base: &'a Base<N>, exponent: &BigNumRef) -> Result<()> {
        std::mem::swap(&mut self.above, &mut self.below);
        let done = self.times(base, exponent);
        std::mem::swap(&mut self.above, &mut self.below);
        done
    }

    pub fn sides(&mut self) -> (&mut Product<'a, N>, &mut Product<'a, N>) {
        (&mut self.above, &mut self.below)
    }

    /// The quotient; nothing is inverted where nothing stands below the line.
    pub fn value(&self) -> Result<Element<N>> {
        let modulus = &self.group.modulus;
        let above = self.above.value(modulus);
        if self.below.is_empty() {
            return Ok(above);
        }
        Ok(modulus.mul(&above, &modulus.inverse(&self.below.value(modulus))?))
    }

    /// Numerator and denominator, to be divided together with others.
    pub fn values(&self) -> (Element<N>, Element<N>) {
        (self.above.value(&self.group.modulus), self.below.value(&self.group.modulus))
    }
}
