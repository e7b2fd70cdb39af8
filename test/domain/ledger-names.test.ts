import { describe, expect, it } from 'vitest'
import { definitionNameOf, qualifiedDefinitionId, qualifiedSchemaId } from '../../src/domain/ledger-names.ts'

const did = 'V4SGRU86Z58d6TV7PBUe6f'

describe('the name of a definition', () => {
  it('is the same in both spellings', () => {
    const name = { did, schemaSeqNo: 12, tag: 'a:b' }
    expect(definitionNameOf(`${did}:3:CL:12:a:b`)).toEqual(name)
    expect(definitionNameOf(qualifiedDefinitionId('sandbox', `${did}:3:CL:12:a:b`) ?? '')).toEqual(name)
  })

  it.each(['', 'def_00aaaaaaaa', `${did}:2:person:1.0`, `${did}:3:CL:0:x`])('is not read from %j', (text) => {
    expect(definitionNameOf(text)).toBeNull()
    expect(qualifiedDefinitionId('sandbox', text)).toBeNull()
  })

  it('of a schema is qualified with its network', () => {
    expect(qualifiedSchemaId('sandbox', did, 'p', '1.0')).toBe(
      `did:indy:sandbox:${did}/anoncreds/v0/SCHEMA/p/1.0`,
    )
  })
})
