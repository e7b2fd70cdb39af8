import { describe, expect, it } from 'vitest'
import { templateView } from '../../../src/actors/proof-template/record.ts'

describe('a proof template, as it is shown', () => {
  it('has its content and no tenant', () => {
    const content = {
      name: 'Entry',
      description: null,
      groups: [{ name: 'g', credentialDefinitionIds: ['d'], attributes: ['a'] }],
      predicates: [{ group: 'g', attribute: 'a', operator: '>=', value: { yearsAgo: 18 } }] as const,
    }
    const record = { ...content, tenant: 't', status: 'active', createdAtMs: 0, updatedAtMs: 0 } as const
    expect(templateView('tpl_1', record)).toEqual({
      id: 'tpl_1',
      ...content,
      status: 'active',
      biometricRequired: false,
      createdAt: '1970-01-01T00:00:00.000Z',
      updatedAt: '1970-01-01T00:00:00.000Z',
    })
  })
})
