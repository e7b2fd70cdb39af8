import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished, vi } from 'vitest'
import { reservePorts } from '../../src/ledger/sandbox/reserved-ports.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { openTerminalWallet } from '../terminal-wallet.ts'
import { WAIT } from './running-service.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(repository, 'sdk/terminal/README.md'), 'utf8')

const FIVE_MINUTES_MS = 300_000

/** What the page has one type into the second terminal. */
const commands = [...page.matchAll(/^ {4}(npm run (?:vouchsafe|--silent organisation) -- .+)$/gm)].map(
  ([, command]) => command ?? '',
)
const [, entry = ''] = /^ {4}cat > entry\.json <<'END'\n([\s\S]*?)^ {4}END$/m.exec(page) ?? []

/** The service of the first terminal, and what it has said. */
const npmStart = (env: NodeJS.ProcessEnv) => {
  const service = spawn('npm', ['start'], { cwd: repository, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(service, 'close')
  onTestFinished(async () => {
    service.kill('SIGTERM')
    await ended
  })
  let said = ''
  for (const stream of [service.stdout, service.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
  return (wanted: RegExp): Promise<string> =>
    vi.waitFor(() => {
      const found = wanted.exec(said)?.[1]
      if (found === undefined) throw new Error(said)
      return found
    }, WAIT)
}

it(
  'who follows its README from npm start to a proof is there within five minutes',
  async () => {
    const begunMs = performance.now()
    const folder = temporaryFolder('vouchsafe-walk')
    const env = {
      ...process.env,
      PORT: String(await reservePorts(1)),
      VOUCHSAFE_PRIVATE_PORT: '0',
      VOUCHSAFE_DATA_FOLDER: join(folder, 'data'),
    }
    const says = npmStart(env)
    const apiKey = await says(/(svc_sk_[\w-]+)\s/)
    const url = await says(/listens on (http\S+)/)
    const ids: Record<string, string> = {}
    const filled = (text: string): string =>
      text.replaceAll(/(?:SCHEMA|DEFINITION|TEMPLATE)_ID/g, (name) => ids[name] ?? name)
    const type = async (word: string): Promise<string> => {
      const command = commands.find((each) => each.includes(` -- ${word}`)) ?? `the page has no ${word}`
      const { stdout } = await promisify(execFile)(
        'sh',
        ['-c', filled(command).replace('entry.json', join(folder, 'entry.json'))],
        { cwd: repository, env: { ...env, API_KEY: apiKey, BASE_URL: url } },
      )
      return stdout.trim()
    }
    const idOf = (table: string): string => /^id +(\S+)$/m.exec(table)?.[1] ?? table

    ids['SCHEMA_ID'] = idOf(await type('schema publish'))
    ids['DEFINITION_ID'] = idOf(await type('definition publish'))
    writeFileSync(join(folder, 'entry.json'), filled(entry))
    ids['TEMPLATE_ID'] = idOf(await type('template create'))
    const wallet = openTerminalWallet({ apiKey, url }, ['--folder', join(folder, 'wallet')], WAIT)
    await wallet.shows('Paste an invitation link, or say help.')
    wallet.type(await type('invite'))
    await wallet.shows('* Development, completed')
    await type('offer')
    await wallet.shows('* An offer: name: Ada, age: 36')
    wallet.type('accept')
    await wallet.shows('* Received person: name: Ada, age: 36')
    await type('ask')
    await wallet.shows('* A request: Entry. Say show, present or refuse.')
    wallet.type('show')
    await wallet.shows('that age >= 18, without seeing it ← person: name: Ada, age: 36')
    wallet.type('present')
    await wallet.shows('* Entry (done)')
    expect(await type('proofs')).toMatch(/done, verified, .*"name":"Ada"/)
    expect(await wallet.quit()).toBe(0)
    expect(performance.now() - begunMs).toBeLessThan(FIVE_MINUTES_MS)
  },
  FIVE_MINUTES_MS,
)
