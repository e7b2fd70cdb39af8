import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Holder } from '../../sdk/wallet/holder.ts'
import { ordersTo } from '../../tools/harness/orders.ts'
import { fold } from '../../src/domain/case-folded.ts'
import { startReceiver } from '../../tools/flows/webhook-receiver.ts'
import { ServiceProcess } from '../service-process.ts'
import { foundIn, foundInFolder } from './canaries.ts'
import { sweep } from './canary-sweep.ts'

type Json = Readonly<Record<string, unknown>>
type Answer = { readonly status: number; readonly json: Json; readonly cookie: string }

const TENANT = 'ten_00development'
const WAIT = { timeout: 60_000, interval: 100 }
const canaries = new Map<string, string>()
const canary = (name: string, secret: unknown): string => {
  canaries.set(name, String(secret))
  return String(secret)
}

/** Nothing secret, and kept as it is; all the same no text of a caller is for logs. */
const plainTexts = new Map<string, string>()
const plain = (name: string, text: string): string => {
  plainTexts.set(name, text)
  return text
}

const afterDot = (token: string): string => token.slice(token.indexOf('.') + 1)
const afterMark = (link: unknown): string => String(link).slice(String(link).indexOf('#') + 1)

/** A service that logs all it can, with everybody who has a secret there. */
const world = async () => {
  const service = new ServiceProcess({
    VOUCHSAFE_LOG_LEVEL: 'debug',
    VOUCHSAFE_ALLOW_PRIVATE_TARGETS: 'true',
    VOUCHSAFE_API_KEY_REQUESTS_PER_MINUTE: '100000',
    VOUCHSAFE_CRYPTO_WORKERS: '1',
  })
  onTestFinished(async () => void (await service.stop()))
  const { url, privateUrl } = await service.untilListening()
  const folder = join(service.folder, 'data')
  const send = async (
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: unknown,
  ): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const isEndless = response.headers.get('content-type') === 'text/event-stream'
    if (isEndless) await response.body?.cancel()
    const json = isEndless ? {} : ((await response.json().catch(() => ({}))) as Json)
    return { status: response.status, json, cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
  }
  const order = ordersTo(folder)
  const published = (show: string, id: unknown) =>
    vi.waitFor(
      async () => expect(await order(show, { tenant: TENANT, id })).toMatchObject({ status: 'published' }),
      WAIT,
    )
  return { service, url, privateUrl, folder, send, order, published }
}
type World = Awaited<ReturnType<typeof world>>

/** From the link to a session, with every secret of the way. */
const enrol = async ({ url, send }: World, who: string, invitation: string) => {
  canary(`invitation of ${who}`, afterDot(invitation))
  const page = { origin: url, 'user-agent': canary(`browser of ${who}`, `Canary Browser of the ${who}`) }
  const password = canary(`password of ${who}`, `canary passphrase of the ${who}`)
  const name = canary(`name of ${who}`, `Canary Person the ${who}`)
  const begun = await send('POST', '/v1/enrolments', page, { invitation, name, password })
  const seed = canary(`seed of ${who}`, begun.json['totpSeed'])
  const code = new TOTP({ secret: Secret.fromBase32(seed) }).generate()
  const done = await send('POST', '/v1/enrolments/confirm', page, { invitation, code })
  expect(done.status).toBe(201)
  for (const [index, each] of (done.json['recoveryCodes'] as readonly string[]).entries())
    canary(`recovery code ${index} of ${who}`, each)
  canary(`session of ${who}`, afterDot(done.cookie))
  const another = await send('POST', '/v1/account/authenticator', { ...page, cookie: done.cookie })
  canary(`seed of another authenticator of ${who}`, another.json['totpSeed'])
  return { ...page, cookie: done.cookie }
}

/** The same events as they happen. */
const listenTo = async (url: string, key: string) => {
  const { status, body } = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
  expect(status).toBe(200)
  const reader = body?.getReader() as ReadableStreamDefaultReader<Uint8Array>
  let text = ''
  const reading = (async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read())
      text += Buffer.from(next.value).toString()
  })()
  return {
    heard: () => text,
    leave: async () => {
      await reader.cancel()
      await reading
    },
  }
}

/** An organisation's way from its setup to a proof, with a phone that has a label. */
const flow = async (at: World, admin: Readonly<Record<string, string>>, key: string) => {
  const { send, order, published } = at
  const tenant = TENANT
  const attributes = ['name', 'note', 'expiresAt']
  const { id: schemaId } = await order('schema publish', {
    tenant,
    name: 'person',
    version: '1.0',
    attributes,
  })
  await published('schema show', schemaId)
  const { id: definitionId } = await order('definition publish', { tenant, schemaId, tag: 'default' })
  await published('definition show', definitionId)
  const receiver = await startReceiver(() => undefined)
  onTestFinished(() => receiver.close())
  const endpoint = await send('PUT', '/v1/webhook', admin, { url: receiver.url })
  const stream = await listenTo(`${at.url}/v1/events/stream`, key)
  receiver.useSecret(canary('webhook secret', endpoint.json['secret']))
  const groups = [{ name: 'person', credentialDefinitionIds: [definitionId], attributes: ['name'] }]
  const template = await send('POST', '/v1/proof-templates', admin, { name: 'Entry', groups })
  const bearer = { authorization: `Bearer ${key}` }
  const ledger = (await send('GET', '/v1/ledger', bearer)).json
  const { url: genesisUrl } = ledger['genesis'] as { readonly url: string }
  const label = canary('label of the holder', 'Canary Phone of Somebody')
  const options = { label, databaseFile: ':memory:', host: '127.0.0.1', port: 0, verbose: false }
  const network = {
    indyNamespace: String(ledger['indyNamespace']),
    genesis: await (await fetch(genesisUrl)).text(),
  }
  const phone = await Holder.start({ ...options, ...network }, { offers: 'accept', proofs: 'accept' })
  onTestFinished(() => phone[Symbol.asyncDispose]())
  const alias = canary('alias', 'Canary Reception Desk')
  const invitation = await send('POST', '/v1/connections/invitations', bearer, { alias })
  await phone.connect(String(invitation.json['invitationUrl']))
  const connectionId = await vi.waitFor(async () => {
    const found = await send('GET', '/v1/connections?state=completed', bearer)
    const [first] = found.json['items'] as readonly Json[]
    expect(first).toBeDefined()
    return String(first?.['id'])
  }, WAIT)
  const offered = await send('POST', '/v1/credentials/offer', bearer, {
    connectionId,
    credentialDefinitionId: definitionId,
    attributes: {
      name: canary('disclosed value', 'Canary Lovelace'),
      note: canary('value', 'canary note of a person'),
      expiresAt: '2000000000',
    },
    biometric: { referenceImage: canary('reference image', 'canary/image'.repeat(20)) },
  })
  const until = (path: string) =>
    vi.waitFor(
      async () => expect((await send('GET', path, bearer)).json).toMatchObject({ state: 'done' }),
      WAIT,
    )
  await until(`/v1/credentials/${String(offered.json['id'])}`)
  const asked = await send('POST', '/v1/proofs/request', bearer, {
    connectionId,
    proofTemplateId: template.json['id'],
  })
  await until(`/v1/proofs/${String(asked.json['id'])}`)
  await phone.decide({ offers: 'decline', proofs: 'decline' })
  await vi.waitFor(
    () => expect(receiver.events.filter(({ data }) => data.state === 'done')).toHaveLength(2),
    WAIT,
  )
  expect(receiver.refused).toEqual([])
  await vi.waitFor(() => {
    for (const { id } of receiver.events) expect(stream.heard()).toContain(`id: ${id}\n`)
  }, WAIT)
  expect(stream.heard()).toContain(canaries.get('disclosed value'))
  await stream.leave()
  const rotated = await send('POST', '/v1/webhook/secret', admin)
  canary('new webhook secret', rotated.json['secret'])
  return { connectionId, definitionId }
}

/** Texts that routes take, as they are meant to be sent: each request succeeds. */
const sendTexts = async (
  { send }: World,
  admin: Readonly<Record<string, string>>,
  key: string,
  { connectionId, definitionId }: Readonly<Record<'connectionId' | 'definitionId', unknown>>,
): Promise<void> => {
  const bearer = { authorization: `Bearer ${key}` }
  const groups = [{ name: 'person', credentialDefinitionIds: [definitionId], attributes: ['name'] }]
  const template = {
    name: plain('name of a template', 'Canary template at the door'),
    description: plain('description of a template', 'Canary words about a template'),
    groups,
  }
  const offer = {
    connectionId,
    credentialDefinitionId: definitionId,
    attributes: {
      name: canary('value of another', 'Canary Babbage'),
      note: canary('note of another', 'canary engine of somebody'),
      expiresAt: '2000000000',
    },
    externalId: plain('external id of an offer', 'canary-order-of-somebody'),
  }
  const item = {
    idempotencyKey: canary('key of an item', 'canary-item-of-somebody'),
    ...offer,
    attributes: { ...offer.attributes, name: canary('value of an item', 'Canary Hopper') },
  }
  const emailAddress = canary('address of somebody invited', 'canary-invited@example.org')
  const installation = { ...bearer, 'idempotency-key': crypto.randomUUID() }
  const texts = [
    ['POST', '/v1/proof-templates', admin, template],
    ['POST', '/v1/credentials/offer', bearer, offer],
    ['POST', '/v1/credentials/offers', bearer, { items: [item] }],
    ['POST', '/v1/connections/invitations', bearer, { externalId: plain('external id', 'canary-guest') }],
    ['POST', '/v1/wallets', installation, { externalId: plain('external id of a wallet', 'canary-phone') }],
    ['POST', '/v1/members', admin, { emailAddress, role: 'viewer' }],
    ['GET', `/v1/members?q=${encodeURIComponent(emailAddress)}`, admin],
    ['GET', `/v1/connections?q=${encodeURIComponent(canaries.get('label of the holder') ?? '')}`, bearer],
  ] as const
  for (const [method, path, headers, body] of texts)
    expect((await send(method, path, headers, body)).status, `${method} ${path}`).toBeLessThan(300)
}

describe('secrets and personal data', () => {
  it('stand in no log line, no metric and no file in clear, whichever route they pass through', async () => {
    const at = await world()
    const key = canary('API key', at.service.apiKey)
    const invitation = /\/console\/invitation#(\S+)/.exec(at.service.shown)?.[1] ?? ''
    const admin = await enrol(at, 'administrator', invitation)
    const emailAddress = canary('address of an operator', 'canary-operator@example.org')
    const invited = await at.order('operator invite', { emailAddress })
    const operator = await enrol(at, 'operator', afterMark(invited['link']))
    const made = await at.send('POST', '/v1/operator/api-keys', operator, {
      tenantId: TENANT,
      label: plain('label of a key', 'Canary second backend'),
    })
    canary('second API key', made.json['key'])
    const museum = { name: plain('name of an organisation', 'Canary Museum') }
    expect((await at.send('POST', '/v1/operator/tenants', operator, museum)).status).toBe(201)
    const reason = canary('reason to act', 'Canary ticket of somebody')
    const acting = { organisation: TENANT, reason }
    expect((await at.send('POST', '/v1/operator/acting', operator, acting)).status).toBe(201)
    expect((await at.send('GET', '/v1/connections', operator)).status).toBe(200)
    const log = await at.send('GET', '/v1/audit-log', admin)
    expect(log.json['items']).toContainEqual(expect.objectContaining({ action: 'beginActing', reason }))
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': crypto.randomUUID() }
    const wallet = await at.send('POST', '/v1/wallets', headers, {})
    const token = String(wallet.json['walletToken'])
    canary('wallet token', token.slice(-43))
    await sendTexts(at, admin, key, await flow(at, admin, key))
    const wrong = {
      organisation: null,
      emailAddress,
      password: canary('wrong password', 'canary that is no password'),
    }
    await at.send('POST', '/v1/sessions', { origin: at.url }, wrong)
    const strangers = [
      { authorization: `Bearer ${canary('unknown key', `svc_sk_${'canary'.repeat(7)}x`)}` },
      {},
    ]
    const bearers = [key, token].map((each) => ({ authorization: `Bearer ${each}` }))
    const callers = [...bearers, ...strangers, operator, admin]
    const swept = await sweep(at.send, callers, [...canaries.values()])
    expect(swept).toBeGreaterThan(500)

    const metrics = await (await fetch(`${at.privateUrl}/metrics`)).text()
    const { stdout } = await at.service.stop()
    expect(stdout.split('\n').length).toBeGreaterThan(swept)
    const everything = new Map([...canaries, ...plainTexts])
    expect(foundIn('the metrics', Buffer.from(metrics), everything)).toEqual([])
    expect(foundIn('the log', Buffer.from(stdout), everything)).toEqual([])
    // As the lists fold texts.
    const folded = new Map([...canaries, ['label, folded', fold(canaries.get('label of the holder') ?? '')]])
    const inFiles = foundInFolder(at.folder, folded)
    // The label is what q looks for in the list of connections; that list alone has it.
    const known = /^label.* in directory\.sqlite(-wal|-shm)?$/
    expect(inFiles.filter((found) => !known.test(found))).toEqual([])
    expect(inFiles.some((found) => known.test(found))).toBe(true)
  }, 240_000)
})
