import { expect, it } from 'vitest'
import { unreadableReport } from '../../src/compose/asks.ts'
import { shardReport } from '../../src/compose/keep-shards.ts'
import { testRuntime } from '../host/parts/test-runtime.ts'
import { writtenLog } from '../telemetry/written-log.ts'

it('what goes wrong twice a second, or with every ask of a node, is logged once a minute', () => {
  const { log, logged } = writtenLog()
  const runtime = testRuntime()
  const [shard, unreadable] = [shardReport({ log, runtime }), unreadableReport({ log, runtime })]
  const error = new Error('as before')
  for (let time = 0; time < 50; time++) {
    shard(null, error)
    for (const node of ['n1', 'n2']) unreadable({ node, error })
  }
  expect(logged.map(([event, { node, count }]) => [event, node, count])).toEqual([
    ['map.failed', undefined, 1],
    ['ask.unreadable', 'n1', 1],
    ['ask.unreadable', 'n2', 1],
  ])
  runtime.forward(60_001)
  shard(null, error)
  expect(logged.at(-1)).toMatchObject(['map.failed', { count: 50 }])
})
