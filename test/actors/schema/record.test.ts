import { describe, expect, it } from 'vitest'
import { schemaSchema, schemaView } from '../../../src/actors/schema/record.ts'
import { compileSchema } from '../../../src/http/route/validation.ts'

describe('a schema as callers see it', () => {
  it('has its qualified id once it is on the ledger', () => {
    const record = {
      tenant: 't',
      name: 'p',
      version: '1.0',
      attributes: ['a'],
      createdAtMs: 0,
      updatedAtMs: 0,
    }
    const open = { ...record, status: 'pending', ledgerId: null, seqNo: null, lastError: null } as const
    const published = { ...open, status: 'published', ledgerId: 'DID:2:p:1.0', seqNo: 1 } as const
    const views = [schemaView('net', 'x', open), schemaView('net', 'x', published)]
    expect(views.map((view) => compileSchema(schemaSchema, 'it')(view))).toEqual([null, null])
    expect(views.map((view) => view.qualifiedId)).toEqual([
      null,
      'did:indy:net:DID/anoncreds/v0/SCHEMA/p/1.0',
    ])
  })
})
