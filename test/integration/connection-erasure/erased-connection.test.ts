import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import BetterSqlite3 from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pack } from '../../../src/didcomm/envelope.ts'
import { composeMessage } from '../../../src/didcomm/message.ts'
import { startReceiver } from '../../../tools/flows/webhook-receiver.ts'
import { filesWithText } from '../../../tools/scan/places.ts'
import {
  freshFolder,
  type Json,
  type RunningService,
  runningService,
  WAIT,
} from '../../e2e/running-service.ts'
import {
  openWithPorts,
  seedConnection,
  seedExchanges,
  STATES,
  walletEndpoint,
} from '../../../tools/flows/seeded.ts'

const EXCHANGES = 5 * STATES
const FINAL = ['done', 'declined', 'abandoned']
const folder = freshFolder()
const { open, ports } = openWithPorts()
let service: RunningService
let receiver: Awaited<ReturnType<typeof startReceiver>>
let wallet: Awaited<ReturnType<typeof walletEndpoint>>

beforeAll(async () => {
  service = await runningService({}, folder, {}, open)
  wallet = await walletEndpoint()
  receiver = await startReceiver(() => undefined)
  const { secret } = await service.order('webhook set', {
    tenant: service.tenant,
    url: receiver.url,
    eventTypes: null,
  })
  receiver.useSecret(String(secret))
}, 240_000)
afterAll(async () => {
  await service?.app.stop()
  wallet?.close()
  receiver?.close()
})

const order = () => ({ ...ports(), tenant: service.tenant })
const get = async (path: string): Promise<Json> => (await service.send('GET', path)).json
const erase = (id: string) => service.send('POST', `/v1/connections/${id}/erase`)
const recordOf = (id: string): Promise<Json> =>
  get(id.startsWith('cre') ? `/v1/credentials/${id}` : `/v1/proofs/${id}`)
const totalOf = async (path: string): Promise<unknown> => (await get(path))['total']

describe('a connection that is erased', () => {
  it('is closed and shows nothing at its answer, nor do its exchanges; all of them are erased soon', async () => {
    const { id, canaries } = await seedConnection(order(), wallet.url)
    const { ids, value } = await seedExchanges(order(), id, EXCHANGES)
    const neighbour = await seedConnection(order(), wallet.url)
    const beside = await seedExchanges(order(), neighbour.id, STATES)
    expect(await totalOf(`/v1/connections?q=${canaries[0]}`)).toBe(1)
    const before = await Promise.all(beside.ids.map(recordOf))
    const wasRunning = (await Promise.all(ids.map(recordOf))).filter(
      ({ state }) => !FINAL.includes(String(state)),
    )

    const { messages: heardBefore } = wallet.heard
    const startedMs = performance.now()
    const erased = await erase(id)
    expect(performance.now() - startedMs).toBeLessThan(5_000)
    expect(erased).toMatchObject({ status: 200, json: { id, state: 'closed', theirLabel: null } })
    expect(erased.json['erasedAt']).toEqual(erased.json['updatedAt'])
    for (const secret of [...canaries, value]) expect(filesWithText(folder, secret)).toEqual([])
    const shown = JSON.stringify(await Promise.all(ids.map(recordOf)))
    expect(shown).not.toContain(value)
    expect(await totalOf(`/v1/connections?q=${canaries[0]}`)).toBe(0)
    expect(wallet.heard.messages - heardBefore).toBeGreaterThanOrEqual(wasRunning.length)

    await expect.poll(() => totalOf('/v1/erasures'), WAIT).toBe(EXCHANGES + 1)
    for (const record of await Promise.all(ids.map(recordOf))) {
      expect(record['erasedAt']).not.toBeNull()
      expect(FINAL).toContain(record['state'])
      expect([record['attributes'] ?? null, record['disclosed'] ?? null, record['errorMessage']]).toEqual([
        null,
        null,
        null,
      ])
    }
    const told = (type: string) => receiver.events.filter((event) => event.type === type)
    await expect.poll(() => told('record.erased').length, WAIT).toBe(EXCHANGES + 1)
    const recordIds = told('record.erased').map(({ data }) => (data as unknown as Json)['recordId'])
    expect(new Set(recordIds)).toEqual(new Set([id, ...ids]))
    expect(told('connection.state_changed').map(({ data }) => [data.id, data.state])).toContainEqual([
      id,
      'closed',
    ])

    expect((await erase(id)).json).toEqual(erased.json)
    expect(await totalOf('/v1/erasures')).toBe(EXCHANGES + 1)
    // What each neighbour owes goes on failing meanwhile, and is no concern of theirs.
    for (const [index, record] of (await Promise.all(beside.ids.map(recordOf))).entries())
      expect(record).toMatchObject({ id: before[index]?.['id'], erasedAt: null })
    expect(await get(`/v1/connections/${neighbour.id}`)).toMatchObject({ state: 'completed', erasedAt: null })
  }, 120_000)

  it('takes no message, without a word, and is no other organisation’s to erase', async () => {
    const { id, keys } = await seedConnection(order(), wallet.url)
    expect((await erase('con_07bbbbbbbbbbbb')).status).toBe(404)
    const { id: organisation } = await service.order('tenant create', { name: 'Other' })
    const { key } = await service.order('key create', { tenant: organisation, label: 'test' })
    const foreign = await service.send('POST', `/v1/connections/${id}/erase`, undefined, String(key))
    expect(foreign.status).toBe(404)
    await erase(id)
    const { messages } = wallet.heard
    const late = composeMessage({ id: 'late', type: 'issue-credential/2.0/propose-credential' })
    const posted = await fetch(`${service.app.url}/didcomm/${id}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/didcomm-envelope-enc' },
      body: pack(late, [keys.own.publicKeyBase58], keys.theirs),
    })
    expect(posted.status).toBe(202)
    expect(wallet.heard.messages).toBe(messages)
  }, 60_000)

  it('whose wallet hangs is answered in time', async () => {
    const hanging = await walletEndpoint(true)
    const { id } = await seedConnection(order(), hanging.url)
    await seedExchanges(order(), id, 26)
    const startedMs = performance.now()
    expect(await erase(id)).toMatchObject({ status: 200, json: { state: 'closed' } })
    expect(performance.now() - startedMs).toBeLessThan(5_000)
    hanging.close()
  }, 60_000)

  it('has exchanges that can be cancelled and erased before their turn has come', async () => {
    const { id } = await seedConnection(order(), wallet.url)
    const { ids } = await seedExchanges(order(), id, 260)
    expect((await erase(id)).status).toBe(200)
    // The newest come first.
    const waiting = await Promise.all(ids.slice(0, 26).map(recordOf))
    const running = waiting.filter(
      ({ erasedAt, state }) => erasedAt === null && !FINAL.includes(String(state)),
    )
    expect(running.length).toBeGreaterThan(4)
    const pathOf = ({ id: each }: Json) =>
      `/v1/${String(each).startsWith('cre') ? 'credentials' : 'proofs'}/${String(each)}`
    const half = running.length / 2
    const cancelled = await Promise.all(
      running.slice(0, half).map((each) => service.send('POST', `${pathOf(each)}/cancel`)),
    )
    const erased = await Promise.all(
      running.slice(half).map((each) => service.send('POST', `${pathOf(each)}/erase`)),
    )
    // One whose turn came in between is over, and has no more to be cancelled.
    const inTime = cancelled.filter(({ status }) => status !== 409)
    for (const { json } of [...inTime, ...erased])
      expect(json).toMatchObject({
        state: 'abandoned',
        errorMessage: null,
        erasedAt: expect.any(String) as string,
      })
    await expect.poll(() => totalOf(`/v1/erasures?q=${String(running[0]?.['id'])}`), WAIT).toBe(1)
  }, 60_000)

  it('is not answered, however often it is asked for, while its label stands in the log of the lists', async () => {
    const { id, canaries } = await seedConnection(order(), wallet.url)
    const label = String(canaries[0]).toLowerCase()
    expect(await totalOf(`/v1/connections?q=${label}`)).toBe(1)
    const reader = new BetterSqlite3(join(folder, 'directory.sqlite'), { readonly: true })
    reader.exec('BEGIN; SELECT count(*) FROM records')
    for (let asked = 0; asked < 3; asked++) expect((await erase(id)).status).toBe(503)
    expect(await totalOf(`/v1/connections?q=${label}`)).toBe(0)
    reader.close()
    expect((await erase(id)).status).toBe(200)
    expect(filesWithText(folder, label)).toEqual([])
  }, 60_000)

  it('cuts off the webhooks of its exchanges that show personal data', async () => {
    const openBodies = new Set<string>()
    const hold = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = await text(request)
      openBodies.add(body)
      response.once('close', () => openBodies.delete(body))
    }
    const server = createServer((request, response) => void hold(request, response))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const { tenant } = service
    await service.order('webhook set', { tenant, url, eventTypes: ['proof.state_changed'] })
    const { id } = await seedConnection(order(), wallet.url)
    const { value } = await seedExchanges(order(), id, STATES)
    const showing = (): string[] => [...openBodies].filter((body) => body.includes(value))
    await expect.poll(() => showing().length, WAIT).toBe(1)
    expect((await erase(id)).status).toBe(200)
    expect(showing()).toEqual([])
    server.closeAllConnections()
    server.close()
  }, 60_000)

  it('has one answer for all who ask at once, and its holder hears it once', async () => {
    const alone = await walletEndpoint()
    const { id } = await seedConnection(order(), alone.url)
    const { ids } = await seedExchanges(order(), id, 2)
    const answers = await Promise.all([erase(id), erase(id), erase(id)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1)
    expect(alone.heard.messages).toBe(ids.length)
    alone.close()
  }, 60_000)
})
