import { join } from 'node:path'
import { reservePorts } from '../../../src/ledger/sandbox/reserved-ports.ts'
import { ConsoleWorld } from '../../../test/integration/console/parts/console-world.ts'
import { placeOnCluster } from '../../../test/integration/console/parts/place-on-cluster.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { clusterIn } from '../../cluster/cluster.ts'
import { existingLayout, paths } from '../../cluster/layout.ts'
import { untilFound } from '../../harness/waiting.ts'
import { enrolledOperator, goTo, type Sight } from './tour.ts'

const NODES = 3
/** So many that a plan takes some back, and too few for the service to mend it unasked. */
const MOVED_AT_ONCE = 4
const MOVES_MAX = 12
/** Three nodes and their servers share the machine with the browser. */
const MOVING_LIMIT_MS = 180_000
const PATIENCE = {
  VOUCHSAFE_CASSANDRA_REQUEST_TIMEOUT_MS: '20000',
  VOUCHSAFE_VAULT_TIMEOUT_MS: '20000',
  VOUCHSAFE_PROBE_TIMEOUT_MS: '20000',
  VOUCHSAFE_DEAD_AFTER_MS: '20000',
  VOUCHSAFE_CRYPTO_WORKERS: '1',
}

/** The nodes and shards of a real cluster of three nodes, and a plan that moves some of them; minutes, and 4 GB. */
export const takeCluster = async (sights: readonly Sight[]): Promise<void> => {
  const folder = join(temporaryFolder('console-pictures-cluster'), 'cluster')
  const cluster = clusterIn(folder, (line) => console.info(line))
  const world = new ConsoleWorld({}, () => {
    const { url: proxyUrl, authorityFile } = cluster.place()
    const nodes = existingLayout(folder).nodes.map(({ number }) => ({
      dataFolder: paths(folder).data(number),
    }))
    return placeOnCluster({ proxyUrl, authorityFile, nodes })
  })
  try {
    await cluster.up({
      nodes: NODES,
      port: await reservePorts(1),
      engines: { are: 'own', cassandraNodes: 1 },
      name: 'pictures',
      more: PATIENCE,
    })
    await world.start()
    const operator = await enrolledOperator(world)
    await leaveBalance(world)
    for (const { camera, options } of sights) {
      const { page } = await world.open({ ...options, storageState: operator.state })
      await goTo(page, `${world.url}/console/cluster`)
      await page.locator('.shards .shard').nth(255).waitFor()
      await camera.take(page, 'cluster-nodes')
      await page.getByRole('button', { name: 'Plan a rebalance' }).click()
      await page.getByText(/would move\./).waitFor()
      await camera.take(page, 'cluster-plan')
      await page.context().close()
    }
  } finally {
    await world.stop()
    await cluster.down(true)
  }
}

type Shard = { readonly number: number; readonly owner: string | null }
type Planned = { readonly moves?: readonly unknown[] }

const SHARDS = '/v1/operator/shards'

/** Moves shards of the second node to the first, a few at a time, until a plan would take some back. */
const leaveBalance = async (world: ConsoleWorld): Promise<void> => {
  for (let move = 0; move < MOVES_MAX; move += 1) {
    await nothingMoves(world)
    const { moves = [] } = (await world.order('GET', '/v1/operator/shard-moves/plan')) as Planned
    if (moves.length > 0) return
    for (const { number } of (await shardsOfSecond(world)).slice(0, MOVED_AT_ONCE))
      await world.order('POST', `${SHARDS}/${number}/move`, { to: 'node-1' })
  }
  throw new Error('no plan was made after so many moves')
}

const shardsOfSecond = async (world: ConsoleWorld): Promise<readonly Shard[]> => {
  const pages = [1, 2, 3].map((page) => world.order('GET', `${SHARDS}?pageSize=100&page=${page}`))
  const all = (await Promise.all(pages)).flatMap(({ items }) => items as readonly Shard[])
  return all.filter(({ owner }) => owner === 'node-2')
}

const nothingMoves = (world: ConsoleWorld): Promise<unknown> =>
  untilFound(
    async () => {
      const { moving, toCome } = await world.order('GET', '/v1/operator/shard-moves')
      return (moving as readonly unknown[]).length + (toCome as readonly unknown[]).length === 0
    },
    { limitMs: MOVING_LIMIT_MS, everyMs: 500, otherwise: () => new Error('shards moved for too long') },
  )
