import { Type } from 'typebox'
import { OPERATORS } from '../../domain/operators.ts'
import { codec, eventCodec } from '../../host/codec.ts'
import { defineKind } from '../define-kind.ts'
import { rowOfRecord } from '../rows.ts'
import { event, oneOf, text, textOrNull, time } from '../stored-fields.ts'
import { auditLogRoutes } from './routes.ts'
import { auditDecider, auditEntry, type AuditTypes } from './rules.ts'

const facts = {
  organisation: textOrNull,
  initiator: oneOf(['member', 'operator', 'acting_operator', 'command_line', 'nobody']),
  initiatorId: textOrNull,
  action: text,
  targetId: textOrNull,
  sealedReason: Type.Optional(text),
}
const anyOutcome = oneOf(['open', 'done', 'refused', 'failed'])
const closed = { outcome: oneOf(['done', 'refused', 'failed']), targetId: textOrNull }

/** Without a data key: it holds ids, whose owners are asked when the log is shown, and a reason under the organisation's key. */
export const auditEntryKind = defineKind<AuditTypes>({
  references: auditEntry,
  decider: auditDecider,
  events: eventCodec({
    AuditEntryOpened: { version: 1, schema: event('AuditEntryOpened', { ...facts, outcome: anyOutcome }) },
    AuditEntryClosed: { version: 1, schema: event('AuditEntryClosed', closed) },
  }),
  snapshots: codec({
    version: 1,
    schema: Type.Union([
      Type.Object({ status: Type.Literal('none') }),
      Type.Object({ status: anyOutcome, ...facts, createdAtMs: time, updatedAtMs: time }),
    ]),
  }),
  listed: {
    list: 'audit-entry',
    row: (_, entry) => {
      const { organisation, action, initiatorId, targetId } = entry
      const tenant = organisation ?? OPERATORS
      const filters = { action, initiatorId, targetId }
      return rowOfRecord({ ...entry, tenant }, { filters, externalId: null, texts: [action, targetId] })
    },
  },
  routes: auditLogRoutes,
})
