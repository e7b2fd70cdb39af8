import { isRefused } from '../../domain/decider.ts'
import type { EffectContext } from '../../host/definition.ts'
import type { KindPorts } from '../kind-ports.ts'
import type { WebhookAnswer } from '../../ports/webhook-sender.ts'
import { secretContext } from '../webhook-endpoint/commands.ts'
import { type WebhookEndpoint, webhookEndpoint } from '../webhook-endpoint/rules.ts'
import { deliveryBody } from './body.ts'
import type { EndpointLimiters } from './endpoint-limiter.ts'
import type { DeliveryAttempt, DeliveryCommand, DeliveryPending, EventToDeliver } from './rules.ts'

type Ports = Pick<
  KindPorts,
  'actors' | 'vault' | 'runtime' | 'webhookSender' | 'runningAttempts' | 'personalData'
>

const NO_ENDPOINT = 'no webhook endpoint is set'

/** One attempt. It goes to the URL, and carries the secrets, of its own moment. */
export const attemptDelivery = async (
  ports: Ports,
  limiters: EndpointLimiters,
  delivery: DeliveryPending,
  { signal }: EffectContext,
): Promise<DeliveryCommand> => {
  const endpoint = await ports.actors.read(webhookEndpoint.ref(delivery.endpoint))
  const attempt = isRefused(endpoint)
    ? { atMs: ports.runtime.now(), url: '', status: null, durationMs: 0, error: NO_ENDPOINT }
    : await send(ports, delivery, endpoint, signal)
  const accepted = attempt.status !== null && attempt.status < 300
  limiters.of(delivery.endpoint).note(accepted, attempt.durationMs)
  // The pause counts from the end of the attempt.
  const number = delivery.attempts + 1
  return { type: 'RecordDeliveryAttempt', atMs: ports.runtime.now(), number, attempt }
}

const send = async (
  ports: Ports,
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
  const post = async (during: AbortSignal): Promise<WebhookAnswer> => {
    const body = await deliveryBody(ports, tenant, event)
    return ports.webhookSender.send({ url, body, secrets }, during)
  }
  const shown = shownBy(event)
  const answer = await (shown.length === 0 ? post(signal) : ports.runningAttempts.run(shown, signal, post))
  return { atMs, url, ...answer }
}

/** The records whose erasure takes personal data out of the body: with a connection that of its exchanges goes too. */
const shownBy = ({ recordId, sealed, data }: EventToDeliver): readonly string[] => {
  if (sealed === null) return []
  const { connectionId } = data
  return typeof connectionId === 'string' ? [recordId, connectionId] : [recordId]
}
