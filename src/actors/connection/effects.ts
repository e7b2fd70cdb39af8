import { ABANDON_TIMER } from '../../domain/exchange.ts'
import { connectionDecider } from './rules.ts'
import type {
  ConnectionCommand,
  ConnectionEffect,
  ConnectionEvent,
  ConnectionReply,
  ConnectionState,
} from './state.ts'
import type { InvitationReply } from '../invitation/rules.ts'
import type { OldActorDefinition, EffectContext } from '../../host/definition.ts'
import { defineActor } from '../../host/definition.ts'
import type { ExchangePorts } from '../credential/effects.ts'
import { connectionEvents, connectionSnapshots } from './stored.ts'
import { CorrespondentGone, recipientOf } from './recipients.ts'

export const CONNECTION = 'con'

type ConnectionPorts = Pick<ExchangePorts, 'actors' | 'messenger' | 'runtime'>

export const connectionActor = (
  ports: ConnectionPorts,
): OldActorDefinition<
  ConnectionState,
  ConnectionCommand,
  ConnectionEvent,
  ConnectionReply,
  ConnectionEffect
> =>
  defineActor({
    kind: CONNECTION,
    decider: connectionDecider,
    events: connectionEvents,
    snapshots: connectionSnapshots,
    snapshotEvery: 50,
    keyParent: (_actor, first) => {
      if (first.type !== 'RequestConnection')
        throw new Error(`a connection does not begin with ${first.type}`)
      return { tenant: first.tenant, connection: null }
    },
    erased: (state) => state.status !== 'none' && state.ownSeed === null,
    perform: (effect, context) => deliverResponse(ports, effect, context),
    onTimer: (timerId, atMs) => {
      if (timerId !== ABANDON_TIMER) throw new Error(`a connection has no timer ${timerId}`)
      return { type: 'AbandonConnection', atMs }
    },
  })

const READ_TIMEOUT_MS = 5000

const deliverResponse = async (
  { actors, messenger, runtime }: ConnectionPorts,
  { connection }: ConnectionEffect,
  { actor, signal, forward }: EffectContext,
): Promise<ConnectionCommand> => {
  const { theirService, theirDid, ownSeed, invitationId, threadId } = connection
  if (theirService) await forward(recipientOf(theirService))
  const options = { commandId: '', timeoutMs: READ_TIMEOUT_MS, tenant: null }
  const reply = await actors.ask<InvitationReply>(invitationId, { type: 'ReadInvitation' }, options)
  const invitationSeed = 'invitation' in reply ? reply.invitation.ownSeed : null
  if (!theirService || !theirDid || !ownSeed || !invitationSeed) throw new CorrespondentGone()
  const facts = { connectionId: actor, threadId, invitationId, theirDid, invitationSeed }
  await messenger.connectionResponse({ service: theirService, ownSeed }, facts, signal)
  return { type: 'RecordResponseDelivered', atMs: runtime.now() }
}
