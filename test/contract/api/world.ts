import { askById } from '../../host/parts/ask-by-id.ts'
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import type { Caller } from '../../../src/http/callers/caller.ts'
import { startNodeServer } from '../../../src/http/server/node-server.ts'
import type { FrontDoor, HttpServer } from '../../../src/http/server/server.ts'
import { startUwsServer } from '../../../src/http/server/uws-server.ts'
import { createApiKey } from '../../../src/actors/api-key/commands.ts'
import { createTenant } from '../../../src/actors/tenant/commands.ts'
import { expect } from 'vitest'
import { publishDefinition } from '../../../src/actors/credential-definition/publish.ts'
import { credentialDefinition } from '../../../src/actors/credential-definition/rules.ts'
import { publishSchema } from '../../../src/actors/schema/publish.ts'
import { schema } from '../../../src/actors/schema/rules.ts'
import { type ApiOnMemory, apiOnMemory } from '../../compose/api-on-memory.ts'
import { consolePeople, cookieOf, type Person } from '../../compose/console-people.ts'
import { furnished, type Through } from '../../compose/service-on-memory.ts'
import { allowed, password } from '../../actors/account/accounts-world.ts'
import { eventually } from '../../eventually.ts'

export type Json = Readonly<Record<string, unknown>>
export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  readonly json: Json
}
type Who = 'nobody' | 'key' | 'wallet' | 'admin' | 'viewer' | 'operator'
export type Asked = {
  /** Somebody known here, a person, or a credential. */
  readonly as: Who | Person | { readonly bearer: string }
  readonly target: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
}

const UNIQUE = 'aaaaaaaaaa'
/** A fresh code is shown before the one before is too old. */
const FRESH_MS = 240_000
export const PAGE = { 'sec-fetch-site': 'same-origin', 'user-agent': 'Firefox' }

/** Members of an organisation that is gone, and accounts that are: as when they go while a request is under way. */
const GONE = 'ten_00goneaaaaaa'
export const goneMember: Caller = {
  kind: 'member',
  tenantId: GONE,
  memberId: 'acc_00goneaaaaaa',
  role: 'admin',
  session: { id: 's', steppedUpAtMs: Number.MAX_SAFE_INTEGER },
}

/** A whole service in memory behind a real HTTP server, an organisation with all that it needs, and people. */
export const contractWorld = async (through?: Through) => {
  const api = await apiOnMemory(undefined, undefined, through)
  const { useCases, runtime } = api.service
  const furniture = await furnished(api.service, UNIQUE)
  const { tenant, definitionId } = furniture
  const key = await api.keyOf(tenant)
  const people = consolePeople(api)
  const steppedUp = new Map<string, number>()
  const open: HttpServer[] = []
  const serve = async (door: FrontDoor, start: typeof startUwsServer = startNodeServer): Promise<number> => {
    const options = { host: '127.0.0.1', port: 0, tls: null, bodyMemoryBytesMax: 100_000_000 }
    const server = await start(options, door)
    open.push(server)
    return server.port
  }
  const port = await serve(api.door)
  let enrolled = 0
  let places = 0
  const addresses = new Map<string, { readonly organisation: string | null; readonly emailAddress: string }>()
  const person = async (organisation: string | null, role: 'admin' | 'viewer' | 'operator') => {
    const emailAddress = `person${++enrolled}@example.org`
    const made = await people.enrol(organisation, emailAddress, role)
    addresses.set(made.id, { organisation, emailAddress })
    steppedUp.set(made.id, runtime.now())
    return made
  }
  const known: Record<'admin' | 'viewer' | 'operator', Person> = {
    admin: await person(tenant, 'admin'),
    viewer: await person(tenant, 'viewer'),
    operator: await person(null, 'operator'),
  }
  const raw = (toPort: number, method: string, asked: Asked) => send(toPort, method, asked, headersOf(asked))
  const installation = () => ({ 'idempotency-key': randomUUID() })
  const wallet = await raw(port, 'POST', {
    as: { bearer: key },
    target: '/v1/wallets',
    body: {},
    headers: installation(),
  })
  const { walletToken } = wallet.json

  /** Each request from a place of its own, so that the failures of one case lock nobody out of the next. */
  function headersOf(asked: Asked): Asked['headers'] {
    const place = ++places
    return { 'x-forwarded-for': `203.0.${place >> 8}.${place & 255}`, ...credentialsOf(asked) }
  }
  function credentialsOf({ as, headers = {} }: Asked): Asked['headers'] {
    if (as === 'nobody') return headers
    if (as === 'key') return { ...headers, authorization: `Bearer ${key}` }
    if (as === 'wallet') return { ...headers, authorization: `Bearer ${String(walletToken)}` }
    if (typeof as === 'object' && 'bearer' in as) return { ...headers, authorization: `Bearer ${as.bearer}` }
    return { ...(typeof as === 'string' ? known[as] : as).headers, ...headers }
  }
  const stepUp = async (who: Person, toPort = port): Promise<void> => {
    const body = { code: people.nextCode(who.seed) }
    const shown = await raw(toPort, 'POST', { as: who, target: '/v1/session/step-up', body })
    if (shown.status !== 200) throw new Error(shown.text)
    steppedUp.set(who.id, runtime.now())
  }
  /** After a session has run out. */
  const signInAgain = async (who: Person): Promise<Person> => {
    const body = { ...addresses.get(who.id), password }
    const { json } = await raw(port, 'POST', { as: 'nobody', target: '/v1/sessions', body, headers: PAGE })
    const second = { signIn: json['signIn'], code: people.nextCode(who.seed) }
    const target = '/v1/sessions/second-factor'
    const done = await raw(port, 'POST', { as: 'nobody', target, body: second, headers: PAGE })
    if (done.status !== 201) throw new Error(done.text)
    steppedUp.set(who.id, runtime.now())
    const cookie = cookieOf({ 'Set-Cookie': done.headers['set-cookie'] ?? '' })
    return { ...who, cookie, headers: { ...PAGE, cookie } }
  }
  const ask = async (method: string, asked: Asked, toPort = port): Promise<Answer> => {
    const { as } = asked
    if (as === 'admin' || as === 'viewer' || as === 'operator') {
      const who = known[as]
      if (runtime.now() - (steppedUp.get(who.id) ?? 0) > FRESH_MS) await stepUp(who)
    }
    return raw(toPort, method, asked)
  }
  const newTenant = async (): Promise<string> => allowed(await createTenant(useCases, 'Another')).id
  const doors = new Map<string, number>()
  const templates = '/v1/proof-templates'
  const groups = [{ name: 'person', credentialDefinitionIds: [definitionId], attributes: ['name'] }]
  const template = await ask('POST', { as: 'admin', target: templates, body: { name: 'Entry', groups } })
  return {
    ...furniture,
    api,
    port,
    people,
    key,
    groups,
    templateId: String(template.json['id']),
    ask,
    /** The same service behind the other server. */
    serveOnUws: () => serve(api.door, startUwsServer),
    /** Without showing a fresh code first. */
    raw: (method: string, asked: Asked) => raw(port, method, asked),
    through: async (name: string, doorOf: () => FrontDoor) => {
      const other = doors.get(name) ?? (await serve(doorOf()))
      doors.set(name, other)
      return (method: string, asked: Asked) => raw(other, method, asked)
    },
    gone: async (method: string, target: string, body?: unknown, as: Caller = goneMember): Promise<Answer> =>
      api.send(method, target, { as, ...(body !== undefined && { body }) }),
    person,
    emailAddressOf: (who: 'admin' | 'operator'): string => addresses.get(known[who].id)?.emailAddress ?? '',
    /** Everybody signs in again. */
    again: async (): Promise<void> => {
      for (const who of ['admin', 'viewer', 'operator'] as const) known[who] = await signInAgain(known[who])
    },
    /** Somebody who is the only one that may change things. */
    onlyOne: async (who: 'admin' | 'operator', run: (person: Person) => Promise<Answer>): Promise<Answer> =>
      run(who === 'operator' ? known.operator : await person(await newTenant(), 'admin')),
    /** Whose second factor was shown too long ago. */
    stale: async (role: 'admin' | 'operator' = 'admin'): Promise<Person> => {
      if (role === 'operator') runtime.forward(FRESH_MS + 120_000)
      const who = role === 'operator' ? known.operator : await person(tenant, 'admin')
      runtime.forward(role === 'operator' ? 0 : FRESH_MS + 120_000)
      return who
    },
    ...furnish(api, tenant),
    installation,
    post: async (target: string, body: unknown, as: Asked['as'] = 'key'): Promise<Json> =>
      (await ask('POST', { as, target, body })).json,
    newTenant,
    keyWithRate: async (rate: number): Promise<string> =>
      allowed(await createApiKey(useCases, { tenant, label: 'limited', ratePerMinute: rate })).key ?? '',
    close: async () => {
      for (const server of open) {
        server.stopAccepting()
        await server[Symbol.asyncDispose]()
      }
      await api.close()
    },
  }
}

/** What some cases need beside the usual. */
const furnish = (api: ApiOnMemory, tenant: string) => {
  const { useCases, actors, runtime } = api.service
  let made = 0
  const schemaOf = async (attributes: readonly string[]): Promise<string> => {
    const order = { tenant, name: `schema${++made}`, version: '1.0', attributes: [...attributes] }
    const { id } = allowed(await publishSchema(useCases, order))
    await eventually(async () =>
      expect(await actors.read(schema.ref(id))).toMatchObject({ status: 'published' }),
    )
    return id
  }
  return {
    publish: async (attributes: readonly string[]): Promise<string> => {
      const schemaId = await schemaOf(attributes)
      const { id } = allowed(await publishDefinition(useCases, { tenant, schemaId, tag: `tag${made}` }))
      await eventually(async () =>
        expect(await actors.read(credentialDefinition.ref(id))).toMatchObject({ status: 'published' }),
      )
      return id
    },
    /** One whose keys never come. */
    unpublishedDefinition: async (): Promise<string> => {
      const schemaId = await schemaOf(['name', 'expiresAt'])
      api.service.hold.definitions = 1
      const { id } = allowed(await publishDefinition(useCases, { tenant, schemaId, tag: `tag${made}` }))
      await eventually(() => expect(api.service.hold.definitions).toBe(0))
      return id
    },
    /** Of an organisation whose name is not on the ledger. */
    keyOfUnready: async (): Promise<string> => {
      api.service.hold.identities = 1
      const { id } = allowed(await createTenant(useCases, 'Unready'))
      await eventually(() => expect(api.service.hold.identities).toBe(0))
      return api.keyOf(id)
    },
    waitingConnection: async (): Promise<string> => {
      const id = `con_00waiting${String(++made).padStart(6, '0')}`
      const their = {
        theirLabel: 'Phone',
        theirDid: 'did',
        theirService: null,
        ownSeed: 'seed',
        ownKey: 'key',
        protocol: 'didexchange/1.1',
        prefix: 'https://didcomm.org/',
      }
      const about = { tenant, invitationId: 'inv_00aaaaaaaaaa', externalId: null, threadId: id }
      const command = { type: 'RequestConnection', atMs: runtime.now(), ...about, ...their }
      await askById(actors, id, command, { commandId: id, timeoutMs: 5_000, tenant })
      return id
    },
  }
}

export type World = Awaited<ReturnType<typeof contractWorld>>

const send = (port: number, method: string, { target, body }: Asked, headers: Asked['headers'] = {}) =>
  new Promise<Answer>((resolve, reject) => {
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
    const all = {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(body !== undefined && { 'content-length': String(Buffer.byteLength(text)) }),
      ...headers,
    }
    const pairs = Object.entries(all).flatMap(([name, value]) =>
      [value].flat().flatMap((each) => [name, each]),
    )
    const host = ['host', `127.0.0.1:${port}`]
    const sent = request(
      { host: '127.0.0.1', port, method, path: target, headers: [...host, ...pairs] },
      (response) => {
        const chunks: Buffer[] = []
        const done = (): void => {
          const answer = Buffer.concat(chunks).toString()
          const shown = Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name, value?.toString()]),
          )
          resolve({ status: response.statusCode ?? 0, headers: shown, text: answer, json: jsonOf(answer) })
        }
        const isEndless = response.headers['content-type'] === 'text/event-stream'
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          if (!isEndless) return
          done()
          sent.destroy()
        })
        response.on('error', reject)
        response.on('end', done)
      },
    )
    sent.on('error', reject)
    sent.end(text)
  })

const jsonOf = (text: string): Json => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return {}
  }
}
