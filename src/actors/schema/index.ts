import { Type } from 'typebox'
import { LedgerRefused } from '../../ports/ledger.ts'
import { defineKind } from '../define-kind.ts'
import type { KindPorts } from '../kind-ports.ts'
import { rowOfRecord } from '../rows.ts'
import { oneOf, orNull, storedRecord, text, textOrNull, time } from '../stored-fields.ts'
import { authorOf } from '../tenant/author.ts'
import { schemaRoutes } from './routes.ts'
import { type SchemaCommand, schemaDecider, type SchemaEffect, schema, type SchemaTypes } from './rules.ts'

const ordered = { tenant: text, name: text, version: text, attributes: Type.Array(text) }
const place = Type.Integer({ minimum: 1 })

/** Schemas of credentials. */
export const schemaKind = defineKind<SchemaTypes>({
  references: schema,
  decider: schemaDecider,
  ...storedRecord({
    events: {
      SchemaOrdered: ordered,
      SchemaPublished: { ledgerId: text, seqNo: place },
      SchemaRefused: { reason: text },
    },
    records: [
      {
        status: oneOf(['pending', 'published', 'failed']),
        ...ordered,
        ledgerId: textOrNull,
        seqNo: orNull(place),
        lastError: textOrNull,
        createdAtMs: time,
        updatedAtMs: time,
      },
    ],
  }),
  tenantOf: (state) => (state.status === 'none' ? null : state.tenant),
  effects: (ports) => ({ perform: (effect) => publish(ports, effect) }),
  listed: { list: 'schema', row: (record) => rowOfRecord(record, { texts: [record.name] }) },
  routes: schemaRoutes,
})

type Ports = Pick<KindPorts, 'actors' | 'ledger' | 'runtime' | 'signerOf'>

const publish = async (ports: Ports, effect: SchemaEffect): Promise<SchemaCommand> => {
  const { tenant, name, version, attributes } = effect.schema
  try {
    const author = await authorOf(ports, tenant)
    const { id, seqNo } = await ports.ledger.publishSchema(author, { name, version, attributes })
    return { type: 'RecordSchemaPublished', atMs: ports.runtime.now(), ledgerId: id, seqNo }
  } catch (error) {
    if (!(error instanceof LedgerRefused)) throw error
    return { type: 'RecordSchemaRefused', atMs: ports.runtime.now(), reason: error.message }
  }
}
