import { askById } from '../host/parts/ask-by-id.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { composeCluster } from '../../src/compose/cluster.ts'
import { openDurableActors } from '../../src/compose/durable-actors.ts'
import { accountDefinition } from '../host/parts/account.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { contextOn } from './service-context.ts'

describe('a process that has its journal to itself', () => {
  it('is the only node, serves every shard, and counts what its followers have not read', async () => {
    const definition = accountDefinition({ keyParent: () => ({ tenant: 'ten_1', connection: null }) })
    const context = contextOn(temporaryFolder('cluster'), { VOUCHSAFE_NODE_NAME: 'only' })
    onTestFinished(() => context.lifecycle.end(() => undefined))
    const durable = await openDurableActors(context, () => [definition])
    await durable.vault.makeTenant('ten_1')
    const cluster = composeCluster({ ...durable, listedUpTo: () => Promise.resolve(null) })
    expect(await cluster.nodes()).toMatchObject([{ id: 'only', status: 'alive', current: true, shards: 256 }])
    const options = { commandId: 'first', timeoutMs: 10_000, tenant: 'ten_1' }
    await askById(durable.actors, 'acc_07aaaaaaaa', { type: 'Deposit', amount: 5 }, options)
    const shards = await cluster.shards()
    expect(shards.every(({ servedHere, owner, moving }) => servedHere && owner === 'only' && !moving)).toBe(
      true,
    )
    const [ofShard] = shards
    if (ofShard === undefined) throw new Error('there are no shards')
    const lagOf = (number: number) => cluster.lagOf({ ...ofShard, number })
    expect(await lagOf(7)).toEqual({ eventsBehind: 1, listsBehind: 1 })
    expect(await lagOf(8)).toEqual({ eventsBehind: 0, listsBehind: 0 })
  })

  it('has no map to give orders to, and does not drain', async () => {
    const definition = accountDefinition({ keyParent: () => ({ tenant: 'ten_1', connection: null }) })
    const context = contextOn(temporaryFolder('cluster'), { VOUCHSAFE_NODE_NAME: 'only' })
    onTestFinished(() => context.lifecycle.end(() => undefined))
    const durable = await openDurableActors(context, () => [definition])
    const cluster = composeCluster({ ...durable, listedUpTo: () => Promise.resolve(null) })
    expect(await cluster.order((orders) => orders.freeze())).toMatchObject({ refused: 'no_cluster' })
    expect(await cluster.moves()).toEqual({ version: 0, frozen: false, moving: [], toCome: [] })
    expect(cluster.expectedPause()).toEqual({ ms: 1_000, isMeasured: false })
    expect(durable.isDraining()).toBe(false)
    const { registry } = context.metrics
    expect(await registry.metrics()).toMatch(/^vouchsafe_shard_asks_total\{shard="255"\} \d+$/m)
  })
})
