import { createHash, randomBytes } from 'node:crypto'
import type { PresentationInput } from '../../src/ports/anoncreds.ts'
import { type Held, textsById } from './wallet.ts'

/** A credential and the link secret that it is proved with: the library's prover knows one for all. */
export type Owned = { readonly held: Held; readonly linkSecret: string }

type Key = { n: bigint; s: bigint; rctxt: bigint; r: ReadonlyMap<string, bigint> }

const E_START = 1n << 596n

/** Lengths of what hides the values, as the library's prover draws them. */
const BITS = { e: 456, v: 3_060, m: 592, randomizer: 2_128 }

const random = (bits: number): bigint => BigInt(`0x${randomBytes(bits / 8).toString('hex')}`)

const power = (base: bigint, exponent: bigint, modulus: bigint): bigint => {
  let [result, square] = [1n, base % modulus]
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}

const bytes = (number: bigint): Buffer => {
  const hex = number.toString(16)
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
}

const keyOf = (definition: string): Key => {
  const { value } = JSON.parse(definition) as {
    value: { primary: { n: string; s: string; rctxt: string; r: Record<string, string> } }
  }
  const { n, s, rctxt, r } = value.primary
  const bases = Object.entries(r).map(([name, base]) => [name, BigInt(base)] as const)
  return { n: BigInt(n), s: BigInt(s), rctxt: BigInt(rctxt), r: new Map(bases) }
}

type Signed = {
  values: Record<string, { raw: string; encoded: string }>
  signature: { p_credential: { m_2: string; a: string; e: string; v: string } }
}

/** What is proved of one credential, before the challenge is known. */
const begin = ({ held, linkSecret }: Owned, linkMask: bigint) => {
  const key = keyOf(held.published.credentialDefinition)
  const { values, signature } = JSON.parse(held.credential) as Signed
  const { a, e, v, m_2: m2 } = signature.p_credential
  const [revealed = '', ...hiddenNames] = held.published.attributes
  const hidden = new Map(hiddenNames.map((name) => [name, BigInt(values[name]?.encoded ?? 0)] as const))
  hidden.set('master_secret', BigInt(linkSecret))
  const masks = new Map([...hidden.keys()].map((name) => [name, random(BITS.m)] as const))
  masks.set('master_secret', linkMask)
  const [eMask, vMask, m2Mask, randomizer] = [
    random(BITS.e),
    random(BITS.v),
    random(BITS.m),
    random(BITS.randomizer),
  ]
  const aPrime = (BigInt(a) * power(key.s, randomizer, key.n)) % key.n
  let tau = (power(aPrime, eMask, key.n) * power(key.s, vMask, key.n)) % key.n
  tau = (tau * power(key.rctxt, m2Mask, key.n)) % key.n
  for (const [name, mask] of masks) tau = (tau * power(key.r.get(name) ?? 0n, mask, key.n)) % key.n
  const shown = values[revealed] ?? { raw: '', encoded: '' }
  const finish = (challenge: bigint) => ({
    revealed_attrs: { [revealed]: shown.encoded },
    a_prime: String(aPrime),
    e: String(eMask + challenge * (BigInt(e) - E_START)),
    v: String(vMask + challenge * (BigInt(v) - BigInt(e) * randomizer)),
    m: Object.fromEntries(
      [...hidden].map(
        ([name, value]) => [name, String((masks.get(name) ?? 0n) + challenge * value)] as const,
      ),
    ),
    m2: String(m2Mask + challenge * BigInt(m2)),
  })
  return { revealed, shown, aPrime, tau, finish, published: held.published }
}

/**
 * The library's proof of equality without its prover: reveals the first attribute of each credential, whose names have
 * neither capitals nor spaces.
 */
export const provePlainly = (owned: readonly Owned[]): PresentationInput => {
  const nonce = random(80)
  const linkMask = random(BITS.m)
  const begun = owned.map((one) => begin(one, linkMask))
  const commitments = begun.map(({ aPrime }) => bytes(aPrime))
  const hash = createHash('sha256')
  for (const part of [...begun.map(({ tau }) => bytes(tau)), ...commitments, bytes(nonce)]) hash.update(part)
  const challenge = BigInt(`0x${hash.digest('hex')}`)
  const presentation = {
    proof: {
      proofs: begun.map(({ finish }) => ({
        primary_proof: { eq_proof: finish(challenge), ge_proofs: [] },
        non_revoc_proof: null,
      })),
      aggregated_proof: { c_hash: String(challenge), c_list: commitments.map((each) => [...each]) },
    },
    requested_proof: {
      revealed_attrs: Object.fromEntries(
        begun.map(({ shown }, index) => [`a${index}`, { sub_proof_index: index, ...shown }] as const),
      ),
      self_attested_attrs: {},
      unrevealed_attrs: {},
      predicates: {},
    },
    identifiers: begun.map(({ published }) => ({ schema_id: published.schemaId, cred_def_id: published.id })),
  }
  const asked = begun.map(({ revealed }, index) => [`a${index}`, { name: revealed }] as const)
  const request = {
    name: 'r',
    version: '1.0',
    nonce: String(nonce),
    requested_attributes: Object.fromEntries(asked),
  }
  return {
    presentation: JSON.stringify(presentation),
    request: JSON.stringify({ ...request, requested_predicates: {} }),
    ...textsById(begun.map(({ published }) => published)),
  }
}
