import { pairOf } from '../../didcomm/keys.ts'
import { handshakeRefusal, handshakeResponse } from '../../didcomm/protocols/handshake.ts'
import { isRefused } from '../../domain/decider.ts'
import { EgressRefused } from '../../egress/failures.ts'
import type { EffectContext } from '../../host/definition.ts'
import { invitation } from '../invitation/rules.ts'
import type { KindPorts } from '../kind-ports.ts'
import { HANDSHAKE_OVER } from './messages.ts'
import { eraseExchanges } from './exchanges.ts'
import type { ConnectionCommand, ConnectionEffect, ConnectionRecord } from './state.ts'
import { RecipientGone, laneOf, type HolderPorts } from './for-exchanges.ts'

type Ports = HolderPorts & Pick<KindPorts, 'publicUrl' | 'lists'>

/** What a connection owes: the answer to its holder's request, and the erasure of its exchanges after its own. */
export const performConnectionEffect = (
  ports: Ports,
  effect: ConnectionEffect,
  context: EffectContext,
): Promise<ConnectionCommand> =>
  effect.kind === 'deliver-response'
    ? deliverResponse(ports, effect.connection, context)
    : eraseExchanges(ports, effect, context)

/**
 * One attempt at the answer to the holder's request, or at saying that its handshake is over, with the key of the
 * invitation: the holder may know no other yet. What became of it decides about the next one.
 */
const deliverResponse = async (
  ports: Ports,
  connection: ConnectionRecord,
  { actor, signal, forward }: EffectContext,
): Promise<ConnectionCommand> => {
  const { actors, deliver, publicUrl, runtime } = ports
  const { theirService, theirDid, ownSeed, ownKey, invitationId, threadId, protocol, prefix } = connection
  if (theirService) await forward(laneOf(ports, theirService))
  const isOver = connection.status === 'abandoned'
  const number = connection.attempts.made + 1
  let invitationSeed: string | null
  try {
    const answered = await actors.read(invitation.ref(invitationId))
    invitationSeed = isRefused(answered) ? null : answered.ownSeed
  } catch (error) {
    // Of a handshake that is over nothing may stay owed for ever.
    if (isOver && !signal.aborted) return { type: 'RecordResponseFailed', atMs: runtime.now(), number }
    throw error
  }
  if (!theirService || !theirDid || !ownSeed || !invitationSeed) {
    const gone = new RecipientGone()
    // No wait for the holder would end this one.
    if (isOver) return { type: 'RecordResponseImpossible', atMs: runtime.now(), reason: gone.message, number }
    throw gone
  }
  const request = { threadId, invitationId, theirDid, protocol, prefix }
  const answer = () =>
    handshakeResponse({
      request,
      own: [{ endpoint: `${publicUrl()}/didcomm/${actor}`, recipientKeys: [ownKey], routingKeys: [] }],
      invitationKey: pairOf(invitationSeed),
      atMs: connection.createdAtMs,
    })
  const message = isOver ? handshakeRefusal(request, HANDSHAKE_OVER) : answer()
  try {
    // A wallet that writes again has not got the answer, or has lost it, so it gets one more.
    const to = { service: theirService, ownSeed: invitationSeed }
    await deliver(to, message, signal, `${actor} answer ${connection.status} ${connection.attempts.early}`)
  } catch (error) {
    // What was cut off because we stop, or our shard moves, has not failed.
    if (signal.aborted) throw error
    const atMs = runtime.now()
    if (error instanceof EgressRefused)
      return { type: 'RecordResponseImpossible', atMs, reason: unreachable(error), number }
    return { type: 'RecordResponseFailed', atMs, number }
  }
  return { type: 'RecordResponseDelivered', atMs: runtime.now(), number }
}

const unreachable = ({ message }: EgressRefused): string =>
  `The wallet's address is never written to: ${message}.`
