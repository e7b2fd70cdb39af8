import { describe, expect, it } from 'vitest'
import { showAskTraffic, showShardActivity, showShardMap } from '../../src/telemetry/cluster-metrics.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'

const scraped = async (metrics: ReturnType<typeof createMetrics>): Promise<readonly string[]> =>
  (await metrics.registry.metrics()).split('\n').filter((line) => /^vouchsafe_(shard|asks)_/.test(line))

describe('the metrics of a node in a cluster', () => {
  it('are the map as it knows it, and what came and went', async () => {
    const metrics = createMetrics()
    const status = { version: 118, frozen: false, moving: 3, isDraining: true, came: 86, went: 2 }
    showShardMap(metrics, () => status)
    const expected = [
      'vouchsafe_shard_map_version 118',
      'vouchsafe_shard_map_frozen 0',
      'vouchsafe_shard_map_moving 3',
      'vouchsafe_shard_map_draining 1',
      'vouchsafe_shard_moves_total{direction="in"} 86',
      'vouchsafe_shard_moves_total{direction="out"} 2',
    ]
    expect(await scraped(metrics)).toEqual(expected)
    // Sums are shown as they are, however often somebody looks.
    expect(await scraped(metrics)).toEqual(expected)
  })

  it('are what each shard has done here; one that went has no line', async () => {
    const metrics = createMetrics()
    let activity = [
      { shard: 0, asks: 5, events: 2, batches: 1, loads: 3 },
      { shard: 255, asks: 1, events: 0, batches: 0, loads: 1 },
    ]
    showShardActivity(metrics, () => activity)
    expect(await scraped(metrics)).toEqual([
      'vouchsafe_shard_asks_total{shard="0"} 5',
      'vouchsafe_shard_asks_total{shard="255"} 1',
      'vouchsafe_shard_events_total{shard="0"} 2',
      'vouchsafe_shard_events_total{shard="255"} 0',
      'vouchsafe_shard_batches_total{shard="0"} 1',
      'vouchsafe_shard_batches_total{shard="255"} 0',
      'vouchsafe_shard_loads_total{shard="0"} 3',
      'vouchsafe_shard_loads_total{shard="255"} 1',
    ])
    activity = activity.slice(1)
    expect(await scraped(metrics)).toHaveLength(4)
  })

  it('are what goes between nodes and what waits for shards that move', async () => {
    const metrics = createMetrics()
    showAskTraffic(metrics, () => ({
      hops: 10,
      answeredForOthers: 9,
      retries: 1,
      waits: 4,
      waitedMs: 1_500,
      longestWaitMs: 750,
      overloaded: 0,
      waitingNow: 2,
      inFlightNow: 3,
    }))
    expect(await scraped(metrics)).toEqual([
      'vouchsafe_asks_hops_total 10',
      'vouchsafe_asks_answered_for_others_total 9',
      'vouchsafe_asks_retries_total 1',
      'vouchsafe_asks_waits_total 4',
      'vouchsafe_asks_waited_seconds_total 1.5',
      'vouchsafe_asks_overloaded_total 0',
      'vouchsafe_asks_longest_wait_seconds 0.75',
      'vouchsafe_asks_waiting 2',
      'vouchsafe_asks_in_flight 3',
    ])
  })
})
