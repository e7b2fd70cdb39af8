import type { ListQuery } from '../../ports/directory.ts'
import type { KindPorts } from '../kind-ports.ts'
import { DELIVERIES, rowStates, rowStatusesOf } from '../webhook-delivery/listed.ts'
import type { Resending } from './rules.ts'

const PAGE = 500

type DeliveriesMeant = {
  readonly tenant: string
  readonly resending: Resending
  readonly eventTypes: readonly string[]
}

/** Some deliveries, and the time before which all others came to be. */
type DeliveryPage = { readonly ids: readonly string[]; readonly beforeMs: number }

/**
 * The deliveries that an order means, newest first. What was sent again leaves its state, and may come back to it
 * meanwhile, so the walk goes by the time at which deliveries came to be, which never changes.
 */
export async function* deliveryPages(
  lists: Pick<KindPorts['lists'], 'listHere'>,
  { tenant, resending, eventTypes }: DeliveriesMeant,
): AsyncGenerator<DeliveryPage> {
  const { status, fromMs, toMs } = resending
  const states = rowStates(status === 'held' ? [status] : rowStatusesOf(status), eventTypes)
  const list = async (page: number, span: Pick<ListQuery, 'fromMs' | 'toMs'>) => {
    const of = { tenant, kind: DELIVERIES, q: null, externalId: null, filters: {} }
    const { rows } = await lists.listHere({ ...of, ...span, states, page, pageSize: PAGE })
    return rows
  }
  /** All of one moment, before any of them is sent again: a page of those that are left would pass over others. */
  const allOf = async (momentMs: number): Promise<readonly string[]> => {
    const ids: string[] = []
    for (let page = 1; ; page++) {
      const rows = await list(page, { fromMs: momentMs, toMs: momentMs + 1 })
      ids.push(...rows.map(({ id }) => id))
      if (rows.length < PAGE) return ids
    }
  }
  for (let beforeMs = toMs; ; ) {
    const rows = await list(1, { fromMs, toMs: beforeMs })
    const [first, last] = [rows.at(0), rows.at(-1)]
    if (first === undefined || last === undefined) return
    const { createdAtMs: lastMs } = last
    const isOneMoment = rows.length === PAGE && first.createdAtMs === lastMs
    const ids = isOneMoment ? await allOf(lastMs) : rows.map(({ id }) => id)
    // Others of the last moment may stand behind the page: those of it that were met already are met once more.
    beforeMs = isOneMoment ? lastMs : lastMs + 1
    yield { ids, beforeMs }
    if (rows.length < PAGE) return
  }
}
