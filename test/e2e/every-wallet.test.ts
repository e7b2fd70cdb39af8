import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { onDidRotated, onPingAnswer } from '../../sdk/wallet/connection-events.ts'
import type { WalletWays } from '../../sdk/wallet/create-wallet.ts'
import { InboundSocket } from '../../sdk/wallet/inbound-socket.ts'
import { sendInThread, takeMessages } from '../../sdk/wallet/other-messages.ts'
import { startReceiver } from '../../tools/flows/webhook-receiver.ts'
import {
  changedInvitation,
  invitationIn,
  olderHandshakeAlone,
  type Organisation,
  organisationOf,
  type OtherWallet,
  otherWallet,
} from './other-wallet.ts'
import { openedInBrowser } from '../opened-in-browser.ts'
import { type Json, untilState, WAIT } from './running-service.ts'
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test.ts'

let service: ServiceUnderTest
let organisation: Organisation
let receiver: Awaited<ReturnType<typeof startReceiver>>
const open: OtherWallet[] = []

const wallet = async (ways: WalletWays = {}): Promise<OtherWallet> => {
  const made = await otherWallet(organisation.options, ways)
  open.push(made)
  return made
}

beforeAll(async () => {
  service = await serviceUnderTest()
  receiver = await startReceiver(() => undefined)
  const { tenant } = service
  const { secret } = await service.order('webhook set', { tenant, url: receiver.url, eventTypes: null })
  receiver.useSecret(String(secret))
  organisation = await organisationOf(service)
}, 240_000)
afterAll(async () => {
  for (const each of open) await each.wallet.close()
  await service?.close()
  receiver?.close()
})

describe('a wallet whose handshake', () => {
  const asItIs = (url: string): string => url
  const handshakes: readonly (readonly [string, WalletWays, typeof asItIs])[] = [
    ['names a did:peer:1', { didForm: 'did:peer:1' }, asItIs],
    ['names a did:peer:2', { didForm: 'did:peer:2' }, asItIs],
    ['names a did:peer:4', { didForm: 'did:peer:4' }, asItIs],
    ['begins as it once did', { hasOldPrefix: true }, asItIs],
    ['is the older one', {}, olderHandshakeAlone],
    ['is the older one, and begins as it once did', { hasOldPrefix: true }, olderHandshakeAlone],
    ['names a WebSocket alone', { inbound: new InboundSocket() }, asItIs],
  ]

  it.each(handshakes)('%s is issued to and verified', async (name, ways, change) => {
    const phone = await wallet(ways)
    const connectionId = await organisation.connect(phone.wallet, change)
    await organisation.issue(connectionId, name)
    expect(await phone.held()).toEqual([name])
    expect(await organisation.verify(connectionId)).toMatchObject({
      verified: true,
      disclosed: { person: { name } },
    })
    if (ways.inbound instanceof InboundSocket) expect(ways.inbound.received).toBeGreaterThan(3)
  })
})

it('finds the whole invitation behind the short address that the code on the page shows', async () => {
  const { id, url } = await organisation.invite()
  const short = url.slice(0, url.indexOf('?'))
  const { status, headers, body } = await openedInBrowser(short)
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(body).toContain('<svg')
  const phone = await wallet()
  await phone.wallet.agent.didcomm.oob.receiveInvitationFromUrl(short, { label: 'Phone' })
  await organisation.connectionOf(id)
  expect((await openedInBrowser(short)).body).toContain('has been used')
})

describe('a wallet that is connected', () => {
  let phone: OtherWallet
  let connectionId = ''
  let theirs = ''
  beforeAll(async () => {
    phone = await wallet()
    connectionId = await organisation.connect(phone.wallet)
    const [record] = await phone.wallet.agent.didcomm.connections.getAll()
    theirs = record?.id ?? ''
  })

  it('hears an answer to its ping', async () => {
    const { agent } = phone.wallet
    const answered = vi.fn<() => void>()
    onPingAnswer(phone.wallet, answered)
    await agent.didcomm.connections.sendPing(theirs, {})
    await vi.waitFor(() => expect(answered).toHaveBeenCalledTimes(1), WAIT)
    await agent.didcomm.connections.sendPing(theirs, { withReturnRouting: true })
    await vi.waitFor(() => expect(answered).toHaveBeenCalledTimes(2), WAIT)
  })

  it.each(['v1', 'v2'] as const)('finds out what is spoken here, in version %s', async (protocolVersion) => {
    const { features } = await phone.wallet.agent.didcomm.discovery.queryFeatures({
      connectionId: theirs,
      protocolVersion,
      queries: [{ featureType: 'protocol', match: 'https://didcomm.org/issue-credential/*' }],
      awaitDisclosures: true,
      awaitDisclosuresTimeoutMs: WAIT.timeout,
    })
    expect(features?.map(({ id }) => id)).toEqual(['https://didcomm.org/issue-credential/2.0'])
  })

  it('hears that what it says is not understood', async () => {
    const heard: Json[] = []
    takeMessages(phone.wallet, 'notification/1.0/problem-report', (message) => heard.push(message))
    await sendInThread(phone.wallet, 'basicmessage/1.0/message', 'one-chat-of-theirs')
    await vi.waitFor(() => expect(heard).toHaveLength(1), WAIT)
    expect(heard).toMatchObject([
      { '~thread': { thid: 'one-chat-of-theirs' }, description: { code: 'message-parse-failure' } },
    ])
  })

  it('uses the connection that it has, and with it the invitation', async () => {
    const { oob } = phone.wallet.agent.didcomm
    const first = await organisation.invite({ multiUse: true })
    await oob.receiveInvitationFromUrl(first.url, { label: 'Phone' })
    const known = await organisation.connectionOf(first.id)
    // It recognises us by the keys of an invitation, and each of ours has its own.
    const next = await organisation.invite()
    const { services } = invitationIn(first.url)
    const { outOfBandRecord } = await oob.receiveInvitationFromUrl(
      changedInvitation(next.url, { services }),
      {
        label: 'Phone',
        reuseConnection: true,
      },
    )
    await vi.waitFor(async () => {
      const { state, reuseConnectionId } = await oob.getById(outOfBandRecord.id)
      expect([state, reuseConnectionId]).toEqual(['done', expect.any(String)])
    }, WAIT)
    await vi.waitFor(async () => {
      for (const { id } of [first, next]) {
        const { json } = await service.send('GET', `/v1/connections?invitationId=${id}`)
        expect(json['items']).toMatchObject([{ id: known, state: 'completed', invitationId: first.id }])
      }
    }, WAIT)
    expect((await openedInBrowser(next.url)).body).toContain('has been used')
    await untilState(service, `/v1/connections/${known}`, 'completed')
  })

  it('is written to under the new DID that it names', async () => {
    const { agent } = phone.wallet
    const rotated: string[] = []
    onDidRotated(phone.wallet, (did) => rotated.push(did))
    const { newDid } = await agent.didcomm.connections.rotate({ connectionId: theirs })
    await vi.waitFor(() => expect(rotated).toEqual([newDid]), WAIT)
    await organisation.issue(connectionId, 'Moved')
    expect(await phone.held()).toEqual(['Moved'])
  })

  it('closes the connection by hanging up, and ends what runs on it', async () => {
    phone.holder.offers = 'ignore'
    const running = await organisation.offer(connectionId, 'Late')
    await vi.waitFor(() => expect(phone.saw(running)).toEqual(['offer-received']), WAIT)
    await phone.wallet.agent.didcomm.connections.hangup({ connectionId: theirs })
    await untilState(service, `/v1/connections/${connectionId}`, 'closed')
    expect(await untilState(service, `/v1/credentials/${running}`, 'abandoned')).toMatchObject({
      errorMessage: 'The holder closed the connection.',
      attributes: { name: 'Late' },
    })
    await vi.waitFor(() => {
      const told = receiver.events.filter(({ data }) => data.id === connectionId)
      expect(told.at(-1)?.data).toMatchObject({ state: 'closed', previousState: 'completed', sequence: 4 })
    }, WAIT)
    const body = { connectionId, credentialDefinitionId: 'x', attributes: {} }
    expect((await service.send('POST', '/v1/credentials/offer', body)).status).toBeGreaterThanOrEqual(400)
    // It is erased as any other, once more without a word about its end.
    await vi.waitFor(async () => {
      const erased = await service.send('POST', `/v1/connections/${connectionId}/erase`)
      expect([erased.status, erased.json['state']]).toEqual([200, 'closed'])
    }, WAIT)
    const erased = async () => (await service.send('GET', `/v1/credentials/${running}`)).json['erasedAt']
    await expect.poll(erased, WAIT).not.toBeNull()
    expect(
      receiver.events.filter(({ data }) => data.id === connectionId && data.state === 'closed'),
    ).toHaveLength(1)
  })
})
