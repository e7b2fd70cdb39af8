import { expect, it } from 'vitest'
import { reportOfShards } from '../../src/compose/keep-shards.ts'
import { ShardHeld } from '../../src/ports/journal.ts'
import type { Log } from '../../src/telemetry/logger.ts'

it('what goes wrong with a shard or the map again and again is logged once a minute, with how often', () => {
  const lines: unknown[] = []
  const clock = { ms: 0 }
  const log = ((event: string, fields: object) => {
    const { error: _, ...kept } = { error: null, ...fields }
    lines.push([event, kept])
  }) as unknown as Log
  const report = reportOfShards(log, { monotonicMs: () => clock.ms })
  for (; clock.ms <= 61_000; clock.ms += 1_000) {
    report(3, new Error('it does not open'))
    report(4, new ShardHeld(4, 'b~i'))
    report(null, new Error('the store is away'))
  }
  expect(lines).toEqual([
    ['shard.open_failed', { shard: 3, count: 1 }],
    ['map.failed', { count: 1 }],
    ['shard.open_failed', { shard: 3, count: 60 }],
    ['map.failed', { count: 60 }],
  ])
})
