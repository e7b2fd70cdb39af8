import { isRefused } from '../../domain/decider.ts'
import type { EffectContext } from '../../host/definition.ts'
import type { KindPorts } from '../kind-ports.ts'
import { addressed } from '../../ports/actors.ts'
import type { WebhookAnswer } from '../../ports/webhook-sender.ts'
import { secretContext } from '../webhook-endpoint/commands.ts'
import { type WebhookEndpoint, webhookEndpoint } from '../webhook-endpoint/rules.ts'
import { sealAnswer } from './answers.ts'
import { deliveryBody } from './body.ts'
import type { EndpointLimiters } from './endpoint-limiter.ts'
import {
  type DeliveryAttempt,
  type DeliveryCommand,
  type DeliveryPending,
  type EventToDeliver,
  webhookDelivery,
} from './rules.ts'

type Ports = Pick<
  KindPorts,
  'actors' | 'vault' | 'runtime' | 'webhookSender' | 'runningAttempts' | 'personalData' | 'hasOwnKey'
>

/** An endpoint came while its delivery was about to be held: the attempt is made at the next turn. */
class EndpointCame extends Error {
  override readonly name = 'EndpointCame'
  readonly retryable = true
}

/**
 * One attempt. It goes to the URL, and carries the secrets, of its own moment. Without an endpoint none is made: the
 * delivery is held in one batch with the endpoint's word that there is none, so whoever sets one finds it.
 */
export const attemptDelivery = async (
  ports: Ports,
  limiters: EndpointLimiters,
  delivery: DeliveryPending,
  { actor, signal }: Pick<EffectContext, 'actor' | 'signal'>,
): Promise<DeliveryCommand> => {
  const endpoint = await ports.actors.read(webhookEndpoint.ref(delivery.endpoint))
  if (isRefused(endpoint)) return hold(ports, actor, delivery)
  const attempt = await send(ports, actor, delivery, endpoint, signal)
  const accepted = attempt.status !== null && attempt.status < 300
  limiters.of(delivery.endpoint).note(accepted, attempt.durationMs)
  // The pause counts from the end of the attempt.
  const number = delivery.attempts + 1
  return { type: 'RecordDeliveryAttempt', atMs: ports.runtime.now(), number, attempt }
}

const hold = async (
  { actors, runtime }: Ports,
  actor: string,
  { endpoint, event, attempts, tenant }: DeliveryPending,
): Promise<DeliveryCommand> => {
  const command = { type: 'HoldDelivery', atMs: runtime.now() } as const
  const members = [
    addressed(webhookEndpoint.ref(endpoint), { type: 'RequireNoEndpoint' }),
    addressed(webhookDelivery.ref(actor), command),
  ] as const
  const commandId = `hold:${event.id}:${attempts}:${runtime.newId()}`
  if (isRefused(await actors.askAtomically(members, { commandId, tenant }))) throw new EndpointCame()
  // All is noted. To be told once more to hold would hold it for ever where an endpoint has come and it goes on by now.
  return { type: 'AttemptDelivery', atMs: command.atMs }
}

const send = async (
  ports: Ports,
  actor: string,
  { tenant, endpoint: id, event, attempts }: DeliveryPending,
  endpoint: WebhookEndpoint,
  signal: AbortSignal,
): Promise<DeliveryAttempt> => {
  const atMs = ports.runtime.now()
  const number = attempts + 1
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
  const post = async (during: AbortSignal): Promise<WebhookAnswer> => {
    const body = await deliveryBody(ports, tenant, event)
    const { id: eventId, type: eventType } = event
    return ports.webhookSender.send({ url, body, secrets, eventId, eventType, attempt: number }, during)
  }
  const shown = shownBy(event)
  const { answer, ...outcome } = await (shown.length === 0
    ? post(signal)
    : ports.runningAttempts.run(shown, signal, post))
  const sealedAnswer = await sealAnswer(ports, { delivery: actor, tenant, event, number }, answer)
  // Most answers have nothing to keep, and each field is in the journal four times for an exchange.
  return { atMs, url, ...outcome, ...(sealedAnswer !== null && { sealedAnswer }) }
}

/** The records whose erasure takes personal data out of the body: with a connection that of its exchanges goes too. */
const shownBy = ({ recordId, sealed, data }: EventToDeliver): readonly string[] => {
  if (sealed === null) return []
  const { connectionId } = data
  return typeof connectionId === 'string' ? [recordId, connectionId] : [recordId]
}
