import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { IndyLedger } from '../../../src/ledger/indy-ledger.ts'
import { identityFromSeed } from '../../../src/ledger/sandbox/identities.ts'
import { reservePorts } from '../../../src/ledger/sandbox/reserved-ports.ts'
import { signerFromSeed } from '../../../src/ledger/signer.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { closedAtEnd } from '../../closed-at-end.ts'

type Shown = {
  readonly genesisFile: string
  readonly endorserSeedFile: string
  readonly nodes: readonly { readonly alias: string; readonly pid: number }[]
}

it('`vouchsafe sandbox-ledger --nodes 4` says what stands on it needs, and brings dead nodes back', async () => {
  const cli = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url))
  const port = String(await reservePorts(4))
  const words = ['--json', 'sandbox-ledger', '--folder', temporaryFolder('sandbox-command')]
  const command = spawn(process.execPath, [cli, ...words, '--port', port, '--nodes', '4'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void command.kill('SIGKILL'))
  const [line] = (await once(createInterface(command.stdout), 'line')) as [string]
  const shown = JSON.parse(line) as Shown
  expect(shown.nodes.map(({ alias }) => alias)).toEqual(['Node1', 'Node2', 'Node3', 'Node4'])
  const seed = Buffer.from(readFileSync(shown.endorserSeedFile, 'utf8').trim(), 'hex')
  const ledger = closedAtEnd(
    new IndyLedger({
      namespace: 'sandbox',
      genesis: readFileSync(shown.genesisFile, 'utf8'),
      endorser: signerFromSeed(seed),
      callTimeoutMs: 5_000,
      callsMax: 100,
      cachedObjectsMax: 100,
    }),
  )
  for (const { pid } of shown.nodes.slice(0, 2)) process.kill(pid, 'SIGKILL')
  const identity = identityFromSeed(Buffer.alloc(32, 61))
  await expect(ledger.registerIdentity(identity)).rejects.toThrow()
  command.kill('SIGHUP')
  await expect
    .poll(
      () =>
        ledger.registerIdentity(identity).then(
          () => 'written',
          () => 'waits',
        ),
      { timeout: 60_000 },
    )
    .toBe('written')
  const ended = once(command, 'exit')
  command.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
}, 120_000)
