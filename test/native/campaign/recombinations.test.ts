import { describe, expect, it } from 'vitest'
import { Random } from '../../../tools/simulate/random.ts'
import { partsOf } from '../../../native/campaign/alterations.ts'
import { recombine } from '../../../native/campaign/recombinations.ts'

/** As far as recombining looks into it. */
const presentation = (name: string, credentials: number) => {
  const each = <Item>(make: (index: number) => Item) =>
    Array.from({ length: credentials }, (_, index) => make(index))
  return JSON.stringify({
    proof: {
      proofs: each((index) => ({
        primary_proof: {
          eq_proof: { v: `${name}${index}`, m: { master_secret: '7' } },
          ge_proofs: [`${name}${index}`],
        },
      })),
      aggregated_proof: { c_hash: name, c_list: [name] },
    },
    requested_proof: {
      revealed_attrs: Object.fromEntries(
        each((index) => [`a${index}`, { sub_proof_index: index, raw: name }]),
      ),
    },
    identifiers: each((index) => ({ cred_def_id: `d${index}` })),
  })
}

const input = (name: string, credentials: number) => ({
  presentation: presentation(name, credentials),
  request: JSON.stringify({ nonce: name }),
  schemas: {},
  credentialDefinitions: Object.fromEntries(
    Array.from({ length: credentials }, (_, index) => [`d${index}`, JSON.stringify({ key: index })] as const),
  ),
})

const kindsOf = (credentials: number): Set<string> => {
  const chance = new Random(5)
  const pair = { honest: input('own', credentials), other: input('other', credentials) }
  const before = JSON.stringify(pair)
  const made = Array.from({ length: 600 }, () => recombine(chance, pair)).filter((one) => one !== null)
  for (const one of made) expect(partsOf(one.input)).not.toEqual(partsOf(pair.honest))
  expect(JSON.stringify(pair)).toBe(before)
  return new Set(made.map(({ kind }) => kind))
}

describe('parts of presentations put together differently', () => {
  it('change an honest presentation of three credentials in every way there is', () => {
    expect(kindsOf(3).size).toBe(24)
  })

  it('of one credential come from another presentation', () => {
    const kinds = kindsOf(1)
    expect(kinds.size).toBe(11)
    expect([...kinds]).not.toContain('sub-proofs exchanged')
  })
})
