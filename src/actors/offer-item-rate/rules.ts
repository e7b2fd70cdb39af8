import { type Decider, refuse, type Refused } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { type Ref, referencesTo } from '../../domain/references.ts'

const WINDOW_MS = limits.rateWindowSeconds * 1_000

/** Items that came together, or within the same second: then they count from the last of them on. */
type Taken = { readonly atMs: number; readonly items: number }

/** How many items of requests for many offers an organisation has sent lately. One entry a second at most. */
type OfferItemRate = { readonly taken: readonly Taken[] }

export type TakeOfferItems = {
  readonly type: 'TakeOfferItems'
  readonly atMs: number
  readonly tenant: string
  readonly items: number
  readonly itemsPerMinute: number
}

type OfferItemsTaken = {
  readonly type: 'OfferItemsTaken'
  readonly atMs: number
  readonly tenant: string
  readonly items: number
}

export type OfferItemRateTypes = {
  readonly state: OfferItemRate
  readonly command: TakeOfferItems
  readonly event: OfferItemsTaken
  readonly reply: OfferItemRate
  readonly views: { readonly record: OfferItemRate }
  readonly owed: never
}

export const offerItemRate = referencesTo<OfferItemRateTypes>('oir')

/** On the shard of its organisation, under the same name. */
export const itemRateOf = (tenant: string): Ref<OfferItemRateTypes> =>
  offerItemRate.ref(`${offerItemRate.prefix}${tenant.slice(tenant.indexOf('_'))}`)

/** What a clock that was ahead has noted counts no longer than what comes now. */
const countedAt = ({ taken }: OfferItemRate, atMs: number): readonly Taken[] =>
  taken.filter((each) => Math.abs(atMs - each.atMs) <= WINDOW_MS)

/** After what time so many more fit; 0: now. */
export const roomInMs = (
  rate: OfferItemRate,
  { items, itemsPerMinute, atMs }: Pick<TakeOfferItems, 'items' | 'itemsPerMinute' | 'atMs'>,
): number => {
  const counted = countedAt(rate, atMs)
  let over = counted.reduce((sum, each) => sum + each.items, items) - itemsPerMinute
  let freeInMs = 0
  for (const each of counted) {
    if (over <= 0) break
    over -= each.items
    // Two requests that lie exactly one window apart are still within one.
    freeInMs = each.atMs + WINDOW_MS + 1 - atMs
  }
  return over > 0 ? WINDOW_MS : freeInMs
}

const tooManyItems = (itemsPerMinute: number): Refused =>
  refuse(
    'rate_limited',
    `More than ${itemsPerMinute} offers of the organisation came in requests for many within ${limits.rateWindowSeconds} seconds; wait before the next.`,
  )

export const offerItemRateDecider: Decider<OfferItemRateTypes> = {
  initialState: { taken: [] },
  decide: (rate, command) => {
    const { atMs, tenant, items, itemsPerMinute } = command
    return roomInMs(rate, command) === 0
      ? [{ type: 'OfferItemsTaken', atMs, tenant, items }]
      : tooManyItems(itemsPerMinute)
  },
  evolve: (rate, { atMs, items }) => {
    const counted = countedAt(rate, atMs)
    const last = counted.at(-1)
    if (last === undefined || Math.floor(last.atMs / 1_000) !== Math.floor(atMs / 1_000))
      return { taken: [...counted, { atMs, items }] }
    const together = { atMs: Math.max(last.atMs, atMs), items: last.items + items }
    return { taken: [...counted.slice(0, -1), together] }
  },
  reply: (rate) => rate,
  views: { record: (rate) => rate },
}
