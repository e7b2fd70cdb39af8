//! New definitions: n = pq of exactly 2,048 bits from safe primes of exactly 1,024, random bases of the group of
//! squares, and the proof that they were made from one generator.

use openssl::bn::{BigNum, BigNumContext, BigNumRef};
use serde_json::json;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::comb::{Comb, Shape};
use crate::error::{fault, invalid, Result};
use crate::issuer_key::safe_prime;
use crate::limbs;
use crate::montgomery::Modulus;
use crate::order::Order;
use crate::random;
use crate::safe_primes::generate_half;
use crate::wire::definition::MOST_ATTRIBUTES;
use crate::wire::issuance::common_view;

/// As many decimal digits at once as fit in a limb.
const DIGIT_GROUP: u128 = 10_000_000_000_000_000_000;
const N_BITS: i32 = 2048;
const SHAPE: Shape = Shape { teeth: 6, blocks: 4 };

/// One factor with the powers of S modulo it.
struct Factor {
    modulus: Modulus<16>,
    order: Order,
    comb: Comb<16>,
}

impl Factor {
    fn new(half: &BigNumRef, prime: &BigNumRef, s: &BigNumRef) -> Result<Self> {
        let modulus = Modulus::secret(prime)?;
        let order = Order::new(half)?;
        let comb = Comb::new(&modulus, &modulus.enter(s)?, order.exponent_bits, SHAPE);
        Ok(Self { modulus, order, comb })
    }

    fn power(&self, exponent: &[u64]) -> Result<BigNum> {
        let blinded = Zeroizing::new(self.order.blind(exponent)?);
        let power = Zeroizing::new(self.comb.secret_power(&self.modulus, &blinded));
        limbs::to_number(&Zeroizing::new(self.modulus.leave(&power))[..])
    }
}

impl Drop for Factor {
    fn drop(&mut self) {
        self.comb.wipe();
    }
}

struct Generator {
    p: Factor,
    q: Factor,
    n: BigNum,
    q_number: BigNum,
    q_inverse: BigNum,
    p_number: BigNum,
    order: Modulus<32>,
    s: BigNum,
}

/// A random square that generates the whole group of squares: it is 1 modulo neither factor.
fn random_square(n: &BigNumRef, p: &BigNumRef, q: &BigNumRef) -> Result<BigNum> {
    let mut context = BigNumContext::new()?;
    for _ in 0..100 {
        let (mut root, mut square) = (BigNum::new_secure()?, BigNum::new()?);
        n.rand_range(&mut root)?;
        square.mod_sqr(&root, n, &mut context)?;
        let generates = [p, q].iter().all(|prime| {
            let mut rest = match BigNum::new_secure() {
                Ok(rest) => rest,
                Err(_) => return false,
            };
            rest.nnmod(&square, prime, &mut context).is_ok() && rest.num_bits() > 1
        });
        if generates {
            return Ok(square);
        }
    }
    fault("no generator was found")
}

impl Generator {
    fn new(p_half: &BigNumRef, q_half: &BigNumRef) -> Result<Self> {
        let mut context = BigNumContext::new()?;
        let (p_number, q_number) = (safe_prime(p_half)?, safe_prime(q_half)?);
        let mut n = BigNum::new()?;
        n.checked_mul(&p_number, &q_number, &mut context)?;
        if n.num_bits() != N_BITS || p_number == q_number {
            return fault("the modulus has a wrong size");
        }
        let mut order = BigNum::new_secure()?;
        order.checked_mul(p_half, q_half, &mut context)?;
        let s = random_square(&n, &p_number, &q_number)?;
        let mut q_inverse = BigNum::new_secure()?;
        q_inverse.mod_inverse(&q_number, &p_number, &mut context)?;
        Ok(Self {
            p: Factor::new(p_half, &p_number, &s)?,
            q: Factor::new(q_half, &q_number, &s)?,
            order: Modulus::secret(&order)?,
            n,
            p_number,
            q_number,
            q_inverse,
            s,
        })
    }

    /// A secret exponent below p'q'.
    fn exponent(&self) -> Result<Zeroizing<[u64; 32]>> {
        let mut bytes = Zeroizing::new([0u8; 8 * 34]);
        random::fill(&mut bytes[..], &[])?;
        Ok(Zeroizing::new(self.order.reduce(&Zeroizing::new(limbs::from_bytes(&bytes[..])))))
    }

    /// S^exponent modulo n.
    fn power(&self, exponent: &[u64]) -> Result<BigNum> {
        let mut context = BigNumContext::new()?;
        let (modulo_p, modulo_q) = (self.p.power(exponent)?, self.q.power(exponent)?);
        let (mut h, mut scaled) = (BigNum::new_secure()?, BigNum::new_secure()?);
        scaled.mod_sub(&modulo_p, &modulo_q, &self.p_number, &mut context)?;
        h.mod_mul(&scaled, &self.q_inverse, &self.p_number, &mut context)?;
        scaled.checked_mul(&h, &self.q_number, &mut context)?;
        let mut power = BigNum::new()?;
        power.checked_add(&scaled, &modulo_q)?;
        Ok(power)
    }

    fn base(&self) -> Result<Base> {
        let (secret, mask) = (self.exponent()?, self.exponent()?);
        Ok(Base { value: self.power(&secret[..])?, commitment: self.power(&mask[..])?, secret, mask })
    }
}

/// A base S^x with the commitment of its proof.
struct Base {
    value: BigNum,
    commitment: BigNum,
    secret: Zeroizing<[u64; 32]>,
    mask: Zeroizing<[u64; 32]>,
}

impl Base {
    /// x~ + c x, over the integers.
    fn answer(&self, c: &BigNumRef) -> Result<String> {
        let product = Zeroizing::new(limbs::multiply(&self.secret[..], &limbs::from_number(c)));
        let mut answer = vec![0u64; product.len() + 1];
        answer[..product.len()].copy_from_slice(&product);
        let mut mask = Zeroizing::new(vec![0u64; answer.len()]);
        mask[..32].copy_from_slice(&self.mask[..]);
        limbs::add(&mut answer, &mask);
        decimal(&*limbs::to_number(&answer)?)
    }
}

fn decimal(number: &BigNumRef) -> Result<String> {
    Ok(number.to_dec_str()?.to_string())
}

/// Decimal digits of a secret: OpenSSL would leave its own in freed memory.
pub fn secret_decimal(limbs: &[u64]) -> Zeroizing<String> {
    let mut rest = Zeroizing::new(limbs.to_vec());
    let mut digits = Zeroizing::new(Vec::with_capacity(20 * (limbs.len() + 1)));
    while rest.iter().any(|limb| *limb != 0) {
        let mut group = 0u64;
        for limb in rest.iter_mut().rev() {
            let value = (group as u128) << 64 | *limb as u128;
            *limb = (value / DIGIT_GROUP) as u64;
            group = (value % DIGIT_GROUP) as u64;
        }
        for _ in 0..19 {
            digits.push(b'0' + (group % 10) as u8);
            group /= 10;
        }
    }
    let significant = digits.iter().rposition(|digit| *digit != b'0').map_or(0, |index| index + 1);
    let mut text = Zeroizing::new(String::with_capacity(significant.max(1)));
    digits[..significant].iter().rev().for_each(|digit| text.push(*digit as char));
    if significant == 0 {
        text.push('0');
    }
    text
}

fn names(attributes: &[String]) -> Result<Vec<String>> {
    if attributes.is_empty() || attributes.len() > MOST_ATTRIBUTES {
        return invalid("a definition needs 1 to 125 attributes");
    }
    let mut names: Vec<String> = attributes.iter().map(|name| common_view(name)).collect();
    names.push(crate::checks::LINK_SECRET.into());
    names.sort();
    if names.windows(2).any(|pair| pair[0] == pair[1]) || names.iter().any(String::is_empty) {
        return invalid("attribute names are not distinct");
    }
    Ok(names)
}

pub fn generate(schema_id: &str, issuer_id: &str, tag: &str, attributes: &[String]) -> Result<Zeroizing<String>> {
    let names = names(attributes)?;
    let (p_half, q_half) = (generate_half()?, generate_half()?);
    let generator = Generator::new(&p_half, &q_half)?;
    let z = generator.base()?;
    let rctxt = generator.power(&generator.exponent()?[..])?;
    let bases = names.iter().map(|_| generator.base()).collect::<Result<Vec<_>>>()?;
    let mut hash = Sha256::new();
    hash.update(z.value.to_vec());
    bases.iter().for_each(|base| hash.update(base.value.to_vec()));
    hash.update(z.commitment.to_vec());
    bases.iter().for_each(|base| hash.update(base.commitment.to_vec()));
    let c = BigNum::from_slice(&hash.finalize())?;
    let mut r = serde_json::Map::new();
    let mut answers = Vec::new();
    for (name, base) in names.iter().zip(&bases) {
        r.insert(name.clone(), decimal(&base.value)?.into());
        answers.push((name, base.answer(&c)?));
    }
    let primary = json!({
        "n": decimal(&generator.n)?, "s": decimal(&generator.s)?, "r": r,
        "rctxt": decimal(&rctxt)?, "z": decimal(&z.value)?,
    });
    let definition = json!({
        "schemaId": schema_id, "type": "CL", "tag": tag, "value": { "primary": primary }, "issuerId": issuer_id,
    });
    let proof = json!({ "c": decimal(&c)?, "xz_cap": z.answer(&c)?, "xr_cap": answers });
    Ok(output(&definition.to_string(), &p_half, &q_half, &proof.to_string()))
}

/// Written in one piece of memory: a text that grew would leave copies of the factors behind.
fn output(definition: &str, p_half: &BigNumRef, q_half: &BigNumRef, proof: &str) -> Zeroizing<String> {
    let factor = |half: &BigNumRef| secret_decimal(&Zeroizing::new(limbs::from_number(half)));
    let (p, q) = (factor(p_half), factor(q_half));
    let parts = [
        "{\"credentialDefinition\":", definition,
        ",\"credentialDefinitionPrivate\":{\"value\":{\"p_key\":{\"p\":\"", &p, "\",\"q\":\"", &q,
        "\"},\"r_key\":null}},\"keyCorrectnessProof\":", proof, "}",
    ];
    let mut output = Zeroizing::new(String::with_capacity(parts.iter().map(|part| part.len()).sum()));
    parts.iter().for_each(|part| output.push_str(part));
    output
}
