import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { clockFrom } from './given-clock.ts'
import { killedPhone } from './killed-phone.ts'
import { offerPerson } from './mediated-phone.ts'
import type { Surroundings } from './mortal-platform.ts'
import { publishPerson, untilState, WAIT } from './running-service.ts'
import { connectionOf, sdkPhone, synced } from './sdk-phone.ts'
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

/** A phone with a credential, so that it needs no ledger for another one, and with an offer that waits. */
const offeredPhone = async (surroundings: Surroundings) => {
  const phone = killedPhone(service, { now: () => clock.runtime.now(), ...surroundings })
  const sdk = await phone.open()
  const { json } = await service.send('POST', '/v1/connections/invitations', {})
  await sdk.receiveInvitation(String(json['invitationUrl']))
  const connectionId = await connectionOf(service, String(json['invitationId']), sdk)
  await offerPerson(service, definitionId, connectionId, 'Ada')
  await sdk.offers.accept((await synced(sdk, sdk.offers.list)).id)
  await synced(sdk, sdk.credentials.list)
  const exchangeId = await offerPerson(service, definitionId, connectionId, 'Bob')
  const { id } = await synced(sdk, sdk.offers.list)
  const heard: unknown[] = []
  sdk.on('offerChanged', (offer) => void heard.push(offer.state))
  sdk.on('messageDropped', ({ error }) => void heard.push(error))
  return { sdk, id, exchangeId, heard }
}

/** Without network from now on, until it is called. */
const airplane = () => {
  let isOnline = true
  return {
    surroundings: {
      isOnline: () => isOnline,
      wayTo: (url: string) => (isOnline ? url : 'http://127.0.0.1:1'),
    },
    begin: () => (isOnline = false),
    end: () => (isOnline = true),
  }
}

it('what was accepted without network arrives when the network is back after 23 hours', async () => {
  const flight = airplane()
  const { sdk, id, exchangeId, heard } = await offeredPhone(flight.surroundings)
  flight.begin()
  await sdk.offers.accept(id)
  passHours(23)
  await expect(sdk.sync()).rejects.toMatchObject({ kind: 'NetworkUnavailable' })
  expect(await sdk.offers.list()).toMatchObject([{ id, state: 'accepted' }])
  flight.end()
  await vi.waitFor(async () => {
    await sdk.sync()
    expect(await sdk.credentials.list()).toHaveLength(2)
  }, WAIT)
  await untilState(service, `/v1/credentials/${exchangeId}`, 'done')
  const names = (await sdk.credentials.list()).map(({ attributes }) => attributes['name'])
  expect(new Set(names)).toEqual(new Set(['Ada', 'Bob']))
  expect(heard).toEqual(['accepted', 'received'])
})

it('what was accepted without network is over when the network is back after 25 hours', async () => {
  const flight = airplane()
  const { sdk, id, exchangeId, heard } = await offeredPhone(flight.surroundings)
  flight.begin()
  await sdk.offers.accept(id)
  passHours(25)
  await expect(sdk.sync()).rejects.toMatchObject({ kind: 'NetworkUnavailable' })
  await untilState(service, `/v1/credentials/${exchangeId}`, 'abandoned')
  flight.end()
  await vi.waitFor(async () => {
    expect(await sdk.sync()).toMatchObject({ waiting: 0 })
    expect(await sdk.offers.list()).toEqual([])
  }, WAIT)
  expect(heard).toEqual(['accepted', 'abandoned'])
  expect(await sdk.credentials.list()).toHaveLength(1)
})

it('what nobody takes on seven days is over, and the app hears why', async () => {
  let [isAway, daysLater] = [false, 0]
  const { sdk, id, heard } = await offeredPhone({
    now: () => clock.runtime.now() + daysLater * 24 * HOUR_MS,
    wayTo: (url) => (isAway && url.includes('/didcomm') ? 'http://127.0.0.1:1' : url),
    isOnline: () => true,
  })
  isAway = true
  await sdk.offers.accept(id)
  for (daysLater = 1; daysLater < 7; daysLater++) await sdk.sync().catch(() => undefined)
  expect(await sdk.offers.list()).toMatchObject([{ id, state: 'accepted' }])
  await sdk.sync().catch(() => undefined)
  expect(await sdk.offers.list()).toEqual([])
  expect(heard).toMatchObject(['accepted', 'abandoned', { kind: 'PlatformError', code: 'message_not_taken' }])
  isAway = false
  expect(await sdk.sync()).toMatchObject({ waiting: 0 })
})
