import { describe, expect, it } from 'vitest'
import { atLength } from '../at-length.ts'
import { cluster } from '../../tools/campaign/cluster/campaign.ts'

const LIMIT_MS = 900_000
const KILLS = atLength(1, 2)

describe('three nodes with clocks ten minutes apart that are killed, stopped and cut off while shards move', () => {
  it(
    'lose nothing, double nothing and answer every request rightly in the end',
    async () => {
      const seed = Date.now() % 1_000_000
      const { problems, ...report } = await cluster.run(
        {
          nodes: 3,
          cassandra: 1,
          kills: KILLS,
          stops: 1,
          'stop-seconds': 12,
          cuts: 2,
          'cassandra-kills': 0,
          'broker-kills': 0,
          rolling: false,
          'clock-minutes': 10,
          tenants: 1,
          phones: 1,
          every: 6,
          'at-once': 4,
          probes: 1,
          minutes: 10,
          seed,
          'keep-logs': '',
        },
        () => undefined,
      )
      expect(problems, `seed ${seed}`).toEqual([])
      expect(report.flows).toBeGreaterThan(3)
      expect(report.moves.moves).toBeGreaterThan(0)
      expect(report.takenBack).toMatchObject([{ takenBack: 2 }])
      expect(report.takenBack[0]?.looks).toBeGreaterThan(20)
      expect(report.backMs).toMatchObject({ kill: { count: KILLS }, stop: { count: 1 }, cut: { count: 2 } })
    },
    LIMIT_MS,
  )
})
