import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
// The platform comes first, because it loads the native libraries before Credo.
import { nodePlatform } from '../../sdk/node/platform.ts'
import { overHttps } from '../../sdk/core/network/addresses.ts'
import { POLL_EVERY_MS } from '../../sdk/core/polling.ts'
import type { OpenWallet, RunningWallet } from '../../sdk/core/running-wallet.ts'
import { Sdk } from '../../sdk/core/sdk.ts'
import { jsonBody, MemoryKeys, MemoryStorage, ScriptedNetwork, SteppedClock } from './fakes.ts'

const signer = generateKeyPairSync('ed25519')
const GENESIS = '{"txn":{}}\n'
const BASE = 'https://platform.example'
const bodies: Readonly<Record<string, Uint8Array>> = {
  [`${BASE}/v1/ledger`]: jsonBody({
    indyNamespace: 'sandbox',
    genesis: {
      url: `${BASE}/genesis`,
      sha256: createHash('sha256').update(GENESIS).digest('hex'),
      signatureUrl: `${BASE}/signature`,
      signingPublicKey: signer.publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    },
  }),
  [`${BASE}/genesis`]: Buffer.from(GENESIS),
  [`${BASE}/signature`]: Buffer.from(sign(null, Buffer.from(GENESIS), signer.privateKey).toString('base64')),
}

/** An SDK whose wallet is opened when the test says so, and does nothing but count. */
const phone = () => {
  const clock = new SteppedClock()
  const network = new ScriptedNetwork(({ url }) => ({ body: bodies[url] ?? new Uint8Array() }))
  const seen = { syncs: 0, closed: 0, isBrokenOff: false, failed: [] as string[] }
  let finish: { readonly open: () => void; readonly fail: () => void } | null = null
  const openWallet: OpenWallet = ({ rows }) =>
    new Promise((resolve, reject) => {
      const wallet = {
        mail: {
          inTurn: (work: () => Promise<unknown>) => work(),
          sync: async () => {
            seen.syncs += 1
            return { received: 0, waiting: 0 }
          },
        },
        mediator: { ready: async () => undefined },
        isBrokenOff: () => seen.isBrokenOff,
        close: async () => {
          await new Promise((done) => setImmediate(done))
          seen.closed += 1
          await rows.close()
        },
      } as unknown as RunningWallet
      finish = { open: () => resolve(wallet), fail: () => reject(new Error('no')) }
    })
  const keys = new MemoryKeys()
  const sdk = new Sdk({ ...nodePlatform({ secureKeys: keys }), clock, network }, overHttps, openWallet)
  sdk.on('syncFailed', ({ kind }) => void seen.failed.push(kind))
  const storage = new MemoryStorage()
  const initialize = (where: MemoryStorage = storage, baseUrl = BASE) =>
    sdk.initialize({ baseUrl, tokenProvider: async () => 'token', storage: where })
  const begun = () =>
    vi.waitFor(() => {
      if (finish === null) throw new Error('the wallet is not being opened yet')
      const now = finish
      finish = null
      return now
    })
  return { sdk, clock, seen, storage, keys, initialize, begun }
}

describe('an SDK', () => {
  it('whose app went to the background while it opened fetches nothing by itself', async () => {
    const { sdk, clock, seen, initialize, begun } = phone()
    const ready = initialize()
    const { open } = await begun()
    const away = sdk.background()
    open()
    await Promise.all([ready, away])
    await clock.pass(POLL_EVERY_MS)
    expect(seen.syncs).toBe(0)
    sdk.foreground()
    await clock.pass(0)
    expect(seen.syncs).toBe(1)
  })

  it('that could not open asks for nothing, though the app came to the foreground meanwhile', async () => {
    const { sdk, clock, seen, initialize, begun } = phone()
    const ready = initialize()
    const { fail } = await begun()
    sdk.foreground()
    fail()
    await expect(ready).rejects.toMatchObject({ kind: 'Internal' })
    await clock.pass(POLL_EVERY_MS)
    expect([seen.syncs, seen.failed]).toEqual([0, []])
  })

  it('does not take another storage while one is open', async () => {
    const { sdk, seen, initialize, begun } = phone()
    const ready = initialize()
    ;(await begun()).open()
    await ready
    const other = Object.assign(new MemoryStorage(), { name: 'other' })
    await expect(initialize(other)).rejects.toMatchObject({ kind: 'Internal', code: 'other_storage' })
    await expect(initialize()).resolves.toBeUndefined()
    other.rows.set('x', { kind: 'x', id: 'x', content: new Uint8Array() })
    await sdk.reset()
    expect([seen.closed, other.rows.size]).toEqual([1, 1])
  })

  it('that was closed while it opened is not open', async () => {
    const { sdk, clock, seen, initialize, begun } = phone()
    const ready = initialize()
    const { open } = await begun()
    const closed = sdk.close()
    open()
    await expect(ready).rejects.toMatchObject({ kind: 'NotInitialized' })
    await closed
    await clock.pass(POLL_EVERY_MS)
    expect([seen.syncs, seen.closed]).toEqual([0, 1])
  })

  it('opens a wallet again that could not store something', async () => {
    const { seen, initialize, begun } = phone()
    const ready = initialize()
    ;(await begun()).open()
    await ready
    seen.isBrokenOff = true
    const again = initialize()
    ;(await begun()).open()
    await again
    expect(seen.closed).toBe(1)
  })

  it('makes a new wallet only when both of two resets are over, which leave it its key', async () => {
    const { sdk, storage, keys, initialize, begun } = phone()
    const ready = initialize()
    ;(await begun()).open()
    await ready
    const erase = storage.erase.bind(storage)
    storage.erase = async () => {
      await new Promise((resolve) => setImmediate(resolve))
      await erase()
    }
    const [first, second] = [sdk.reset(), sdk.reset()]
    await first
    const again = initialize()
    ;(await begun()).open()
    await Promise.all([second, again])
    expect([keys.keys.size, storage.rows.size > 0]).toEqual([1, true])
  })

  it('opens when what was closed before is closed', async () => {
    const { sdk, seen, initialize, begun } = phone()
    const ready = initialize()
    ;(await begun()).open()
    await ready
    const closed = sdk.close()
    const again = initialize()
    ;(await begun()).open()
    expect(seen.closed).toBe(1)
    await Promise.all([closed, again])
  })

  it('knows its platform also with a slash at the end of the address', async () => {
    const { sdk, storage, initialize, begun } = phone()
    const ready = initialize()
    ;(await begun()).open()
    await ready
    await sdk.close()
    const again = initialize(storage, `${BASE}/`)
    ;(await begun()).open()
    await again
    await sdk.close()
    await expect(initialize(storage, 'https://other.example')).rejects.toMatchObject({
      kind: 'PlatformError',
      code: 'other_platform',
    })
  })
})
