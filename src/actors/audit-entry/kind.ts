import { Type } from 'typebox'
import {
  type AuditCommand,
  auditDecider,
  type AuditEvent,
  type AuditReply,
  type AuditState,
} from './rules.ts'
import { codec, eventCodec } from '../../host/codec.ts'
import { type OldActorDefinition, defineActor } from '../../host/definition.ts'
import { event, oneOf, text, textOrNull, time } from '../stored-fields.ts'

export const AUDIT_ENTRY = 'aud'

const facts = {
  organisation: textOrNull,
  initiator: oneOf(['member', 'operator', 'acting_operator', 'command_line', 'nobody']),
  initiatorId: textOrNull,
  action: text,
  targetId: textOrNull,
  sealedReason: Type.Optional(text),
}
const anyOutcome = oneOf(['open', 'done', 'refused', 'failed'])

export const auditEntryActor = (): OldActorDefinition<AuditState, AuditCommand, AuditEvent, AuditReply> =>
  defineActor({
    kind: AUDIT_ENTRY,
    decider: auditDecider,
    events: eventCodec({
      AuditEntryOpened: {
        version: 1,
        schema: event('AuditEntryOpened', { ...facts, outcome: anyOutcome }),
      },
      AuditEntryClosed: {
        version: 1,
        schema: event('AuditEntryClosed', {
          outcome: oneOf(['done', 'refused', 'failed']),
          targetId: textOrNull,
        }),
      },
    }),
    snapshots: codec({
      version: 1,
      schema: Type.Union([
        Type.Object({ status: Type.Literal('none') }),
        Type.Object({ status: anyOutcome, ...facts, createdAtMs: time, updatedAtMs: time }),
      ]),
    }),
    snapshotEvery: 50,
    // Ids, and a reason under the organisation's key: whoever they belong to is asked when the log is shown.
    keyParent: null,
    erased: () => false,
    perform: (effect) => Promise.reject(new Error(`an entry owes nothing, also not ${effect.kind}`)),
    onTimer: (timerId) => {
      throw new Error(`an entry has no timer ${timerId}`)
    },
  })
