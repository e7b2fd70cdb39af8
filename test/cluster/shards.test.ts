import { describe, expect, it } from 'vitest'
import type { NodeLease } from '../../src/ports/lease.ts'
import { ShardKeeper } from '../../src/cluster/shards.ts'
import type { ShardServer } from '../../src/ports/membership.ts'
import { staticMap } from '../../tools/simulate/static-map.ts'
import { ModelJournal } from '../persistence/model-journal.ts'

class Server implements Omit<ShardServer, 'catchUp'> {
  readonly openShards = new Set<number>()
  readonly calls: string[] = []
  readonly refuse = new Set<number>()
  readonly hang = new Set<number>()

  open(shard: number): Promise<number> {
    this.calls.push(`open ${shard}`)
    if (this.hang.has(shard)) return new Promise(() => {})
    if (this.refuse.has(shard)) return Promise.reject(new Error('held'))
    this.openShards.add(shard)
    return Promise.resolve(1)
  }

  close(shard: number): Promise<void> {
    this.calls.push(`close ${shard}`)
    this.openShards.delete(shard)
    return Promise.resolve()
  }

  isOpen(shard: number): boolean {
    return this.openShards.has(shard)
  }
}

const begin = (
  names: readonly string[],
  { refuse = [], hang = [], settledMs = 0 }: { refuse?: number[]; hang?: number[]; settledMs?: number } = {},
) => {
  const model = new ModelJournal()
  const server = new Server()
  for (const shard of refuse) server.refuse.add(shard)
  for (const shard of hang) server.hang.add(shard)
  const state = { names, valid: true }
  const membership = {
    session: () => ({ owner: 'n1~a', valid: () => state.valid, ended: new AbortController().signal }),
    alive: () =>
      state.names.map(
        (node): NodeLease => ({
          node,
          incarnation: 'a',
          counter: 0,
          address: '',
          linkAddress: '',
          state: 'alive',
        }),
      ),
  }
  const reports: number[] = []
  const settings = { shardCount: 6, intervalMs: 500, settledMs, openingMax: 4 }
  const { runtime } = model.process('n1')
  const isOurs = staticMap('n1', membership)
  const report = (shard: number) => void reports.push(shard)
  const keeper = new ShardKeeper('n1', membership, server, runtime, settings, report, isOurs)
  keeper.start()
  return { model, server, state, keeper, reports }
}

const sorted = ({ openShards }: Server): readonly number[] =>
  [...openShards].sort((left, right) => left - right)

describe('the shards of a node', () => {
  it('are opened, and handed back when the map gives them to another', async () => {
    const { model, server, state } = begin(['n1'])
    await model.pass(2_000)
    expect(sorted(server)).toEqual([0, 1, 2, 3, 4, 5])
    state.names = ['n1', 'n2']
    await model.pass(2_000)
    expect(sorted(server)).toEqual([0, 2, 4])
    state.names = ['n1']
    await model.pass(2_000)
    expect(sorted(server)).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('are opened again when they were lost, and asked for again when they were refused', async () => {
    const { model, server, reports } = begin(['n1'], { refuse: [3] })
    await model.pass(2_000)
    expect(sorted(server)).toEqual([0, 1, 2, 4, 5])
    expect(reports.every((shard) => shard === 3)).toBe(true)
    server.refuse.clear()
    server.openShards.delete(0)
    await model.pass(2_000)
    expect(sorted(server)).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('are looked for seldom while all are open, and an interval after one was lost', async () => {
    const { model, server, keeper } = begin(['n1'], { settledMs: 60_000 })
    await model.pass(5_000)
    expect(sorted(server)).toEqual([0, 1, 2, 3, 4, 5])
    server.openShards.delete(2)
    await model.pass(20_000)
    expect(server.isOpen(2)).toBe(false)
    keeper.look()
    // Until it is awake.
    await model.pass(0)
    await model.pass(2_000)
    expect(server.isOpen(2)).toBe(true)
    server.openShards.delete(3)
    await model.pass(65_000)
    expect(server.isOpen(3)).toBe(true)
  })

  it('do not change while the lease is not valid, or while the node is not among those that are alive', async () => {
    const { model, server, state } = begin(['n1', 'n2'])
    await model.pass(2_000)
    state.valid = false
    state.names = ['n2']
    await model.pass(2_000)
    state.valid = true
    await model.pass(2_000)
    expect(sorted(server)).toEqual([0, 2, 4])
  })

  it('that take long to open hold up only as many others as may be opened at once', async () => {
    const { model, server } = begin(['n1'], { hang: [0, 1] })
    await model.pass(3_000)
    expect(sorted(server)).toEqual([2, 3, 4, 5])
    expect(server.calls.filter((call) => call === 'open 0')).toHaveLength(1)
  })

  it('are to come until they are open, as far as the map gives them to it', async () => {
    const { model, server, state, keeper } = begin(['n1', 'n2'], { hang: [2] })
    const toCome = () => [0, 1, 2].filter((shard) => keeper.isToCome(shard))
    await model.pass(2_000)
    expect(toCome()).toEqual([2])
    server.openShards.delete(0)
    expect(toCome()).toEqual([0, 2])
    state.valid = false
    expect(toCome()).toEqual([0, 1, 2])
    await model.settle(keeper.stop())
    expect(toCome()).toEqual([])
  })

  it('are closed at the end', async () => {
    const { model, server, keeper } = begin(['n1'])
    await model.pass(2_000)
    await model.settle(keeper.stop())
    expect(sorted(server)).toEqual([])
    await model.pass(2_000)
    expect(sorted(server)).toEqual([])
  })
})
