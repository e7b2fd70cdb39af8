import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { mediatedPhone, offerPerson, walletFor } from './mediated-phone.ts'
import { publishPerson, untilState, WAIT } from './running-service.ts'
import { placesUnderTest, type ServiceUnderTest } from './service-under-test.ts'

describe.each(placesUnderTest)('a phone behind our mediator, on $name', (place) => {
  let service: ServiceUnderTest
  let person: Awaited<ReturnType<typeof publishPerson>>

  beforeAll(async () => {
    service = await place.open()
    person = await publishPerson(service)
  })
  afterAll(() => service?.close())

  const offer = (connectionId: string, name: string): Promise<string> =>
    offerPerson(service, person.definitionId, connectionId, name)
  const issued = async (connectionId: string, name: string): Promise<void> => {
    await untilState(service, `/v1/credentials/${await offer(connectionId, name)}`, 'done')
  }
  const walletRecord = async (id: string) => (await service.send('GET', `/v1/wallets/${id}`)).json

  it('polls for its messages, which wait for it while it is away, and come once', async () => {
    const phone = await mediatedPhone(service, 'polling')
    const { status, connectedAt, lastSeenAt } = await walletRecord(phone.walletId)
    expect([status, typeof connectedAt, typeof lastSeenAt]).toEqual(['active', 'string', 'string'])
    const connectionId = await phone.connect()
    await issued(connectionId, 'Ada')
    const proof = await service.send('POST', '/v1/proofs/request', {
      connectionId,
      proofTemplateId: person.templateId,
    })
    const proven = await untilState(service, `/v1/proofs/${String(proof.json['id'])}`, 'done')
    expect(proven).toMatchObject({ verified: true, disclosed: { person: { name: 'Ada' } } })

    await phone.sleep()
    const id = await offer(connectionId, 'Bob')
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(phone.saw(id)).toEqual([])
    await phone.wake()
    await untilState(service, `/v1/credentials/${id}`, 'done')
    expect(new Set(await phone.names())).toEqual(new Set(['Ada', 'Bob']))
    expect(phone.saw(id).filter((state) => state === 'offer-received')).toHaveLength(1)
  })

  it.each(['connections/1.0', 'did:peer:1', 'did:peer:2'] as const)('connects by %s', async (handshake) => {
    const phone = await mediatedPhone(service, 'polling', handshake)
    expect((await walletRecord(phone.walletId))['status']).toBe('active')
    await expect(phone.mediation()).resolves.toMatchObject({ state: 'granted' })
  })

  it('goes on after its token was revoked; a lost one is replaced by another wallet', async () => {
    const lost = await mediatedPhone(service, 'polling')
    const connectionId = await lost.connect()
    await issued(connectionId, 'Ada')
    const revoked = await service.send('DELETE', `/v1/wallets/${lost.walletId}`)
    expect(revoked.json).toMatchObject({ status: 'revoked', revokedBy: 'tenant' })
    const asked = await service.send('GET', '/v1/wallet/mediator-invitation', undefined, lost.walletToken)
    expect(asked.status).toBe(401)
    expect(await walletFor(service, lost.installation)).toMatchObject({
      status: 409,
      error: 'wallet_revoked',
    })
    // Its mailbox is there for 30 days.
    await issued(connectionId, 'Bob')

    await vi.waitFor(
      async () =>
        expect((await service.send('POST', `/v1/connections/${connectionId}/erase`)).status).toBe(200),
      WAIT,
    )
    const next = await mediatedPhone(service, 'polling')
    expect(next.walletId).not.toBe(lost.walletId)
    await issued(await next.connect(), 'Ada')
    expect(await next.names()).toEqual(['Ada'])
  })
})
