import { expect, it } from 'vitest'
import { ListsCluster } from './lists-cluster.ts'

it('lists that stop keep no other node waiting for changes, neither now nor when it asks again', async () => {
  const cluster = new ListsCluster({ settings: { holdMs: 20_000 } })
  const [a] = cluster.nodes
  if (a === undefined) throw new Error('there are three nodes')
  cluster.openAll(...cluster.nodes)
  const body = Buffer.from(JSON.stringify({ revs: Array.from({ length: cluster.shards }, () => -1) }))
  const link = cluster.network.link('another')
  const pull = () => link.request('a', 'lists.pull', body, { timeoutMs: 20_000 })
  const held = pull()
  await new Promise((resolve) => setTimeout(resolve, 50))
  const startedMs = performance.now()
  await cluster.lists(a)[Symbol.asyncDispose]()
  await held
  await expect(pull()).rejects.toThrow('stopping')
  expect(performance.now() - startedMs).toBeLessThan(10_000)
})
