import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { reservePorts } from '../../src/ledger/sandbox/reserved-ports.ts'
import { ServiceProcess } from '../service-process.ts'
import { eventually } from '../eventually.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const base = temporaryFolder('vouchsafe-sandbox-ledger')
const start = (...args: readonly string[]) => new ServiceProcess({}, 'deploy/sandbox-ledger.ts', args)

describe('the ledger of a cluster', () => {
  it('leaves what a node needs, the seed for its owner alone, and is the same one at its next start', async () => {
    const [folder, shared] = [join(base, 'data'), join(base, 'shared')]
    const [genesis, seed] = [join(shared, 'genesis.txn'), join(shared, 'endorser.seed')]
    const port = String(await reservePorts(4))
    const left: string[][] = []
    for (const _start of [1, 2]) {
      const ledger = start(folder, shared, '127.0.0.1', port)
      await eventually(() => expect(existsSync(genesis)).toBe(true))
      left.push([readFileSync(genesis, 'utf8'), readFileSync(seed, 'utf8')])
      expect(statSync(seed).mode & 0o777).toBe(0o600)
      rmSync(genesis)
      expect(await ledger.stop()).toMatchObject({ code: 0, signal: null, stderr: '' })
    }
    expect(left[1]).toEqual(left[0])
    expect(left[0]?.[0]).toContain(`"client_port":${port}`)
    expect(left[0]?.[1]).toMatch(/^[0-9a-f]{64}$/)
  })

  it.each([[[]], [['data', 'shared', 'ledger', '9701']], [['data', 'shared', '127.0.0.1', '70000']]])(
    'is not started with %j',
    async (args) =>
      expect(await start(...args).finished).toMatchObject({
        code: 1,
        stdout: '',
        stderr: 'Usage: node deploy/sandbox-ledger.ts FOLDER SHARED IP-ADDRESS PORT\n',
      }),
  )

  it('says in one line that its address is not one of this machine', async () => {
    const ended = await start(join(base, 'far'), join(base, 'far'), '192.0.2.1', '9701').finished
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toMatch(/^The sandbox ledger could not start: .*\n$/)
  })
})
