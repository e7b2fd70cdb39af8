import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesWithText } from '../../../tools/scan/places.ts'
import { query } from '../../directory/directory-rows.ts'
import { eventually } from '../../eventually.ts'
import { idOf, ListsCluster, type ListsNode } from './lists-cluster.ts'

const CANARY = 'canary of somebody'
const isToldOf = (body: Uint8Array): boolean => Buffer.from(body).includes(CANARY)

const running = async (settings: ConstructorParameters<typeof ListsCluster>[0] = {}) => {
  const cluster = new ListsCluster(settings)
  cluster.openAll(...cluster.nodes)
  await complete(cluster)
  const [a, b, c] = cluster.nodes as [ListsNode, ListsNode, ListsNode]
  return { cluster, a, b, c, folder: dirname(a.file) }
}

const complete = (cluster: ListsCluster) =>
  eventually(() => {
    for (const node of cluster.nodes)
      if (!cluster.lists(node).isComplete()) throw new Error(`${node.name} is not complete`)
  })

const shownEverywhere = async (cluster: ListsCluster): Promise<void> => {
  for (const node of cluster.nodes)
    await eventually(async () => expect(await cluster.shownBy(node)).toEqual(cluster.shouldBeShown()))
}

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('an erasure', () => {
  it('does not wait for a node that fills its file, whose rows were read before', async () => {
    const { cluster, a, c, folder } = await running({ settings: { patienceMs: 300, strictMs: 3_000 } })
    const id = idOf(0, 1)
    cluster.commit(id, { searchText: CANARY })
    for (let number = 0; number < 1_500; number++) cluster.commit(idOf(number % 4, 100 + number))
    await shownEverywhere(cluster)
    await cluster.kill(c)
    cluster.loseFile(c)
    cluster.openAll(a, cluster.node('b'))
    const mended = Promise.withResolvers<void>()
    let underWay = 0
    cluster.network.delayed = async ({ to, isAnswer, body }) => {
      if (to !== 'c' || !isAnswer || !isToldOf(body)) return
      underWay += 1
      await mended.promise
    }
    cluster.start(c)
    await eventually(() => expect(underWay).toBeGreaterThan(0))
    cluster.commit(id, { searchText: '' })
    await cluster.lists(a).clearedOf(id)
    expect(cluster.lists(c).isComplete()).toBe(false)
    expect(filesWithText(folder, CANARY)).toEqual([])
    mended.resolve()
    await complete(cluster)
    await shownEverywhere(cluster)
    expect(filesWithText(folder, CANARY)).toEqual([])
  })

  it('reaches a record of a node that is behind and has it in its lists', async () => {
    const { cluster, a, b, c, folder } = await running({ settings: { patienceMs: 100, strictMs: 3_000 } })
    const id = idOf(0, 1)
    cluster.commit(id, { searchText: CANARY })
    await shownEverywhere(cluster)
    cluster.network.delayed = async ({ service, to }) => {
      if (service === 'lists.pull' && to === 'c') await new Promise(() => undefined)
    }
    cluster.commit(id, { searchText: '', state: 'abandoned' })
    await cluster.lists(b).clearedOf(id)
    expect(filesWithText(folder, CANARY)).toEqual([])
    expect(await c.lists?.directory.list(query({ q: 'canary' }))).toMatchObject({ total: 0 })
    expect(await a.lists?.directory.list(query())).toMatchObject({ total: 1 })
  })

  it('waits until a shard that moves has its next owner', async () => {
    const { cluster, a, c, folder } = await running({ settings: { strictMs: 3_000 } })
    const id = idOf(0, 1)
    cluster.commit(id, { searchText: CANARY })
    await shownEverywhere(cluster)
    cluster.commit(id, { searchText: '' })
    cluster.release(0)
    const clearing = cluster.lists(a).clearedOf(id)
    const reaching = cluster.lists(a).caughtUpWith(id)
    await later(150)
    cluster.open(0, c)
    await Promise.all([clearing, reaching])
    expect(filesWithText(folder, CANARY)).toEqual([])
  })

  it('is not confirmed by a file of a later owner that has not read it yet', async () => {
    const { cluster, a, b, c, folder } = await running({ settings: { strictMs: 5_000, patienceMs: 100 } })
    const id = idOf(0, 1)
    cluster.commit(id, { searchText: CANARY })
    await shownEverywhere(cluster)
    const [asked, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const read = Promise.withResolvers<void>()
    cluster.network.delayed = async ({ service, from, to, isAnswer }) => {
      const isOfThis = service === 'lists.cleared' && to === 'b' && !isAnswer
      if (isOfThis) asked.resolve()
      if (isOfThis) await begun.promise
      // The first owner tells nobody what it has.
      if (from === 'a' && (service === 'lists.pull' || service === 'lists.fill')) await read.promise
      if (from === 'a' && service === 'lists.places') await read.promise
    }
    cluster.commit(id, { searchText: '' })
    const clearing = cluster.lists(c).clearedOf(id)
    await asked.promise
    b.answered = read.promise
    cluster.open(0, b)
    await eventually(() => expect(cluster.lists(b).termOf(0)).not.toBeNull())
    begun.resolve()
    await clearing
    expect(a.opened.has(0)).toBe(false)
    expect(filesWithText(folder, CANARY)).toEqual([])
    read.resolve()
    await shownEverywhere(cluster)
  })

  it('outlives rows that an owner has read before it lost the shard and got it back', async () => {
    const { cluster, a, b, folder } = await running({ settings: { strictMs: 5_000 } })
    const id = idOf(0, 1)
    cluster.commit(id)
    await shownEverywhere(cluster)
    const read = Promise.withResolvers<void>()
    a.answered = read.promise
    cluster.commit(id, { searchText: CANARY })
    await later(50)
    cluster.open(0, b)
    cluster.commit(id, { searchText: '' })
    await cluster.lists(b).clearedOf(id)
    a.answered = Promise.resolve()
    cluster.open(0, a)
    await eventually(() => expect(cluster.lists(a).termOf(0)).not.toBeNull())
    const seen: string[] = []
    const looking = setInterval(() => seen.push(...filesWithText(folder, CANARY)), 1)
    read.resolve()
    await shownEverywhere(cluster)
    await later(200)
    clearInterval(looking)
    expect(seen).toEqual([])
  })
})
