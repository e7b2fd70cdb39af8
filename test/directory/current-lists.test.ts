import { describe, expect, it } from 'vitest'
import { createRuntime } from '../../src/host/runtime.ts'
import { currentLists } from '../../src/directory/current-lists.ts'
import { query, row } from './directory-rows.ts'

const listsOver = (caughtUp: () => Promise<void>) => {
  const order: string[] = []
  const directory = {
    hurried: async <Result>(work: () => Promise<Result>): Promise<Result> => {
      order.push('hurried')
      return work().finally(() => order.push('calm'))
    },
    list: async () => {
      order.push('list')
      return { rows: [row('a')], total: 1 }
    },
    overview: async () => {
      order.push('overview')
      return []
    },
    due: async () => {
      order.push('due')
      return []
    },
  }
  const projector = { caughtUp: () => caughtUp().then(() => void order.push('caught up')) }
  return { order, lists: currentLists({ directory, projector, runtime: createRuntime() }) }
}

describe('a list', () => {
  it('waits for the rows of what was committed before it, in a hurry', async () => {
    const { order, lists } = listsOver(() => new Promise(setImmediate))
    expect(await lists.list(query())).toEqual({ rows: [row('a')], total: 1 })
    expect(order).toEqual(['hurried', 'caught up', 'list', 'calm'])
  })

  it('waits in the same way where it is asked for numbers', async () => {
    const { order, lists } = listsOver(() => new Promise(setImmediate))
    await lists.overview({ tenant: 't1', lists: [], fromHour: 0, toHour: 1, hoursEach: 1 })
    await lists.due({ tenant: 't1', beforeMs: 1 })
    const each = (name: string) => ['hurried', 'caught up', name, 'calm']
    expect(order).toEqual([...each('overview'), ...each('due')])
  })

  it('does not wait for ever for what cannot be projected', async () => {
    const { order, lists } = listsOver(() => new Promise(() => {}))
    expect((await lists.list(query())).total).toBe(1)
    expect(order).toEqual(['hurried', 'list', 'calm'])
  })
})
