import type { OldAddressed } from '../../ports/actors.ts'
import { isRefused, type Refused, refuse } from '../../domain/refused.ts'
import type { UseCasePorts } from '../command-ports.ts'

/** Creates an exchange (OfferCredential, RequestProof) in one batch with its connection saying that it is ready. */
export const askBesideConnection = async <Reply>(
  { actors, askTimeoutMs }: UseCasePorts,
  { tenant, connectionId }: { readonly tenant: string; readonly connectionId: string },
  exchange: OldAddressed,
): Promise<Reply | Refused> => {
  const ready = { actor: connectionId, command: { type: 'RequireConnectionReady', tenant } }
  const options = { commandId: `create:${exchange.actor}`, timeoutMs: askTimeoutMs, tenant }
  const replies = await actors.askTogether([ready, exchange], isRefused, options)
  const last = replies.at(-1)
  if (!isRefused(last)) return last as Reply
  // A connection that never was says so in its own words.
  return last.refused === 'not_found' ? noConnection() : last
}

export const noConnection = (): Refused =>
  refuse('connection_not_found', 'There is no connection with this connectionId.')
