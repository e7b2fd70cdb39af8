import { Type } from 'typebox'
import { OPERATORS } from '../../domain/operators.ts'
import { defineKind } from '../define-kind.ts'
import { rowOfRecord } from '../rows.ts'
import { oneOf, orNull, storedRecord, text, textOrNull, time } from '../stored-fields.ts'
import { tellRecord } from './effects.ts'
import { endorsementRoutes } from './routes.ts'
import {
  ENDORSED_TYPES,
  ENDORSEMENT_STATUSES,
  endorsement,
  endorsementDecider,
  type EndorsementTypes,
} from './rules.ts'

const opened = {
  tenant: text,
  recordType: oneOf(ENDORSED_TYPES),
  recordId: text,
  attempt: Type.Integer({ minimum: 1 }),
}

/** What operators decide, one by one, that the endorser of the service signs. */
export const endorsementKind = defineKind<EndorsementTypes>({
  references: endorsement,
  decider: endorsementDecider,
  ...storedRecord({
    events: {
      EndorsementOpened: opened,
      EndorsementApproved: { by: text },
      EndorsementDenied: { by: text, reason: text },
      DecisionTold: {},
    },
    records: [
      {
        status: oneOf(ENDORSEMENT_STATUSES),
        ...opened,
        reason: textOrNull,
        decidedBy: textOrNull,
        decidedAtMs: orNull(time),
        isTold: Type.Boolean(),
        createdAtMs: time,
      },
    ],
  }),
  tenantOf: (state) => (state.status === 'none' ? null : state.tenant),
  effects: (ports) => ({ perform: (effect) => tellRecord(ports, effect) }),
  listed: {
    list: 'endorsement',
    row: ({ tenant: organisationId, decidedAtMs, ...record }) =>
      rowOfRecord(
        { ...record, updatedAtMs: decidedAtMs ?? record.createdAtMs, tenant: OPERATORS },
        // The same field under the name by which the records of an organisation are found when it is deleted.
        { filters: { organisationId, tenantId: organisationId }, texts: [record.recordId] },
      ),
  },
  routes: endorsementRoutes,
})
