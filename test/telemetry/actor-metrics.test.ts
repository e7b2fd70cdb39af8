import { describe, expect, it } from 'vitest'
import { countActorFaults, createMetrics, showActorStatus } from '../../src/telemetry/metrics.ts'

describe('the metrics of the actors', () => {
  it('are read when they are scraped', async () => {
    const metrics = createMetrics()
    let residents = 3
    const faults = countActorFaults(metrics)
    showActorStatus(metrics, () => ({
      shards: 256,
      residents,
      waiting: 2,
      timersLoaded: 1,
    }))
    residents = 4
    faults.inc({ part: 'effect' })
    const text = await metrics.registry.metrics()
    for (const line of [
      'vouchsafe_actors_shards 256',
      'vouchsafe_actors_resident 4',
      'vouchsafe_actors_commands_waiting 2',
      'vouchsafe_actors_timers_loaded 1',
      'vouchsafe_actors_faults_total{part="effect"} 1',
    ])
      expect(text).toContain(line)
  })
})
