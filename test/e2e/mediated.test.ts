import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { mediatedPhone } from './mediated-phone.ts'
import { publishPerson, untilState, WAIT } from './running-service.ts'
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test.ts'

const DAY_S = 86_400

let service: ServiceUnderTest
let person: Awaited<ReturnType<typeof publishPerson>>

beforeAll(async () => {
  service = await serviceUnderTest()
  person = await publishPerson(service)
})
afterAll(() => service?.close())

const offer = async (connectionId: string, name: string): Promise<string> => {
  const expiresAt = String(Math.floor(Date.now() / 1_000) + 30 * DAY_S)
  const attributes = { name, age: '36', expiresAt }
  const body = { connectionId, credentialDefinitionId: person.definitionId, attributes }
  return vi.waitFor(async () => {
    const { status, json } = await service.send('POST', '/v1/credentials/offer', body)
    expect(status).toBe(202)
    return String(json['id'])
  }, WAIT)
}

it('issues to a phone that polls our mediator, and waits for it while it is away', async () => {
  const phone = await mediatedPhone(service, 'poll')
  expect((await service.send('GET', `/v1/wallets/${phone.walletId}`)).json).toMatchObject({
    status: 'active',
    connectedAt: expect.any(String),
    lastSeenAt: expect.any(String),
  })
  const connectionId = await phone.connect()
  await untilState(service, `/v1/credentials/${await offer(connectionId, 'Ada')}`, 'done')
  expect(await phone.names()).toEqual(['Ada'])

  await phone.sleep()
  const id = await offer(connectionId, 'Bob')
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  expect(phone.saw(id)).toEqual([])
  await phone.wake()
  await untilState(service, `/v1/credentials/${id}`, 'done')
  expect((await phone.names()).toSorted()).toEqual(['Ada', 'Bob'])
  expect(phone.saw(id).filter((state) => state === 'offer-received')).toHaveLength(1)
})
