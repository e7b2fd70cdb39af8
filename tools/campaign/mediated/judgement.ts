import { wrongHistories, wrongLists, wrongStates, wrongWallets } from '../../flows/audit.ts'
import type { Tenant } from '../../flows/tenant.ts'
import type { Receiver, SyncRequest } from '../../flows/webhook-receiver.ts'
import type { MediatedFlows } from './mediated-flows.ts'

const BETWEEN_SYNC_REQUESTS_MS = 30_000

/** What all sides have when the flows are over, asked while the service runs. */
export const wrongEnds = async (
  { done, reports }: Pick<MediatedFlows, 'done' | 'reports'>,
  tenant: Tenant,
  { events, refused }: Pick<Receiver, 'events' | 'refused'>,
): Promise<string[]> => [
  ...(await wrongStates(done, tenant)),
  ...wrongHistories(done, events),
  ...wrongWallets(done, reports),
  ...(await wrongLists(done, tenant)),
  ...refused.map((reason) => `a webhook was refused: ${reason}`),
  ...((tenant.repeated['500'] ?? 0) > 0 ? ['calls were answered with 500'] : []),
]

/** A wallet is asked to come once in thirty seconds at most. */
export const wrongSyncRequests = (requests: readonly SyncRequest[]): string[] =>
  [...Map.groupBy(requests, ({ data }) => data.walletId)].flatMap(([wallet, ofWallet]) => {
    const times = ofWallet
      .map(({ createdAt }) => Date.parse(createdAt))
      .toSorted((left, right) => left - right)
    const closest = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    return closest.some((ms) => ms < BETWEEN_SYNC_REQUESTS_MS)
      ? [`${wallet} was asked to come twice within ${Math.min(...closest)} ms`]
      : []
  })
