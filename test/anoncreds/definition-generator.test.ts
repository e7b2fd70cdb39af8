import { afterAll, describe, expect, it } from 'vitest'
import { AnonCredsOverloaded, AnonCredsRefused, AnonCredsUnavailable } from '../../src/ports/anoncreds.ts'
import { DefinitionGenerator } from '../../src/anoncreds/definition-generator.ts'
import { orderFor, publishedAs, Wallet } from '../../native/campaign/wallet.ts'
import { closedAtEnd } from '../closed-at-end.ts'

const settings = { engine: 'native', queueMax: 2, timeoutMs: 60_000 } as const
const order = orderFor('generated', ['name', 'age'])

describe('key generation', () => {
  const generator = new DefinitionGenerator(settings)
  afterAll(() => generator[Symbol.asyncDispose]())

  it('makes a definition whose key proof the library accepts', { timeout: 60_000 }, async () => {
    const { definition, engine } = await generator.generate('tenant', order)
    expect(engine).toBe('native')
    const published = publishedAs(definition, 'generated', order.attributes)
    expect(new Wallet().request(published).request).toContain('blinded_ms')
  })

  it('refuses attributes that are one to the library', { timeout: 60_000 }, async () => {
    await expect(generator.generate('tenant', orderFor('same', ['Name', 'na me']))).rejects.toThrow(
      AnonCredsRefused,
    )
  })

  it('refuses more orders than may wait', { timeout: 60_000 }, async () => {
    const results = await Promise.allSettled(
      ['a', 'b', 'c', 'd', 'e'].map((tenant) => generator.generate(tenant, order)),
    )
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused).toHaveLength(2)
    for (const { reason } of refused) expect(reason).toBeInstanceOf(AnonCredsOverloaded)
  })
})

describe('interrupted key generation', () => {
  it('is a retryable error when it takes too long', async () => {
    const generator = closedAtEnd(new DefinitionGenerator({ ...settings, timeoutMs: 1 }))
    await expect(generator.generate('tenant', order)).rejects.toThrow(AnonCredsUnavailable)
  })

  it('is a retryable error when the service closes', async () => {
    const generator = new DefinitionGenerator(settings)
    const made = Promise.allSettled([generator.generate('tenant', order)])
    await generator[Symbol.asyncDispose]()
    const [result] = await made
    expect(result?.status === 'rejected' && result.reason).toBeInstanceOf(AnonCredsUnavailable)
    await expect(generator.generate('tenant', order)).rejects.toThrow(AnonCredsUnavailable)
  })
})
