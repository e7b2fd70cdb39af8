import { describe, expect, it } from 'vitest'
import { emptyMap, MapView, mapViewDefaults } from '../../../src/cluster/map/map-view.ts'
import { StoreFailure } from '../../../src/persistence/store-port.ts'
import type { KeptShardMap, MapChange, ShardMapStore } from '../../../src/ports/shard-map.ts'
import { createRuntime } from '../../../src/host/runtime.ts'
import { ModelJournal } from '../../persistence/model-journal.ts'

class MemoryMapStore implements ShardMapStore {
  row: KeptShardMap | null = null
  reads = 0
  /** What becomes of the next writes: applied and not heard of, or neither. */
  readonly fates: ('answer-lost' | 'lost')[] = []
  gate: Promise<void> = Promise.resolve()

  async read(): Promise<KeptShardMap | null> {
    this.reads++
    const { row } = this
    await this.gate
    return row
  }

  async replace(next: KeptShardMap): Promise<boolean> {
    const fate = this.fates.shift()
    if (fate === 'lost') throw new StoreFailure('unknown', 'lost')
    if ((this.row?.version ?? 0) !== next.version - 1) return false
    this.row = next
    if (fate === 'answer-lost') throw new StoreFailure('unknown', 'lost')
    return true
  }
}

const freeze: MapChange = (map) => (map.frozen ? null : { ...map, frozen: true })
const take =
  (node: string): MapChange =>
  (map) =>
    map.members.some((member) => member.node === node)
      ? null
      : { ...map, members: [...map.members, { node, state: 'taking' }] }

const begin = () => {
  const store = new MemoryMapStore()
  return {
    store,
    view: new MapView(store, createRuntime(), 4),
    other: new MapView(store, createRuntime(), 4),
  }
}

describe('the map as a node knows it', () => {
  it('is empty before the first one, and is never exchanged for an older one', async () => {
    const { store, view } = begin()
    expect(await view.refreshed()).toEqual(emptyMap(4))
    expect(view.ownerOf(2)).toBeNull()
    store.row = { ...emptyMap(4), version: 5 }
    expect((await view.refreshed()).version).toBe(5)
    store.row = { ...emptyMap(4), version: 4 }
    expect((await view.refreshed()).version).toBe(5)
  })

  it('says whom to ask: the owner, or who is to have the shard once it has let go', async () => {
    const { store, view } = begin()
    const [place] = emptyMap(1).places
    if (place === undefined) throw new Error('there is a place')
    const places = [
      { ...place, owner: 'a', desired: 'b' },
      { ...place, desired: 'b' },
    ]
    store.row = { ...emptyMap(2), version: 1, places }
    await view.refreshed()
    expect([view.ownerOf(0), view.ownerOf(1), view.ownerOf(2)]).toEqual(['a', 'b', null])
  })

  it('is read once for all who wait, and not at all for those who ask for no newer one', async () => {
    const { store, view, other } = begin()
    await other.change(freeze)
    const gate = Promise.withResolvers<void>()
    store.gate = gate.promise
    const early = view.refreshed()
    await other.change(take('a')).catch(() => undefined)
    const late = [view.refreshed(), view.refreshed(2), view.refreshed()]
    gate.resolve()
    expect((await early).version).toBe(1)
    expect((await Promise.all(late)).map(({ version }) => version)).toEqual([2, 2, 2])
    const { reads } = store
    expect((await view.refreshed(2)).version).toBe(2)
    expect(store.reads).toBe(reads)
  })

  it('tells those who listen of every new version once', async () => {
    const { view, other } = begin()
    const heard: number[] = []
    const forget = view.onChange(({ version }) => heard.push(version))
    await view.change(freeze)
    await other.change(take('a'))
    await view.refreshed()
    await view.refreshed()
    forget()
    await view.change(take('b'))
    expect(heard).toEqual([1, 2])
  })
})

describe('a change of the map', () => {
  it('is made again of what others have written meanwhile', async () => {
    const { store, view, other } = begin()
    await Promise.all([view.change(take('a')), other.change(take('b')), view.change(freeze)])
    expect(store.row?.members.map(({ node }) => node).toSorted()).toEqual(['a', 'b'])
    expect(store.row).toMatchObject({ frozen: true, version: 3 })
  })

  it('is made once, whether its answer was lost or it was', async () => {
    const { store, view } = begin()
    store.fates.push('answer-lost')
    await view.change(take('a'))
    store.fates.push('lost', 'lost')
    await view.change(take('b'))
    expect(store.row?.members.map(({ node }) => node)).toEqual(['a', 'b'])
    expect(store.row?.version).toBe(2)
  })

  it('is given up in time where the store is slow each time', async () => {
    const model = new ModelJournal()
    const { runtime } = model.process('n1')
    const slow: ShardMapStore = {
      read: async () => {
        await runtime.sleep(mapViewDefaults.attemptTimeoutMs - 500)
        return null
      },
      replace: () => new Promise(() => undefined),
    }
    let failed: unknown
    void new MapView(slow, runtime, 4).change(freeze).catch((error: unknown) => void (failed = error))
    await model.pass(mapViewDefaults.changeTimeoutMs - 500)
    expect(failed).toBeUndefined()
    await model.pass(2_000)
    expect(failed).toMatchObject({ retryable: true })
  })

  it('fails as retryable where the store takes none', async () => {
    const { store, view } = begin()
    store.fates.push(...Array.from({ length: 100 }, () => 'lost' as const))
    await expect(view.change(freeze)).rejects.toMatchObject({ retryable: true })
    const defect = new TypeError('a bug')
    await expect(
      view.change(() => {
        throw defect
      }),
    ).rejects.toBe(defect)
  })
})
