import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Caller } from '../../../src/http/callers/caller.ts'
import { apiOnMemory, freshOperator } from '../../compose/api-on-memory.ts'

const as: Caller = { kind: 'operator', operatorId: 'acc_00operator' }

const api = await apiOnMemory()
afterAll(() => api.close())
beforeEach(() => api.cluster.reset())

describe('nodes and shards, to operators', () => {
  it('are nodes with their leases, their part in the map and what they carry', async () => {
    const { json } = await api.send('GET', '/v1/operator/nodes', { as })
    expect(json).toMatchObject({
      total: 3,
      items: [
        {
          id: 'node-1',
          address: 'node-1:9000',
          status: 'alive',
          current: true,
          part: 'taking',
          shards: 256,
          load: 2,
          link: null,
          reaches: ['node-2'],
        },
        {
          id: 'node-2',
          status: 'alive',
          current: false,
          part: 'taking',
          shards: 0,
          shardsToCome: 0,
          load: 0,
          link: { state: 'connected', since: '2026-11-23T12:00:00.000Z' },
          reaches: null,
        },
        { id: 'node-3', status: 'dead', part: null, shards: 0, load: null, link: null, reaches: null },
      ],
    })
    expect((await api.send('GET', '/v1/operator/nodes?q=NODE-2', { as })).json['total']).toBe(1)
  })

  it('are shards in pages, by number', async () => {
    const first = await api.send('GET', '/v1/operator/shards?pageSize=100', { as })
    expect(first.json).toMatchObject({ total: 256, page: 1 })
    const items = first.json['items'] as readonly object[]
    expect(items).toHaveLength(100)
    const still = { owner: 'node-1', desired: 'node-1', moving: false, pinned: false, servedHere: true }
    expect(items[99]).toEqual({ ...still, number: 99, load: null, eventsBehind: 0, listsBehind: 0 })
    expect(items[47]).toMatchObject({ load: { eventsPerSecond: 2.5, bytesPerSecond: 1_000, residents: 30 } })
    const last = await api.send('GET', '/v1/operator/shards?pageSize=100&page=3', { as })
    expect(last.json['items']).toHaveLength(56)
    expect((await api.send('GET', '/v1/operator/shards?q=node-2', { as })).json['total']).toBe(0)
    await api.send('POST', '/v1/operator/shards/47/move', { as: freshOperator, body: { to: 'node-2' } })
    const moving = await api.send('GET', '/v1/operator/shards?q=node-2', { as })
    expect(moving.json['items']).toMatchObject([
      { number: 47, owner: 'node-1', desired: 'node-2', moving: true },
    ])
  })
})
