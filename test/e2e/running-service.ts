import { expect, vi } from 'vitest'
import type { WalletOptions } from '../../sdk/wallet/create-wallet.ts'
import { DEVELOPMENT_TENANT } from '../../src/actors/tenant/development-tenant.ts'
import { openService, type OpenService } from '../../src/compose/service.ts'
import type { ServiceContext } from '../../src/compose/service-context.ts'
import { SHARD_COUNT } from '../../src/domain/references.ts'
import { startApplication } from '../../tools/harness/started-app.ts'
import { temporaryFolder } from '../temporary-folder.ts'

export type Json = Record<string, unknown>

export const WAIT = { timeout: 60_000, interval: 50 }

/** Time, chance and log of the test's own instead of the machine's. */
export type Surroundings = Partial<Pick<ServiceContext, 'runtime' | 'newNonce' | 'log'>>

const OPENING_LIMIT_MS = 60_000

export const freshFolder = (): string => temporaryFolder('vouchsafe-whole')

/** The whole service as `npm start` runs it, in this process, on a new folder; spoken to over its ports alone. */
export const runningService = async (
  more: Readonly<Record<string, string>> = {},
  folder: string = freshFolder(),
  surroundings: Surroundings = {},
  open: OpenService = openService,
) => {
  const {
    app,
    order: call,
    key: shownKey,
  } = await startApplication(
    folder,
    { VOUCHSAFE_LOG_LEVEL: 'silent', VOUCHSAFE_CRYPTO_WORKERS: '1', ...more },
    (context) => open({ ...context, ...surroundings }),
  )
  await untilShardsAreOpen(app.privateUrl)
  const order = async <Answer = Json>(command: string, input: object): Promise<Answer> =>
    (await call(command, input)) as Answer
  const { tenant, apiKey } = await organisationOf(shownKey, order)
  const send = senderTo(() => app.url, apiKey)
  return { app, folder, apiKey, order, send, tenant }
}

/** Calls the API where it is at that moment. */
export const senderTo =
  (url: () => string, apiKey: string) =>
  async (method: string, path: string, body?: object, key = apiKey) => {
    const response = await fetch(`${url()}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parse(text) }
  }

/** The embedded service makes an organisation at its first start; a cluster has none before the operator makes one. */
export const organisationOf = async (
  key: string | null,
  order: (command: string, input: object) => Promise<Json>,
): Promise<{ tenant: string; apiKey: string }> => {
  if (key !== null) return { tenant: DEVELOPMENT_TENANT, apiKey: key }
  const { id } = await order('tenant create', { name: 'Registry' })
  const { key: made } = await order('key create', { tenant: id, label: 'test' })
  return { tenant: String(id), apiKey: String(made) }
}

/** A node of a cluster is there before its shards are. */
export const untilShardsAreOpen = async (privateUrl: string): Promise<void> => {
  for (const startedMs = performance.now(); ; ) {
    const metrics = await (await fetch(`${privateUrl}/metrics`)).text()
    if (Number(/^vouchsafe_actors_shards (\d+)$/m.exec(metrics)?.[1]) === SHARD_COUNT) return
    if (performance.now() - startedMs > OPENING_LIMIT_MS) throw new Error('the shards are not open')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const parse = (text: string): Json => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return {}
  }
}

export type RunningService = Awaited<ReturnType<typeof runningService>>

/** Until an order's subject is on the ledger. */
type Asking = { readonly send: (method: string, path: string) => Promise<{ readonly json: Json }> }
type Ordering = Pick<RunningService, 'tenant' | 'order'>

export const published = async (service: Ordering, show: string, id: unknown): Promise<Json> => {
  for (let attempt = 0; attempt < 600; attempt++) {
    const found = await service.order(show, { tenant: service.tenant, id })
    if (found['status'] === 'published') return found
    if (found['status'] === 'failed') throw new Error(String(found['lastError']))
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`${String(id)} was not published in time`)
}

/** A definition for persons on the ledger, and a template that asks adults for their name. */
export const publishPerson = async (service: Ordering) => {
  const { tenant, order } = service
  const schema = { tenant, name: 'person', version: '1.0', attributes: ['name', 'age', 'expiresAt'] }
  const { id: schemaId } = await order('schema publish', schema)
  await published(service, 'schema show', schemaId)
  const made = await order('definition publish', { tenant, schemaId, tag: 'default' })
  const { ledgerId } = await published(service, 'definition show', made['id'])
  const templateOf = async (definition: string): Promise<string> => {
    const groups = [{ name: 'person', credentialDefinitionIds: [definition], attributes: ['name'] }]
    const predicates = [{ group: 'person', attribute: 'age', operator: '>=', value: 18 }]
    const content = { tenant, name: 'Entry', description: null, groups, predicates }
    return String((await order('template create', content))['id'])
  }
  const definitionId = String(made['id'])
  return { definitionId, ledgerId: String(ledgerId), templateId: await templateOf(definitionId), templateOf }
}

/** For a wallet that uses the ledger of the service. */
export const walletOptions = async ({ send }: Asking): Promise<WalletOptions> => {
  const { json } = await send('GET', '/v1/ledger')
  const { url } = json['genesis'] as { url: string }
  return {
    label: 'Phone',
    databaseFile: ':memory:',
    host: '127.0.0.1',
    port: 0,
    indyNamespace: String(json['indyNamespace']),
    genesis: await (await fetch(url)).text(),
    verbose: false,
  }
}

/** An erasure that not everybody has confirmed yet is answered 503, and goes on; on a busy machine it is sent again. */
export const untilConfirmed = <Answer extends { readonly status: number }>(
  call: () => Promise<Answer>,
): Promise<Answer> =>
  vi.waitFor(async () => {
    const answer = await call()
    expect(answer.status).not.toBe(503)
    return answer
  }, WAIT)

/** The record at the path, once it is in the state. */
export const untilState = ({ send }: Asking, path: string, state: string): Promise<Json> =>
  vi.waitFor(async () => {
    const { json } = await send('GET', path)
    expect(json['state']).toBe(state)
    return json
  }, WAIT)
