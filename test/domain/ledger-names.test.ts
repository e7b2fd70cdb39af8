import { describe, expect, it } from 'vitest'
import { definitionNameOf, qualifiedDefinitionId, qualifiedSchemaId } from '../../src/domain/ledger-names.ts'

const did = 'V4SGRU86Z58d6TV7PBUe6f'

describe('the name of a definition', () => {
  it('is the same in both spellings', () => {
    const name = { did, schemaSeqNo: 12, tag: 'a:b' }
    const qualified = qualifiedDefinitionId('sandbox', `${did}:3:CL:12:a:b`) ?? ''
    expect(definitionNameOf('sandbox', `${did}:3:CL:12:a:b`)).toEqual(name)
    expect(definitionNameOf('sandbox', qualified)).toEqual(name)
    expect(qualifiedDefinitionId('sandbox', qualified)).toBe(qualified)
  })

  it.each(['', 'def_00aaaaaaaa', `${did}:2:person:1.0`, `${did}:3:CL:0:x`])('is not read from %j', (text) => {
    expect(definitionNameOf('sandbox', text)).toBeNull()
    expect(qualifiedDefinitionId('sandbox', text)).toBeNull()
  })

  it.each(['sovrin', 'sovrin:sandbox', 'sandbox:sandbox', 'sandbo'])(
    'is not that of the network %s',
    (network) => {
      const other = `did:indy:${network}:${did}/anoncreds/v0/CLAIM_DEF/12/a`
      expect(definitionNameOf('sandbox', other)).toBeNull()
      expect(definitionNameOf(network, other)).toEqual({ did, schemaSeqNo: 12, tag: 'a' })
    },
  )

  it('of a schema is qualified with its network', () => {
    expect(qualifiedSchemaId('sandbox', did, 'p', '1.0')).toBe(
      `did:indy:sandbox:${did}/anoncreds/v0/SCHEMA/p/1.0`,
    )
  })
})
