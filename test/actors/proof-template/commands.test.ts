import { afterAll, describe, expect, it } from 'vitest'
import {
  archiveProofTemplate,
  createProofTemplate,
  editProofTemplate,
} from '../../../src/actors/proof-template/commands.ts'
import { furnishedService } from '../../compose/service-on-memory.ts'

const { service, at } = await furnishedService()
afterAll(() => service.close())

const ledgerId = 'V4SGRU86Z58d6TV7PBUe6f:3:CL:7:default'
const group = (more: object = {}) => ({
  name: 'person',
  credentialDefinitionIds: [at.definitionId],
  attributes: ['name'],
  ...more,
})
const create = (more: object = {}) =>
  createProofTemplate(service.useCases, {
    tenant: at.tenant,
    name: 'Entry',
    description: null,
    groups: [group()],
    predicates: [],
    ...more,
  })
const made = async (): Promise<string> => {
  const created = await create()
  if (!('id' in created)) throw new Error(created.reason)
  return created.id
}

describe('a proof template', () => {
  it('keeps the ledger ids of definitions, however they were named', async () => {
    for (const named of [at.definitionId, ledgerId])
      expect(await create({ groups: [group({ credentialDefinitionIds: [named] })] })).toMatchObject({
        template: { groups: [{ credentialDefinitionIds: [ledgerId] }] },
      })
  })

  it('takes ledger ids of other issuers, and no definition that does not exist', async () => {
    const naming = (named: string) => create({ groups: [group({ credentialDefinitionIds: [named] })] })
    const on = (network: string) => `did:indy:${network}:WgWxqztrNooG92RXvxSTWv/anoncreds/v0/CLAIM_DEF/12/tag`
    expect(await naming('WgWxqztrNooG92RXvxSTWv:3:CL:12:tag')).toHaveProperty('id')
    expect(await naming(on('sandbox'))).toHaveProperty('id')
    expect(await naming(on('sovrin'))).toMatchObject({ refused: 'credential_definition_not_found' })
    expect(await naming('def_00aaaaaaaaaa')).toMatchObject({ refused: 'credential_definition_not_found' })
  })

  it('asks only for what the definition has', async () => {
    const strange = await create({ groups: [group({ attributes: ['iban'] })] })
    expect(strange).toMatchObject({ refused: 'invalid_request' })
    expect('reason' in strange && strange.reason).toContain('"iban"')
    const predicates = [{ group: 'person', attribute: 'age', operator: '>=', value: 18 }]
    const compared = await create({ predicates })
    expect('reason' in compared && compared.reason).toContain('"age"')
  })

  it('is edited as a whole: what is not named stays', async () => {
    const id = await made()
    expect(await editProofTemplate(service.useCases, at.tenant, id, { name: 'Exit' })).toMatchObject({
      name: 'Exit',
      groups: [{ attributes: ['name'] }],
    })
    expect(
      await editProofTemplate(service.useCases, at.tenant, id, { groups: [group({ attributes: ['x'] })] }),
    ).toMatchObject({ refused: 'invalid_request' })
  })

  it('is not edited once it is archived, and archived as often as one likes', async () => {
    const id = await made()
    for (let each = 0; each < 2; each++)
      expect(await archiveProofTemplate(service.useCases, at.tenant, id)).toMatchObject({
        status: 'archived',
      })
    expect(await editProofTemplate(service.useCases, at.tenant, id, { name: 'X' })).toMatchObject({
      refused: 'invalid_request',
    })
  })

  it('of another organisation is unknown', async () => {
    const id = await made()
    const other = 'ten_00aaaaaaaaaa'
    expect(await archiveProofTemplate(service.useCases, other, id)).toMatchObject({
      refused: 'proof_template_not_found',
    })
    expect(await editProofTemplate(service.useCases, other, id, {})).toMatchObject({
      refused: 'proof_template_not_found',
    })
    expect(await archiveProofTemplate(service.useCases, other, 'x')).toMatchObject({
      refused: 'proof_template_not_found',
    })
  })
})
