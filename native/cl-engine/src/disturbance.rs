//! Where tests let a fault strike while a credential is signed. Production passes `()`, of which nothing is left
//! in the compiled code.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// What is signed, a number below n, before its residues are taken.
    Signed,
    /// The same after the one modulo p was taken.
    SignedAfterFirstResidue,
    ResidueModuloP,
    Exponent,
    ExponentAfterFirstPower,
    RootModuloP,
    Root,
    CommitmentExponent,
    Product,
    Answer,
}

pub trait Disturbance {
    #[inline(always)]
    fn strike(&self, _step: Step, _limbs: &mut [u64]) {}
}

impl Disturbance for () {}
