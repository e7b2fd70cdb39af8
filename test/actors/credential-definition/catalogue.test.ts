import { afterAll, describe, expect, it } from 'vitest'
import { createCatalogue } from '../../../src/actors/credential-definition/catalogue.ts'
import { credentialDefinition } from '../../../src/actors/credential-definition/rules.ts'
import { furnishedService } from '../../compose/service-on-memory.ts'
import { actorsThat } from '../../host/parts/actors-that.ts'

const DID = 'V4SGRU86Z58d6TV7PBUe6f'
const { service, at } = await furnishedService()
afterAll(() => service.close())

describe('the catalogue', () => {
  it('gives a definition to its tenant alone, also once it is kept', async () => {
    const { catalogue } = service.useCases
    for (let time = 0; time < 2; time++) {
      expect(await catalogue.definition(at.tenant, at.definitionId)).toMatchObject({
        status: 'published',
        issuing: { catalogueId: at.definitionId, ledgerId: `${DID}:3:CL:7:default` },
      })
      expect(await catalogue.definition('ten_00aaaaaaaaaa', at.definitionId)).toBeNull()
    }
    expect(await catalogue.privatePart(at.tenant, at.definitionId)).toBe('private')
    await expect(catalogue.privatePart('ten_00aaaaaaaaaa', at.definitionId)).rejects.toThrow(
      'no private part',
    )
  })

  it('reads the status alone of a definition whose keys it has', async () => {
    const views: string[] = []
    const { catalogue, ledger } = service.useCases
    const actors = actorsThat({
      read: (_: string, { view = 'record' }: { readonly view?: 'record' | 'status' } = {}) => {
        views.push(view)
        return service.actors.read(credentialDefinition.ref(at.definitionId), { view })
      },
    })
    const over = createCatalogue({ ledger, cachedMax: 2 })(actors)
    const expected = await catalogue.definition(at.tenant, at.definitionId)
    for (let time = 0; time < 3; time++)
      expect(await over.definition(at.tenant, at.definitionId)).toEqual(expected)
    expect(await over.definition('ten_00aaaaaaaaaa', at.definitionId)).toBeNull()
    expect(views).toEqual(['record', 'status', 'status', 'status'])
  })

  it('knows a definition by both names of its ledger, and by none of another network', async () => {
    const on = (network: string) =>
      service.useCases.catalogue.definition(
        at.tenant,
        `did:indy:${network}:${DID}/anoncreds/v0/CLAIM_DEF/7/default`,
      )
    expect(await on('sandbox')).toMatchObject({ issuing: { catalogueId: at.definitionId } })
    expect(await on('sovrin')).toBeNull()
  })

  it('reads definitions of other issuers from the ledger once', async () => {
    const { catalogue } = service.useCases
    const read = () => catalogue.forVerifying(`${DID}:2:person:1.0`, `${DID}:3:CL:7:other`)
    const found = await read()
    expect(JSON.parse(found?.schema ?? '')).toMatchObject({ issuerId: DID, attrNames: ['name'] })
    expect(JSON.parse(found?.definition ?? '')).toMatchObject({
      issuerId: DID,
      schemaId: `${DID}:2:person:1.0`,
    })
    await read()
    expect(service.reads).toEqual({ schema: 1, definition: 1 })
  })

  it('believes no presentation that names another schema than the definition has', async () => {
    const { catalogue } = service.useCases
    expect(await catalogue.forVerifying(`${DID}:2:person:1.0`, `${DID}:3:CL:8:x`)).toBeNull()
    expect(await catalogue.forVerifying(`${DID}:2:none:1.0`, `${DID}:3:CL:7:x`)).toBeNull()
  })
})
