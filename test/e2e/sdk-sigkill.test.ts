import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { atLength } from '../at-length.ts'
import type { KilledApp } from './killed-app.ts'
import { killedPhone } from './killed-phone.ts'
import { offerPerson, walletFor } from './mediated-phone.ts'
import { publishPerson, untilState, WAIT } from './running-service.ts'
import { connectionOf, synced } from './sdk-phone.ts'
import { serviceUnderTest, type ServiceUnderTest } from './service-under-test.ts'

const program = fileURLToPath(new URL('killed-app.ts', import.meta.url))
/** Every third point is now before something and now behind it, and tomorrow they are others. */
const STEP = atLength(3, 1)
const FIRST = 1 + (Math.floor(Date.now() / 86_400_000) % STEP)
const ENDS_MIN = atLength(14, 50)
/** Some dozens of processes that start, die and start again. */
const LIMIT_MS = 900_000

let service: ServiceUnderTest
let person: Awaited<ReturnType<typeof publishPerson>>
let ends = 0

beforeAll(async () => {
  service = await serviceUnderTest()
  person = await publishPerson(service)
})
afterAll(() => service?.close())

type Phone = ReturnType<typeof killedPhone>

/** Whether it was killed; otherwise it has done all of it. */
const isKilled = async (
  phone: Phone,
  does: KilledApp['does'],
  { point, waiting }: Pick<KilledApp, 'point' | 'waiting'>,
): Promise<boolean> => {
  const walletToken = String((await walletFor(service, phone.installation))['walletToken'])
  const { baseUrl, folder } = phone
  const order: KilledApp = { baseUrl, folder, walletToken, does, waiting, point }
  const app = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', program, JSON.stringify(order)],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const [code, signal] = (await once(app, 'exit')) as [number | null, string | null]
  if (signal === 'SIGKILL') ends += 1
  else expect(code).toBe(0)
  return signal === 'SIGKILL'
}

/** At a later point each time, until the app gets through. */
const killedAtEachPoint = async (
  phone: Phone,
  does: KilledApp['does'],
  prepare: (number: number) => Promise<() => Promise<void>>,
): Promise<void> => {
  for (let number = 1; ; number++) {
    const check = await prepare(number)
    await phone.close()
    const point = FIRST + (number - 1) * STEP
    const wasKilled = await isKilled(phone, does, { point, waiting: number })
    await check()
    if (!wasKilled) return
  }
}

const connected = async (phone: Phone): Promise<string> => {
  const sdk = await phone.open()
  const { json } = await service.send('POST', '/v1/connections/invitations', {})
  await sdk.receiveInvitation(String(json['invitationUrl']))
  return await connectionOf(service, String(json['invitationId']), sdk)
}

it(
  'a credential arrives once, whenever SIGKILL comes while it is accepted',
  async () => {
    const phone = killedPhone(service)
    const connectionId = await connected(phone)
    await killedAtEachPoint(phone, 'accept', async (number) => {
      const offerId = await offerPerson(service, person.definitionId, connectionId, `Ada ${number}`)
      return async () => {
        const sdk = await phone.open()
        await vi.waitFor(async () => {
          await sdk.sync()
          for (const { id, state } of await sdk.offers.list())
            if (state === 'offered') await sdk.offers.accept(id)
          expect(await sdk.offers.list()).toEqual([])
          expect(await sdk.credentials.list()).toHaveLength(number)
        }, WAIT)
        await untilState(service, `/v1/credentials/${offerId}`, 'done')
        const names = (await sdk.credentials.list()).map(({ attributes }) => attributes['name'])
        expect(new Set(names).size).toBe(number)
      }
    })
  },
  LIMIT_MS,
)

it(
  'a proof is verified, whenever SIGKILL comes while it is presented',
  async () => {
    const phone = killedPhone(service)
    const connectionId = await connected(phone)
    const sdk = await phone.open()
    await offerPerson(service, person.definitionId, connectionId, 'Ada')
    await sdk.offers.accept((await synced(sdk, sdk.offers.list)).id)
    await synced(sdk, sdk.credentials.list)
    await killedAtEachPoint(phone, 'present', async () => {
      const body = { connectionId, proofTemplateId: person.templateId }
      const { json } = await service.send('POST', '/v1/proofs/request', body)
      return async () => {
        const again = await phone.open()
        const proven = await vi.waitFor(async () => {
          await again.sync()
          for (const { id, state } of await again.proofRequests.list())
            if (state === 'requested') await again.proofRequests.present(id)
          const found = (await service.send('GET', `/v1/proofs/${String(json['id'])}`)).json
          expect([found['state'], await again.proofRequests.list()]).toEqual(['done', []])
          return found
        }, WAIT)
        expect(proven).toMatchObject({ verified: true, disclosed: { person: { name: 'Ada' } } })
      }
    })
  },
  LIMIT_MS,
)

it(
  'no offer is lost or doubled, whenever SIGKILL comes while messages are fetched',
  async () => {
    const phone = killedPhone(service)
    const connectionId = await connected(phone)
    await killedAtEachPoint(phone, 'sync', async (number) => {
      await offerPerson(service, person.definitionId, connectionId, `Ada ${number}`)
      return async () => {
        const sdk = await phone.open()
        await vi.waitFor(async () => {
          await sdk.sync()
          const names = (await sdk.offers.list()).map(({ attributes }) => attributes['name'])
          expect([names.length, new Set(names).size]).toEqual([number, number])
        }, WAIT)
      }
    })
  },
  LIMIT_MS,
)

it(`all of it was ended ${ENDS_MIN} times or more`, () => {
  expect(ends).toBeGreaterThanOrEqual(ENDS_MIN)
})
