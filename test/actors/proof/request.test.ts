import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProofTemplate } from '../../../src/actors/proof-template/commands.ts'
import { requestProof } from '../../../src/actors/proof/request.ts'
import type { ProofRecord } from '../../../src/actors/proof/state.ts'
import { furnishedService } from '../../compose/service-on-memory.ts'

const { service, at } = await furnishedService()
let templateId = ''
beforeAll(async () => {
  const groups = [{ name: 'person', credentialDefinitionIds: [at.definitionId], attributes: ['name'] }]
  const content = { tenant: at.tenant, name: 'Entry', description: null, groups, predicates: [] }
  const made = await createProofTemplate(service.useCases, content)
  templateId = 'id' in made ? made.id : ''
})
afterAll(() => service.close())

const request = (more: object = {}) =>
  requestProof(service.useCases, {
    tenant: at.tenant,
    connectionId: at.connectionId,
    proofTemplateId: templateId,
    externalId: null,
    ...more,
  })

const requestOf = (proof: ProofRecord): string => ('request' in proof ? proof.request : '')

describe('requesting a proof', () => {
  it('asks what the template says of credentials that have not expired', async () => {
    const asked = await request()
    if (!('proof' in asked)) throw new Error(asked.reason)
    const restrictions = [{ cred_def_id: 'V4SGRU86Z58d6TV7PBUe6f:3:CL:7:default' }]
    expect(JSON.parse(requestOf(asked.proof))).toMatchObject({
      requested_attributes: { person: { names: ['name'], restrictions } },
      requested_predicates: { 'person.0': { name: 'expiresAt', p_type: '>' } },
    })
  })

  it('asks of another issuer that its expiry is a number, and of its own not', async () => {
    const predicatesOf = async (credentialDefinitionIds: string[]) => {
      const groups = [{ name: 'person', credentialDefinitionIds, attributes: ['name'] }]
      const content = { tenant: at.tenant, name: 'Entry', description: null, groups, predicates: [] }
      const made = await createProofTemplate(service.useCases, content)
      if (!('id' in made)) throw new Error(made.reason)
      const asked = await request({ proofTemplateId: made.id })
      if (!('proof' in asked)) throw new Error(asked.reason)
      const { requested_predicates } = JSON.parse(requestOf(asked.proof)) as { requested_predicates: object }
      return Object.values(requested_predicates) as object[]
    }
    const foreign = 'E7QmBvTnWhVqJSNsRTUvxk:3:CL:9:default'
    expect(await predicatesOf([at.definitionId])).toHaveLength(1)
    const bound = { name: 'expiresAt', p_type: '<=', p_value: 2_147_483_647 }
    expect((await predicatesOf([foreign])).slice(1)).toMatchObject([bound])
    expect((await predicatesOf([at.definitionId, foreign])).slice(1)).toMatchObject([bound])
  })

  it.each([
    ['connection_not_found', { connectionId: 'con_00bbbbbbbbbb' }],
    ['connection_not_found', { connectionId: 'x' }],
    ['proof_template_not_found', { proofTemplateId: 'tpl_00aaaaaaaaaa' }],
    ['proof_template_not_found', { proofTemplateId: 'x' }],
    ['forbidden', { tenant: 'ten_00aaaaaaaaaa' }],
  ])('is refused: %s', async (refused, more) => {
    expect(await request(more)).toMatchObject({ refused })
  })
})
