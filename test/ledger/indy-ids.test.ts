import { describe, expect, it } from 'vitest'
import {
  definitionId,
  isDefinitionId,
  isSchemaId,
  qualifiedDefinitionId,
  qualifiedSchemaId,
  schemaId,
  spelledForLedger,
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

  const did = 'V4SGRU86Z58d6TV7PBUe6f'
  it('are known by their spelling, in both of them', () => {
    for (const spell of [schemaId, qualifiedSchemaId.bind(null, 'n')])
      expect(isSchemaId(spell(did, 'Higher degree', '1.0'))).toBe(true)
    for (const spell of [definitionId, qualifiedDefinitionId.bind(null, 'sovrin:staging')])
      expect(isDefinitionId(spell(did, 7, 'default'))).toBe(true)
  })

  it('are asked for as the ledger spells them, and those of other networks not at all', () => {
    const schema = qualifiedSchemaId('n:test', did, 'Higher degree', '1.0')
    const definition = qualifiedDefinitionId('n:test', did, 7, 'default')
    expect(spelledForLedger(schema, 'n:test')).toBe(schemaId(did, 'Higher degree', '1.0'))
    expect(spelledForLedger(definition, 'n:test')).toBe(definitionId(did, 7, 'default'))
    expect(spelledForLedger(schema, 'n')).toBeNull()
    expect(spelledForLedger(definition, 'test')).toBeNull()
    expect(spelledForLedger(schemaId(did, 'degree', '1.0'), 'n')).toBe(`${did}:2:degree:1.0`)
  })

  it.each([
    '',
    'junk',
    'x'.repeat(100_000),
    'did:indy:n:abc/x',
    `${did}:2:${'x'.repeat(2_000)}:1.0`,
    `${did}:9:x:1.0`,
  ])('are not what strangers make up: %.40s', (id) => {
    expect([isSchemaId(id), isDefinitionId(id)]).toEqual([false, false])
  })

  it.each(['-1', '0', '9999999999', 'x', ''])('are not of a schema numbered %j', (seqNo) => {
    expect(isDefinitionId(`${did}:3:CL:${seqNo}:default`)).toBe(false)
  })
})
