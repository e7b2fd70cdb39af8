import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, vi } from 'vitest'
import { AutomaticHolder } from '../../sdk/wallet/automatic-holder.ts'
import { createWallet } from '../../sdk/wallet/create-wallet.ts'
import { reservePorts } from '../../src/ledger/sandbox/reserved-ports.ts'
import { startReceiver } from '../../tools/flows/webhook-receiver.ts'
import { ordersTo } from '../../tools/harness/orders.ts'
import { startService } from '../../tools/harness/service.ts'
import {
  freshFolder,
  type Json,
  publishPerson,
  untilShardsAreOpen,
  untilState,
  WAIT,
  walletOptions,
} from './running-service.ts'
import type { scannedStores } from './scanned-stores.ts'

const DAY_S = 86_400

/** A service in a process of its own, on ports that stay, with an organisation and its key. */
const openServed = async (settings: Readonly<Record<string, string>>) => {
  const folder = settings['VOUCHSAFE_DATA_FOLDER'] ?? ''
  const url = `http://127.0.0.1:${settings['PORT']}`
  let program = startService(settings)
  onTestFinished(async () => void (await program.stop()))
  await untilShardsAreOpen((await program.untilListening()).privateUrl)
  const order = ordersTo(folder)
  const shown = /svc_sk_\S+/.exec(program.shown)?.[0]
  const tenant =
    shown === undefined
      ? String((await order('tenant create', { name: 'Registry' }))['id'])
      : 'ten_00development'
  const key = shown ?? String((await order('key create', { tenant, label: 'test' }))['key'])
  const send = async (
    method: string,
    path: string,
    body?: object,
    more: Readonly<Record<string, string>> = {},
  ) => {
    // A scan holds the event loop for seconds; sockets that the service has closed meanwhile are to be noticed first.
    await wait(50)
    const headers = {
      Authorization: `Bearer ${key}`,
      ...more,
      ...(body && { 'Content-Type': 'application/json' }),
    }
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const { status } = response
    return { status, headers: response.headers, text, json: JSON.parse(text) as Json }
  }
  return {
    tenant,
    order: async <Answer = Json>(name: string, input: object) => (await order(name, input)) as Answer,
    send,
    kill: async () => {
      program.kill()
      await program.ended
    },
    start: async () => {
      program = startService(settings)
      await untilShardsAreOpen((await program.untilListening()).privateUrl)
    },
  }
}

/** That service on a store whose files can be looked through, with a wallet and an endpoint for webhooks. */
export const openServedWorld = async (
  open: (typeof scannedStores)[number]['open'],
  more: Readonly<Record<string, string>> = {},
) => {
  const folder = freshFolder()
  const store = await open(folder)
  onTestFinished(() => store.close())
  const settings = {
    ...store.settings,
    VOUCHSAFE_DATA_FOLDER: folder,
    VOUCHSAFE_CRYPTO_WORKERS: '1',
    PORT: String(await reservePorts(1)),
    VOUCHSAFE_SANDBOX_PORT: String(await reservePorts(4)),
    ...more,
  }
  const service = await openServed(settings)
  const { tenant, order, send } = service
  const receiver = await startReceiver(() => undefined)
  onTestFinished(() => receiver.close())
  receiver.useSecret(
    String((await order('webhook set', { tenant, url: receiver.url, eventTypes: null }))['secret']),
  )
  const person = await publishPerson(service)
  const wallet = await createWallet(await walletOptions(service))
  onTestFinished(() => wallet.close())
  const holder = new AutomaticHolder(wallet, { offers: 'accept', proofs: 'accept' }, () => undefined)
  const { credentials, oob } = wallet.agent.didcomm

  const connect = async (label: string): Promise<string> => {
    const { json } = await send('POST', '/v1/connections/invitations', {})
    await oob.receiveInvitationFromUrl(String(json['invitationUrl']), { label })
    const path = `/v1/connections?invitationId=${String(json['invitationId'])}&state=completed`
    return vi.waitFor(async () => {
      const [found] = (await send('GET', path)).json['items'] as Json[]
      expect(found).toBeDefined()
      return String(found?.['id'])
    }, WAIT)
  }
  const offer = async (connectionId: string, name: string, besides: object = {}): Promise<string> => {
    const expiresAt = String(Math.floor(Date.now() / 1_000) + 30 * DAY_S)
    const attributes = { name, age: '36', expiresAt }
    const body = { connectionId, credentialDefinitionId: person.definitionId, attributes, ...besides }
    return vi.waitFor(async () => {
      const { status, json } = await send('POST', '/v1/credentials/offer', body)
      expect(status).toBe(202)
      return String(json['id'])
    }, WAIT)
  }
  const issue = async (connectionId: string, name: string, besides: object = {}): Promise<string> => {
    const id = await offer(connectionId, name, besides)
    await untilState(service, `/v1/credentials/${id}`, 'done')
    return id
  }
  const inWallet = (threadId: string): Promise<string> =>
    vi.waitFor(async () => {
      const [found] = await credentials.findAllByQuery({ threadId })
      if (found === undefined) throw new Error('the offer is not there yet')
      return found.id
    }, WAIT)
  const erase = async (path: string): Promise<void> => {
    await vi.waitFor(async () => expect((await send('POST', `${path}/erase`)).status).toBe(200), WAIT)
  }
  const pathOf = (id: string): string =>
    `/v1/${{ con: 'connections', cre: 'credentials', pro: 'proofs' }[id.slice(0, 3)] ?? ''}/${id}`
  const get = async (id: string): Promise<Json> => (await send('GET', pathOf(id))).json
  return {
    folder,
    store,
    settings,
    service,
    receiver,
    person,
    wallet,
    holder,
    connect,
    offer,
    issue,
    inWallet,
    erase,
    pathOf,
    get,
  }
}
