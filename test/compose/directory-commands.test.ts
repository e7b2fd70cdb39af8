import { describe, expect, it } from 'vitest'
import { directoryCommands } from '../../src/compose/directory-commands.ts'

const orders = (rebuild: (shard: number) => Promise<number>) => {
  const commands = directoryCommands({
    shards: () => [3, 4],
    begin: () => Promise.resolve({ rebuild, end: () => Promise.resolve() }),
  })
  return (name: string) => commands[name]?.run({}) ?? Promise.reject(new Error(name))
}

describe('a rebuild of the lists', () => {
  it('goes shard after shard, one at a time, and tells how far it is', async () => {
    const gate = Promise.withResolvers<number>()
    const order = orders((shard) => (shard === 3 ? Promise.resolve(10) : gate.promise))
    expect(await order('directory show')).toMatchObject({ status: 'none' })
    expect(await order('directory rebuild')).toMatchObject({ status: 'running', shards: 2, shardsDone: 0 })
    await expect.poll(() => order('directory show')).toMatchObject({ shardsDone: 1, records: 10 })
    expect(await order('directory rebuild')).toMatchObject({ refused: 'invalid_request' })
    gate.resolve(5)
    await expect
      .poll(() => order('directory show'))
      .toMatchObject({ status: 'done', records: 15, shardsDone: 2 })
  })

  it('says why it failed, and may begin again', async () => {
    const order = orders(() => Promise.reject(new Error('away')))
    await order('directory rebuild')
    await expect.poll(() => order('directory show')).toMatchObject({ status: 'failed', lastError: 'away' })
    expect(await order('directory rebuild')).toMatchObject({ status: 'running' })
  })
})
