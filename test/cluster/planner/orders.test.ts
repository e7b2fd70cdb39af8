import { describe, expect, it } from 'vitest'
import { shardOrders } from '../../../src/cluster/planner/orders.ts'
import type { NodeLease } from '../../../src/ports/lease.ts'
import type { ChangeableMap, KeptShardMap } from '../../../src/ports/shard-map.ts'
import { mapAmong, withMembers } from './parts.ts'

const lease = (node: string, state: NodeLease['state'] = 'alive'): NodeLease => ({
  node,
  incarnation: 'i',
  counter: 1,
  address: '',
  linkAddress: '',
  state,
})

const begin = (first: KeptShardMap = mapAmong(['a', 'b'], 8)) => {
  let now = first
  const map: ChangeableMap = {
    current: () => now,
    refreshed: () => Promise.resolve(now),
    ownerOf: () => null,
    onChange: () => () => undefined,
    change: (decide) => {
      for (let next = decide(now); next !== null; next = decide(now))
        now = { ...next, version: now.version + 1 }
      return Promise.resolve(now)
    },
  }
  const leases = () => Promise.resolve([lease('a'), lease('b'), lease('c'), lease('d', 'dead')])
  const orders = shardOrders({ map, leases, loads: { read: () => Promise.resolve([]) } })
  return { orders, now: () => now, set: (next: KeptShardMap) => void (now = next) }
}

describe('operators', () => {
  it('move a shard to a living node that takes part, unless it is pinned or everything is frozen', async () => {
    const { orders, now } = begin()
    await orders.move(2, 'b')
    expect(now().places[2]).toMatchObject({ owner: 'a', desired: 'b' })
    expect(await orders.progress()).toEqual({ version: 8, moving: [2], toCome: 0 })
    expect(await orders.move(4, 'd')).toMatchObject({ refused: 'not_found' })
    expect(await orders.move(4, 'c')).toMatchObject({ refused: 'move_not_possible' })
    expect(await orders.move(8, 'b')).toMatchObject({ refused: 'not_found' })
    await orders.pin(4)
    expect(await orders.move(4, 'b')).toMatchObject({ refused: 'move_not_possible' })
    await orders.unpin(4)
    await orders.freeze()
    expect(await orders.move(4, 'b')).toMatchObject({ refused: 'move_not_possible' })
    await orders.unfreeze()
    expect(await orders.move(4, 'b')).toMatchObject({ version: 13 })
  })

  it('see a plan with what each node carries, and apply it as they saw it or not at all', async () => {
    const { orders, now, set } = begin(
      withMembers(mapAmong(['a', 'b'], 8), { a: 'taking', b: 'taking', c: 'taking' }),
    )
    const plan = await orders.plan()
    expect(plan.moves.map(({ to, reason }) => [to, reason])).toEqual([
      ['c', 'balance'],
      ['c', 'balance'],
    ])
    expect(plan.nodes.map(({ node, before, after }) => [node, before.toFixed(2), after.toFixed(2)])).toEqual([
      ['a', '1.50', '1.13'],
      ['b', '1.50', '1.13'],
      ['c', '0.00', '0.75'],
    ])
    await orders.apply(plan.moves)
    expect(now().planned).toEqual(plan.moves.map(({ shard, to }) => ({ shard, to })))
    await orders.stop()
    expect(now().planned).toEqual([])
    const [first] = plan.moves
    const elsewhere = now().places.map((place, shard) =>
      shard === first?.shard ? { ...place, desired: 'x' } : place,
    )
    set({ ...now(), places: elsewhere })
    expect(await orders.apply(plan.moves)).toMatchObject({ refused: 'plan_outdated' })
    expect(now().planned).toEqual([])
  })

  it('may give shards to a node that is not let in yet, and let it in', async () => {
    const map = withMembers(mapAmong(['a', 'b'], 8), { a: 'taking' })
    const members = [...map.members, { node: 'b', state: 'taking', life: 'x', isNew: true } as const]
    const { orders, now } = begin({ ...map, members })
    expect(await orders.move(0, 'b')).toMatchObject({ version: 8 })
    await orders.takePart('b')
    expect(now().members).toContainEqual({ node: 'b', state: 'taking' })
  })

  it('take back what has not been let go', async () => {
    const { orders, now } = begin()
    await orders.move(0, 'b')
    await orders.move(2, 'b')
    await orders.pin(2)
    await orders.stop()
    expect(now().places.slice(0, 3)).toMatchObject([{ desired: 'a' }, { desired: 'b' }, { desired: 'b' }])
  })

  it('keep a node empty until it may take part again, and never the last one', async () => {
    const { orders, now } = begin()
    const forecast = await orders.planDrain('a')
    expect(forecast).toMatchObject({
      version: 7,
      nodes: [{ node: 'a', before: 1, after: 0 }, { before: 1, after: 2 }, {}],
    })
    expect('moves' in forecast && forecast.moves.map(({ shard, reason }) => [shard, reason])).toEqual(
      [0, 2, 4, 6].map((shard) => [shard, 'drained']),
    )
    expect(now().version).toBe(7)
    await orders.drain('a')
    await orders.drain('a')
    expect(await orders.planDrain('b')).toMatchObject({ refused: 'move_not_possible' })
    expect(await orders.planDrain('a')).toMatchObject({ moves: { length: 4 } })
    expect(now().members).toEqual([
      { node: 'a', state: 'drained' },
      { node: 'b', state: 'taking' },
    ])
    expect(await orders.drain('b')).toMatchObject({ refused: 'move_not_possible' })
    expect(await orders.drain('nobody')).toMatchObject({ refused: 'not_found' })
    await orders.takePart('a')
    expect(now().members[0]?.state).toBe('taking')
    const { orders: late } = begin(withMembers(mapAmong(['a', 'b'], 8), { a: 'leaving', b: 'taking' }))
    expect(await late.takePart('a')).toMatchObject({ refused: 'move_not_possible' })
    expect(await late.drain('a')).toMatchObject({
      members: [
        { node: 'a', state: 'leaving', staysDrained: true },
        { node: 'b', state: 'taking' },
      ],
    })
  })
})
