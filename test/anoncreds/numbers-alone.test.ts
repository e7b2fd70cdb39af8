import { beforeAll, describe, expect, it } from 'vitest'
import { proofRequestOf } from '../../src/actors/proof/proof-request.ts'
import { newNonce } from '../../src/actors/ids.ts'
import { encodeValue } from '../../src/anoncreds/encoding.ts'
import { CrossTests } from '../../native/campaign/cross.ts'
import { comparePlainly } from '../../native/campaign/plain-prover.ts'
import type { Held, Published } from '../../native/campaign/wallet.ts'
import { Random, seedFrom } from '../../tools/simulate/random.ts'

const seed = seedFrom(process.env['CAMPAIGN_SEED'])
const chance = new Random(seed)
const cross = new CrossTests(chance)
const MAX = 2 ** 31 - 1
const NOW_MS = Date.UTC(2026, 10, 22)
const all = (verdict: 'accepted' | 'refused') => ({ library: verdict, native: verdict, own: verdict })

let published: Published
beforeAll(() => {
  published = cross.definition('native', ['name', 'amount', 'expiresAt'])
})

const holding = (amount: string, expiresAt = '1900000000'): Held =>
  cross.credential(published, { name: 'x', amount, expiresAt })

type Operator = '>' | '>=' | '<' | '<='
type Compared = readonly [operator: Operator, value: number]

/** As the service asks it, of its own definition or of another issuer's. */
const asking = (compared: readonly Compared[], own = false): string => {
  const group = { name: 'g', credentialDefinitionIds: [published.id], attributes: ['name'] }
  const predicates = compared.map(
    ([operator, value]) => ({ group: 'g', attribute: 'amount', operator, value }) as const,
  )
  const template = { name: 'Numbers', groups: [group], predicates }
  return JSON.stringify(proofRequestOf(template, new Set(own ? [published.id] : []), newNonce(), NOW_MS))
}

const judged = (held: Held, request: string, pretended?: (asked: { name: string }) => bigint | undefined) => {
  const owned = { held, linkSecret: cross.wallet.linkSecret }
  const input = comparePlainly(owned, request, pretended)
  return cross.checkAltered({ input, kind: 'a prover without a check of sizes' }, [published])
}

/** The wallet's own prover, with its checks. */
const proved = (held: Held, request: string) => {
  const predicates = Object.keys(
    (JSON.parse(request) as { requested_predicates: object }).requested_predicates,
  )
  const input = cross.wallet.present(request, [{ held, revealed: ['g'], hidden: [], predicates }])
  return cross.checkHonest(input, [published])
}

const holds = (number: number, [operator, value]: Compared): boolean =>
  ({ '>': number > value, '>=': number >= value, '<': number < value, '<=': number <= value })[operator]

/** Without what the service adds; `<= 2147483647` and the expiry are all that is in it. */
const alone = (request: string): string => {
  const { requested_predicates, ...rest } = JSON.parse(request) as {
    requested_predicates: Record<string, object>
  }
  const asked = Object.entries(requested_predicates).filter(([name]) => name === 'g.1')
  return JSON.stringify({ ...rest, requested_predicates: Object.fromEntries(asked) })
}

describe(`a prover that takes numbers of any size (CAMPAIGN_SEED=${seed})`, { timeout: 120_000 }, () => {
  it('proves of a text that it is greater, where nothing more is asked', () => {
    for (const asked of [
      ['>=', 18],
      ['>', MAX - 1],
    ] as const)
      expect(judged(holding('n/a'), alone(asking([asked])))).toMatchObject(all('accepted'))
  })

  const everything = [
    ['>=', 18],
    ['>', -5],
    ['>=', -MAX],
    ['>', MAX - 1],
    ['<=', MAX],
    ['<', -7],
  ] as const
  const texts = ['n/a', '', '2020-01-01', '2147483648', '-2147483649', '+5', '5.0']
  it.each(texts)('proves nothing of %j that the service asks', (text) => {
    const held = holding(text)
    for (const asked of text === 'n/a' ? everything : [['>=', 0] as const, chance.pick(everything)])
      expect([asked, judged(held, asking([asked], true))]).toMatchObject([asked, all('refused')])
  })

  it('nor of an expiry of another issuer that is a text', () => {
    const held = holding('1', '2020-01-01')
    expect(judged(held, asking([]))).toMatchObject(all('refused'))
    // Our own definitions are never asked: an offer whose expiry is no number is refused.
    expect(judged(held, asking([], true))).toMatchObject(all('accepted'))
  })

  it('whatever distance it claims instead', () => {
    const held = holding('n/a')
    const text = BigInt(encodeValue('n/a'))
    for (const claimed of [0n, text - BigInt(MAX), BigInt.asUintN(32, BigInt(MAX) - text)]) {
      const verdict = judged(held, asking([['>=', 18]], true), ({ name }) =>
        name === 'amount' ? claimed : undefined,
      )
      expect(verdict).toMatchObject(all('refused'))
    }
  })

  it('proves of numbers what is true of them, whatever their sign', () => {
    const numbers = [0, -7, MAX, -(2 ** 31), chance.integer(-MAX, MAX)]
    for (const number of numbers) {
      const held = holding(String(number))
      const near = Math.max(-MAX, Math.min(MAX - 1, number + chance.integer(-1, 1)))
      for (const asked of [
        [chance.pick(['>', '>='] as const), near],
        [chance.pick(['<', '<='] as const), near],
      ] as const) {
        const expected = holds(number, asked) && isWithin(number, asked) ? 'accepted' : 'refused'
        const about = `${number} ${asked.join(' ')}`
        expect([about, judged(held, asking([asked], true))]).toMatchObject([about, all(expected)])
      }
    }
  })
})

/** What a wallet can work out in 32 bits. */
const isWithin = (number: number, [operator, value]: Compared): boolean =>
  operator.startsWith('<') || number - value <= MAX

describe('an honest wallet', { timeout: 120_000 }, () => {
  const proves = (number: number, compared: Compared): boolean => {
    try {
      proved(holding(String(number)), asking([compared]))
      return true
    } catch {
      return false
    }
  }
  it.each([
    [['>', 18], 19, MAX],
    [['>=', -5], -5, MAX - 5],
    [['>', -5], -4, MAX - 5],
    [['>=', -MAX], -MAX, 0],
    [['<=', -5], -5, -(2 ** 31)],
  ] as const)(
    'proves %j from one end to the other and no more than without the bound',
    (asked, first, last) => {
      const request = asking([asked])
      for (const number of [first, last])
        expect(proved(holding(String(number)), request)).toEqual(all('accepted'))
      // For `>` the wallet's sum wraps around twice, and so comes out right for one number more.
      if (asked[0] !== '>=' || last === MAX) return
      const beyond = holding(String(last + 1))
      const answer = [{ held: beyond, revealed: ['g'], hidden: [], predicates: ['g.1'] }]
      expect(() => cross.wallet.present(alone(request), answer)).toThrow()
      expect(proves(last + 1, asked)).toBe(false)
    },
  )
})
