import { Type } from 'typebox'
import { defineKind } from '../define-kind.ts'
import { endorsement, publishingEvents, publishingFields } from '../publishing-fields.ts'
import { rowOfRecord } from '../rows.ts'
import { orNull, storedRecord, text, textOrNull, time } from '../stored-fields.ts'
import { performSchemaEffect } from './effects.ts'
import { schemaRoutes } from './routes.ts'
import { schemaDecider, schema, type SchemaTypes } from './rules.ts'

const ordered = {
  tenant: text,
  name: text,
  version: text,
  attributes: Type.Array(text),
  // Releases without endorsement by hand do not say it.
  endorsement: Type.Optional(endorsement),
}
const place = Type.Integer({ minimum: 1 })

/** Schemas of credentials. */
export const schemaKind = defineKind<SchemaTypes>({
  references: schema,
  decider: schemaDecider,
  ...storedRecord({
    events: {
      ...publishingEvents,
      SchemaOrdered: ordered,
      SchemaPublished: { ledgerId: text, seqNo: place },
      SchemaRefused: { reason: text },
    },
    records: [
      { ...publishingFields, ...ordered, ledgerId: textOrNull, seqNo: orNull(place), createdAtMs: time },
    ],
  }),
  tenantOf: (state) => (state.status === 'none' ? null : state.tenant),
  effects: (ports) => ({ perform: (effect, { actor }) => performSchemaEffect(ports, effect, actor) }),
  listed: { list: 'schema', row: (record) => rowOfRecord(record, { texts: [record.name] }) },
  routes: schemaRoutes,
})
