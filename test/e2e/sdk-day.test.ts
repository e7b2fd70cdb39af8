import { afterAll, beforeAll, expect, it } from 'vitest'
import { clockFrom } from './given-clock.ts'
import { offerPerson } from './mediated-phone.ts'
import { publishPerson, untilState } from './running-service.ts'
import { sdkPhone, synced } from './sdk-phone.ts'
import { embeddedService, type ServiceUnderTest } from './service-under-test.ts'

const HOUR_MS = 3_600_000

const clock = clockFrom(Date.now())
let service: ServiceUnderTest
let definitionId = ''

beforeAll(async () => {
  service = await embeddedService(undefined, { runtime: clock.runtime })
  definitionId = (await publishPerson(service)).definitionId
})
afterAll(() => service?.close())

/** As the service sees it: the phone is in a drawer. */
const passHours = (hours: number): void => {
  clock.hold(clock.runtime.now() + hours * HOUR_MS)
  clock.run()
}

it('a phone that comes back within the day finds what was offered, and receives it', async () => {
  const { sdk, connect, initialize } = await sdkPhone(service)
  const connectionId = await connect()
  await sdk.close()
  const offerId = await offerPerson(service, definitionId, connectionId, 'Ada')
  passHours(23)
  await initialize()
  await sdk.offers.accept((await synced(sdk, sdk.offers.list)).id)
  expect(await synced(sdk, sdk.credentials.list)).toMatchObject({ attributes: { name: 'Ada' } })
  await untilState(service, `/v1/credentials/${offerId}`, 'done')
})

it('a phone that comes back after a day finds that the offer is over', async () => {
  const { sdk, connect, initialize } = await sdkPhone(service)
  const connectionId = await connect()
  const offerId = await offerPerson(service, definitionId, connectionId, 'Bob')
  const offer = await synced(sdk, sdk.offers.list)
  await sdk.close()
  passHours(25)
  await untilState(service, `/v1/credentials/${offerId}`, 'abandoned')
  const states: string[] = []
  sdk.on('offerChanged', ({ id, state }) => void states.push(`${id === offer.id} ${state}`))
  await initialize()
  await synced(sdk, async () => ((await sdk.offers.list()).length === 0 ? ['over'] : []))
  expect(states).toEqual(['true abandoned'])
  await expect(sdk.offers.accept(offer.id)).rejects.toMatchObject({ kind: 'NotFound' })
  expect(await sdk.credentials.list()).toEqual([])
})
