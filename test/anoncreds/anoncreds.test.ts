import { afterAll, describe, expect, it } from 'vitest'
import { AnonCredsRefused, AnonCredsUnavailable } from '../../src/ports/anoncreds.ts'
import { AnonCredsService } from '../../src/anoncreds/anoncreds.ts'
import type { EngineObserver } from '../../src/anoncreds/engine-observer.ts'
import type { EngineChoice } from '../../src/anoncreds/selection.ts'
import { orderFor, publishedAs, Wallet } from '../../native/campaign/wallet.ts'
import { fixtureNames, inputOf, readFixture } from './verifier-fixtures.ts'

const counted: string[] = []
const observer: EngineObserver = {
  done: (operation, engine, result) => counted.push(`${operation} ${engine} ${result}`),
  fellBack: (cause) => counted.push(`fell back: ${cause}`),
  disagreed: (operation) => counted.push(`disagreed: ${operation}`),
  status: () => undefined,
  generating: (waiting, isRunning) => counted.push(`generating ${waiting} ${isRunning}`),
}

const service = (engine: EngineChoice) =>
  new AnonCredsService({ engine, workers: 1, queueMax: 100 }, observer)

describe.each<[EngineChoice, string]>([
  ['auto', 'native'],
  ['library', 'library'],
  ['compare', 'both'],
])('the service with engine "%s"', (choice, name) => {
  const anoncreds = service(choice)
  afterAll(() => anoncreds[Symbol.asyncDispose]())

  it.each(fixtureNames)('judges the presentation "%s" as expected', async (fixture) => {
    const { expect: expected } = readFixture(fixture)
    const accepted = await anoncreds.verifyPresentation('tenant', inputOf(readFixture(fixture)))
    expect(accepted ? 'accepted' : 'refused').toBe(expected)
  })

  it('defines, offers, issues and verifies, and counts by engine', { timeout: 180_000 }, async () => {
    const attributes = ['name', 'age']
    const before = counted.length
    const made = await anoncreds.generateDefinition('tenant', orderFor('service', attributes), () =>
      counted.push('begun'),
    )
    // Keys have nothing to be compared with: two engines would make two pairs.
    const maker = choice === 'compare' ? 'native' : name
    expect(counted.slice(before)).toEqual(
      expect.arrayContaining(['begun', 'generating 0 true', `define ${maker} ok`]),
    )
    const published = publishedAs(made, 'service', attributes)
    const wallet = new Wallet()
    const requested = wallet.request(published)
    const values = { name: 'Ann', age: '33' }
    const credential = await anoncreds.createCredential('tenant', { ...published, ...requested, values })
    const held = wallet.process(published, requested, credential, values)
    const asked = { requested_attributes: { a: { name: 'name' } }, requested_predicates: {} }
    const request = JSON.stringify({ name: 'r', version: '1.0', nonce: '5', ...asked })
    const input = wallet.present(request, [{ held, revealed: ['a'], hidden: [], predicates: [] }])
    const privates = { [published.id]: published.credentialDefinitionPrivate }
    expect(await anoncreds.verifyPresentation('tenant', { ...input, privates })).toBe(true)
    expect(counted).toContain(`issue ${name} ok`)
    expect(counted).toContain(`verify ${name} ok`)
    const wrong = requested.request.replace(/"u":"\d+"/, '"u":"4"')
    await expect(
      anoncreds.createCredential('tenant', { ...published, ...requested, values, request: wrong }),
    ).rejects.toThrow(AnonCredsRefused)
    expect(counted).toContain(`issue ${name} refused`)
  })

  it('refuses to sign for a request it cannot read', async () => {
    const input = {
      credentialDefinition: '{}',
      credentialDefinitionPrivate: '{}',
      offer: '{}',
      request: '{',
      values: {},
    }
    await expect(anoncreds.createCredential('tenant', input)).rejects.toThrow(AnonCredsRefused)
    expect(counted).toContain('issue checks refused')
  })

  it('counts a definition that is not made by the engine that had to make it', async () => {
    await expect(anoncreds.generateDefinition('tenant', orderFor('none', []))).rejects.toThrow()
    const engine = choice === 'library' ? 'library' : 'native'
    expect(counted.filter((line) => /^define \w+ (?:refused|failed)$/.test(line)).at(-1)).toContain(engine)
  })
})

describe('an operation that fails', () => {
  const input = inputOf(readFixture('honest'))

  it('names the engine that does not load', async () => {
    const anoncreds = new AnonCredsService(
      { engine: 'native', workers: 1, queueMax: 100, binaries: ['file:///nowhere/cl-engine.node'] },
      observer,
    )
    counted.length = 0
    await expect(anoncreds.verifyPresentation('tenant', input)).rejects.toThrow(AnonCredsUnavailable)
    expect(counted).toEqual(['verify native failed'])
    await anoncreds[Symbol.asyncDispose]()
  })

  it('names none where it came to none', async () => {
    const anoncreds = new AnonCredsService({ engine: 'native', workers: 1, queueMax: 1 }, observer)
    counted.length = 0
    const asked = Array.from({ length: 4 }, () => anoncreds.verifyPresentation('tenant', input))
    const rejected = (await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected')
    expect(counted.filter((line) => line === 'verify none failed')).toHaveLength(rejected.length)
    expect(rejected.length).toBeGreaterThan(0)
    await anoncreds[Symbol.asyncDispose]()
  })
})
