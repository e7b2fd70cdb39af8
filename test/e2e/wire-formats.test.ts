import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  formatsUsedBy,
  type Organisation,
  organisationOf,
  type OtherWallet,
  otherWallet,
} from './other-wallet.ts'
import { untilState, WAIT } from './running-service.ts'
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test.ts'

let service: ServiceUnderTest
let organisation: Organisation
const open: OtherWallet[] = []

const connected = async (formats: 'anoncreds' | 'hlindy' | 'both') => {
  const phone = await otherWallet(organisation.options, { formats })
  open.push(phone)
  return { phone, connectionId: await organisation.connect(phone.wallet) }
}

beforeAll(async () => {
  service = await serviceUnderTest()
  organisation = await organisationOf(service)
}, 240_000)
afterAll(async () => {
  for (const each of open) await each.wallet.close()
  await service?.close()
})

// Each waits half a minute at least.
describe.concurrent('a wallet that knows', () => {
  it('the older format alone is offered in that half a minute later, and from then on at once', async () => {
    const { phone, connectionId } = await connected('hlindy')
    const first = await organisation.issue(connectionId, 'Ada')
    expect(await formatsUsedBy(phone, first)).toEqual({ offered: ['indy'], requested: ['indy'] })
    const startedMs = performance.now()
    const next = await organisation.issue(connectionId, 'Bea')
    expect(performance.now() - startedMs).toBeLessThan(25_000)
    expect(await formatsUsedBy(phone, next)).toEqual({ offered: ['indy'], requested: ['indy'] })
    expect((await phone.held()).toSorted()).toEqual(['Ada', 'Bea'])
    expect(await organisation.verify(connectionId)).toMatchObject({ verified: true })
  })

  it('the older format alone is asked for a proof in that, also where nothing is known of it yet', async () => {
    const { phone, connectionId } = await connected('hlindy')
    const { id, url } = await organisation.invite()
    await organisation.issue(connectionId, 'Ada')
    await phone.wallet.agent.didcomm.oob.receiveInvitationFromUrl(url, { label: 'Phone' })
    const other = await organisation.connectionOf(id)
    expect(await organisation.verify(other)).toMatchObject({ verified: true })
  })

  it('both is offered in the newer one, and requests in that alone', async () => {
    const { phone, connectionId } = await connected('both')
    const id = await organisation.issue(connectionId, 'Ada')
    expect(await formatsUsedBy(phone, id)).toEqual({ offered: ['anoncreds'], requested: ['anoncreds'] })
    expect(await organisation.verify(connectionId)).toMatchObject({ verified: true })
  })

  it('both, whose holder takes long to decide, stays with the offer that came first', async () => {
    const { phone, connectionId } = await connected('both')
    phone.holder.offers = 'ignore'
    const id = await organisation.offer(connectionId, 'Ada')
    await vi.waitFor(() => expect(phone.saw(id)).toEqual(['offer-received']), WAIT)
    await new Promise((resolve) => setTimeout(resolve, 33_000))
    expect(phone.saw(id)).toEqual(['offer-received'])
    const { credentials } = phone.wallet.agent.didcomm
    const [record] = await credentials.findAllByQuery({ threadId: id })
    await credentials.acceptOffer({ credentialExchangeRecordId: record?.id ?? '' })
    await untilState(service, `/v1/credentials/${id}`, 'done')
    expect(await formatsUsedBy(phone, id)).toEqual({ offered: ['anoncreds'], requested: ['anoncreds'] })
    expect(await phone.held()).toEqual(['Ada'])
  })
})
