import { createHash } from 'node:crypto'
import { commonView } from '../../src/anoncreds/encoding.ts'
import type { PresentationInput } from '../../src/ports/anoncreds.ts'
import { beginComparison, type Comparison, inOrder } from './plain-comparison.ts'
import { bytes, power, random } from './plain-numbers.ts'
import { type Held, textsById } from './wallet.ts'

/** A credential and the link secret that it is proved with: the library's prover knows one for all. */
export type Owned = { readonly held: Held; readonly linkSecret: string }

type Key = { n: bigint; s: bigint; z: bigint; rctxt: bigint; r: ReadonlyMap<string, bigint> }

const E_START = 1n << 596n

/** Lengths of what hides the values, as the library's prover draws them. */
const BITS = { e: 456, v: 3_060, m: 592, randomizer: 2_128 }

const keyOf = (definition: string): Key => {
  const { value } = JSON.parse(definition) as {
    value: { primary: { n: string; s: string; z: string; rctxt: string; r: Record<string, string> } }
  }
  const { n, s, z, rctxt, r } = value.primary
  const bases = Object.entries(r).map(([name, base]) => [name, BigInt(base)] as const)
  return { n: BigInt(n), s: BigInt(s), z: BigInt(z), rctxt: BigInt(rctxt), r: new Map(bases) }
}

type Signed = {
  values: Record<string, { raw: string; encoded: string }>
  signature: { p_credential: { m_2: string; a: string; e: string; v: string } }
}

type Asked = {
  readonly revealed: readonly string[]
  readonly comparisons: readonly Comparison[]
  /** For a comparison that does not hold: the distance that is claimed. */
  readonly pretended?: (comparison: Comparison) => bigint | undefined
}

/** What is proved of one credential, before the challenge is known. */
const begin = ({ held, linkSecret }: Owned, linkMask: bigint, asked: Asked) => {
  const key = keyOf(held.published.credentialDefinition)
  const { values, signature } = JSON.parse(held.credential) as Signed
  const { a, e, v, m_2: m2 } = signature.p_credential
  const hiddenNames = held.published.attributes.filter((name) => !asked.revealed.includes(name))
  const hidden = new Map(
    hiddenNames.map((name) => [commonView(name), BigInt(values[name]?.encoded ?? 0)] as const),
  )
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
  const comparisons = inOrder(
    asked.comparisons.map((each) => ({ ...each, name: commonView(each.name) })),
  ).map((each) => {
    const of = { value: hidden.get(each.name) ?? 0n, mask: masks.get(each.name) ?? 0n }
    return beginComparison(key, each, of, asked.pretended?.(each))
  })
  const shown = asked.revealed.map((name) => [name, values[name] ?? { raw: '', encoded: '' }] as const)
  const finish = (challenge: bigint) => ({
    eq_proof: {
      revealed_attrs: Object.fromEntries(shown.map(([name, { encoded }]) => [commonView(name), encoded])),
      a_prime: String(aPrime),
      e: String(eMask + challenge * (BigInt(e) - E_START)),
      v: String(vMask + challenge * (BigInt(v) - BigInt(e) * randomizer)),
      m: Object.fromEntries(
        [...hidden].map(
          ([name, value]) => [name, String((masks.get(name) ?? 0n) + challenge * value)] as const,
        ),
      ),
      m2: String(m2Mask + challenge * BigInt(m2)),
    },
    ge_proofs: comparisons.map((each) => each.finish(challenge)),
  })
  return {
    shown,
    tau: [tau, ...comparisons.flatMap((each) => each.tau)].map(bytes),
    commitments: [bytes(aPrime), ...comparisons.flatMap((each) => each.commitments)],
    finish,
    published: held.published,
  }
}

type Begun = ReturnType<typeof begin>

/** Everything of a presentation but what answers which referent. */
const finished = (begun: readonly Begun[], nonce: bigint) => {
  const commitments = begun.flatMap((each) => each.commitments)
  const hash = createHash('sha256')
  for (const part of [...begun.flatMap(({ tau }) => tau), ...commitments, bytes(nonce)]) hash.update(part)
  const challenge = BigInt(`0x${hash.digest('hex')}`)
  return {
    proof: {
      proofs: begun.map(({ finish }) => ({ primary_proof: finish(challenge), non_revoc_proof: null })),
      aggregated_proof: { c_hash: String(challenge), c_list: commitments.map((each) => [...each]) },
    },
    identifiers: begun.map(({ published }) => ({ schema_id: published.schemaId, cred_def_id: published.id })),
  }
}

/** The library's proof of equality without its prover: reveals the first attribute of each credential. */
export const provePlainly = (owned: readonly Owned[]): PresentationInput => {
  const nonce = random(80)
  const linkMask = random(BITS.m)
  const begun = owned.map((one) =>
    begin(one, linkMask, { revealed: one.held.published.attributes.slice(0, 1), comparisons: [] }),
  )
  const [named, shown] = [
    begun.map(({ shown: [one] }, index) => [`a${index}`, { name: one?.[0] }] as const),
    begun.map(({ shown: [one] }, index) => [`a${index}`, { sub_proof_index: index, ...one?.[1] }] as const),
  ]
  const presentation = {
    ...finished(begun, nonce),
    requested_proof: {
      revealed_attrs: Object.fromEntries(shown),
      self_attested_attrs: {},
      unrevealed_attrs: {},
      predicates: {},
    },
  }
  const request = {
    name: 'r',
    version: '1.0',
    nonce: String(nonce),
    requested_attributes: Object.fromEntries(named),
  }
  return {
    presentation: JSON.stringify(presentation),
    request: JSON.stringify({ ...request, requested_predicates: {} }),
    ...textsById(begun.map(({ published }) => published)),
  }
}

type Request = {
  readonly nonce: string
  readonly requested_attributes: Readonly<Record<string, { readonly names: readonly string[] }>>
  readonly requested_predicates: Readonly<Record<string, Comparison>>
}

/** Answers a request as the service makes it with one credential, whatever size the compared numbers have. */
export const comparePlainly = (
  owned: Owned,
  request: string,
  pretended?: Asked['pretended'],
): PresentationInput => {
  const { nonce, requested_attributes, requested_predicates } = JSON.parse(request) as Request
  const comparisons = Object.values(requested_predicates)
  const revealed = Object.values(requested_attributes).flatMap(({ names }) => names)
  const begun = begin(owned, random(BITS.m), { revealed, comparisons, ...(pretended && { pretended }) })
  const groups = Object.entries(requested_attributes).map(([group, { names }]) => {
    const values = Object.fromEntries(begun.shown.filter(([name]) => names.includes(name)))
    return [group, { sub_proof_index: 0, values }] as const
  })
  const answers = Object.keys(requested_predicates).map((each) => [each, { sub_proof_index: 0 }] as const)
  const presentation = {
    ...finished([begun], BigInt(nonce)),
    requested_proof: {
      revealed_attrs: {},
      revealed_attr_groups: Object.fromEntries(groups),
      self_attested_attrs: {},
      unrevealed_attrs: {},
      predicates: Object.fromEntries(answers),
    },
  }
  return { presentation: JSON.stringify(presentation), request, ...textsById([owned.held.published]) }
}
