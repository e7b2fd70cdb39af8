import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import {
  type ActingCommand,
  actingDecider,
  type ActingEvent,
  type ActingReply,
  type ActingState,
  type TellEnd,
} from './rules.ts'
import type { AuditReply } from '../audit-entry/rules.ts'
import { isRefused } from '../../domain/refused.ts'
import { actorId, shardOf } from '../../domain/shards.ts'
import { codec, eventCodec } from '../../host/codec.ts'
import { type OldActorDefinition, defineActor } from '../../host/definition.ts'
import { event, oneOf, orNull, text, time } from '../stored-fields.ts'
import type { Actors } from '../../ports/actors.ts'
import { AUDIT_ENTRY } from '../audit-entry/kind.ts'

const ACTING = 'act'

export type ActingPorts = { readonly actors: Pick<Actors, 'ask'> }

const TELL_TIMEOUT_MS = 10_000

/** One for each session of an operator: found by the session, so nothing has to be kept with the account. */
export const actingOf = (sessionId: string): string => {
  const digest = createHash('sha256').update(`acting ${sessionId}`).digest()
  return actorId(ACTING, digest[0] ?? 0, digest.subarray(1, 17).toString('hex'))
}

const facts = { organisation: text, operatorId: text, sealedReason: text, mayChange: Type.Boolean() }
const by = oneOf(['operator', 'time'])

export const actingActor = (
  ports: ActingPorts,
): OldActorDefinition<ActingState, ActingCommand, ActingEvent, ActingReply, TellEnd> =>
  defineActor({
    kind: ACTING,
    decider: actingDecider,
    events: eventCodec({
      ActingBegun: { version: 1, schema: event('ActingBegun', facts) },
      ActingEnded: { version: 1, schema: event('ActingEnded', { by }) },
      ActingEndTold: { version: 1, schema: event('ActingEndTold', { number: time }) },
    }),
    snapshots: codec({
      version: 1,
      schema: Type.Object({
        number: time,
        period: orNull(Type.Object({ ...facts, startedAtMs: time, endsAtMs: time })),
        untold: Type.Array(
          Type.Object({ number: time, organisation: text, operatorId: text, by, atMs: time }),
        ),
      }),
    }),
    snapshotEvery: 50,
    // The reason is under the organisation's key; everything else is ids.
    keyParent: null,
    erased: () => false,
    perform: (effect, { actor }) => tellEnd(ports, actor, effect),
    onTimer: (timerId, atMs) => ({
      type: 'LetActingRunOut',
      atMs,
      number: Number(timerId.slice('end-'.length)),
    }),
  })

/** A line of the organisation's audit log, whose id follows from what ended: told twice, it is one. */
const tellEnd = async ({ actors }: ActingPorts, actor: string, { end }: TellEnd): Promise<ActingCommand> => {
  const { number, organisation, operatorId, atMs } = end
  const unique = createHash('sha256').update(`${actor} ${number}`).digest('hex').slice(0, 32)
  const id = actorId(AUDIT_ENTRY, shardOf(organisation) ?? 0, unique)
  const isByTime = end.by === 'time'
  const command = {
    type: 'OpenAuditEntry',
    atMs,
    outcome: 'done',
    organisation,
    initiator: isByTime ? 'nobody' : 'operator',
    initiatorId: operatorId,
    action: isByTime ? 'actingRanOut' : 'endActing',
    targetId: organisation,
  }
  const options = { commandId: `open ${id}`, timeoutMs: TELL_TIMEOUT_MS, tenant: null }
  const reply = await actors.ask<AuditReply>(id, command, options)
  if (isRefused(reply)) throw new Error('the audit log refused a line')
  return { type: 'NoteEndTold', number, atMs }
}
