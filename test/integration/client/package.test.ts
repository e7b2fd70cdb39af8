import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startNodeServer } from '../../../src/http/server/node-server.ts'
import type { HttpServer } from '../../../src/http/server/server.ts'
import { type ApiOnMemory, apiOnMemory } from '../../compose/api-on-memory.ts'
import { furnished } from '../../compose/service-on-memory.ts'

const run = promisify(execFile)
const client = fileURLToPath(new URL('../../../client', import.meta.url))
const compiler = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url))

let api: ApiOnMemory
let server: HttpServer
let folder = ''
let environment: Record<string, string | undefined> = {}

beforeAll(async () => {
  api = await apiOnMemory()
  const { tenant } = await furnished(api.service)
  server = await startNodeServer(
    { host: '127.0.0.1', port: 0, tls: null, bodyMemoryBytesMax: 10_000_000 },
    api.door,
  )
  environment = {
    PATH: process.env['PATH'],
    BASE_URL: `http://127.0.0.1:${server.port}`,
    API_KEY: await api.keyOf(tenant),
  }
  folder = await mkdtemp(join(tmpdir(), 'vouchsafe-client-'))
  const own = join(folder, 'node_modules/@vouchsafe/client')
  const { exports: parts } = JSON.parse(await readFile(join(client, 'package.json'), 'utf8')) as {
    readonly exports: { readonly '.': { readonly default: string } }
  }
  expect(parts['.'].default).toBe('./dist/index.js')
  await run(compiler, ['--project', join(client, 'tsconfig.build.json'), '--outDir', join(own, 'dist')])
  await writeFile(join(own, 'package.json'), await readFile(join(client, 'package.json')))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  server.stopAccepting()
  await server[Symbol.asyncDispose]()
  await api.close()
})

it('the example of its page runs as it stands, twice to the same effect', async () => {
  const page = await readFile(join(client, 'README.md'), 'utf8')
  const example = /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
  const file = join(folder, 'example.mjs')
  await writeFile(file, example)
  const once = async () => (await run(process.execPath, [file], { env: environment })).stdout
  const first = await once()
  expect(first).toMatch(
    /^The ledger is sandbox\.\nShow this to the holder: https:\/\/\S+\nCan be issued: person 1\.0, def_/,
  )
  expect(await once()).toBe(first)
})

it('its types are understood by a strict program', async () => {
  const program = `import { createClient, type Connection, type WebhookEvent } from '@vouchsafe/client'
const client = createClient({ baseUrl: 'https://x.example', apiKey: 'k' })
export const one = (): Promise<Connection> => client.getConnection('x')
export const stateOf = (event: WebhookEvent): string =>
  event.type === 'proof.state_changed' ? String(event.data.verified) : event.type
// @ts-expect-error the connection is missing
export const wrong = () => client.offerCredential({ credentialDefinitionId: 'x', attributes: {} })
`
  await writeFile(join(folder, 'program.ts'), program)
  const options = [
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--module',
    'nodenext',
    '--target',
    'es2022',
  ]
  const lib = ['--lib', 'es2023,dom', '--types', '']
  const { stdout } = await run(compiler, [...options, ...lib, 'program.ts'], { cwd: folder })
  expect(stdout).toBe('')
})
