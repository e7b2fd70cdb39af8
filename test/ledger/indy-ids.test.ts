import { describe, expect, it } from 'vitest'
import {
  definitionId,
  qualifiedDefinitionId,
  qualifiedSchemaId,
  schemaId,
} from '../../src/ledger/indy-ids.ts'

describe('the names of ledger objects', () => {
  it('are spelled as Indy and did:indy spell them', () => {
    expect(schemaId('D', 'degree', '1.0')).toBe('D:2:degree:1.0')
    expect(definitionId('D', 7, 'default')).toBe('D:3:CL:7:default')
    expect(qualifiedSchemaId('n', 'D', 'degree', '1.0')).toBe('did:indy:n:D/anoncreds/v0/SCHEMA/degree/1.0')
    expect(qualifiedDefinitionId('n', 'D', 7, 'default')).toBe(
      'did:indy:n:D/anoncreds/v0/CLAIM_DEF/7/default',
    )
  })
})
