import { beforeAll, describe, expect, it } from 'vitest'
import { EngineFailure } from '../../src/anoncreds/engine.ts'
import { loadNative } from '../../src/anoncreds/native-binary.ts'
import { NativeEngine } from '../../src/anoncreds/native-engine.ts'
import { Random, seedFrom } from '../../tools/simulate/random.ts'
import { CrossTests } from '../../native/campaign/cross.ts'
import { type Held, type Published, Wallet } from '../../native/campaign/wallet.ts'
import { inputOf, readFixture } from './verifier-fixtures.ts'

const seed = seedFrom(process.env['CAMPAIGN_SEED'])
const chance = new Random(seed)
const addon = loadNative()
const native = new NativeEngine(addon)
const accepted = { library: 'accepted', native: 'accepted', own: 'accepted' }

const kindOf = (work: () => unknown): string => {
  try {
    work()
    return 'accepted'
  } catch (error) {
    return error instanceof EngineFailure ? error.kind : 'another error'
  }
}

describe(`the own engine beside the library (CAMPAIGN_SEED=${seed})`, () => {
  const cross = new CrossTests(chance)
  const published: Published[] = []
  const held: Held[] = []

  beforeAll(() => {
    published.push(cross.definition('native', ['name', 'Given Name', 'expiresAt', 'score']))
    published.push(cross.definition('library', ['name', 'age']))
    published.push(
      cross.definition(
        'native',
        Array.from({ length: 30 }, (_, index) => `attribute ${index}`),
      ),
    )
    for (const each of published) held.push(cross.credential(each))
  })

  it('makes keys with a modulus of exactly 2,048 bits', () => {
    const { value } = JSON.parse(published[0]?.credentialDefinition ?? '') as {
      value: { primary: { n: string } }
    }
    expect(BigInt(value.primary.n).toString(2)).toHaveLength(2_048)
  })

  it('issues what the library holder accepts, for keys of both makers', () => {
    expect(held.map((one) => one.published.id)).toEqual(published.map((one) => one.id))
  })

  it('accepts honest presentations, with and without the private key', { timeout: 60_000 }, () => {
    for (let round = 0; round < 6; round += 1) {
      const one = chance.pick(held)
      expect(cross.checkHonest(cross.honest([one]), [one.published])).toEqual(accepted)
    }
  })

  it('accepts one presentation of several credentials', { timeout: 60_000 }, () => {
    expect(cross.checkHonest(cross.honest(held), published)).toEqual(accepted)
  })

  it('accepts nothing altered that the library refuses, with the private key or without', {
    timeout: 180_000,
  }, () => {
    for (const credentials of [[chance.pick(held)], held.slice(0, 2), held]) {
      const base = cross.base(credentials)
      for (let each = 0; each < 20; each += 1) {
        const altered = cross.altered(base)
        if (altered === null) continue
        const { native: ours, own, library } = cross.checkAltered(altered, base.published)
        expect(own === 'accepted').toBe(ours === 'accepted')
        expect(ours === 'accepted' && library !== 'accepted').toBe(false)
      }
    }
  })

  it('refuses credentials of two holders in one presentation, as the library does', {
    timeout: 60_000,
  }, () => {
    const altered = { input: cross.mixed(held.slice(0, 2)), kind: 'two holders' }
    expect(cross.checkAltered(altered, published.slice(0, 2))).toMatchObject({
      library: 'refused',
      native: 'refused',
      own: 'refused',
    })
  })

  it('refuses two sound proofs of two holders, and accepts the same of one', { timeout: 60_000 }, () => {
    const mine = [
      cross.definition('native', ['name', 'age']),
      cross.definition('native', ['city', 'age']),
    ] as const
    const [first, second] = [cross.credential(mine[0]), cross.credential(mine[1])]
    expect(cross.checkHonest(cross.provedPlainly([first, second]), mine)).toEqual(accepted)
    const input = cross.ofTwoHolders([first, second])
    expect(cross.checkAltered({ input, kind: 'two holders' }, mine)).toEqual({
      library: 'refused',
      native: 'refused',
      own: 'refused',
      checks: 'refused',
    })
  })

  it('refuses what the holder merely says of itself, which the library accepts', () => {
    expect(cross.checkAltered({ input: cross.selfAttested(), kind: 'no credential' }, [])).toEqual({
      library: 'accepted',
      native: 'refused',
      own: 'refused',
      checks: 'refused',
    })
  })

  it('lets only an attribute of the credential stand as there and not shown, asked for in an object', () => {
    const fixture = readFixture('honest')
    const requested = fixture.presentationRequest['requested_attributes'] as object
    const shown = fixture.presentation['requested_proof'] as object
    const verdict = (asked: unknown): string =>
      kindOf(() => {
        const accepts = native.verifyPresentation(
          inputOf({
            ...fixture,
            presentationRequest: {
              ...fixture.presentationRequest,
              requested_attributes: { ...requested, extra: asked },
            },
            presentation: {
              ...fixture.presentation,
              requested_proof: { ...shown, unrevealed_attrs: { extra: { sub_proof_index: 0 } } },
            },
          }),
        )
        if (!accepts) throw new EngineFailure('refused', 'the arithmetic does not hold', 'native')
      })
    expect(verdict({ name: 'ATTR 2' })).toBe('accepted')
    expect(verdict({ names: ['attr2', 'attr3'] })).toBe('accepted')
    expect(verdict({ name: 'absent' })).toBe('refused')
    expect(verdict({ name: 'master_secret' })).toBe('refused')
    expect(verdict(['attr2', null, null, null])).toBe('refused')
  })

  it('gives no two credentials the same prime', () => {
    const [one] = published
    if (!one) throw new Error('no definition')
    const requested = new Wallet().request(one)
    const values = Object.fromEntries(one.attributes.map((name) => [name, '5'] as const))
    addon.fillPrimePool(5)
    const primes = Array.from({ length: 10 }, () => {
      const credential = JSON.parse(native.createCredential({ ...one, ...requested, values })) as {
        signature: { p_credential: { e: string } }
      }
      return credential.signature.p_credential.e
    })
    expect(new Set(primes).size).toBe(10)
  })
})

describe('the own engine alone', () => {
  it.each([
    ['honest', 'accepted'],
    ['never-issued', 'refused'],
    ['false-predicate', 'refused'],
  ] as const)('judges the presentation "%s": %s, without the checks before it', (name, verdict) => {
    expect(kindOf(() => native.verifyPresentation(inputOf(readFixture(name))))).toBe(verdict)
  })

  it('says of unreadable input that it is refused, and does not fall over', () => {
    const input = inputOf(readFixture('honest'))
    for (const text of ['', '{', '[]', 'null', '"x"', '{"proof":5}', '[['.repeat(50_000)]) {
      expect(kindOf(() => native.verifyPresentation({ ...input, presentation: text }))).toBe('refused')
      expect(kindOf(() => native.verifyPresentation({ ...input, request: text }))).toBe('refused')
    }
  })

  it('takes no negative nonce for its opposite', () => {
    const fixture = readFixture('honest')
    const nonce = `-${String(fixture.presentationRequest['nonce'])}`
    const input = inputOf({ ...fixture, presentationRequest: { ...fixture.presentationRequest, nonce } })
    expect(kindOf(() => native.verifyPresentation(input))).toBe('refused')
  })

  it('leaves revocation to others', () => {
    const fixture = readFixture('honest')
    const input = inputOf({
      ...fixture,
      credentialDefinition: {
        ...fixture.credentialDefinition,
        value: { ...(fixture.credentialDefinition['value'] as object), revocation: {} },
      },
    })
    expect(kindOf(() => native.verifyPresentation(input))).toBe('not-understood')
  })

  it('refuses a request whose proof does not hold, and one for another definition', () => {
    const cross = new CrossTests(chance)
    const one = cross.definition('native', ['name'])
    const requested = new Wallet().request(one)
    const request = JSON.parse(requested.request) as {
      nonce: string
      cred_def_id: string
      blinded_ms: { u: string }
    }
    const values = { name: 'x' }
    const issue = (changed: object) =>
      kindOf(() =>
        native.createCredential({
          ...one,
          ...requested,
          values,
          request: JSON.stringify({ ...request, ...changed }),
        }),
      )
    expect(issue({})).toBe('accepted')
    expect(issue({ blinded_ms: { ...request.blinded_ms, u: '4' } })).toBe('refused')
    expect(issue({ cred_def_id: 'did:example:other' })).toBe('refused')
    expect(issue({ blinded_ms: { ...request.blinded_ms, u: '0' } })).toBe('refused')
    expect(kindOf(() => native.createCredential({ ...one, ...requested, values: { other: 'x' } }))).toBe(
      'refused',
    )
    expect(
      kindOf(() => native.createCredential({ ...one, ...requested, values: { name: 'x', more: 'y' } })),
    ).toBe('refused')
  })

  it('keeps its tables within the capacity it is given', { timeout: 60_000 }, () => {
    addon.setCapacity(3 * 2 ** 20)
    for (const name of ['honest', 'honest'] as const) native.verifyPresentation(inputOf(readFixture(name)))
    const cross = new CrossTests(chance)
    for (let round = 0; round < 3; round += 1) cross.credential(cross.definition('native', ['name']))
    // What is in use may exceed it; nothing else is kept beside that.
    expect(addon.status().definitions).toBeLessThanOrEqual(2)
    addon.setCapacity(512 * 2 ** 20)
  })
})
