import { describe, expect, it } from 'vitest'
import { alter, isChanged, partsOf } from '../../../native/campaign/alterations.ts'
import { Random } from '../../../tools/simulate/random.ts'
import { differences } from '../../../native/campaign/harmless.ts'
import { inputOf, readFixture } from '../../anoncreds/verifier-fixtures.ts'

const honest = inputOf(readFixture('honest'))
const seed = Math.floor(Math.random() * 2 ** 31)

describe(`altered inputs (seed ${seed})`, () => {
  it('differ from the honest one in some JSON value', () => {
    const chance = new Random(seed)
    const altered = Array.from({ length: 300 }, () => alter(chance, honest)).filter((one) => one !== null)
    expect(altered.length).toBeGreaterThan(200)
    for (const { input } of altered) {
      expect(differences(partsOf(honest), partsOf(input))).not.toEqual([])
    }
  })

  it('are none where only the order of members or the spelling of a number is another', () => {
    const members = Object.entries(JSON.parse(honest.request) as object).toReversed()
    expect(isChanged(honest, { ...honest, request: JSON.stringify(Object.fromEntries(members)) })).toBe(false)
    expect(
      isChanged(honest, { ...honest, request: ` ${honest.request.replaceAll(/:(\d+)([,}])/g, ':$1.0$2')}` }),
    ).toBe(false)
    expect(isChanged(honest, { ...honest, request: honest.request.replace('"nonce":"', '"nonce":"1') })).toBe(
      true,
    )
  })

  it('are the same for the same seed', () => {
    const draw = () => {
      const chance = new Random(seed)
      return Array.from({ length: 20 }, () => alter(chance, honest)?.kind)
    }
    expect(draw()).toEqual(draw())
  })
})
