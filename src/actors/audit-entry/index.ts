import { Type } from 'typebox'
import { OPERATORS } from '../../domain/operators.ts'
import { defineKind } from '../define-kind.ts'
import { rowOfRecord } from '../rows.ts'
import { oneOf, storedRecord, text, textOrNull, time } from '../stored-fields.ts'
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

/** Without a data key: it holds ids, whose owners are asked when the log is shown, and a reason under the organisation's key. */
export const auditEntryKind = defineKind<AuditTypes>({
  references: auditEntry,
  decider: auditDecider,
  ...storedRecord({
    events: {
      AuditEntryOpened: { ...facts, outcome: anyOutcome },
      AuditEntryClosed: { outcome: oneOf(['done', 'refused', 'failed']), targetId: textOrNull },
    },
    records: [{ status: anyOutcome, ...facts, createdAtMs: time, updatedAtMs: time }],
  }),
  listed: {
    list: 'audit-entry',
    row: (entry) => {
      const { organisation, action, initiatorId, targetId } = entry
      const tenant = organisation ?? OPERATORS
      const filters = { action, initiatorId, targetId }
      return rowOfRecord({ ...entry, tenant }, { filters, externalId: null, texts: [action, targetId] })
    },
  },
  routes: auditLogRoutes,
})
