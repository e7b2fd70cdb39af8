import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createWallet, type Wallet } from '../../sdk/wallet/create-wallet.ts'
import { sendInThread, takeMessages } from '../../sdk/wallet/other-messages.ts'
import { kinds } from '../../src/actors/index.ts'
import { openService } from '../../src/compose/service.ts'
import { readActor } from '../../src/persistence/journal-walk.ts'
import { openForInspection } from '../../src/persistence/open-engine.ts'
import { startReceiver } from '../../tools/flows/webhook-receiver.ts'
import { noteKind } from './note/kind.ts'
import {
  freshFolder,
  type Json,
  type RunningService,
  runningService,
  WAIT,
  walletOptions,
} from './running-service.ts'

const TEXT = 'See you on Monday'
const folder = freshFolder()
let service: RunningService
let receiver: Awaited<ReturnType<typeof startReceiver>>
let wallet: Wallet
const arrived: Json[] = []

beforeAll(async () => {
  service = await runningService({}, folder, {}, (context) => openService(context, [...kinds, noteKind]))
  receiver = await startReceiver(() => undefined)
  const { secret } = await service.order('webhook set', {
    tenant: service.tenant,
    url: receiver.url,
    eventTypes: ['note.state_changed'],
  })
  receiver.useSecret(String(secret))
  wallet = await createWallet(await walletOptions(service))
  takeMessages(wallet, 'note/1.0/note', (message) => arrived.push(message))
}, 240_000)
afterAll(async () => {
  await wallet?.close()
  await service?.app.stop()
  receiver?.close()
})

const connect = async (): Promise<string> => {
  // An organisation that was made just now invites holders once its name is on the ledger.
  const json = await vi.waitFor(async () => {
    const answer = await service.send('POST', '/v1/connections/invitations', { externalId: 'guest 1' })
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)])
    return answer.json
  }, WAIT)
  await wallet.agent.didcomm.oob.receiveInvitationFromUrl(String(json['invitationUrl']), { label: 'Phone' })
  const path = `/v1/connections?state=completed&invitationId=${String(json['invitationId'])}`
  const found = async (): Promise<Json | undefined> =>
    ((await service.send('GET', path)).json['items'] as Json[])[0]
  await expect.poll(found).toBeDefined()
  return String((await found())?.['id'])
}

const writeNote = async (body: Json, idempotencyKey: string): Promise<{ status: number; json: Json }> => {
  const response = await fetch(`${service.app.url}/v1/notes`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${service.apiKey}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': idempotencyKey,
    },
    body: JSON.stringify(body),
  })
  return { status: response.status, json: (await response.json()) as Json }
}

/** The events of an actor as they lie on the disk. */
const storedEvents = async (actor: string): Promise<readonly string[]> => {
  const reads = await openForInspection({ engine: 'sqlite', dataFolder: folder })
  try {
    return (await readActor(reads, actor)).events.map(({ data }) => data)
  } finally {
    await reads[Symbol.asyncDispose]()
  }
}

it('a kind of record that the service does not have works from its own folder alone', async () => {
  const connectionId = await connect()

  const write = () => writeNote({ connectionId, text: TEXT }, 'note 1')
  const written = await write()
  expect(written).toMatchObject({ status: 202, json: { state: 'written', text: TEXT } })
  const id = String(written.json['id'])
  expect(await write()).toMatchObject({ status: 202, json: { id } })

  await expect.poll(() => arrived).toEqual([expect.objectContaining({ '@id': id, text: TEXT })])
  await sendInThread(wallet, 'note/1.0/read', id)

  const search = (q: string): Promise<Json[]> =>
    service.send('GET', `/v1/notes?q=${q}`).then(({ json }) => json['items'] as Json[])
  await expect
    .poll(() => search('MONDAY'))
    .toEqual([expect.objectContaining({ id, connectionId, state: 'read', text: TEXT })])
  expect(await search('tuesday')).toEqual([])

  await expect.poll(() => receiver.events.length).toBe(3)
  expect(receiver.refused).toEqual([])
  const heard = receiver.events.toSorted((left, right) => left.data.sequence - right.data.sequence)
  expect(heard.map(({ type, data }) => ({ type, ...data }))).toEqual([
    expect.objectContaining({ type: 'note.state_changed', id, state: 'written', text: TEXT }),
    expect.objectContaining({ type: 'note.state_changed', id, state: 'sent', text: null }),
    expect.objectContaining({ type: 'note.state_changed', id, state: 'read', text: null }),
  ])

  const stored = await storedEvents(id)
  expect(stored.map((each) => /"type":"(\w+)"/.exec(each)?.[1])).toEqual([
    'NoteWritten',
    'NoteSent',
    'NoteRead',
  ])
  expect(stored.join('')).not.toContain(TEXT)
})

it('is described like every other kind', async () => {
  const { json } = await service.send('GET', '/openapi.json')
  const { paths, webhooks, tags } = json as {
    paths: Record<string, Record<string, { operationId: string }>>
    webhooks: Record<string, unknown>
    tags: readonly { name: string }[]
  }
  expect(Object.values(paths['/v1/notes'] ?? {}).map(({ operationId }) => operationId)).toEqual(
    expect.arrayContaining(['writeNote', 'listNotes']),
  )
  expect(Object.keys(webhooks)).toContain('note.state_changed')
  expect(tags.map(({ name }) => name)).toContain('Notes')
})

it('refuses what its description does not allow', async () => {
  const unknown = await service.send('POST', '/v1/notes', { connectionId: 'con_00aaaaaaaaaa', text: 'x' })
  expect([unknown.status, unknown.text]).toEqual([404, expect.stringContaining('connection_not_found')])
  const empty = await service.send('POST', '/v1/notes', { connectionId: 'con_00aaaaaaaaaa', text: '' })
  expect([empty.status, empty.text]).toEqual([400, expect.stringContaining('text')])
})
