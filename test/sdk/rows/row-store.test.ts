import { beforeEach, describe, expect, it } from 'vitest'
import type { WalletStorage } from '../../../sdk/core/ports.ts'
import { RowStore } from '../../../sdk/core/rows/row-store.ts'
import { sodiumCryptography } from '../../../sdk/node/sodium-cryptography.ts'
import { MemoryKeys, MemoryStorage } from '../fakes.ts'

let storage: MemoryStorage
let keys: MemoryKeys

beforeEach(() => {
  storage = new MemoryStorage()
  keys = new MemoryKeys()
})

const open = (): Promise<RowStore> => RowStore.open(storage, keys, sodiumCryptography)
const put = (rows: RowStore, id: string, text: string): Promise<void> =>
  rows.step(async () => rows.put('thing', id, text))
const kindOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'opened',
    ({ kind, code }: { kind: string; code: string }) => `${kind} ${code}`,
  )

describe('a step', () => {
  it('is stored whole, and is there when the wallet is opened again', async () => {
    const rows = await open()
    await rows.step(async () => {
      rows.put('thing', 'a', 'one')
      rows.put('thing', 'b', 'two')
      rows.put('other', 'a', 'three')
    })
    await rows.step(async () => rows.remove('thing', 'b'))
    await rows.close()
    const again = await open()
    expect([...again.allStored('thing')]).toEqual([['a', 'one']])
    expect(again.stored('other', 'a')).toBe('three')
  })

  it('that fails changes nothing, and the next one goes on', async () => {
    const rows = await open()
    await put(rows, 'a', 'one')
    const failing = rows.step(async () => {
      rows.put('thing', 'a', 'other')
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(rows.get('thing', 'a')).toBe('one')
    await put(rows, 'b', 'two')
    expect([...rows.allStored('thing').keys()]).toEqual(['a', 'b'])
  })

  it('that cannot be written changes nothing, here neither, and is the last one until the next start', async () => {
    const rows = await open()
    await put(rows, 'a', 'one')
    storage.fails = 'before'
    await expect(put(rows, 'a', 'other')).rejects.toThrow('the disk is full')
    expect(rows.stored('thing', 'a')).toBe('one')
    storage.fails = 'never'
    expect(await kindOf(put(rows, 'b', 'two'))).toBe('Internal storage_failed')
    expect(rows.isBrokenOff).toBe(true)
    expect((await open()).stored('thing', 'a')).toBe('one')
  })

  it('that is given up is not written', async () => {
    const rows = await open()
    const { writes } = storage
    await rows.step(async (step) => {
      rows.put('thing', 'a', 'one')
      step.giveUp()
    })
    expect([rows.stored('thing', 'a'), storage.writes]).toEqual([null, writes])
  })

  it('sees its own changes, which others see only when they are stored', async () => {
    const rows = await open()
    await put(rows, 'a', 'one')
    await rows.step(async () => {
      rows.put('thing', 'b', 'two')
      rows.remove('thing', 'a')
      expect([...rows.all('thing')]).toEqual([['b', 'two']])
      expect([...rows.allStored('thing')]).toEqual([['a', 'one']])
    })
    expect([...rows.allStored('thing')]).toEqual([['b', 'two']])
  })

  it('waits for the one before it, and tells of itself when it is stored', async () => {
    const rows = await open()
    const told: string[] = []
    const first = rows.step(async (step) => {
      step.afterwards(() => told.push(`first ${String(rows.stored('thing', 'a'))}`))
      await new Promise((resolve) => setImmediate(resolve))
      rows.put('thing', 'a', 'one')
    })
    const second = rows.step(async () => {
      expect(rows.get('thing', 'a')).toBe('one')
    })
    await Promise.all([first, second])
    expect(told).toEqual(['first one'])
  })

  it('that comes after the wallet was closed is refused, and one before it is stored', async () => {
    const rows = await open()
    const before = put(rows, 'a', 'one')
    const closed = rows.close()
    const after = put(rows, 'b', 'two')
    await expect(after).rejects.toMatchObject({ kind: 'NotInitialized' })
    await Promise.all([before, closed])
    expect([...(await open()).allStored('thing').keys()]).toEqual(['a'])
  })

  it('is the only place where something changes', async () => {
    const rows = await open()
    expect(() => rows.put('thing', 'a', 'one')).toThrow('outside of a step')
  })
})

describe('what is stored', () => {
  it('shows nothing of what it holds, and lies in its place', async () => {
    const rows = await open()
    await put(rows, 'a', 'a secret that is long enough')
    await put(rows, 'b', 'another')
    const all = Buffer.concat([...storage.rows.values()].map(({ content }) => content))
    expect(all.includes('secret')).toBe(false)
    const [a, b] = [storage.rows.get('thing\na'), storage.rows.get('thing\nb')]
    if (a === undefined || b === undefined) throw new Error('the rows are missing')
    storage.rows.set('thing\na', { ...a, content: b.content })
    expect(await kindOf(open())).toBe('Internal storage_damaged')
  })

  it('without its key is lost, with another one too', async () => {
    await put(await open(), 'a', 'one')
    const [name] = [...keys.keys.keys()]
    const key = keys.keys.get(name ?? '')
    if (name === undefined || key === undefined) throw new Error('there is no key')
    keys.keys.clear()
    expect(await kindOf(open())).toBe('WalletKeyLost key_missing')
    keys.keys.set(
      name,
      key.map((byte, index) => (index === 0 ? byte : byte ^ 1)),
    )
    expect(await kindOf(open())).toBe('WalletKeyLost key_foreign')
    keys.keys.set(name, key.subarray(0, 10))
    expect(await kindOf(open())).toBe('WalletKeyLost key_damaged')
    keys.keys.set(name, key)
    expect((await open()).stored('thing', 'a')).toBe('one')
  })

  it.each(['open', 'readAll'] as const)('is not called damaged where %s fails', async (name) => {
    await put(await open(), 'a', 'one')
    const away: WalletStorage = {
      name: storage.name,
      erase: () => storage.erase(),
      async open() {
        if (name === 'open') throw new Error('EACCES')
        return { ...(await storage.open()), readAll: () => Promise.reject(new Error('EIO')) }
      },
    }
    expect(await kindOf(RowStore.open(away, keys, sodiumCryptography))).toBe('Internal storage_unavailable')
  })

  it('is not called lost where the key chain is locked', async () => {
    await put(await open(), 'a', 'one')
    keys.read = () => Promise.reject(new Error('locked'))
    expect(await kindOf(open())).toBe('Internal storage_unavailable')
  })

  it('is missed when it is gone and the key is not', async () => {
    await open()
    storage.rows.clear()
    expect(await kindOf(open())).toBe('WalletKeyLost storage_lost')
  })

  it('begins anew when the app was killed before the first row was written', async () => {
    storage.fails = 'before'
    expect(await kindOf(open())).not.toBe('opened')
    expect([storage.rows.size, keys.keys.size]).toEqual([0, 1])
    storage.fails = 'after'
    expect(await kindOf(open())).not.toBe('opened')
    storage.fails = 'never'
    expect(await kindOf(open())).toBe('opened')
    expect(await kindOf(open())).toBe('opened')
  })
})

describe('a wallet of format 1', () => {
  const clear = (kind: string, id: string, text: string): void =>
    void storage.rows.set(`${kind}\n${id}`, { kind, id, content: Buffer.from(text) })

  it('is sealed when it is opened, and keeps everything', async () => {
    clear('thing', 'a', 'in clear')
    const rows = await open()
    expect(rows.stored('thing', 'a')).toBe('in clear')
    const all = Buffer.concat([...storage.rows.values()].map(({ content }) => content))
    expect(all.includes('in clear')).toBe(false)
    expect((await open()).stored('thing', 'a')).toBe('in clear')
  })

  it.each(['before', 'after'] as const)('is whole where the app was killed %s the change', async (when) => {
    clear('thing', 'a', 'in clear')
    storage.fails = when
    expect(await kindOf(open())).not.toBe('opened')
    storage.fails = 'never'
    expect((await open()).stored('thing', 'a')).toBe('in clear')
  })

  it('that says nothing of its format is damaged', async () => {
    clear('format', 'format', 'x')
    expect(await kindOf(open())).toBe('Internal storage_damaged')
    storage.rows.set('format\nformat', { kind: 'format', id: 'format', content: Uint8Array.of(0xff) })
    expect(await kindOf(open())).toBe('Internal storage_damaged')
  })

  it('of a newer format is not touched', async () => {
    clear('format', 'format', '99')
    expect(await kindOf(open())).toBe('Internal storage_newer')
    expect(storage.writes).toBe(0)
  })
})
