import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { boundedKeyStore } from '../../../src/persistence/vault/bounded-key-store.ts'
import {
  acceptanceMark,
  checkKeyStore,
  foundMark,
  rememberedKeyStore,
} from '../../../src/persistence/vault/key-store-mark.ts'
import type { KeyStore } from '../../../src/persistence/vault/key-store-port.ts'
import { journalBeside } from './parts/memory-of-keys.ts'
import { VaultFolder } from './parts/vault-folder.ts'

const mark = (id: string, count: number) => ({ id, count })

describe('the mark of a key store', () => {
  it.each([
    ['a new journal takes any', null, mark('a', 3), null],
    ['a new journal takes a new one', null, null, null],
    ['the same', mark('a', 3), mark('a', 3), null],
    ['a newer one', mark('a', 3), mark('a', 4), null],
    ['none', mark('a', 3), null, 'missing'],
    ['an older one', mark('a', 3), mark('a', 2), 'older'],
    ['one that was being accepted', acceptanceMark(mark('a', 3)), mark('a', 4), 'older'],
    ['one that was accepted', acceptanceMark(mark('a', 3)), mark('a', 2 ** 40 + 1), null],
    ['another’s, however far it has come', mark('a', 3), mark('b', 9), 'foreign'],
  ])('decides on %s', (_, known, found, refusal) => {
    const check = () => checkKeyStore('/data/keys', known, found)
    if (refusal === null) expect(check()).toBeUndefined()
    else
      expect(check).toThrow(
        expect.objectContaining({
          is: refusal,
          message: expect.stringMatching(/^The key store \/data\/keys [^\n]*\.$/) as string,
        }) as Error,
      )
  })
})

describe('what the journal remembers of its key store', () => {
  let place: VaultFolder
  let store: KeyStore
  beforeEach(async () => {
    place = new VaultFolder()
    store = await place.openStore()
    await foundMark(store)
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  })
  afterEach(async () => {
    vi.useRealTimers()
    await place.close()
  })

  it('follows at intervals and at the end, also when the journal was away once', async () => {
    const { keyStore: memory } = journalBeside()
    let isAway = false
    const flaky = {
      ...memory,
      record: (next: { readonly id: string; readonly count: number }) =>
        isAway ? Promise.reject(new Error('away')) : memory.record(next),
    }
    const kept = rememberedKeyStore(
      boundedKeyStore(store, { timeoutMs: 5_000, pendingMax: 100 }),
      flaky,
      1_000,
    )
    const interval = async (): Promise<void> => {
      await vi.advanceTimersByTimeAsync(1_000)
    }
    await interval()
    await expect.poll(() => memory.read()).toEqual(await store.readMark())
    isAway = true
    await kept.eraseKeys('cre_1')
    await interval()
    isAway = false
    expect((await memory.read())?.count).toBeLessThan((await store.readMark())?.count ?? 0)
    await interval()
    await expect.poll(() => memory.read()).toEqual(await store.readMark())
    await kept.eraseKeys('cre_2')
    const last = await store.readMark()
    await kept[Symbol.asyncDispose]()
    expect(await memory.read()).toEqual(last)
  })
})
