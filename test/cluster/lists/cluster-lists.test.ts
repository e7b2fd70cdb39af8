import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesWithText } from '../../../tools/scan/places.ts'
import { query } from '../../directory/directory-rows.ts'
import { eventually } from '../../eventually.ts'
import { idOf, ListsCluster, type ListsNode } from './lists-cluster.ts'

const complete = (cluster: ListsCluster, ...nodes: readonly ListsNode[]) =>
  eventually(() => {
    for (const node of nodes)
      if (!cluster.lists(node).isComplete()) throw new Error(`${node.name} is not complete`)
  })

const running = async (settings: ConstructorParameters<typeof ListsCluster>[0] = {}) => {
  const cluster = new ListsCluster(settings)
  cluster.openAll(...cluster.nodes)
  await complete(cluster, ...cluster.nodes)
  return cluster
}

describe('lists of a cluster', () => {
  it('show on every node what was committed on any before they were asked', async () => {
    const cluster = await running()
    for (let number = 0; number < 20; number++) {
      const id = idOf(number % 4, number)
      cluster.commit(id)
      const asked = cluster.nodes[number % 3] as ListsNode
      expect(await cluster.idsOn(asked)).toContain(id)
    }
    for (const node of cluster.nodes) expect(await cluster.idsOn(node)).toHaveLength(20)
  })

  it('show on every node what waits to be written, and at the next owner what waited where the last one died', async () => {
    const cluster = await running({ firstRowsWait: true })
    const [a, b, c] = cluster.nodes as [ListsNode, ListsNode, ListsNode]
    for (let number = 0; number < 20; number++) {
      cluster.commit(idOf(number % 4, number))
      expect(await cluster.idsOn([a, b, c][number % 3] as ListsNode)).toContain(idOf(number % 4, number))
    }
    const { asked } = a
    cluster.commit(idOf(0, 100))
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(a.asked).toBe(asked)
    await cluster.kill(a)
    a.isLiving = false
    cluster.openAll(b, c)
    for (const node of [b, c]) expect(await cluster.idsOn(node)).toContain(idOf(0, 100))
  })

  it('wait for the changes of their own organisation alone', async () => {
    const cluster = await running({ settings: { gatherMs: 1_000 } })
    const b = cluster.node('b')
    cluster.commit(idOf(0, 1), { tenant: 't1' })
    cluster.commit(idOf(0, 2), { tenant: 't2' })
    expect(await cluster.idsOn(b, 't2')).toEqual([idOf(0, 2)])
    const services: string[] = []
    cluster.network.delayed = async ({ service }) => void services.push(service)
    expect(await cluster.idsOn(b, 't3')).toEqual([])
    // One question and its answer for each other node.
    expect(services.filter((service) => service === 'lists.needs')).toHaveLength(4)
  })

  it('show it while the shard is on its way to another node, and when it has arrived', async () => {
    const cluster = await running()
    const [a, b, c] = cluster.nodes as [ListsNode, ListsNode, ListsNode]
    for (let number = 0; number < 12; number++) {
      const id = idOf(0, number)
      while (!cluster.commit(id)) await new Promise(setImmediate)
      const from = [a, b][number % 2] as ListsNode
      const to = [b, a][number % 2] as ListsNode
      expect(from.opened.has(0)).toBe(true)
      cluster.release(0)
      setTimeout(() => cluster.open(0, to), 15)
      expect(await cluster.idsOn(c)).toContain(id)
    }
  })

  it('show it at a node that becomes the owner while its list waits, and has not read the log yet', async () => {
    const cluster = await running()
    const [a, , c] = cluster.nodes as [ListsNode, ListsNode, ListsNode]
    const [begun, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const answered = Promise.withResolvers<void>()
    cluster.network.delayed = async ({ service, from, to, isAnswer }) => {
      if (to === c.name && (service === 'lists.pull' || service === 'lists.places')) await read.promise
      if (service !== 'lists.needs' || to !== c.name || !isAnswer) return
      if (from === a.name) answered.resolve()
      else await begun.promise
    }
    const id = idOf(0, 1)
    cluster.commit(id)
    const listed = cluster.idsOn(c)
    await answered.promise
    c.answered = read.promise
    cluster.open(0, c)
    await eventually(() => expect(cluster.lists(c).termOf(0)).not.toBeNull())
    begun.resolve()
    setTimeout(read.resolve, 100)
    expect(await listed).toContain(id)
  })

  it('go on from the rows that another node has when the owner is lost, without asking its actors', async () => {
    const cluster = await running()
    const [a, b, c] = cluster.nodes as [ListsNode, ListsNode, ListsNode]
    for (let number = 0; number < 200; number++) cluster.commit(idOf(number % 4, number))
    for (const node of cluster.nodes) expect(await cluster.idsOn(node)).toHaveLength(200)
    await cluster.kill(a)
    a.isLiving = false
    const asked = b.asked + c.asked
    cluster.openAll(b, c)
    cluster.commit(idOf(0, 900))
    for (const node of [b, c]) expect(await cluster.idsOn(node)).toHaveLength(201)
    expect(b.asked + c.asked - asked).toBeLessThan(10)
    cluster.start(a)
    await complete(cluster, a)
    expect(await cluster.idsOn(a)).toHaveLength(201)
  })

  it('fill an empty file from another node, and ask one that is complete for lists until then', async () => {
    const cluster = await running({ settings: { patienceMs: 300 } })
    const [a, b, c] = cluster.nodes as [ListsNode, ListsNode, ListsNode]
    for (let number = 0; number < 1_500; number++) cluster.commit(idOf(number % 4, number))
    for (const node of cluster.nodes)
      await eventually(async () => expect(await cluster.idsOn(node)).toHaveLength(1_500))
    await cluster.kill(c)
    cluster.loseFile(c)
    // The log has forgotten what was in the file that is lost.
    for (let shard = 0; shard < 4; shard++) cluster.kept.set(shard, 300)
    cluster.start(c)
    expect(await cluster.idsOn(c)).toHaveLength(1_500)
    const asked = a.asked + b.asked + c.asked
    cluster.openAll(c)
    await complete(cluster, c)
    expect(await cluster.idsOn(c)).toHaveLength(1_500)
    expect(a.asked + b.asked + c.asked - asked).toBe(0)
  })

  it('are made from the actors when all files are lost', async () => {
    const cluster = await running()
    for (let number = 0; number < 40; number++) cluster.commit(idOf(number % 4, number))
    for (const node of cluster.nodes) await cluster.kill(node)
    for (let shard = 0; shard < 4; shard++) cluster.kept.set(shard, 8)
    for (const node of cluster.nodes) {
      cluster.loseFile(node)
      cluster.start(node)
    }
    cluster.openAll(...cluster.nodes)
    await complete(cluster, ...cluster.nodes)
    for (const node of cluster.nodes) expect(await cluster.idsOn(node)).toHaveLength(40)
  })

  it('answer nothing while the lease of their node is not confirmed', async () => {
    const cluster = await running()
    const a = cluster.node('a')
    a.hasLease = false
    await expect(cluster.idsOn(a)).rejects.toThrow('lease')
    // With the lease the shards are lost; they are opened again under a new one.
    for (const shard of a.opened.keys()) cluster.open(shard, cluster.node('b'))
    await eventually(() => expect(cluster.lists(a).isComplete()).toBe(false))
    await new Promise((resolve) => setTimeout(resolve, 100))
    a.hasLease = true
    await complete(cluster, a)
    expect(await cluster.idsOn(a)).toEqual([])
  })

  it('are complete again when a renewal of the lease was late and no shard was lost', async () => {
    const cluster = await running()
    for (let number = 0; number < 8; number++) cluster.commit(idOf(number % 4, number))
    for (const node of cluster.nodes) node.hasLease = false
    await eventually(() =>
      expect(cluster.nodes.map((node) => cluster.lists(node).isComplete())).not.toContain(true),
    )
    await new Promise((resolve) => setTimeout(resolve, 300))
    for (const node of cluster.nodes) node.hasLease = true
    await complete(cluster, ...cluster.nodes)
    for (const node of cluster.nodes) expect(await cluster.idsOn(node)).toHaveLength(8)
  })

  it('have an erased text in no file of a living node when the erasure is answered', async () => {
    const cluster = await running({ settings: { strictMs: 60_000 } })
    const [a, b, c] = cluster.nodes as [ListsNode, ListsNode, ListsNode]
    const id = idOf(0, 1)
    cluster.commit(id, { searchText: 'canary of somebody' })
    for (const node of cluster.nodes) expect(await cluster.idsOn(node)).toEqual([id])
    const folder = dirname(a.file)
    expect(filesWithText(folder, 'canary of somebody').length).toBeGreaterThanOrEqual(3)
    cluster.commit(id, { searchText: '' })
    await cluster.lists(b).clearedOf(id)
    expect(filesWithText(folder, 'canary of somebody')).toEqual([])
    // A node that does not answer is waited for until its lease is over.
    for (const from of ['a', 'b']) cluster.network.cut(from, 'c')
    let isCleared = false
    cluster.commit(id, { state: 'abandoned' })
    const clearing = cluster
      .lists(a)
      .clearedOf(id)
      .then(() => (isCleared = true))
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(isCleared).toBe(false)
    c.isLiving = false
    await clearing
  })

  it('take rows out on every node, whoever owns their shards', async () => {
    const cluster = await running({ settings: { strictMs: 60_000 } })
    const b = cluster.node('b')
    for (let number = 0; number < 8; number++) cluster.commit(idOf(number % 4, number))
    await cluster.lists(b).caughtUp()
    const page = await b.lists?.directory.recordsOf({
      tenant: 't1',
      kind: 'credential',
      isOfOperators: false,
      after: null,
      limit: 5,
    })
    await cluster.lists(b).unlist((page ?? []).map(({ row }) => row))
    await cluster.lists(b).caughtUp()
    for (const node of cluster.nodes) {
      await cluster.lists(node).caughtUp()
      expect((await cluster.lists(node).list(query())).total).toBe(3)
    }
  })

  it('let the log forget only what the files of all living nodes have', async () => {
    const cluster = await running({ settings: { patienceMs: 300 } })
    const c = cluster.node('c')
    for (const from of ['a', 'b']) {
      cluster.network.cut(from, 'c')
      cluster.network.cut('c', from)
    }
    for (let number = 0; number < 600; number++) cluster.commit(idOf(0, number % 50))
    await eventually(async () => expect(await cluster.idsOn(cluster.node('b'))).toHaveLength(50))
    expect(cluster.saved.get(0)?.no ?? 0).toBeLessThan(300)
    c.isLiving = false
    for (let number = 0; number < 600; number++) cluster.commit(idOf(0, number % 50))
    await eventually(() => {
      cluster.commit(idOf(0, 1))
      expect(cluster.saved.get(0)?.no ?? 0).toBeGreaterThan(300)
    })
  })
})
