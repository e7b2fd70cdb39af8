import type { BodyReference } from '../../domain/body-reference.ts'
import { isRefused, type Refused } from '../../domain/decider.ts'
import { addressed } from '../../ports/actors.ts'
import { keepBody } from '../bodies.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { itemRateOf, roomInMs, tooManyItems } from '../offer-item-rate/rules.ts'
import { activeTenant } from '../tenant/read.ts'
import { ITEMS_LIFE_MS, type OfferJob, offerJob, type OfferWave } from './rules.ts'
import type { SentOffers } from './sent-offers.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'vault' | 'bodies' | 'offerItemsPerMinute'>

type OfferJobOrder = { readonly tenant: string; readonly id: string; readonly offers: SentOffers }

/** Bodies that are sealed and written at once; others have their turn between them. */
const KEPT_AT_ONCE = 4

/**
 * Keeps what the items say, then begins their job in one batch with the count of the organisation's items. From then on
 * every item has its result some day, whatever becomes of this process.
 */
export const beginOfferJob = async (
  ports: Ports,
  { tenant, id, offers }: OfferJobOrder,
): Promise<OfferJob | Refused> => {
  const active = await activeTenant(ports, tenant)
  if (isRefused(active)) return active
  const { offerItemsPerMinute: itemsPerMinute } = ports
  // Looked at before anything is written, because that may come again and again.
  if ((await waitForRoomMs(ports, tenant, offers.total)) > 0) return tooManyItems(itemsPerMinute)
  const job = offerJob.ref(id)
  await ports.vault.create(job, { tenant, connection: null })
  const [keys, ...bodies] = await keepAll(ports, job, [offers.keys, ...offers.waves.map(({ text }) => text)])
  if (keys === undefined) throw new Error('the keys of the items were not kept')
  const waves = offers.waves.flatMap(({ indexes }, number): readonly OfferWave[] => {
    const body = bodies[number]
    return body === undefined ? [] : [{ number, indexes, body }]
  })
  const { total } = offers
  const atMs = Math.floor(ports.runtime.now())
  const taken = { type: 'TakeOfferItems', atMs, tenant, items: total, itemsPerMinute } as const
  const begun = { type: 'BeginOfferJob', atMs, id: job, tenant, total, keys, waves } as const
  const replies = await ports.actors.askAtomically(
    [addressed(itemRateOf(tenant), taken), addressed(job, begun)],
    { commandId: `begin:${job}`, tenant },
  )
  if (!isRefused(replies) && replies[1].keys.id === keys.id) return replies[1]
  // Refused, or begun before with what was kept then. What cannot be deleted now goes at the end of its life.
  await Promise.allSettled([keys, ...bodies].map((kept) => ports.bodies.delete(job, kept.id)))
  return isRefused(replies) ? replies : replies[1]
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

const keepAll = async (
  ports: Ports,
  job: string,
  texts: readonly string[],
): Promise<readonly BodyReference[]> => {
  const kept: BodyReference[] = []
  for (let at = 0; at < texts.length; at += KEPT_AT_ONCE) {
    const some = texts.slice(at, at + KEPT_AT_ONCE)
    kept.push(...(await Promise.all(some.map((text) => keepBody(ports, job, text, ITEMS_LIFE_MS)))))
  }
  return kept
}
