import { describe, expect, it } from 'vitest'
import { atLength } from '../at-length.ts'
import { mediated } from '../../tools/campaign/mediated/campaign.ts'

const LIMIT_MS = 900_000
const [FLOWS, KILLS] = atLength([8, 2], [12, 3])

describe('wallets behind the mediator of three nodes that are killed while shards move and sockets drop', () => {
  it(
    'lose no message that was accepted, process none twice and end every exchange rightly',
    async () => {
      const seed = Date.now() % 1_000_000
      const { problems, ...report } = await mediated.run(
        {
          flows: FLOWS,
          nodes: 3,
          cassandra: 1,
          kills: KILLS,
          'at-once': 4,
          phones: 1,
          mailboxes: 3,
          seed,
          'keep-logs': '',
        },
        () => undefined,
      )
      expect(problems, `seed ${seed}`).toEqual([])
      expect(report).toMatchObject({ flows: FLOWS, kills: KILLS })
      expect(report.moves.moves).toBeGreaterThan(0)
      expect(report.socketsGone).toBeGreaterThan(0)
    },
    LIMIT_MS,
  )
})
