import { afterAll, describe, expect, it } from 'vitest'
import { credentialDefinition } from '../../../src/actors/credential-definition/rules.ts'
import { offerCredential } from '../../../src/actors/credential/offer.ts'
import { deprecate } from '../../../src/actors/publishing.ts'
import { furnishedService } from '../../compose/service-on-memory.ts'

const { service, at } = await furnishedService()
afterAll(() => service.close())

const offer = (more: object = {}) =>
  offerCredential(service.useCases, {
    tenant: at.tenant,
    connectionId: at.connectionId,
    credentialDefinitionId: at.definitionId,
    attributes: { name: 'Ada', expiresAt: '2000000000' },
    externalId: null,
    ...more,
  })

describe('offering a credential', () => {
  it('creates the exchange on the shard of its connection', async () => {
    const offered = await offer({ externalId: 'x' })
    expect(offered).toMatchObject({ credential: { status: 'offer-sent', externalId: 'x' } })
    expect('id' in offered && offered.id).toMatch(/^cre_00/)
  })

  it('knows a definition by its ledger id too', async () => {
    const credentialDefinitionId = 'V4SGRU86Z58d6TV7PBUe6f:3:CL:7:default'
    expect(await offer({ credentialDefinitionId })).toMatchObject({
      credential: { definition: { catalogueId: at.definitionId } },
    })
  })

  it.each([
    ['connection_not_found', { connectionId: 'con_00bbbbbbbbbb' }],
    ['connection_not_found', { connectionId: 'x' }],
    ['credential_definition_not_found', { credentialDefinitionId: 'def_00aaaaaaaaaa' }],
    ['attributes_mismatch', { attributes: { expiresAt: '2000000000' } }],
    ['forbidden', { tenant: 'ten_00aaaaaaaaaa' }],
  ])('is refused: %s', async (refused, more) => {
    expect(await offer(more)).toMatchObject({ refused })
  })

  it('is refused with a deprecated definition, which signs what was begun with it', async () => {
    const { useCases } = service
    const begun = await offer({ externalId: 'begun' })
    expect(begun).toHaveProperty('id')
    const { tenant, definitionId: id } = at
    const ended = await deprecate(useCases, { tenant, references: credentialDefinition, id })
    expect(ended).toMatchObject({ status: 'deprecated' })
    expect(await offer()).toMatchObject({ refused: 'credential_definition_not_published' })
    expect(await useCases.catalogue.issuing(tenant, id)).toMatchObject({ catalogueId: id })
    expect(await useCases.catalogue.privatePart(tenant, id)).toBe('private')
    expect(await useCases.catalogue.issuing('ten_00bbbbbbbbbb', id)).toBeNull()
  })
})
