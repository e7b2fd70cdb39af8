import { describe } from 'vitest'
import {
  type DefinitionCommand,
  definitionDecider,
  type DefinitionTypes,
} from '../../../src/actors/credential-definition/rules.ts'
import { itFollowsItsTable, type Machine } from '../../domain/transition-table.ts'

const order = {
  type: 'PublishDefinition',
  atMs: 1,
  tenant: 'ten_00aaaaaaaa',
  schema: {
    id: 'sch_00aaaaaaaa',
    ledgerId: 'd:2:p:1.0',
    seqNo: 7,
    name: 'p',
    version: '1.0',
    attributes: ['expiresAt'],
  },
  tag: 'default',
} as const satisfies DefinitionCommand
const byHand = { ...order, endorsement: 'manual' } as const satisfies DefinitionCommand
const keys: DefinitionCommand = {
  type: 'RecordKeysGenerated',
  atMs: 2,
  publicPart: 'public',
  keyCorrectnessProof: 'proof',
  privatePart: 'private',
}
const awaited: DefinitionCommand = { type: 'RecordEndorsementAwaited', atMs: 3, attempt: 1 }
const endorsed: DefinitionCommand = { type: 'RecordEndorsed', atMs: 4, attempt: 1 }
const published: DefinitionCommand = {
  type: 'RecordDefinitionPublished',
  atMs: 5,
  ledgerId: 'd:3:CL:7:default',
}
const refused: DefinitionCommand = { type: 'RecordDefinitionRefused', atMs: 5, reason: 'no' }
const deprecate: DefinitionCommand = { type: 'Deprecate', atMs: 6 }

const machine: Machine<Omit<DefinitionTypes, 'state'> & { readonly state: { readonly status: string } }> = {
  decider: definitionDecider as never,
  paths: {
    none: [],
    pending: [order],
    'pending (keys made)': [order, keys],
    'pending (by hand)': [byHand, keys],
    awaiting_endorsement: [byHand, keys, awaited],
    endorsed: [byHand, keys, awaited, endorsed],
    published: [order, keys, published],
    deprecated: [order, keys, published, deprecate],
    failed: [order, keys, refused],
  },
  commands: {
    PublishDefinition: order,
    RecordKeysBegun: { type: 'RecordKeysBegun', atMs: 2 },
    RecordKeysQueued: { type: 'RecordKeysQueued', atMs: 2 },
    RecordKeysGenerated: keys,
    RecordEndorsementAwaited: awaited,
    RecordEndorsed: endorsed,
    RecordEndorsementRefused: { type: 'RecordEndorsementRefused', atMs: 4, attempt: 1, reason: 'no' },
    RecordDefinitionPublished: published,
    RecordDefinitionRefused: refused,
    RetryPublishing: { type: 'RetryPublishing', atMs: 7, endorsement: 'automatic' },
    Deprecate: deprecate,
  },
}

describe('a credential definition', () => {
  itFollowsItsTable('PUBLISHING.md', machine)
})
