import { isRefused } from '../../domain/refused.ts'
import { ATTEMPT_TIMER, deliveryDecider } from './rules.ts'
import type {
  DeliveryAttempt,
  DeliveryCommand,
  DeliveryEffect,
  DeliveryJournalEvent,
  DeliveryPending,
  DeliveryReply,
  DeliveryState,
} from './state.ts'
import type { EndpointReply, WebhookEndpoint } from '../webhook-endpoint/rules.ts'
import type { OldActorDefinition, EffectContext } from '../../host/definition.ts'
import { defineActor } from '../../host/definition.ts'
import type { Actors } from '../../ports/actors.ts'
import type { Runtime } from '../../ports/runtime.ts'
import type { Vault } from '../../ports/vault.ts'
import type { WebhookSender } from '../../ports/webhook-sender.ts'
import { deliveryBody } from './body.ts'
import { deliveryEvents, deliverySnapshots } from './stored.ts'
import { secretContext } from '../webhook-endpoint/kind.ts'
import { type LaneSettings, Lanes } from './endpoint-limiter.ts'

export type DeliveryPorts = {
  readonly actors: Actors
  readonly vault: Pick<Vault, 'open' | 'openTenant'>
  readonly sender: WebhookSender
  readonly runtime: Pick<Runtime, 'now' | 'monotonicMs' | 'newId'>
  readonly lanes: LaneSettings
  readonly askTimeoutMs: number
}

const DELIVERY = 'whd'

export const deliveryActor = (
  ports: DeliveryPorts,
): OldActorDefinition<
  DeliveryState,
  DeliveryCommand,
  DeliveryJournalEvent,
  DeliveryReply,
  DeliveryEffect
> => {
  const lanes = new Lanes(ports.lanes, ports.runtime)
  return defineActor({
    kind: DELIVERY,
    decider: deliveryDecider,
    events: deliveryEvents,
    snapshots: deliverySnapshots,
    snapshotEvery: 50,
    // Personal fields are there only as ciphertext of the record they belong to, whose erasure reaches them too.
    keyParent: null,
    erased: () => false,
    gate: ({ delivery }) => lanes.of(delivery.endpoint),
    perform: ({ delivery }, context) => perform(ports, lanes, delivery, context),
    onTimer: (timerId, atMs) => {
      if (timerId !== ATTEMPT_TIMER) throw new Error(`a webhook delivery has no timer ${timerId}`)
      return { type: 'AttemptDelivery', atMs }
    },
  })
}

const NO_ENDPOINT = 'no webhook endpoint is set'

const perform = async (
  ports: DeliveryPorts,
  lanes: Lanes,
  delivery: DeliveryPending,
  { signal }: EffectContext,
): Promise<DeliveryCommand> => {
  const endpoint = await readEndpoint(ports, delivery.endpoint)
  const attempt =
    endpoint === null
      ? { atMs: ports.runtime.now(), url: '', status: null, durationMs: 0, error: NO_ENDPOINT }
      : await send(ports, delivery, endpoint, signal)
  const accepted = attempt.status !== null && attempt.status < 300
  lanes.of(delivery.endpoint).note(accepted, attempt.durationMs)
  // The pause counts from the end of the attempt.
  return {
    type: 'RecordDeliveryAttempt',
    atMs: ports.runtime.now(),
    number: delivery.attempts + 1,
    attempt,
  }
}

/** Every attempt goes to the URL, and carries the secrets, of its own moment. */
const readEndpoint = async (ports: DeliveryPorts, endpoint: string): Promise<WebhookEndpoint | null> => {
  const { actors, runtime, askTimeoutMs } = ports
  const options = { commandId: runtime.newId(), timeoutMs: askTimeoutMs, tenant: null }
  const reply = await actors.ask<EndpointReply>(endpoint, { type: 'ReadWebhookEndpoint' }, options)
  if (isRefused(reply)) return null
  if (!('endpoint' in reply)) throw new Error(`${endpoint} cannot be read`)
  return reply.endpoint
}

const send = async (
  ports: DeliveryPorts,
  { tenant, endpoint: id, event }: DeliveryPending,
  endpoint: WebhookEndpoint,
  signal: AbortSignal,
): Promise<DeliveryAttempt> => {
  const atMs = ports.runtime.now()
  const { url, sealedSecret, sealedPreviousSecret, previousSecretExpiresAtMs } = endpoint
  const key = await ports.vault.openTenant(tenant)
  const open = (sealed: string): string => {
    const secret = key.open(sealed, secretContext(id))
    if (secret === null) throw new Error(`the secret of ${id} cannot be opened`)
    return secret
  }
  const secrets = [open(sealedSecret)]
  if (sealedPreviousSecret !== null && atMs < (previousSecretExpiresAtMs ?? 0))
    secrets.push(open(sealedPreviousSecret))
  const body = await deliveryBody(ports.vault, tenant, event)
  const answer = await ports.sender.send({ url, body, secrets }, signal)
  return { atMs, url, ...answer }
}
