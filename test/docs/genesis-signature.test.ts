import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFrontDoor } from '../../src/http/front-door/front-door.ts'
import { ledgerRoutes } from '../../src/http/routes/ledger.ts'
import { startNodeServer } from '../../src/http/server/node-server.ts'
import type { HttpServer } from '../../src/http/server/server.ts'
import { genesisSigner } from '../../src/ledger/genesis-signature.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { MemoryVault } from '../host/parts/memory-vault.ts'
import { plainDoor } from '../http/front-door/plain-door.ts'
import { silentLog } from '../silent-log.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const page = readFileSync(new URL('../../docs/tenants/ledger.md', import.meta.url), 'utf8')
const [, commands = ''] = /```sh\n([\s\S]*?)```/.exec(page) ?? []
const run = promisify(execFile)

const fileOf = (text: string, sign: (genesis: string) => string) => ({
  text,
  sha256: createHash('sha256').update(text).digest('hex'),
  signature: sign(text),
})

let server: HttpServer
let url = ''
/** What is served in place of the file that was signed. */
let text = ''
beforeAll(async () => {
  const { sign, signingPublicKey } = await genesisSigner(new MemoryVault())
  const genesis = fileOf('{"txn":1}\n{"txn":2}\n', sign)
  const earlier = [fileOf('{"txn":0}\n', sign)]
  const facts = { namespace: 'sandbox', genesis, earlier, signingPublicKey, hasVdrProxy: true }
  const routes = ledgerRoutes(facts, () => url).map((route) =>
    route.operationId === 'getLedger'
      ? { ...route, access: { ...route.access, callers: ['nobody'] } }
      : route,
  )
  const door = createFrontDoor({
    ...plainDoor,
    routes: routes as ReturnType<typeof ledgerRoutes>,
    log: silentLog,
    metrics: createMetrics(),
  })
  const accept: typeof door.accept = (head) => {
    const request = door.accept(head)
    if (text === '' || !head.path.endsWith('.txn')) return request
    return { ...request, respond: async () => ({ status: 200, headers: {}, body: text }) }
  }
  const options = { host: '127.0.0.1', port: 0, tls: null, bodyMemoryBytesMax: 1_000_000 }
  server = await startNodeServer(options, { ...door, accept })
  url = `http://127.0.0.1:${server.port}`
})
afterAll(() => server[Symbol.asyncDispose]())

const checked = () =>
  run('sh', ['-eu', '-c', commands], {
    cwd: temporaryFolder('genesis-signature'),
    env: { ...process.env, BASE_URL: url, API_KEY: 'svc_sk_any' },
  })

describe('the signature of a genesis file, as the guide has it checked', () => {
  it('is right for the file that is served', async () => {
    text = ''
    expect((await checked()).stdout).toContain('Signature Verified Successfully')
  })

  it('is wrong for another', async () => {
    text = '{"txn":1}\n{"txn":3}\n'
    await expect(checked()).rejects.toMatchObject({ code: expect.any(Number) as unknown })
  })

  it('is there for an earlier file too', async () => {
    text = ''
    const sha256 = createHash('sha256').update('{"txn":0}\n').digest('hex')
    const found = await fetch(`${url}/ledger/genesis/${sha256}/genesis.txn`)
    expect([found.status, await found.text()]).toEqual([200, '{"txn":0}\n'])
    expect((await fetch(`${url}/ledger/genesis/${sha256}/genesis.sig`)).status).toBe(200)
    expect(((await (await fetch(`${url}/v1/ledger`)).json()) as { vdrProxyUrl: string }).vdrProxyUrl).toBe(
      `${url}/ledger/vdr`,
    )
  })
})
