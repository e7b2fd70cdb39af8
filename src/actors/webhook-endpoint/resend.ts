import type { EffectContext } from '../../host/definition.ts'
import { isRetryable } from '../../ports/actors.ts'
import type { DirectoryRow } from '../../ports/directory.ts'
import type { KindPorts } from '../kind-ports.ts'
import { DELIVERIES, HELD_FILTER } from '../webhook-delivery/listed.ts'
import { webhookDelivery } from '../webhook-delivery/rules.ts'
import type { EndpointCommand, EndpointEffect, Resending } from './rules.ts'

type Ports = Pick<KindPorts, 'actors' | 'runtime' | 'lists'>

const PAGE = 500
/** Beside what else their shard has to do. */
const AT_ONCE = 32

/**
 * Has every delivery that is meant go out again. It goes by the lists, which have all that was committed before the
 * order; a delivery that was reached before a crash is met again in another state, or takes the same command once more.
 */
export const resendDeliveries = async (
  ports: Ports,
  { tenant, resending }: EndpointEffect,
  { actor, signal }: Pick<EffectContext, 'actor' | 'signal'>,
): Promise<EndpointCommand> => {
  await ports.lists.caughtUpWith(actor)
  for await (const rows of pagesOf(ports.lists, tenant, resending)) {
    const waiting = rows.values()
    const work = async (): Promise<void> => {
      for (const { id } of waiting) {
        signal.throwIfAborted()
        await resendOne(ports, id, resending)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }
  return { type: 'RecordDeliveriesResent', atMs: ports.runtime.now(), id: resending.id }
}

/** One that cannot be read holds up no other. */
const resendOne = async (
  { actors, runtime }: Ports,
  id: string,
  { id: order, status }: Resending,
): Promise<void> => {
  const type = status === 'held' ? 'ResumeDelivery' : 'RetryDelivery'
  const command = { type, atMs: runtime.now() } as const
  try {
    const commandId = `${order}:${id}`
    await actors.ask(webhookDelivery.ref(id), command, { commandId, tenant: null, mayLinger: true })
  } catch (error) {
    if (isRetryable(error)) throw error
  }
}

/**
 * Newest first. What was sent again may leave its state and come back to it meanwhile, so the walk goes by the time at
 * which deliveries came to be, which never changes.
 */
async function* pagesOf(
  lists: Ports['lists'],
  tenant: string,
  { status, fromMs, toMs }: Resending,
): AsyncGenerator<readonly DirectoryRow[]> {
  const isHeld = status === 'held'
  const query = {
    tenant,
    kind: DELIVERIES,
    pageSize: PAGE,
    q: null,
    states: isHeld ? [] : [status],
    externalId: null,
    fromMs,
    filters: isHeld ? HELD_FILTER : {},
  }
  for (let page = 1, beforeMs = toMs; ; ) {
    const { rows } = await lists.list({ ...query, page, toMs: beforeMs })
    if (rows.length > 0) yield rows
    const [first, last] = [rows.at(0), rows.at(-1)]
    if (first === undefined || last === undefined || rows.length < PAGE) return
    // Others of the last millisecond may stand behind it: those that were met already take the same command once more.
    const isOneMoment = first.createdAtMs === last.createdAtMs
    page = isOneMoment ? page + 1 : 1
    beforeMs = isOneMoment ? beforeMs : last.createdAtMs + 1
  }
}
