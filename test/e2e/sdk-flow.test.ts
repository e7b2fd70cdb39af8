import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { killedPhone } from './killed-phone.ts'
import { offerPerson } from './mediated-phone.ts'
import { publishPerson, untilState } from './running-service.ts'
import { connectionOf, sdkPhone, synced } from './sdk-phone.ts'
import { placesUnderTest, type ServiceUnderTest } from './service-under-test.ts'

const DAY_MS = 86_400_000

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

  it('declines an offer and a proof request, and the organisation hears of it', async () => {
    const { sdk, connect } = await sdkPhone(service)
    const connectionId = await connect()
    const offerId = await offerPerson(service, person.definitionId, connectionId, 'Ada')
    await sdk.offers.decline((await synced(sdk, sdk.offers.list)).id)
    await untilState(service, `/v1/credentials/${offerId}`, 'declined')
    const body = { connectionId, proofTemplateId: person.templateId }
    const proof = await service.send('POST', '/v1/proofs/request', body)
    await sdk.proofRequests.decline((await synced(sdk, sdk.proofRequests.list)).id)
    await untilState(service, `/v1/proofs/${String(proof.json['id'])}`, 'declined')
    expect([await sdk.offers.list(), await sdk.proofRequests.list()]).toEqual([[], []])
  })

  it('shows a credential that has expired as expired, presents it no more, and deletes it', async () => {
    let aheadMs = 0
    const phone = killedPhone(service, { now: () => Date.now() + aheadMs })
    const sdk = await phone.open()
    const { json } = await service.send('POST', '/v1/connections/invitations', {})
    await sdk.receiveInvitation(String(json['invitationUrl']))
    const connectionId = await connectionOf(service, String(json['invitationId']), sdk)
    await offerPerson(service, person.definitionId, connectionId, 'Ada')
    await sdk.offers.accept((await synced(sdk, sdk.offers.list)).id)
    const { id, expired, expiresAt } = await synced(sdk, sdk.credentials.list)
    expect([expired, expiresAt?.getTime()]).toEqual([false, expect.any(Number)])
    const body = { connectionId, proofTemplateId: person.templateId }
    await service.send('POST', '/v1/proofs/request', body)
    const request = await synced(sdk, sdk.proofRequests.list)
    aheadMs = 31 * DAY_MS
    expect(await sdk.credentials.get(id)).toMatchObject({ expired: true })
    await expect(sdk.proofRequests.select(request.id)).rejects.toMatchObject({ kind: 'InvalidSelection' })
    await sdk.credentials.delete(id)
    expect(await sdk.credentials.list()).toEqual([])
    await phone.close()
  })
})
