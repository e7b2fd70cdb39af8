import { limits } from '../../../../src/domain/limits.ts'
import { type Case, edge } from '../table.ts'

const HOUR_MS = 3_600_000

/** How far back an overview goes, to the hour. */
export const overviewEdge = (path: string, as: 'admin' | 'operator'): Case =>
  edge(`GET ${path}`, `${limits.overviewDays} days back`, async (at) => {
    const hoursAgo = (hours: number) => {
      const from = new Date(at.now() - hours * HOUR_MS).toISOString()
      return at.ask('GET', { as, target: `${path}?from=${from}` })
    }
    const hours = limits.overviewDays * 24
    const [accepted, refused] = [await hoursAgo(hours - 1), await hoursAgo(hours + 1)]
    return { accepted, refused, as: 'invalid_request', names: 'from' }
  })
