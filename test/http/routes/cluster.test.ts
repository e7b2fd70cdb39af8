import { afterAll, describe, expect, it } from 'vitest'
import type { Caller } from '../../../src/http/callers/caller.ts'
import { apiOnMemory } from '../../compose/api-on-memory.ts'

const as: Caller = { kind: 'operator', operatorId: 'acc_00operator' }

const api = await apiOnMemory()
afterAll(() => api.close())

describe('nodes and shards, to operators', () => {
  it('are nodes with their leases', async () => {
    const { json } = await api.send('GET', '/v1/operator/nodes', { as })
    expect(json).toMatchObject({
      total: 2,
      items: [
        { id: 'node-1', address: 'node-1:9000', status: 'alive', current: true, shards: 256 },
        { id: 'node-2', status: 'dead', current: false, shards: 0 },
      ],
    })
    expect((await api.send('GET', '/v1/operator/nodes?q=NODE-2', { as })).json['total']).toBe(1)
  })

  it('are shards in pages, by number', async () => {
    const first = await api.send('GET', '/v1/operator/shards?pageSize=100', { as })
    expect(first.json).toMatchObject({ total: 256, page: 1 })
    const items = first.json['items'] as readonly object[]
    expect(items).toHaveLength(100)
    expect(items[99]).toEqual({
      number: 99,
      node: 'node-1',
      servedHere: true,
      eventsBehind: 0,
      listsBehind: 0,
    })
    const last = await api.send('GET', '/v1/operator/shards?pageSize=100&page=3', { as })
    expect(last.json['items']).toHaveLength(56)
    expect((await api.send('GET', '/v1/operator/shards?q=node-2', { as })).json['total']).toBe(0)
  })
})
