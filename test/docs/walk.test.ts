import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished, vi } from 'vitest'
import { reservePorts } from '../../src/ledger/sandbox/reserved-ports.ts'
import { ServiceProcess } from '../service-process.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { openTerminalWallet } from '../terminal-wallet.ts'
import { authenticatorIn } from './authenticator.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(root, 'docs/WALK.md'), 'utf8')
const commands = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block).join('\n')
const CLOCKED_SERVICE = 'test/integration/organisation-deletion/clocked-service.ts'
const PATIENCE = { timeout: 120_000, interval: 100 }

/** Whoever waits a minute by the guide waits an hour of the service's clock. */
const hourglassIn = (folder: string, clockFile: string): void =>
  writeFileSync(
    join(folder, 'sleep'),
    `#!/bin/sh
if [ "$1" = 60 ]; then
  echo $(($(cat "${clockFile}") + 3600000)) > "${clockFile}.next" && mv "${clockFile}.next" "${clockFile}"
fi
PATH="\${PATH#*:}" exec sleep 0.5
`,
    { mode: 0o755 },
  )

/** The second terminal, with nothing but the commands of the page. */
const secondTerminal = (env: NodeJS.ProcessEnv) => {
  const shell = spawn('sh', ['-eu', '-c', commands], { cwd: root, env, detached: true })
  const ended = once(shell, 'exit')
  onTestFinished(() => {
    try {
      if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL')
    } catch {
      // It has ended, and its receiver too.
    }
  })
  const said = { out: '', err: '' }
  shell.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()))
  shell.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()))
  const says = (pattern: RegExp): Promise<string> =>
    vi.waitFor(() => {
      const [, found] = pattern.exec(said.out) ?? []
      expect(found, `${said.out}\n${said.err}`).toBeDefined()
      return found ?? ''
    }, PATIENCE)
  return { said, says, ended }
}

it('a newcomer comes from nothing to a webhook that is sent again with nothing but the commands of the page', async () => {
  const folder = temporaryFolder('walk')
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  const clockFile = join(folder, 'clock')
  writeFileSync(clockFile, '0')
  authenticatorIn(programs)
  hourglassIn(programs, clockFile)
  const settings = {
    VOUCHSAFE_DATA_FOLDER: join(folder, 'data'),
    VOUCHSAFE_ALLOW_PRIVATE_TARGETS: 'true',
    VOUCHSAFE_TEST_CLOCK_FILE: clockFile,
  }
  const service = new ServiceProcess(settings, CLOCKED_SERVICE)
  onTestFinished(async () => void (await service.stop()))
  const { url } = await service.untilListening()
  const { said, says, ended } = secondTerminal({
    ...process.env,
    PATH: [programs, process.env.PATH].join(delimiter),
    TMPDIR: folder,
    VOUCHSAFE_DATA_FOLDER: settings.VOUCHSAFE_DATA_FOLDER,
    BASE_URL: url,
    HOOK_PORT: String(await reservePorts(1)),
  })

  const apiKey = await says(/API_KEY=(\S+) BASE_URL/)
  const wallet = openTerminalWallet({ apiKey, url }, ['--folder', join(folder, 'wallet')], PATIENCE)
  await wallet.shows('Paste an invitation link')
  wallet.type(await says(/Paste into it: (\S+)/))
  await wallet.shows('* An offer: name: Ada, age: 36')
  wallet.type('accept')
  await wallet.shows('* A request: Entry.')
  wallet.type('present')
  expect(await ended, said.err).toEqual([0, null])
  await wallet.quit()

  const lines = said.out.trim().split('\n')
  expect(lines).toContain('{"verified":true,"disclosed":{"person":{"name":"Ada"}}}')
  expect(lines).toContain('["credential.state_changed",1]')
  expect(lines).toContain('["proof.state_changed",1]')
  expect(lines).toContain('{"status":"dead","attempts":12}')
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ status: 'delivered', attempts: 14 })
}, 600_000)
