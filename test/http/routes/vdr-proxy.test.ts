import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFrontDoor } from '../../../src/http/front-door/front-door.ts'
import { VDR_PROXY, vdrProxyRoutes } from '../../../src/http/routes/vdr-proxy.ts'
import { startNodeServer } from '../../../src/http/server/node-server.ts'
import type { HttpServer } from '../../../src/http/server/server.ts'
import { LedgerBusy, type LedgerQuestion, LedgerRefused } from '../../../src/ports/ledger.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'
import { silentLog } from '../../silent-log.ts'
import { plainDoor } from '../front-door/plain-door.ts'

const asked: LedgerQuestion[] = []
let answer = (): Promise<string> => Promise.resolve('{"op":"REPLY","result":{}}')
let nowMs = 0
const genesis = '{"txn":{"data":{"data":{"alias":"Node1"}}}}\n{"txn":{"data":{"data":{"alias":"Node2"}}}}\n'
const names: string[] = []
const routes = vdrProxyRoutes({
  resolve: async (name) => {
    names.push(name)
    return name.endsWith('/none') ? null : { text: '{"didDocument":{}}', cacheSeconds: 5 }
  },
  answer: async (question) => {
    asked.push(question)
    return { text: await answer(), cacheSeconds: 60 }
  },
  genesis,
  status: () => ({ isReachable: true, refreshedMs: 1_000 }),
  clientAddress: ({ headers, remoteAddress }) => headers.get('x-forwarded-for') ?? remoteAddress,
  readsPerMinute: 5,
  monotonicMs: () => nowMs,
  now: () => 8_000,
})

let server: HttpServer
let base = ''
let from = 0
beforeAll(async () => {
  const door = createFrontDoor({ ...plainDoor, routes, log: silentLog, metrics: createMetrics() })
  server = await startNodeServer(
    { host: '127.0.0.1', port: 0, tls: null, bodyMemoryBytesMax: 1_000_000 },
    door,
  )
  base = `http://127.0.0.1:${server.port}${VDR_PROXY}`
})
afterAll(() => server[Symbol.asyncDispose]())

/** Each from an address of its own, unless one is given. */
const get = (path: string, address = `192.0.2.${++from}`, method = 'GET') =>
  fetch(`${base}${path}`, { method, headers: { 'x-forwarded-for': address } })

describe('the ledger over HTTP', () => {
  it.each<[string, LedgerQuestion]>([
    ['/nym/V4SGRU86Z58d6TV7PBUe6f', { kind: 'nym', did: 'V4SGRU86Z58d6TV7PBUe6f' }],
    [
      '/attrib/V4SGRU86Z58d6TV7PBUe6f/endpoint',
      { kind: 'attribute', did: 'V4SGRU86Z58d6TV7PBUe6f', name: 'endpoint' },
    ],
    ['/schema/D:2:my%20name:1.0', { kind: 'schema', id: 'D:2:my name:1.0' }],
    ['/cred_def/D:3:CL:7:default', { kind: 'definition', id: 'D:3:CL:7:default' }],
    ['/taa', { kind: 'agreement' }],
    ['/aml', { kind: 'mechanisms' }],
    ['/txn/domain/7', { kind: 'transaction', ledger: 1, seqNo: 7 }],
    ['/txn/0/1', { kind: 'transaction', ledger: 0, seqNo: 1 }],
  ])('answers %s as the nodes do', async (path, question) => {
    const found = await get(path)
    expect([found.status, await found.text(), asked.at(-1)]).toEqual([
      200,
      '{"op":"REPLY","result":{}}',
      question,
    ])
    expect(found.headers.get('cache-control')).toBe('public, max-age=60')
    expect(found.headers.get('access-control-allow-origin')).toBe('*')
  })

  it.each([
    ['did:indy:sandbox:V4SGRU86Z58d6TV7PBUe6f', 'did:indy:sandbox:V4SGRU86Z58d6TV7PBUe6f'],
    [
      'did:indy:sandbox:V4/anoncreds/v0/SCHEMA/my%20name/1.0',
      'did:indy:sandbox:V4/anoncreds/v0/SCHEMA/my name/1.0',
    ],
    [
      'did:indy:sandbox:V4/anoncreds/v0/CLAIM_DEF/7/default',
      'did:indy:sandbox:V4/anoncreds/v0/CLAIM_DEF/7/default',
    ],
    [
      'did:indy:sandbox:V4%2Fanoncreds%2Fv0%2FCLAIM_DEF%2F7%2Fx',
      'did:indy:sandbox:V4/anoncreds/v0/CLAIM_DEF/7/x',
    ],
  ])('says what %s stands for', async (path, name) => {
    const found = await get(`/1.0/identifiers/${path}`)
    expect([found.status, await found.json(), names.at(-1)]).toEqual([200, { didDocument: {} }, name])
    expect(found.headers.get('cache-control')).toBe('public, max-age=5')
  })

  it('has no earlier times, and says of a DID that is not there that it is not', async () => {
    const did = '/1.0/identifiers/did:indy:sandbox:V4SGRU86Z58d6TV7PBUe6f'
    for (const query of ['versionId=1', 'x=1&versionTime=2020-12-20T19:17:47Z'])
      expect([query, (await get(`${did}?${query}`)).status]).toEqual([query, 400])
    expect((await get(`${did}/anoncreds/v0/CLAIM_DEF/7/none`)).status).toBe(404)
    expect((await get(`${did}/anoncreds/v0/REV_REG_DEF/7/x/y`)).status).toBe(404)
  })

  it('takes a name as long as the ledger has one', async () => {
    expect((await get(`/schema/D:2:${'n'.repeat(1_000)}:1.0`)).status).toBe(200)
    expect((await get(`/schema/D:2:${'n'.repeat(1_100)}:1.0`)).status).toBe(400)
  })

  it('shows the genesis file and its own status', async () => {
    expect(await (await get('/genesis')).text()).toBe(genesis)
    // Clients that join addresses ask with a slash at the end.
    for (const path of ['', '/'])
      expect(await (await get(path)).json()).toEqual({
        status: 'active',
        pool_nodes: ['Node1', 'Node2'],
        last_refresh: 7,
      })
  })

  it('takes nothing that could be written', async () => {
    expect((await get('/submit', undefined, 'POST')).status).toBe(404)
    expect((await get('/nym/x', undefined, 'POST')).status).toBe(405)
  })

  it('knows no other ledger, and no transaction before the first', async () => {
    for (const path of ['/txn/3/1', '/txn/audit/1', '/txn/1/0', '/txn/1/x', '/auth', '/rev_reg/x'])
      expect([path, (await get(path)).status]).toEqual([path, 404])
  })

  it('takes a ledger by its name or its digit, and no other spelling of a number', async () => {
    for (const ledger of ['0x1', '0b1', '1e0', '1.0', '01', '+1', '-0', '%201', '%20'])
      expect([ledger, (await get(`/txn/${ledger}/1`)).status]).toEqual([ledger, 404])
  })

  it('is limited for each address', async () => {
    const same = '198.51.100.7'
    for (let count = 0; count < 5; count++) expect((await get('/taa', same)).status).toBe(200)
    const refused = await get('/taa', same)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect((await get('/taa')).status).toBe(200)
    nowMs += 60_001
    expect((await get('/taa', same)).status).toBe(200)
  })

  it.each([
    [400, new LedgerRefused('no')],
    [503, new LedgerBusy('many')],
    [503, new Error('away')],
  ])('answers %i where the ledger does not', async (status, error) => {
    answer = () => Promise.reject(error)
    expect((await get('/taa')).status).toBe(status)
    answer = () => Promise.resolve('{}')
  })
})
