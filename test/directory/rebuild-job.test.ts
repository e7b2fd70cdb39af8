import { describe, expect, it } from 'vitest'
import { rebuildJob } from '../../src/directory/rebuild-job.ts'
import { directoryRebuildRoutes } from '../../src/http/routes/directory-rebuild.ts'
import { called } from '../compose/called-route.ts'

const orders = (rebuild: (shard: number) => Promise<number>) => {
  const job = rebuildJob({
    shards: () => [3, 4],
    begin: () => Promise.resolve({ rebuild, end: () => Promise.resolve() }),
  })
  const routes = directoryRebuildRoutes(job)
  return {
    begin: () => called(routes, 'rebuildDirectory'),
    show: () => called(routes, 'getDirectoryRebuild'),
  }
}

describe('a rebuild of the lists', () => {
  it('goes shard after shard, one at a time, and says how far it is', async () => {
    const gate = Promise.withResolvers<number>()
    const { begin, show } = orders((shard) => (shard === 3 ? Promise.resolve(10) : gate.promise))
    expect(await show()).toMatchObject({ status: 'none' })
    expect(await begin()).toMatchObject({ status: 'running', shards: 2, shardsDone: 0 })
    await expect.poll(show).toMatchObject({ shardsDone: 1, records: 10 })
    expect(await begin()).toMatchObject({ problem: 'invalid_request' })
    gate.resolve(5)
    await expect.poll(show).toMatchObject({ status: 'done', records: 15, shardsDone: 2 })
  })

  it('says why it failed, and may begin again', async () => {
    const { begin, show } = orders(() => Promise.reject(new Error('away')))
    await begin()
    await expect.poll(show).toMatchObject({ status: 'failed', lastError: 'away' })
    expect(await begin()).toMatchObject({ status: 'running' })
  })
})
