import { describe } from 'vitest'
import { type SchemaCommand, schemaDecider, type SchemaTypes } from '../../../src/actors/schema/rules.ts'
import { itFollowsItsTable, type Machine } from '../../domain/transition-table.ts'

const order = {
  type: 'PublishSchema',
  atMs: 1,
  tenant: 'ten_00aaaaaaaa',
  name: 'person',
  version: '1.0',
  attributes: ['name', 'expiresAt'],
} as const satisfies SchemaCommand
const byHand = { ...order, endorsement: 'manual' } as const satisfies SchemaCommand
const awaited: SchemaCommand = { type: 'RecordEndorsementAwaited', atMs: 2, attempt: 1 }
const endorsed: SchemaCommand = { type: 'RecordEndorsed', atMs: 3, attempt: 1 }
const denied: SchemaCommand = { type: 'RecordEndorsementRefused', atMs: 3, attempt: 1, reason: 'no' }
const published: SchemaCommand = {
  type: 'RecordSchemaPublished',
  atMs: 4,
  ledgerId: 'd:2:person:1.0',
  seqNo: 7,
}
const refused: SchemaCommand = { type: 'RecordSchemaRefused', atMs: 4, reason: 'no' }
const deprecate: SchemaCommand = { type: 'Deprecate', atMs: 5 }

const machine: Machine<SchemaTypes> = {
  decider: schemaDecider,
  paths: {
    none: [],
    pending: [order],
    'pending (by hand)': [byHand],
    awaiting_endorsement: [byHand, awaited],
    endorsed: [byHand, awaited, endorsed],
    published: [order, published],
    deprecated: [order, published, deprecate],
    failed: [order, refused],
  },
  commands: {
    PublishSchema: order,
    RecordEndorsementAwaited: awaited,
    RecordEndorsed: endorsed,
    RecordEndorsementRefused: denied,
    RecordSchemaPublished: published,
    RecordSchemaRefused: refused,
    RetryPublishing: { type: 'RetryPublishing', atMs: 6, endorsement: 'automatic' },
    Deprecate: deprecate,
  },
}

describe('a schema', () => {
  itFollowsItsTable('PUBLISHING.md', machine)
})
