import { describe, expect, it } from 'vitest'
import { HandOffs } from '../../../src/cluster/map/hand-offs.ts'
import { mapKeeperDefaults } from '../../../src/cluster/map/keeper-parts.ts'
import { emptyMap } from '../../../src/cluster/map/map-view.ts'
import type { ChangeableMap, KeptShardMap } from '../../../src/ports/shard-map.ts'
import { ModelJournal } from '../../persistence/model-journal.ts'

const SHARDS = 12
const settings = { ...mapKeeperDefaults, noticeMs: 0, handingOffMax: 2 }

/** Node `a` serves every shard, of which some are wanted by others. */
const begin = () => {
  const model = new ModelJournal()
  const { runtime } = model.process('a')
  const open = new Set(Array.from({ length: SHARDS }, (_, shard) => shard))
  const log: string[] = []
  const frozen = new Set<string>()
  const given = Promise.withResolvers<void>()
  const catching = { ms: 0 }
  const stuck = new Map<number, PromiseWithResolvers<void>>()
  let now: KeptShardMap = emptyMap(SHARDS)
  const map: ChangeableMap = {
    current: () => now,
    refreshed: () => Promise.resolve(now),
    ownerOf: () => null,
    onChange: () => () => undefined,
    change: () => Promise.resolve(now),
  }
  const handOffs = new HandOffs(
    {
      node: 'a',
      map,
      runtime,
      settings,
      server: {
        open: () => Promise.resolve(1),
        catchUp: () => runtime.sleep(catching.ms),
        close: async (shard) => {
          await stuck.get(shard)?.promise
          log.push(`closed ${shard}`)
          open.delete(shard)
        },
        isOpen: (shard) => open.has(shard),
      },
      talk: {
        isAwaited: async (shard, by) => {
          log.push(`asked ${by} for ${shard}`)
          await runtime.sleep(frozen.has(by) ? 1_000 : 1)
          return !frozen.has(by)
        },
        handOver: async (shard) => {
          await given.promise
          log.push(`told of ${shard}`)
        },
      },
      report: (_, error) => model.world.fail(error as Error),
    },
    () => undefined,
  )
  const want = (wanted: Readonly<Record<number, string>>): void => {
    now = {
      ...now,
      places: now.places.map((place, shard) => ({ ...place, owner: 'a', desired: wanted[shard] ?? 'a' })),
    }
  }
  const stepFor = async (ms: number): Promise<void> => {
    for (const endMs = model.world.nowMs + ms; model.world.nowMs < endMs; await model.pass(50))
      handOffs.step(now, new Set(['a', 'b', 'c']))
  }
  const getStuck = (shard: number): void => void stuck.set(shard, Promise.withResolvers())
  const free = (shard: number): void => stuck.get(shard)?.resolve()
  return { model, handOffs, open, log, frozen, given, catching, getStuck, free, want, stepFor }
}

describe('a shard that is wanted elsewhere', () => {
  it('stays where it is while its next owner does not answer, and others go meanwhile', async () => {
    const { open, frozen, want, stepFor, log } = begin()
    frozen.add('b')
    want({ 0: 'b', 1: 'b', 2: 'b', 3: 'b', 4: 'c', 5: 'c' })
    await stepFor(6_000)
    expect([...open]).toEqual([0, 1, 2, 3, 6, 7, 8, 9, 10, 11])
    expect(log.filter((line) => line.startsWith('asked b')).length).toBeLessThan(7)
    frozen.clear()
    await stepFor(4_000)
    expect([...open]).toEqual([6, 7, 8, 9, 10, 11])
  })

  it('is not let go where the map has changed while its copies were brought up to date', async () => {
    const { open, want, stepFor, catching } = begin()
    catching.ms = 2_000
    want({ 0: 'b' })
    await stepFor(500)
    want({})
    await stepFor(4_000)
    expect(open.size).toBe(SHARDS)
  })

  it('is let go before its next owner is told of the rest, and a node that stops waits for that', async () => {
    const { handOffs, model, open, given, want, stepFor, log } = begin()
    want({ 3: 'b' })
    await stepFor(2_000)
    expect(open.has(3)).toBe(false)
    expect(handOffs.has(3)).toBe(false)
    expect(log).toEqual(['asked b for 3', 'closed 3'])
    let isOver = false
    void handOffs.handedOver().then(() => void (isOver = true))
    await model.pass(1_000)
    expect(isOver).toBe(false)
    given.resolve()
    await model.pass(1_000)
    expect([isOver, log.at(-1)]).toEqual([true, 'told of 3'])
  })

  it('is closed with all others when the node stops, whether its next owner answers or not', async () => {
    const { handOffs, model, open, frozen, want, stepFor } = begin()
    frozen.add('b')
    want({ 0: 'b', 1: 'c' })
    await stepFor(50)
    await model.settle(handOffs.closeAll([...open]))
    expect(open.size).toBe(0)
  })
})

describe('how long a hand-off is under way', () => {
  it('begins with its turn, and does not count that a next owner is not there', async () => {
    const { handOffs, open, frozen, getStuck, want, stepFor } = begin()
    getStuck(0)
    frozen.add('b')
    want({ 0: 'c', 1: 'b', 2: 'c', 3: 'c', 4: 'c', 5: 'c', 6: 'c', 7: 'c' })
    await stepFor(20_000)
    expect(handOffs.longestMs).toBeGreaterThan(19_000)
    expect([...open]).toEqual([0, 1, 8, 9, 10, 11])
    const others = begin()
    others.frozen.add('b')
    others.want({ 0: 'b', 1: 'b', 2: 'b' })
    for (let second = 0; second < 20; second++) {
      await others.stepFor(1_000)
      expect(others.handOffs.longestMs).toBeLessThan(2_000)
    }
  })

  it('counts from the last one that ended where all are closed at once', async () => {
    const { handOffs, model, open, getStuck, free } = begin()
    for (const shard of open) getStuck(shard)
    const closed = handOffs.closeAll([...open])
    for (let shard = 0; shard < SHARDS - 1; shard++) {
      await model.pass(10_000)
      free(shard)
      await model.pass(10)
    }
    await model.pass(10_000)
    expect(handOffs.longestMs).toBeGreaterThan(9_000)
    expect(handOffs.longestMs).toBeLessThan(11_000)
    free(SHARDS - 1)
    await model.settle(closed)
    expect(handOffs.longestMs).toBe(0)
  })

  it('ends with the lease under which it began, and its shard can be handed off under the next one', async () => {
    const { handOffs, log, getStuck, free, want, stepFor } = begin()
    getStuck(0)
    getStuck(1)
    want({ 0: 'b', 1: 'b', 2: 'b' })
    await stepFor(5_000)
    expect([handOffs.has(0), log.toSorted()]).toEqual([true, ['asked b for 0', 'asked b for 1']])
    handOffs.beginAnew()
    expect([handOffs.has(0), handOffs.longestMs]).toEqual([false, 0])
    await stepFor(1_000)
    expect(handOffs.has(0)).toBe(true)
    free(0)
    free(1)
    await stepFor(2_000)
    expect([handOffs.has(0), log.includes('closed 2')]).toEqual([false, true])
  })
})
