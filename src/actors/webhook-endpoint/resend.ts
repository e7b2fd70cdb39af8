import { isRefused } from '../../domain/decider.ts'
import type { EffectContext } from '../../host/definition.ts'
import { ComesAgain } from '../../host/effects/not-begun.ts'
import { isRetryable } from '../../ports/actors.ts'
import type { KindPorts } from '../kind-ports.ts'
import { webhookDelivery } from '../webhook-delivery/rules.ts'
import { deliveryPages } from './resend-pages.ts'
import { webhookEndpoint, type EndpointCommand, type EndpointEffect, type Resending } from './rules.ts'

type Ports = Pick<KindPorts, 'actors' | 'runtime' | 'lists' | 'eventTypes'>

/** Beside what else their shard has to do. */
const AT_ONCE = 32
/** After so many pages the order notes how far it is: a crash costs no more than these. */
const PAGES_A_MARK = 10
/** What was held is looked for until none is left, but for what cannot be read. */
const PASSES_MAX = 3
/** A shard that is busy for a moment does not make the walk begin again. */
const TRIES_MAX = 5
const AGAIN_MS = 200
/** By then an order that has gone with its endpoint is not owed any more. */
const LOOK_AGAIN_MS = 1_000

/**
 * Has every delivery that is meant go out again. It goes by the lists of this node, which serves the shard of the
 * endpoint and its deliveries: they have all that was committed before the order. A delivery that was reached before a crash is met again in another state, or takes the same command once more.
 */
export const resendDeliveries = async (
  ports: Ports,
  { tenant, resending }: EndpointEffect,
  { actor, signal }: Pick<EffectContext, 'actor' | 'signal'>,
): Promise<EndpointCommand> => {
  const { lists, runtime, eventTypes } = ports
  const isHeld = resending.status === 'held'
  const passesMax = isHeld ? PASSES_MAX : 1
  for (let pass = 0, resent = 1; resent > 0 && pass < passesMax; pass++) {
    resent = 0
    let pages = 0
    await lists.caughtUpWith(actor)
    for await (const { ids, beforeMs } of deliveryPages(lists, { tenant, resending, eventTypes })) {
      // Said to be carried out, it would end with what is left of it where an endpoint is set again at this moment.
      if (!(await isOrdered(ports, actor, resending)))
        throw new ComesAgain('there is no endpoint, or it has this order no longer', LOOK_AGAIN_MS)
      resent += await resendAll(ports, ids, resending, signal)
      // What is held no longer is passed over anyhow.
      if (!isHeld && ++pages % PAGES_A_MARK === 0) await noteReached(ports, actor, resending, beforeMs)
    }
  }
  return { type: 'RecordDeliveriesResent', atMs: runtime.now(), id: resending.id }
}

/** Answers with how many were told. */
const resendAll = async (
  ports: Ports,
  ids: readonly string[],
  resending: Resending,
  signal: AbortSignal,
): Promise<number> => {
  const waiting = ids.values()
  let told = 0
  const work = async (): Promise<void> => {
    for (const id of waiting) {
      signal.throwIfAborted()
      if (await resendOne(ports, id, resending, signal)) told++
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return told
}

const isOrdered = async ({ actors }: Ports, endpoint: string, { id }: Resending): Promise<boolean> => {
  const found = await actors.read(webhookEndpoint.ref(endpoint))
  return !isRefused(found) && (found.resendings ?? []).some((each) => each.id === id)
}

const noteReached = async (
  { actors, runtime }: Ports,
  endpoint: string,
  { id }: Resending,
  toMs: number,
): Promise<void> => {
  const command = { type: 'RecordResendingReached', atMs: runtime.now(), id, toMs } as const
  const options = { commandId: `reached:${id}:${toMs}`, tenant: null, mayLinger: true }
  await actors.ask(webhookEndpoint.ref(endpoint), command, options)
}

/** False for one that cannot be read, which holds up no other. */
const resendOne = async (
  { actors, runtime }: Ports,
  id: string,
  { id: order, status }: Resending,
  signal: AbortSignal,
): Promise<boolean> => {
  const isHeld = status === 'held'
  const type = isHeld ? 'ResumeDelivery' : 'RetryDelivery'
  // What is held may be so once more since an earlier order of the same moment, and is resumed however often it is said.
  const commandId = isHeld ? `${order}:${id}:${runtime.newId()}` : `${order}:${id}`
  for (let tries = 1; ; tries++) {
    try {
      const command = { type, atMs: runtime.now() } as const
      await actors.ask(webhookDelivery.ref(id), command, { commandId, tenant: null, mayLinger: true })
      return true
    } catch (error) {
      if (!isRetryable(error)) return false
      if (tries === TRIES_MAX) throw error
      await runtime.sleep(AGAIN_MS * 2 ** tries, signal)
    }
  }
}
