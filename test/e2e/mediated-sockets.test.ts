import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mediatedPhone, offerPerson } from './mediated-phone.ts'
import { publishPerson, untilState } from './running-service.ts'
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test.ts'

/** Longer than a phone has to have a message until it is acknowledged without a word of it. */
const ACKNOWLEDGED_MS = 7_000

let service: ServiceUnderTest
let person: Awaited<ReturnType<typeof publishPerson>>

beforeAll(async () => {
  service = await serviceUnderTest()
  person = await publishPerson(service)
})
afterAll(() => service?.close())

const offer = (connectionId: string, name: string): Promise<string> =>
  offerPerson(service, person.definitionId, connectionId, name)

describe.each(['live', 'implicit'] as const)('a phone that takes its messages on a socket (%s)', (pickup) => {
  it('gets each message at once and once, and what came meanwhile when it is back', async () => {
    const phone = await mediatedPhone(service, pickup)
    const offersSeen = (id: string): number =>
      phone.saw(id).filter((state) => state === 'offer-received').length
    const connectionId = await phone.connect()
    expect(phone.wallet.openSockets).toBe(1)
    const first = await offer(connectionId, 'Ada')
    await untilState(service, `/v1/credentials/${first}`, 'done')

    await phone.sleep()
    expect(phone.wallet.openSockets).toBe(0)
    const second = await offer(connectionId, 'Bob')
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(phone.saw(second)).toEqual([])
    await phone.wake()
    await untilState(service, `/v1/credentials/${second}`, 'done')

    // A socket that drops is opened again by the wallet itself, and brings nothing twice.
    await new Promise((resolve) => setTimeout(resolve, ACKNOWLEDGED_MS))
    expect(phone.wallet.dropSockets()).toBe(1)
    const third = await offer(connectionId, 'Cem')
    await untilState(service, `/v1/credentials/${third}`, 'done')
    expect(new Set(await phone.names())).toEqual(new Set(['Ada', 'Bob', 'Cem']))
    expect([first, second, third].map(offersSeen)).toEqual([1, 1, 1])
  })
})
