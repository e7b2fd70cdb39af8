import { describe, expect, it } from 'vitest'
import { eventually } from '../../eventually.ts'
import { idOf, ListsCluster, type ListsNode } from './lists-cluster.ts'

const complete = (cluster: ListsCluster, ...nodes: readonly ListsNode[]) =>
  eventually(() => {
    for (const node of nodes)
      if (!cluster.lists(node).isComplete()) throw new Error(`${node.name} is not complete`)
  })

/** The third node is away while records change and one goes, and the log forgets what it has not read. */
const withOldFile = async () => {
  const cluster = new ListsCluster({ settings: { patienceMs: 100, peerMs: 150 } })
  const [a, b, c] = cluster.nodes as [ListsNode, ListsNode, ListsNode]
  cluster.openAll(a, b, c)
  await complete(cluster, a, b, c)
  for (let number = 0; number < 40; number++) cluster.commit(idOf(number % 4, number), { updatedAtMs: 1 })
  for (const node of cluster.nodes)
    await eventually(async () => expect(await cluster.idsOn(node)).toHaveLength(40))
  await cluster.kill(c)
  c.isLiving = false
  cluster.openAll(a, b)
  for (let number = 0; number < 40; number++) cluster.commit(idOf(number % 4, number), { updatedAtMs: 2 })
  for (const node of [a, b])
    await eventually(async () => expect(await cluster.shownBy(node)).toEqual(cluster.shouldBeShown()))
  const rows = await a.lists?.directory.recordsOf({
    tenant: 't1',
    kind: 'credential',
    isOfOperators: false,
    after: null,
    limit: 10,
  })
  for (const { id } of rows ?? []) cluster.truth.delete(id)
  await cluster.lists(a).unlist((rows ?? []).map(({ row }) => row))
  for (const node of [a, b])
    await eventually(async () => expect(await cluster.shownBy(node)).toEqual(cluster.shouldBeShown()))
  for (let shard = 0; shard < 4; shard++) cluster.kept.set(shard, 12)
  return { cluster, a, b, c }
}

describe('a file that is hours old', () => {
  it('is no truth while nodes that live have not said what they have', async () => {
    const { cluster, a, b, c } = await withOldFile()
    cluster.cutOff(c)
    cluster.start(c)
    cluster.openAll(a, b, c)
    // Longer than the limits of what it asks them.
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(cluster.lists(c).isComplete()).toBe(false)
    await expect(cluster.idsOn(c)).rejects.toThrow('no node has complete lists')
    cluster.cutOff(c, false)
    await complete(cluster, a, b, c)
    expect(cluster.shouldBeShown()).toHaveLength(30)
    for (const node of cluster.nodes)
      await eventually(async () => expect(await cluster.shownBy(node)).toEqual(cluster.shouldBeShown()))
  })

  it('has its lists made by a node whose file is whole', async () => {
    const { cluster, b, c } = await withOldFile()
    for (const [from, to] of [
      ['a', 'c'],
      ['c', 'a'],
    ] as const)
      cluster.network.cut(from, to)
    cluster.start(c)
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(cluster.lists(c).isComplete()).toBe(false)
    cluster.node('a').isLiving = false
    cluster.openAll(b)
    await eventually(async () => expect(await cluster.shownBy(c)).toEqual(cluster.shouldBeShown()))
  })

  it('begins when the leases of the others are over, and shows nothing before it has read on', async () => {
    const { cluster, a, b, c } = await withOldFile()
    cluster.cutOff(c)
    cluster.start(c)
    cluster.openAll(c)
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(cluster.lists(c).isComplete()).toBe(false)
    const read = Promise.withResolvers<void>()
    c.answered = read.promise
    for (const node of [a, b]) node.isLiving = false
    await eventually(() => expect(cluster.lists(c).termOf(0)).not.toBeNull())
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(cluster.lists(c).isComplete()).toBe(false)
    read.resolve()
    await complete(cluster, c)
    const shown = await cluster.shownBy(c)
    expect(shown).toEqual(expect.arrayContaining([...cluster.shouldBeShown()]))
  })

  it('holds nobody up who has followed, for longer than a moment', async () => {
    const cluster = new ListsCluster({ settings: { peerMs: 150 } })
    const [a, b, c] = cluster.nodes as [ListsNode, ListsNode, ListsNode]
    cluster.openAll(a, b, c)
    await complete(cluster, a, b, c)
    cluster.commit(idOf(0, 1))
    await cluster.lists(b).caughtUp()
    for (const other of ['a', 'c']) cluster.network.cut(other, 'b')
    const startedMs = performance.now()
    cluster.open(0, b)
    await eventually(() => expect(cluster.lists(b).termOf(0)).not.toBeNull())
    expect(performance.now() - startedMs).toBeLessThan(1_000)
  })
})
