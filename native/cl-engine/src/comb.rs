//! Powers of a base that is used often (Lim–Lee combs).
//!
//! An exponent of h*a bits is written as h rows ("teeth") of a bits; column c of the rows, read as a number
//! i < 2^h, selects the product of those g^(2^(a t)) whose bit is set. The columns are cut into v blocks of b,
//! each with its own table, so that a power costs b squarings and a multiplications.

use crate::limbs::bit;
use crate::montgomery::{Element, Modulus};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub teeth: usize,
    pub blocks: usize,
}

pub struct Comb<const N: usize> {
    pub bits: usize,
    pub columns: usize,
    /// Columns per block: the squarings of one power.
    pub depth: usize,
    teeth: usize,
    blocks: usize,
    table: Vec<Element<N>>,
}

impl<const N: usize> Comb<N> {
    pub fn new(modulus: &Modulus<N>, base: &Element<N>, bits: usize, shape: Shape) -> Self {
        let Shape { teeth, blocks } = shape;
        let columns = bits.div_ceil(teeth);
        let depth = columns.div_ceil(blocks);
        let blocks = columns.div_ceil(depth);
        let mut table = vec![modulus.one; blocks << teeth];
        // The squarings to the next tooth pass the bases of the blocks on their way.
        let mut entry = *base;
        for tooth in 0..teeth {
            for block in 0..blocks {
                table[(block << teeth) + (1 << tooth)] = entry;
                let steps = if block + 1 < blocks { depth } else { columns - (blocks - 1) * depth };
                if block + 1 < blocks || tooth + 1 < teeth {
                    (0..steps).for_each(|_| entry = modulus.sqr(&entry));
                }
            }
        }
        for block in 0..blocks {
            let start = block << teeth;
            for index in 1usize..1 << teeth {
                let lowest = index & index.wrapping_neg();
                if index != lowest {
                    table[start + index] = modulus.mul(&table[start + (index ^ lowest)], &table[start + lowest]);
                }
            }
        }
        Self { bits: columns * teeth, columns, depth, teeth, blocks, table }
    }

    pub fn bytes(&self) -> usize {
        self.table.len() * N * 8
    }

    #[inline]
    fn index(&self, exponent: &[u64], column: usize) -> usize {
        (0..self.teeth).fold(0, |index, tooth| index | bit(exponent, column + tooth * self.columns) << tooth)
    }

    /// The table entries that belong to squaring step `row`, for exponents that may be seen in the timing.
    #[inline]
    pub fn entries<'a>(&'a self, exponent: &'a [u64], row: usize) -> impl Iterator<Item = &'a Element<N>> + 'a {
        (0..self.blocks).filter_map(move |block| {
            let column = block * self.depth + row;
            if row >= self.depth || column >= self.columns {
                return None;
            }
            let index = self.index(exponent, column);
            (index != 0).then(|| &self.table[(block << self.teeth) + index])
        })
    }

    /// The power for a secret exponent: every column multiplies, and every table entry is read.
    pub fn secret_power(&self, modulus: &Modulus<N>, exponent: &[u64]) -> Element<N> {
        let mut result = modulus.one;
        for row in (0..self.depth).rev() {
            result = modulus.sqr(&result);
            for block in 0..self.blocks {
                let column = block * self.depth + row;
                if column < self.columns {
                    let entry = self.secret_entry(block, self.index(exponent, column) as u64);
                    result = modulus.mul(&result, &entry);
                }
            }
        }
        result
    }

    fn secret_entry(&self, block: usize, wanted: u64) -> Element<N> {
        let mut entry = [0u64; N];
        let start = block << self.teeth;
        for (index, candidate) in self.table[start..start + (1 << self.teeth)].iter().enumerate() {
            let difference = index as u64 ^ wanted;
            // Opaque, so that the compiler cannot turn "all ones or zero" back into a branch.
            let mask = std::hint::black_box(0u64.wrapping_sub(difference.wrapping_sub(1) >> 63));
            for (place, limb) in entry.iter_mut().zip(candidate) {
                *place |= limb & mask;
            }
        }
        entry
    }

    #[doc(hidden)]
    pub fn stored(&mut self, name: &str, visit: &mut dyn FnMut(&str, &mut [u64])) {
        self.table.iter_mut().for_each(|entry| visit(name, entry));
    }

    /// For combs over a value that should not outlive the signature.
    pub fn wipe(&mut self) {
        for entry in &mut self.table {
            zeroize::Zeroize::zeroize(entry);
        }
    }
}
