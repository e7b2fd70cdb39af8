import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { ServiceProcess } from '../service-process.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { authenticatorIn } from './authenticator.ts'

const page = readFileSync(new URL('../../docs/tenants/ledger.md', import.meta.url), 'utf8')
const [, commands = ''] = /## Publishing with curl[\s\S]*?```sh\n([\s\S]*?)```/.exec(page) ?? []
const run = promisify(execFile)

it('a newcomer publishes with nothing but the commands of the guide', async () => {
  const service = new ServiceProcess()
  onTestFinished(async () => void (await service.stop()))
  const { url } = await service.untilListening()
  const folder = temporaryFolder('publishing-guide')
  authenticatorIn(folder)
  const env = {
    PATH: [folder, process.env.PATH].join(delimiter),
    BASE_URL: url,
    API_KEY: service.apiKey,
    INVITATION: /\/console\/invitation#(\S+)/.exec(service.shown)?.[1] ?? '',
    PASSWORD: 'a password that is long enough',
  }
  const { stdout } = await run('sh', ['-eu', '-c', commands], { cwd: folder, env })
  const definition = stdout.trim().split('\n').at(-1) ?? ''
  expect(definition).toMatch(/^def_/)
  const shown = await fetch(`${url}/v1/credential-definitions/${definition}`, {
    headers: { authorization: `Bearer ${service.apiKey}` },
  })
  expect(await shown.json()).toMatchObject({
    status: 'published',
    schemaName: 'person',
    schemaVersion: '1.0',
    tag: 'default',
    lastError: null,
  })
}, 600_000)
