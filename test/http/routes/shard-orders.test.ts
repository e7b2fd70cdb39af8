import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Caller } from '../../../src/http/callers/caller.ts'
import type { MovePlan } from '../../../src/ports/shard-orders.ts'
import { apiOnMemory, freshOperator } from '../../compose/api-on-memory.ts'
import { consolePeople } from '../../compose/console-people.ts'
import { furnished } from '../../compose/service-on-memory.ts'

type Json = Readonly<Record<string, unknown>>

const MOVES = '/v1/operator/shard-moves'

const api = await apiOnMemory()
const { cluster } = api
afterAll(() => api.close())
beforeEach(() => cluster.reset())

const order = (path: string, body?: object, as: string | Caller = freshOperator) =>
  api.send('POST', `/v1/operator/${path}`, { as, ...(body !== undefined && { body }) })
const planOf = async (query = '') =>
  (await api.send('GET', `${MOVES}/plan${query}`, { as: freshOperator })).json as MovePlan & Json
const lines = async (action: string): Promise<readonly Json[]> => {
  const { json } = await api.send('GET', `/v1/operator/audit-log?action=${action}`, { as: freshOperator })
  return json['items'] as readonly Json[]
}

describe('a plan', () => {
  it('is shown, changes nothing, and is carried out exactly as it was shown', async () => {
    const before = cluster.now()
    const plan = await planOf()
    expect(cluster.now()).toBe(before)
    expect(plan).toMatchObject({ expectedPauseMs: 1_000, pauseIsMeasured: false })
    expect(plan.moves.length).toBeGreaterThan(100)
    expect(
      plan.moves.every(({ from, to, reason }) => `${from}>${to} ${reason}` === 'node-1>node-2 balance'),
    ).toBe(true)
    expect(plan.nodes[0]).toMatchObject({ node: 'node-1', before: 2 })
    expect(plan.nodes[0]?.after).toBeLessThan(1.1)
    const { status, json } = await order('shard-moves', { moves: plan.moves })
    expect([status, json['moving']]).toEqual([200, []])
    expect(json['toCome']).toHaveLength(plan.moves.length)
    const rounds = Math.ceil(plan.moves.length / 24) + 1
    for (let round = 0; round < rounds; round++) cluster.step()
    const after = await api.send('GET', MOVES, { as: freshOperator })
    expect(after.json).toMatchObject({ moving: [], toCome: [] })
    expect(cluster.now().places.filter(({ owner }) => owner === 'node-2')).toHaveLength(plan.moves.length)
    expect(await lines('applyShardPlan')).toMatchObject([
      { outcome: 'done', targetId: `${plan.moves.length} shards`, initiatorId: 'acc_00operator' },
    ])
  })

  it('is refused as a whole when the map has changed in what it is about, and holds otherwise', async () => {
    const { moves } = await planOf()
    const [first] = moves
    await order(`shards/${String(first?.shard)}/pin`)
    const pinned = cluster.now()
    expect((await order('shard-moves', { moves })).json).toEqual({
      error: 'move_not_possible',
      reason: `Shard ${String(first?.shard)} is pinned.`,
    })
    expect(
      (await order('shard-moves', { moves: [{ ...moves[1], from: 'node-2', to: 'node-1' }] })).status,
    ).toBe(200)
    expect(await order('shard-moves', { moves: [{ ...moves[1], from: 'node-7' }] })).toMatchObject({
      status: 409,
      json: { error: 'plan_outdated' },
    })
    expect(cluster.now()).toBe(pinned)
    expect((await order('shard-moves', { moves: moves.slice(1) })).status).toBe(200)
  })

  it('names the pause that this node has measured, where it has', async () => {
    cluster.given.pauseMs = 312.4
    expect(await planOf()).toMatchObject({ expectedPauseMs: 313, pauseIsMeasured: true })
  })

  it('of a drained node says where its shards would go', async () => {
    await order('shards/5/pin')
    const plan = await planOf('?drain=node-1')
    expect(plan.moves).toHaveLength(255)
    expect(plan.moves[0]).toMatchObject({ from: 'node-1', to: 'node-2', reason: 'drained' })
    expect(plan.moves.some(({ shard }) => shard === 5)).toBe(false)
    expect(cluster.now().members).toContainEqual({ node: 'node-1', state: 'taking' })
  })
})

describe('an order', () => {
  it('moves one shard, which can be stopped and then stays', async () => {
    expect((await order('shards/47/move', { to: 'node-2' })).json).toMatchObject({
      number: 47,
      owner: 'node-1',
      desired: 'node-2',
      moving: true,
    })
    expect((await api.send('GET', MOVES, { as: freshOperator })).json['moving']).toEqual([
      { shard: 47, from: 'node-1', to: 'node-2' },
    ])
    expect((await order('shard-moves/stop')).json).toMatchObject({ moving: [], toCome: [] })
    expect((await order('shards/47/pin')).json).toMatchObject({ pinned: true, moving: false })
    expect((await order('shards/47/move', { to: 'node-2' })).json['error']).toBe('move_not_possible')
    expect((await order('shards/47/unpin')).json).toMatchObject({ pinned: false })
    const [moved] = (await lines('moveShard')).toReversed()
    expect(moved).toMatchObject({ outcome: 'done', targetId: 'shard 47 to node-2', organisation: null })
    const [refused] = await lines('moveShard')
    expect(refused).toMatchObject({ outcome: 'refused', targetId: null })
    expect(await lines('pinShard')).toContainEqual(expect.objectContaining({ targetId: 'shard 47' }))
    expect(await lines('stopShardMoves')).toMatchObject([{ outcome: 'done', targetId: null }])
  })

  it('drains a node until it may take part again', async () => {
    expect((await order('nodes/node-1/drain')).json).toMatchObject({
      id: 'node-1',
      part: 'drained',
      shards: 256,
    })
    const { json } = await api.send('GET', MOVES, { as: freshOperator })
    expect(json['toCome']).toHaveLength(256)
    cluster.step()
    cluster.step()
    expect((await api.send('GET', MOVES, { as: freshOperator })).json).toMatchObject({
      moving: [],
      toCome: [],
    })
    expect((await order('nodes/node-1/take-part')).json).toMatchObject({ part: 'taking', shards: 0 })
    expect(await lines('drainNode')).toMatchObject([{ outcome: 'done', targetId: 'node-1' }])
    expect(await order('nodes/node-2/drain')).toMatchObject({ status: 200 })
    expect(await order('nodes/node-1/drain')).toMatchObject({
      status: 409,
      json: { error: 'move_not_possible' },
    })
  })

  it('freezes the map, under which nothing is planned, and lets it move again', async () => {
    expect((await order('shard-moves/freeze')).json).toMatchObject({ frozen: true })
    expect((await planOf()).moves).toEqual([])
    expect((await order('shard-moves/rebalance')).json['error']).toBe('move_not_possible')
    expect((await order('shard-moves/unfreeze')).json).toMatchObject({ frozen: false })
    const { json } = await order('shard-moves/rebalance')
    expect((json['toCome'] as unknown[]).length).toBeGreaterThan(100)
  })

  it('under a key is given once, and its answer comes again', async () => {
    const headers = { 'idempotency-key': 'move 47' }
    const sent = { as: freshOperator, body: { to: 'node-2' }, headers }
    const first = await api.send('POST', '/v1/operator/shards/47/move', sent)
    cluster.reset()
    const again = await api.send('POST', '/v1/operator/shards/47/move', sent)
    expect([again.status, again.json]).toEqual([200, first.json])
    expect(cluster.now().places[47]?.desired).toBe('node-1')
  })

  it('that does not fit names the field, and changes nothing', async () => {
    const before = cluster.now()
    for (const [path, body, named] of [
      ['shards/47/move', { to: '' }, 'to'],
      ['shards/47/move', {}, 'to'],
      ['shards/47/move', { to: 'node-2', now: true }, 'now'],
      ['shard-moves', { moves: [] }, 'moves'],
      ['shard-moves', { moves: [{ shard: 256, from: 'node-1', to: 'node-2' }] }, 'shard'],
      ['shard-moves', { moves: [{ shard: 1.5, from: 'node-1', to: 'node-2' }] }, 'shard'],
      ['shard-moves', { moves: [{ shard: 1, to: 'node-2' }] }, 'from'],
      ['shard-moves', { moves: [1, 1].map((shard) => ({ shard, from: 'node-1', to: 'node-2' })) }, 'moves'],
    ] as const) {
      const { status, json } = await order(path, body)
      expect([path, status, json['error']]).toEqual([path, 400, 'invalid_request'])
      expect(json['reason']).toContain(named)
    }
    for (const id of ['256', '047', '-1', 'x', '1.5', '%20'])
      expect(await order(`shards/${id}/pin`)).toMatchObject({ status: 404, json: { error: 'not_found' } })
    expect(cluster.now()).toBe(before)
  })

  it('is answered 409 where one process has everything to itself, and reads go on', async () => {
    cluster.given.isAlone = true
    for (const path of ['shard-moves/freeze', 'shards/1/pin', 'nodes/node-1/drain'])
      expect(await order(path)).toMatchObject({ status: 409, json: { error: 'no_cluster' } })
    expect((await api.send('GET', '/v1/operator/nodes', { as: freshOperator })).status).toBe(200)
    expect((await api.send('GET', MOVES, { as: freshOperator })).status).toBe(200)
  })
})

describe('who may give orders', () => {
  it('is an operator who has shown a second factor just now, and nobody else', async () => {
    const { tenant } = await furnished(api.service)
    const key = await api.keyOf(tenant)
    const { headers } = await consolePeople(api).enrol(tenant, 'ann@example.org')
    const before = cluster.now()
    const stale: Caller = { kind: 'operator', operatorId: 'acc_00operator' }
    const paths = ['shard-moves/freeze', 'shard-moves/rebalance', 'shards/1/pin', 'nodes/node-2/drain']
    for (const path of paths) {
      expect((await order(path, undefined, stale)).json['error']).toBe('step_up_required')
      expect((await order(path, undefined, key)).status).toBe(403)
      expect((await order(path, undefined, '')).status).toBe(401)
      expect((await api.send('POST', `/v1/operator/${path}`, { headers })).status).toBe(403)
    }
    for (const path of [MOVES, `${MOVES}/plan`]) {
      expect((await api.send('GET', path, { as: stale })).status).toBe(200)
      expect((await api.send('GET', path, { as: key })).status).toBe(403)
    }
    expect(cluster.now()).toBe(before)
  })
})
