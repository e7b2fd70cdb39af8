import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNodeServer } from '../../../src/http/server/node-server.ts'
import type { HttpServer } from '../../../src/http/server/server.ts'
import { startUwsServer } from '../../../src/http/server/uws-server.ts'
import { listMembers, removeMember } from '../../../src/actors/account/members.ts'
import { createTenant } from '../../../src/actors/tenant/commands.ts'
import { type ApiOnMemory, apiOnMemory } from '../../compose/api-on-memory.ts'
import { consolePeople, PAGE, type Person } from '../../compose/console-people.ts'
import { furnished } from '../../compose/service-on-memory.ts'
import { allowed } from '../../actors/account/accounts-world.ts'
import { fitting, type Schema, spoilt } from './schema-arbitrary.ts'

type Media = { readonly 'application/json': { readonly schema: Schema } }
type Content = { readonly content?: Media }
type Operation = {
  readonly operationId: string
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[]
  readonly requestBody?: Required<Content>
  readonly responses: Readonly<Record<string, Content & { readonly headers?: object }>>
}
type Described = { readonly method: string; readonly path: string; readonly operation: Operation }
type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }

/** As many as wanted: `RUNS=200` for a longer look. */
const RUNS = Number(process.env['RUNS'] ?? 25)
/** These may end the session that asks; whoever lost it signs up anew. */
const OF_OPERATORS = /^\/v1\/operator\//
const seed = Number(process.env['SEED'] ?? Date.now())
const JSON_TYPE = { 'Content-Type': 'application/json' }

type Who = 'member' | 'operator'

describe.each([
  ['uWebSockets.js', startUwsServer],
  ['node:http', startNodeServer],
])('what /openapi.json describes, on %s', (_, start) => {
  let api: ApiOnMemory
  let server: HttpServer
  let base = ''
  let at: Awaited<ReturnType<typeof furnished>>
  let key = ''
  let walletId = ''
  let ownToken = ''
  let otherTenant = ''
  let people: ReturnType<typeof consolePeople>
  const signedIn: Partial<Record<Who, Person>> = {}
  let described: readonly Described[] = []
  let document: Document
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  addFormats.default(ajv)
  const checks = new Map<string, ValidateFunction>()

  beforeAll(async () => {
    api = await apiOnMemory()
    at = await furnished(api.service)
    key = await api.keyOf(at.tenant)
    server = await start({ host: '127.0.0.1', port: 0, tls: null, bodyMemoryBytesMax: 100_000_000 }, api.door)
    base = `http://127.0.0.1:${server.port}`
    walletId = String((await walletOf('00000000-0000-4000-8000-000000000001'))['id'])
    // Of another wallet, which no request names and so none revokes.
    ownToken = String((await walletOf('00000000-0000-4000-8000-000000000003'))['walletToken'])
    document = (await (await fetch(`${base}/openapi.json`)).json()) as Document
    ajv.addSchema(document, 'api')
    people = consolePeople(api)
    await signUp('member')
    await signUp('operator')
    otherTenant = allowed(await createTenant(api.service.useCases, 'Another')).id
    described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
      })),
    )
  })
  afterAll(async () => {
    server.stopAccepting()
    await server[Symbol.asyncDispose]()
    await api.close()
  })

  let signUps = 0
  const signUp = async (who: Who): Promise<void> => {
    const organisation = who === 'operator' ? null : at.tenant
    const role = who === 'operator' ? 'operator' : 'admin'
    signedIn[who] = await people.enrol(organisation, `somebody${++signUps}@example.org`, role)
  }

  /** Who was invited or signed up on the way, so that no number of requests meets the bound of members. */
  const removeOthers = async (): Promise<void> => {
    const inUse = new Set(Object.values(signedIn).map(({ id }) => id))
    for (const realm of [at.tenant, null]) {
      const others = (await listMembers(people.ports, realm)).filter(({ id }) => !inUse.has(id))
      // The last administrator stays.
      for (const { id } of others) await removeMember(people.ports, realm, id)
    }
  }

  const walletOf = async (installation: string) => {
    const headers = { 'idempotency-key': installation }
    return (await api.send('POST', '/v1/wallets', { body: {}, as: key, headers })).json
  }

  /** Schemas of the document, whose references lead into it. */
  const checkOf = ({ method, path, operation }: Described, status: number): ValidateFunction => {
    const [media = ''] = Object.keys(operation.responses[String(status)]?.content ?? {})
    const pointer = [path, method.toLowerCase(), 'responses', String(status), 'content', media, 'schema']
    const steps = ['paths', ...pointer].map((step) =>
      encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')),
    )
    const reference = `api#/${steps.join('/')}`
    const known = checks.get(reference) ?? ajv.compile({ $ref: reference })
    checks.set(reference, known)
    return known
  }

  const personFor = ({ path, operation }: Described): Who | null => {
    const schemes = operation.security.flatMap((each) => Object.keys(each))
    if (schemes.includes('apiKey') || !schemes.includes('session')) return null
    return OF_OPERATORS.test(path) ? 'operator' : 'member'
  }

  const credentialOf = (route: Described): Readonly<Record<string, string>> => {
    const who = personFor(route)
    if (who !== null) return signedIn[who]?.headers ?? {}
    const isWallets = route.operation.security.some((each) => 'walletToken' in each)
    if (isWallets) return { Authorization: `Bearer ${ownToken}` }
    return route.operation.security.length > 0 ? { Authorization: `Bearer ${key}` } : PAGE
  }

  const knownIds = () => {
    const accounts = Object.values(signedIn).map(({ id }) => id)
    return [at.connectionId, at.schemaId, at.definitionId, walletId, otherTenant, ...accounts]
  }

  const requestOf = (route: Described, values: (schema: Schema) => fc.Arbitrary<unknown>) => {
    const { parameters = [], requestBody } = route.operation
    const id = fc.oneof(
      fc.constantFrom(...knownIds()),
      fc.string({ minLength: 1, maxLength: 100, unit: 'grapheme' }),
    )
    const model = Object.fromEntries(
      parameters.map(({ name, in: place, schema }) => [
        name,
        // Each is left out in half of the requests: some fit together only as long as few of them are there.
        place === 'path' ? id : fc.option(values(schema), { nil: undefined, freq: 2 }),
      ]),
    )
    const body =
      requestBody === undefined
        ? fc.constant(undefined)
        : values(requestBody.content['application/json'].schema)
    return fc.tuple(fc.record(model), body)
  }

  let places = 0
  const send = async (route: Described, params: Readonly<Record<string, unknown>>, body: unknown) => {
    const { method, operation } = route
    let target = route.path
    const query = new URLSearchParams()
    const headers: Record<string, string> = body === undefined ? {} : { ...JSON_TYPE }
    for (const { name, in: place } of operation.parameters ?? []) {
      const value = params[name]
      if (place === 'path') target = target.replace(`{${name}}`, encodeURIComponent(wellFormed(value)))
      else if (value === undefined) continue
      else if (place === 'query')
        for (const each of Array.isArray(value) ? value : [value]) appendShort(query, name, wellFormed(each))
      else
        headers[name] = wellFormed(value)
          .replaceAll(/[^\x20-\x7e]/g, '')
          .trim()
    }
    // From a place of its own each, so that wrong passwords lock out nobody but their account.
    headers['X-Forwarded-For'] = `203.0.${++places >> 8}.${places & 255}`
    const search = query.size === 0 ? '' : `?${query.toString()}`
    const text = body === undefined ? {} : { body: JSON.stringify(body) }
    const ask = async () => {
      const all = { ...headers, ...credentialOf(route) }
      const signal = AbortSignal.timeout(60_000)
      return fetch(`${base}${target}${search}`, { method, headers: all, signal, ...text })
    }
    let response = await ask()
    const who = personFor(route)
    if (response.status === 401 && who !== null) {
      await signUp(who)
      response = await ask()
    }
    const json: unknown = await bodyOf(response)
    return { status: response.status, headers: response.headers, json, target: `${target}${search}` }
  }

  const succeeded = new Set<string>()
  const strayHeaders = new Set<string>()
  const holds = async (
    route: Described,
    values: (schema: Schema) => fc.Arbitrary<unknown>,
  ): Promise<void> => {
    await fc.assert(
      fc.asyncProperty(requestOf(route, values), async ([params, body]) => {
        const { status, headers, json, target } = await send(route, params, body)
        const said = `${route.method} ${target} → ${status} ${(JSON.stringify(json) ?? 'without a body').slice(0, 300)}`
        expect(status, said).toBeLessThan(500)
        if (status < 300) succeeded.add(`${route.method} ${route.path}`)
        // Normalised away by the URL, a path of dots is another one.
        if (status === 404 && route.operation.responses['404'] === undefined) return
        expect(Object.keys(route.operation.responses), said).toContain(String(status))
        const told = namesOf(Object.keys(route.operation.responses[status]?.headers ?? {}))
        const sent = namesOf([...headers.keys()]).filter((name) => !OF_THE_TRANSPORT.includes(name))
        const place = `${route.method} ${route.path} ${status}`
        for (const name of sent)
          if (!told.includes(name)) strayHeaders.add(`${place} ${name} is not described`)
        for (const name of told)
          if (isOwed(name, status) && !sent.includes(name)) strayHeaders.add(`${place} ${name} is missing`)
        // Whoever has the answer already (304) is told so without a body.
        expect(json === undefined, said).toBe(route.operation.responses[status]?.content === undefined)
        if (json === undefined) return
        const check = checkOf(route, status)
        expect(check(json), `${said}: ${ajv.errorsText(check.errors)}`).toBe(true)
      }),
      { seed, numRuns: RUNS, endOnFailure: true },
    )
    await removeOthers()
  }

  it('answers what fits as it says, without a failure', async () => {
    expect(described.length).toBeGreaterThan(60)
    for (const route of described) await holds(route, fitting)
    expect([...strayHeaders]).toEqual([])
    const readable = described.filter(({ method, path }) => method === 'GET' && !path.includes('{'))
    expect(readable.map(({ path }) => path).filter((path) => !succeeded.has(`GET ${path}`))).toEqual([])
  })

  it('answers what does not fit as it says, without a failure', async () => {
    expect(described.length).toBeGreaterThan(60)
    for (const route of described) await holds(route, spoilt)
    expect([...strayHeaders]).toEqual([])
  })

  it('allows each path what is described, HEAD beside GET, and OPTIONS', async () => {
    for (const [path, operations] of Object.entries(document.paths)) {
      const methods = Object.keys(operations).map((method) => method.toUpperCase())
      const methodsAllowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS']
      const target = `${base}${path.replace('{id}', 'x')}`
      const refused = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'].filter((method) => !methods.includes(method))
      for (const method of ['OPTIONS', ...refused]) {
        const { status, headers } = await fetch(target, { method })
        // What is announced and not built yet asks who is there.
        if (status === 401) continue
        const sorted = headers.get('allow')?.split(', ').toSorted()
        const expected = method === 'OPTIONS' ? 204 : 405
        expect([method, path, status, sorted]).toEqual([method, path, expected, methodsAllowed.toSorted()])
      }
    }
  })

  it('asks everybody who they are, unless it is open', async () => {
    const { walletToken } = await walletOf('00000000-0000-4000-8000-000000000002')
    for (const { method, path, operation } of described) {
      const schemes = operation.security.flatMap((each) => Object.keys(each))
      const target = `${base}${path.replace('{id}', 'x')}`
      const body = method === 'GET' || method === 'DELETE' ? {} : { headers: JSON_TYPE, body: '{}' }
      if (schemes.length === 0) continue
      expect((await fetch(target, { method, ...body })).status, path).toBe(401)
      if (schemes.includes('walletToken')) continue
      const headers = { ...JSON_TYPE, Authorization: `Bearer ${String(walletToken)}` }
      expect((await fetch(target, { method, ...body, headers })).status, path).toBeOneOf([403, 429])
    }
  })
})

/** Of a stream its beginning. */
const bodyOf = async (response: Response): Promise<unknown> => {
  if (response.headers.get('content-type') !== 'text/event-stream') {
    const answered = await response.text()
    return answered === '' ? undefined : JSON.parse(answered)
  }
  const reader = response.body?.getReader()
  const first = (await reader?.read()) as { readonly value?: Uint8Array } | undefined
  await reader?.cancel()
  return new TextDecoder().decode(first?.value)
}

const OF_THE_TRANSPORT = [
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'uwebsockets',
  'vary',
  'x-accel-buffering',
  'x-content-type-options',
]

const namesOf = (headers: readonly string[]): readonly string[] => headers.map((name) => name.toLowerCase())

/** What is told must come, unless it is told for another caller, another code or another page. */
const isOwed = (name: string, status: number): boolean =>
  name === 'x-request-id' || (name.startsWith('ratelimit') && status < 300)

/** Lone surrogates can't be sent in a URL, and empty ids would be another path. */
const wellFormed = (value: unknown): string => {
  const text = typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value)
  return text === '' ? '-' : text.slice(0, 400).toWellFormed()
}

/** A head of more than some KB is answered by the library itself. */
const appendShort = (query: URLSearchParams, name: string, value: string): void => {
  if (encodeURIComponent(value).length + query.toString().length < 2_000) query.append(name, value)
}
