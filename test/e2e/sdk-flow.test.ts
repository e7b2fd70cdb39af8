import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { offerPerson } from './mediated-phone.ts'
import { publishPerson, untilState } from './running-service.ts'
import { sdkPhone, synced } from './sdk-phone.ts'
import { placesUnderTest, type ServiceUnderTest } from './service-under-test.ts'

describe.each(placesUnderTest)('an app with the SDK, on $name', (place) => {
  let service: ServiceUnderTest
  let person: Awaited<ReturnType<typeof publishPerson>>

  beforeAll(async () => {
    service = await place.open()
    person = await publishPerson(service)
  })
  afterAll(() => service?.close())

  it('takes an invitation, accepts an offer and presents a proof', async () => {
    const { sdk, connect } = await sdkPhone(service)
    const connectionId = await connect()
    expect(await sdk.connections()).toMatchObject([{ state: 'completed' }])

    const offerId = await offerPerson(service, person.definitionId, connectionId, 'Ada')
    const offer = await synced(sdk, sdk.offers.list)
    expect(offer).toMatchObject({ state: 'offered', attributes: { name: 'Ada', age: '36' } })
    expect(await sdk.offers.accept(offer.id)).toMatchObject({ state: 'accepted' })
    const credential = await synced(sdk, sdk.credentials.list)
    expect(credential).toMatchObject({
      credentialDefinitionId: person.ledgerId,
      schemaName: 'person',
      attributes: { name: 'Ada', age: '36' },
      expired: false,
    })
    expect(await sdk.offers.list()).toEqual([])
    await untilState(service, `/v1/credentials/${offerId}`, 'done')

    const proof = await service.send('POST', '/v1/proofs/request', {
      connectionId,
      proofTemplateId: person.templateId,
    })
    const request = await synced(sdk, sdk.proofRequests.list)
    const selection = await sdk.proofRequests.select(request.id)
    expect(new Set(Object.values(selection))).toEqual(new Set([credential.id]))
    await sdk.proofRequests.present(request.id, selection)
    const proven = await untilState(service, `/v1/proofs/${String(proof.json['id'])}`, 'done')
    expect(proven).toMatchObject({ verified: true, disclosed: { person: { name: 'Ada' } } })
  })
})
