import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type KilledPhone, killedPhone, Life } from './killed-phone.ts'
import { offerPerson } from './mediated-phone.ts'
import { publishPerson, untilState, WAIT } from './running-service.ts'
import { connectionOf, synced } from './sdk-phone.ts'
import { serviceUnderTest, type ServiceUnderTest } from './service-under-test.ts'

let service: ServiceUnderTest
let person: Awaited<ReturnType<typeof publishPerson>>

beforeAll(async () => {
  service = await serviceUnderTest()
  person = await publishPerson(service)
})
afterAll(() => service?.close())

/** Does the same with another end each time, one point later, until it gets through. Answers with how many points there are. */
const killedAtEachPoint = async (
  phone: (number: number) => KilledPhone,
  once: (phone: KilledPhone, number: number) => Promise<() => Promise<void>>,
): Promise<number> => {
  for (let number = 1; ; number++) {
    const life = new Life(number)
    const killed = phone(number)
    const finish = await once({ ...killed, life }, number)
    await killed.close()
    await finish()
    if (!life.isOver) return number
  }
}

/** What a dead app does not hear of. */
const untilDeath = async (life: Life, work: () => Promise<unknown>): Promise<void> => {
  await work().catch((error: unknown) => {
    if (!life.isOver) throw error
  })
}

const connected = async (phone: KilledPhone): Promise<string> => {
  const sdk = await phone.open()
  const { json } = await service.send('POST', '/v1/connections/invitations', {})
  await sdk.receiveInvitation(String(json['invitationUrl']))
  const id = await completed(phone, String(json['invitationId']))
  await phone.close()
  return id
}

const completed = async (phone: KilledPhone, invitationId: string): Promise<string> =>
  await connectionOf(service, invitationId, await phone.open())

it('a first start that is killed anywhere ends in a wallet', async () => {
  const points = await killedAtEachPoint(
    () => killedPhone(service),
    async (phone) => {
      await untilDeath(phone.life, () => phone.open(phone.life))
      return async () => {
        const sdk = await phone.open()
        expect(await sdk.connections()).toEqual([])
        expect(await sdk.sync()).toEqual({ received: 0, waiting: 0 })
        await phone.close()
      }
    },
  )
  expect(points).toBeGreaterThan(15)
})

it('an invitation that is taken by an app that is killed anywhere leads to one connection', async () => {
  const phone = killedPhone(service)
  const points = await killedAtEachPoint(
    () => phone,
    async ({ life }) => {
      const { json } = await service.send('POST', '/v1/connections/invitations', {})
      const url = String(json['invitationUrl'])
      await untilDeath(life, async () => {
        const sdk = await phone.open(life)
        await sdk.receiveInvitation(url)
        await sdk.sync()
      })
      return async () => {
        const sdk = await phone.open()
        const { id } = await sdk.receiveInvitation(url)
        await completed(phone, String(json['invitationId']))
        const those = (await sdk.connections()).filter((each) => each.id === id)
        expect(those).toHaveLength(1)
        await phone.close()
      }
    },
  )
  expect(points).toBeGreaterThan(10)
})

it('a credential that is accepted by an app that is killed anywhere arrives once', async () => {
  const phone = killedPhone(service)
  const connectionId = await connected(phone)
  const points = await killedAtEachPoint(
    () => phone,
    async ({ life }, number) => {
      const offerId = await offerPerson(service, person.definitionId, connectionId, `Ada ${number}`)
      await untilDeath(life, async () => {
        const sdk = await phone.open(life)
        await sdk.offers.accept((await synced(sdk, sdk.offers.list, () => life.isOver)).id)
        await synced(
          sdk,
          async () => ((await sdk.offers.list()).length === 0 ? ['over'] : []),
          () => life.isOver,
        )
      })
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
        await phone.close()
      }
    },
  )
  expect(points).toBeGreaterThan(20)
})

it('a proof that is presented by an app that is killed anywhere is verified', async () => {
  const phone = killedPhone(service)
  const connectionId = await connected(phone)
  const held = await phone.open()
  await offerPerson(service, person.definitionId, connectionId, 'Ada')
  await held.offers.accept((await synced(held, held.offers.list)).id)
  await synced(held, held.credentials.list)
  await phone.close()
  const points = await killedAtEachPoint(
    () => phone,
    async ({ life }) => {
      const body = { connectionId, proofTemplateId: person.templateId }
      const { json } = await service.send('POST', '/v1/proofs/request', body)
      await untilDeath(life, async () => {
        const sdk = await phone.open(life)
        await sdk.proofRequests.present((await synced(sdk, sdk.proofRequests.list, () => life.isOver)).id)
        await sdk.sync()
      })
      return async () => {
        const sdk = await phone.open()
        const proven = await vi.waitFor(async () => {
          await sdk.sync()
          for (const { id, state } of await sdk.proofRequests.list())
            if (state === 'requested') await sdk.proofRequests.present(id)
          const found = (await service.send('GET', `/v1/proofs/${String(json['id'])}`)).json
          expect([found['state'], await sdk.proofRequests.list()]).toEqual(['done', []])
          return found
        }, WAIT)
        expect(proven).toMatchObject({ verified: true, disclosed: { person: { name: 'Ada' } } })
        await phone.close()
      }
    },
  )
  expect(points).toBeGreaterThan(10)
})
