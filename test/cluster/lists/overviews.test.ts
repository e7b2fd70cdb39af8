import { describe, expect, it } from 'vitest'
import type { DirectoryRow } from '../../../src/ports/directory.ts'
import { eventually } from '../../eventually.ts'
import { idOf, ListsCluster, type ListsNode } from './lists-cluster.ts'

const HOUR_MS = 3_600_000
const RECORDS = 60

const complete = (cluster: ListsCluster, ...nodes: readonly ListsNode[]) =>
  eventually(() => {
    for (const node of nodes)
      if (!cluster.lists(node).isComplete()) throw new Error(`${node.name} is not complete`)
  })

const offered: Partial<DirectoryRow> = { state: 'offer-sent', steps: [['offer-sent', 100 * HOUR_MS]] }
const done: Partial<DirectoryRow> = {
  state: 'done',
  updatedAtMs: 2,
  steps: [
    ['offer-sent', 100 * HOUR_MS],
    ['done', 101 * HOUR_MS],
  ],
}
const overviewOn = async (cluster: ListsCluster, node: ListsNode, tenant: string | null = 't1') => {
  const lists = [{ kind: 'credential', waiting: ['offer-sent'] }]
  const [counted] = await cluster
    .lists(node)
    .overview({ tenant, lists, fromHour: 100, toHour: 102, hoursEach: 1 })
  return counted
}

const running = async () => {
  const cluster = new ListsCluster({ settings: { patienceMs: 300 } })
  cluster.openAll(...cluster.nodes)
  await complete(cluster, ...cluster.nodes)
  for (let number = 0; number < RECORDS; number++) cluster.commit(idOf(number % 4, number), offered)
  return cluster
}

/** A third of the records is done by now. */
const shown = {
  now: { 'offer-sent': RECORDS - RECORDS / 3, done: RECORDS / 3 },
  counts: { 'offer-sent': [RECORDS, 0], done: [0, RECORDS / 3] },
}

describe('overviews of a cluster', () => {
  it('are the same on every node, and right after a takeover and a log that is read again', async () => {
    const cluster = await running()
    const [a, b, c] = cluster.nodes as [ListsNode, ListsNode, ListsNode]
    for (const node of cluster.nodes)
      await eventually(async () =>
        expect(await overviewOn(cluster, node)).toMatchObject({ now: { 'offer-sent': RECORDS } }),
      )
    for (let number = 0; number < RECORDS; number += 3) cluster.commit(idOf(number % 4, number), done)
    // What it has committed and not sent, its successors read in the logs.
    await cluster.kill(a)
    a.isLiving = false
    cluster.openAll(b, c)
    for (const node of [b, c])
      for (const tenant of ['t1', null])
        await eventually(async () => expect(await overviewOn(cluster, node, tenant)).toMatchObject(shown))
    cluster.start(a)
    await complete(cluster, a)
    await eventually(async () => expect(await overviewOn(cluster, a)).toMatchObject(shown))
    expect((await overviewOn(cluster, a))?.oldest).toMatchObject({ state: 'offer-sent', tenant: 't1' })
  })

  it('come from a node that is complete while a file is filled, and from the file when it is', async () => {
    const cluster = await running()
    const [, , c] = cluster.nodes as [ListsNode, ListsNode, ListsNode]
    for (let number = 0; number < RECORDS; number += 3) cluster.commit(idOf(number % 4, number), done)
    for (const node of cluster.nodes)
      await eventually(async () => expect(await overviewOn(cluster, node)).toMatchObject(shown))
    await cluster.kill(c)
    cluster.loseFile(c)
    for (let shard = 0; shard < 4; shard++) cluster.kept.set(shard, 12)
    cluster.start(c)
    expect(await overviewOn(cluster, c)).toMatchObject(shown)
    expect(await cluster.lists(c).due({ tenant: 't1', beforeMs: 1_000 })).toEqual([])
    cluster.openAll(...cluster.nodes)
    await complete(cluster, c)
    await eventually(async () => expect(await overviewOn(cluster, c)).toMatchObject(shown))
  })

  it('lose what a deleted organisation had, also where rows of its come late', async () => {
    const cluster = await running()
    cluster.commit(idOf(1, 900), { ...offered, tenant: 't2' })
    for (const node of cluster.nodes)
      await eventually(async () =>
        expect(await overviewOn(cluster, node, null)).toMatchObject({ now: { 'offer-sent': RECORDS + 1 } }),
      )
    const ended = { id: 't1', kind: 'tenant', tenant: 'operators', endsAllBut: ['audit-entry'] }
    cluster.commit(idOf(3, 902), ended)
    cluster.commit(idOf(0, 0), done)
    cluster.commit(idOf(2, 901), { ...offered, tenant: 't2' })
    for (const node of cluster.nodes)
      await eventually(async () =>
        expect(await overviewOn(cluster, node, null)).toMatchObject({
          now: { 'offer-sent': 2 },
          counts: { 'offer-sent': [2, 0] },
        }),
      )
  })
})
