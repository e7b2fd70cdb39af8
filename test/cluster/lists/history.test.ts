import { expect, it } from 'vitest'
import { Random } from '../../../tools/simulate/random.ts'
import { eventually } from '../../eventually.ts'
import { idOf, ListsCluster, type ListsNode } from './lists-cluster.ts'

const SEEDS = Number(process.env['LISTS_SEEDS'] ?? 2)
const FIRST_SEED = Number(process.env['LISTS_SEED'] ?? 1)
const STEPS = 120

it('lists of all nodes are equal after any history of moves, deaths, cuts and lost and doubled frames', async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
    const cluster = new ListsCluster({ seed, settings: { requestTimeoutMs: 100, patienceMs: 100 } })
    const random = new Random(seed)
    cluster.openAll(...cluster.nodes)
    cluster.network.lostShare = 0.05
    cluster.network.doubledShare = 0.1
    for (let step = 0; step < STEPS; step++) await disturb(cluster, random, step)
    cluster.network.lostShare = 0
    for (const node of cluster.nodes) if (node.lists === null) cluster.start(node)
    for (const from of cluster.nodes)
      for (const to of cluster.nodes) cluster.network.cut(from.name, to.name, false)
    cluster.openAll(...cluster.nodes)
    const expected = cluster.shouldBeShown()
    for (const node of cluster.nodes)
      await eventually(async () =>
        expect(await cluster.shownBy(node), `seed ${seed}, node ${node.name}`).toEqual(expected),
      )
    await cluster.close()
  }
}, 240_000)

const disturb = async (cluster: ListsCluster, random: Random, step: number): Promise<void> => {
  const node = cluster.nodes[random.below(cluster.nodes.length)] as ListsNode
  const other = cluster.nodes[random.below(cluster.nodes.length)] as ListsNode
  const shard = random.below(cluster.shards)
  const chance = random.next()
  if (chance < 0.6)
    cluster.commit(idOf(shard, random.below(60)), { updatedAtMs: step, searchText: `at ${step}` })
  else if (chance < 0.72 && node.lists !== null) cluster.open(shard, node)
  else if (chance < 0.76) cluster.release(shard)
  else if (chance < 0.8) cluster.network.cut(node.name, other.name)
  else if (chance < 0.86) cluster.network.cut(node.name, other.name, false)
  else if (chance < 0.88 && node.lists !== null) {
    await cluster.kill(node)
    node.isLiving = false
    if (random.next() < 0.5) cluster.loseFile(node)
  } else if (chance < 0.92 && node.lists === null) cluster.start(node)
  else await new Promise((resolve) => setTimeout(resolve, random.below(40)))
}
