import { describe, expect, it } from 'vitest'
import { boundedKeyStore } from '../../../src/persistence/vault/bounded-key-store.ts'
import type { KeyStore } from '../../../src/persistence/vault/key-store-port.ts'

const answering = (answer: () => Promise<unknown>): KeyStore =>
  new Proxy({} as KeyStore, { get: () => answer })

const calls: readonly ((store: KeyStore) => Promise<unknown>)[] = [
  (store) =>
    store.insertKey({
      record: 'r',
      keyId: 'k',
      tenant: 't',
      connection: null,
      parentKeyId: null,
      wrapped: Buffer.alloc(60),
    }),
  (store) => store.readKeys('r'),
  (store) => store.eraseKeys('r'),
  (store) => store.readTenantKey('t'),
  (store) => store.insertTenantKey({ tenant: 't', master: 'm', wrapped: Buffer.alloc(60) }),
  (store) => store.listTenantKeys(null, 1),
  (store) =>
    store.rewrapTenantKey(
      { tenant: 't', master: 'm', wrapped: Buffer.alloc(60) },
      { tenant: 't', master: 'n', wrapped: Buffer.alloc(60) },
    ),
  (store) => store.currentMaster(),
  (store) => store.setCurrentMaster(null, 'm'),
]

describe('bounded key store', () => {
  it('hands on every call and its answer', async () => {
    const store = boundedKeyStore(
      answering(async () => 'answer'),
      { timeoutMs: 1_000, pendingMax: 10 },
    )
    expect(await Promise.all(calls.map((call) => call(store)))).toEqual(calls.map(() => 'answer'))
    await store[Symbol.asyncDispose]()
  })

  it('ends every call in time, with an outcome that says it may have been applied', async () => {
    const store = boundedKeyStore(
      answering(() => new Promise(() => {})),
      { timeoutMs: 20, pendingMax: 10 },
    )
    const outcomes = await Promise.allSettled(calls.map((call) => call(store)))
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { outcome: 'unknown', retryable: true } })
  })

  it('takes no more calls than its bound while the store does not answer, and again when it does', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const store = boundedKeyStore(
      answering(() => promise),
      { timeoutMs: 20, pendingMax: 2 },
    )
    await Promise.allSettled([store.currentMaster(), store.currentMaster()])
    await expect(store.currentMaster()).rejects.toMatchObject({ outcome: 'not-applied' })
    resolve('m')
    await expect.poll(() => store.currentMaster().catch(() => null)).toBe('m')
  })

  it('passes a failure on as it is', async () => {
    const failure = new Error('away')
    const store = boundedKeyStore(
      answering(() => Promise.reject(failure)),
      { timeoutMs: 1_000, pendingMax: 1 },
    )
    await expect(store.readKeys('r')).rejects.toBe(failure)
    await expect(store.readKeys('r')).rejects.toBe(failure)
  })
})
