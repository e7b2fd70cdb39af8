import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFrontDoor } from '../../../src/http/front-door/front-door.ts'
import { VDR_PROXY, vdrProxyRoutes } from '../../../src/http/routes/vdr-proxy.ts'
import { startNodeServer } from '../../../src/http/server/node-server.ts'
import type { HttpServer } from '../../../src/http/server/server.ts'
import { DidAnswers } from '../../../src/ledger/did-answers.ts'
import type { IndyLedger } from '../../../src/ledger/indy-ledger.ts'
import { identityFromSeed } from '../../../src/ledger/sandbox/identities.ts'
import { type SandboxPool, startSandboxPool } from '../../../src/ledger/sandbox/pool.ts'
import { signerFromSeed } from '../../../src/ledger/signer.ts'
import { VdrReads } from '../../../src/ledger/vdr-reads.ts'
import type { LedgerQuestion } from '../../../src/ports/ledger.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'
import { plainDoor } from '../../http/front-door/plain-door.ts'
import { silentLog } from '../../silent-log.ts'
import { ledgerOver, sandboxPlace } from './open-pools.ts'
import { pythonIndyVdr } from './python-wheel.ts'

type Reply = {
  readonly op: string
  readonly result: {
    readonly data: unknown
    readonly seqNo: number | null
    readonly [field: string]: unknown
  }
}

const tenant = identityFromSeed(Buffer.alloc(32, 51))
const value = { primary: { n: '12', s: '5', z: '7', rctxt: '3', r: { master_secret: '1', name: '1' } } }

describe('the ledger through HTTP', () => {
  let pool: SandboxPool
  let ledger: IndyLedger
  let server: HttpServer
  const names = { schema: '', definition: '' }
  beforeAll(async () => {
    pool = await startSandboxPool(await sandboxPlace('vdr-proxy'))
    ledger = ledgerOver(pool)
    await ledger.registerIdentity(tenant)
    const author = signerFromSeed(tenant.seed)
    const schema = { name: 'my degree', version: '1.0', attributes: ['name'] }
    const { id, seqNo } = await ledger.publishSchema(author, schema)
    const definition = await ledger.publishDefinition(author, { schemaSeqNo: seqNo, tag: 'default', value })
    names.schema = id
    names.definition = definition.id
    const reads = new VdrReads({ read: (question) => ledger.reads.text(question) })
    const answer = (question: LedgerQuestion) => reads.answer(question)
    const dids = new DidAnswers({ answer, namespace: 'sandbox' })
    const routes = vdrProxyRoutes({
      answer,
      resolve: (didUrl) => dids.answer(didUrl),
      genesis: pool.genesis,
      status: () => ledger.status,
      clientAddress: ({ remoteAddress }) => remoteAddress,
      readsPerMinute: 1_000,
      monotonicMs: () => performance.now(),
      now: Date.now,
    })
    const door = createFrontDoor({ ...plainDoor, routes, log: silentLog, metrics: createMetrics() })
    const options = { host: '127.0.0.1', port: 0, tls: null, bodyMemoryBytesMax: 1_000_000 }
    server = await startNodeServer(options, door)
  }, 60_000)
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await ledger[Symbol.asyncDispose]()
    await pool[Symbol.asyncDispose]()
  })

  const get = async (path: string): Promise<Reply> => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${VDR_PROXY}${path}`)
    expect([path, answer.status]).toEqual([path, 200])
    return (await answer.json()) as Reply
  }

  it('answers as the nodes do: identifiers, schemas, definitions and transactions', async () => {
    const nym = await get(`/nym/${tenant.did}`)
    expect(nym.op).toBe('REPLY')
    expect(JSON.parse(String(nym.result.data))).toMatchObject({ dest: tenant.did, verkey: tenant.verkey })
    expect(await get(`/schema/${encodeURIComponent(names.schema)}`)).toMatchObject({
      result: { type: '107', seqNo: 4, data: { name: 'my degree', version: '1.0', attr_names: ['name'] } },
    })
    expect(await get(`/cred_def/${names.definition}`)).toMatchObject({
      result: { type: '108', data: value, ref: 4, tag: 'default' },
    })
    expect(await get('/txn/DOMAIN/4')).toMatchObject({ result: { data: { txn: { type: '101' } } } })
    expect(await get('/txn/0/1')).toMatchObject({ result: { data: { txn: { type: '0' } } } })
  })

  it('finds schemas and definitions under their qualified names too', async () => {
    const root = `did:indy:sandbox:${tenant.did}/anoncreds/v0`
    const at = (name: string) => encodeURIComponent(`${root}/${name}`)
    expect(await get(`/schema/${at('SCHEMA/my degree/1.0')}`)).toMatchObject({ result: { seqNo: 4 } })
    expect(await get(`/cred_def/${at('CLAIM_DEF/4/default')}`)).toMatchObject({ result: { data: value } })
  })

  it('says of what is not there that it is not, as the nodes do', async () => {
    expect(await get(`/attrib/${tenant.did}/endpoint`)).toMatchObject({ result: { data: null } })
    expect(await get('/taa')).toMatchObject({ result: { data: null } })
    expect(await get('/aml')).toMatchObject({ result: { data: null } })
    expect(await get(`/schema/${tenant.did}:2:none:1.0`)).toMatchObject({ result: { seqNo: null } })
  })

  it('tells a client that joins addresses what the nodes tell the Python package indy-vdr', async () => {
    const script = fileURLToPath(new URL('python-proxy.py', import.meta.url))
    const base = `http://127.0.0.1:${server.port}${VDR_PROXY}/`
    const { stdout } = await promisify(execFile)(
      'python3',
      [script, base, tenant.did, names.schema, names.definition],
      { env: { ...process.env, PYTHONPATH: await pythonIndyVdr(), PYTHONDONTWRITEBYTECODE: '1' } },
    )
    const { told, ...rest } = JSON.parse(stdout) as { readonly told: Readonly<Record<string, boolean>> }
    expect([Object.keys(told).length, Object.keys(told).filter((path) => told[path] !== true)]).toEqual([
      12,
      [],
    ])
    expect(rest).toEqual({
      status: 'active',
      nodes: ['Node1', 'Node2', 'Node3', 'Node4'],
      submit: 404,
    })
  }, 60_000)

  it('has documents of the DIDs that there are on this ledger, and of no other', async () => {
    const at = `http://127.0.0.1:${server.port}${VDR_PROXY}/1.0/identifiers`
    const status = async (name: string) => [name, (await fetch(`${at}/${name}`)).status]
    const nobody = identityFromSeed(Buffer.alloc(32, 52)).did
    for (const name of [nobody, `${tenant.did}/anoncreds/v0/SCHEMA/none/1.0`])
      expect(await status(`did:indy:sandbox:${name}`)).toEqual([`did:indy:sandbox:${name}`, 404])
    for (const name of [
      `did:indy:other:${tenant.did}`,
      `did:sov:${tenant.did}`,
      tenant.did,
      `did:indy:sandbox:${tenant.did}%2Fanoncreds%2Fv1%2FSCHEMA%2Fmy%20degree%2F1.0`,
    ])
      expect(await status(name)).toEqual([name, 400])
  })

  it('takes a name that the ledger cannot have for a mistake, and nothing to write', async () => {
    const at = `http://127.0.0.1:${server.port}${VDR_PROXY}`
    expect((await fetch(`${at}/nym/nobody`)).status).toBe(400)
    expect((await fetch(`${at}/cred_def/x`)).status).toBe(400)
    const elsewhere = encodeURIComponent(`did:indy:other:${tenant.did}/anoncreds/v0/SCHEMA/my degree/1.0`)
    expect((await fetch(`${at}/schema/${elsewhere}`)).status).toBe(400)
    expect((await fetch(`${at}/submit`, { method: 'POST', body: '{}' })).status).toBe(404)
    expect(pool.size()).toBe(5)
  })
})
