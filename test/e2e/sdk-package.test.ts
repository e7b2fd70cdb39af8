import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { offerPerson } from './mediated-phone.ts'
import { type Json, publishPerson, untilState, WAIT } from './running-service.ts'
import { serviceUnderTest, type ServiceUnderTest } from './service-under-test.ts'

const run = promisify(execFile)
const repository = fileURLToPath(new URL('../..', import.meta.url))
const compiler = join(repository, 'node_modules/.bin/tsc')

let service: ServiceUnderTest
let folder = ''

/** The package as npm would put it into an app, with its dependencies beside it. */
beforeAll(async () => {
  folder = temporaryFolder('vouchsafe-app')
  const own = join(folder, 'node_modules/@vouchsafe/sdk')
  await run(compiler, [
    '--project',
    join(repository, 'sdk/tsconfig.build.json'),
    '--outDir',
    join(own, 'dist'),
  ])
  const description = await readFile(join(repository, 'sdk/package.json'), 'utf8')
  await writeFile(join(own, 'package.json'), description)
  const { dependencies } = JSON.parse(description) as { readonly dependencies: Record<string, string> }
  for (const name of [...Object.keys(dependencies), '@types/node']) {
    await mkdir(dirname(join(folder, 'node_modules', name)), { recursive: true })
    await symlink(join(repository, 'node_modules', name), join(folder, 'node_modules', name))
  }
  await writeFile(join(folder, 'package.json'), '{"type": "module"}')
  service = await serviceUnderTest()
})
afterAll(() => service?.close())

it('the app of its README takes an invitation, receives a credential and proves it', async () => {
  const person = await publishPerson(service)
  const page = await readFile(join(repository, 'sdk/README.md'), 'utf8')
  await writeFile(join(folder, 'app.mjs'), /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? '')
  const { json } = await service.send('POST', '/v1/connections/invitations', {})
  const app: ChildProcess = spawn(process.execPath, ['app.mjs', String(json['invitationUrl'])], {
    cwd: folder,
    env: { ...process.env, BASE_URL: service.url(), API_KEY: service.apiKey, WALLET: join(folder, 'wallet') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [app.stdout, app.stderr])
    stream?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
  try {
    const path = `/v1/connections?invitationId=${String(json['invitationId'])}&state=completed`
    const connectionId = await vi.waitFor(async () => {
      const [found] = (await service.send('GET', path)).json['items'] as Json[]
      expect(found, said).toBeDefined()
      return String(found?.['id'])
    }, WAIT)
    const offerId = await offerPerson(service, person.definitionId, connectionId, 'Ada')
    await untilState(service, `/v1/credentials/${offerId}`, 'done')
    const body = { connectionId, proofTemplateId: person.templateId }
    const proof = await service.send('POST', '/v1/proofs/request', body)
    const proven = await untilState(service, `/v1/proofs/${String(proof.json['id'])}`, 'done')
    expect(proven).toMatchObject({ verified: true, disclosed: { person: { name: 'Ada' } } })
    await vi.waitFor(() => expect(said).toContain('Entry: done'), WAIT)
    expect(said).toMatch(/completed[\s\S]*An offer:[\s\S]*Received: person, good until/)
  } finally {
    const ended = once(app, 'exit')
    app.kill()
    await ended
  }
})

it('its types are understood by a strict program', async () => {
  const program = `import { createSdk, folderStorage, type Credential, WalletError } from '@vouchsafe/sdk'
import { createSdk as onPhone, type NativeModules } from '@vouchsafe/sdk/react-native'
const sdk = createSdk()
export const start = () =>
  sdk.initialize({ baseUrl: 'https://x.example', tokenProvider: async () => 't', storage: folderStorage('w') })
export const all = (): Promise<readonly Credential[]> => sdk.credentials.list()
export const off: () => void = sdk.on('credentialReceived', ({ expired }) => expired satisfies boolean)
export const phone = (modules: NativeModules) => onPhone(modules)
export const isLost = (error: unknown): boolean => error instanceof WalletError && error.kind === 'WalletKeyLost'
// @ts-expect-error the storage is missing
export const wrong = () => sdk.initialize({ baseUrl: 'https://x.example', tokenProvider: async () => 't' })
`
  await writeFile(join(folder, 'program.ts'), program)
  const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck']
  const target = ['--module', 'nodenext', '--target', 'es2022', '--types', 'node']
  const { stdout } = await run(compiler, [...options, ...target, 'program.ts'], { cwd: folder })
  expect(stdout).toBe('')
})

it('a release build of it does not load what allows plain http', async () => {
  const release = { cwd: folder, env: { ...process.env, NODE_ENV: 'production' } }
  await expect(
    run(process.execPath, ['--eval', "import('@vouchsafe/sdk/development')"], release),
  ).rejects.toThrow('A release build cannot use the development entry')
  const { stdout } = await run(
    process.execPath,
    ['--eval', "import('@vouchsafe/sdk').then(({ SDK_VERSION }) => console.log(SDK_VERSION))"],
    release,
  )
  expect(stdout.trim()).toBe('0.1.0')
})
