import { askById } from '../host/parts/ask-by-id.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { composeCluster } from '../../src/compose/cluster.ts'
import { loadConfig } from '../../src/config/config.ts'
import { openHeart } from '../../src/compose/actor-runtime.ts'
import { silentLog } from '../../src/telemetry/logger.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { accountDefinition } from '../host/parts/account.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

describe('a process that has its journal to itself', () => {
  it('is the only node, serves every shard, and counts what its followers have not read', async () => {
    const folder = temporaryFolder('cluster')
    const config = loadConfig({ VOUCHSAFE_DATA_FOLDER: folder, VOUCHSAFE_NODE_NAME: 'only' })
    const definition = accountDefinition({ keyParent: () => ({ tenant: 'ten_1', connection: null }) })
    const context = { config, log: silentLog, metrics: createMetrics() }
    const heart = await openHeart(context, () => [definition])
    closing.push(() => heart[Symbol.asyncDispose]())
    const cluster = composeCluster({ ...heart, listedUpTo: () => Promise.resolve(null) })
    expect(await cluster.nodes()).toMatchObject([{ id: 'only', status: 'alive', current: true, shards: 256 }])
    const options = { commandId: 'first', timeoutMs: 10_000, tenant: 'ten_1' }
    await askById(heart.actors, 'acc_07aaaaaaaa', { type: 'Deposit', amount: 5 }, options)
    const shards = await cluster.shards()
    expect(shards.every(({ servedHere, node }) => servedHere && node === 'only')).toBe(true)
    const lagOf = (number: number) => cluster.lagOf({ number, node: 'only', servedHere: true })
    expect(await lagOf(7)).toEqual({ eventsBehind: 1, listsBehind: 1 })
    expect(await lagOf(8)).toEqual({ eventsBehind: 0, listsBehind: 0 })
  })
})
