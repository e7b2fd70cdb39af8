import { isRefused, type Refused } from '../../domain/decider.ts'
import { addressed } from '../../ports/actors.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { itemRateOf, roomInMs } from '../offer-item-rate/rules.ts'
import { activeTenant } from '../tenant/read.ts'
import { dropItems, keepItems } from './kept-items.ts'
import { type OfferJob, offerJob } from './rules.ts'
import type { SentOffers } from './sent-offers.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'vault' | 'bodies' | 'offerItemsPerMinute'>

type OfferJobOrder = { readonly tenant: string; readonly id: string; readonly offers: SentOffers }

/**
 * Opens the job in one batch with the count of the organisation's items, and begins it when all that they say is kept.
 * From then on every item has its result some day, whatever becomes of this process. The key of the job is there once it
 * is open, made by the node that has it.
 */
export const beginOfferJob = async (
  ports: Ports,
  { tenant, id, offers }: OfferJobOrder,
): Promise<OfferJob | Refused> => {
  const active = await activeTenant(ports, tenant)
  if (isRefused(active)) return active
  const { actors, runtime, offerItemsPerMinute: itemsPerMinute } = ports
  const job = offerJob.ref(id)
  const { total } = offers
  const atMs = Math.floor(runtime.now())
  const taken = { type: 'TakeOfferItems', atMs, tenant, items: total, itemsPerMinute } as const
  const opened = await actors.askAtomically(
    [
      addressed(itemRateOf(tenant), taken),
      addressed(job, { type: 'OpenOfferJob', atMs, id: job, tenant, total }),
    ],
    { commandId: `open:${job}`, tenant },
  )
  if (isRefused(opened)) return opened
  const { status } = opened[1]
  if (status === 'forgotten') throw new Error(`${job} was given up, and offers nothing any more`)
  // As where two attempts at the same request are under way.
  if (status !== 'receiving') return opened[1]
  const kept = await keepItems(ports, { job, tenant }, offers)
  const begin = { type: 'BeginOfferJob', atMs: Math.floor(runtime.now()), ...kept } as const
  const begun = await actors.ask(job, begin, { commandId: `begin:${job}`, tenant })
  const isOurs = !isRefused(begun) && 'keys' in begun && begun.keys.id === kept.keys.id
  if (!isOurs) await dropItems(ports, job, kept)
  return begun
}

/** After what time the organisation may send so many items; 0: now. */
export const waitForRoomMs = async (
  { actors, runtime, offerItemsPerMinute: itemsPerMinute }: Ports,
  tenant: string,
  items: number,
): Promise<number> => {
  const rate = await actors.read(itemRateOf(tenant), { tenant })
  return isRefused(rate) ? 0 : roomInMs(rate, { items, itemsPerMinute, atMs: Math.floor(runtime.now()) })
}
