import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import type { FromPool, PoolStart } from '../../../src/ledger/sandbox/pool-process.ts'
import { startSeparatePool } from '../../../src/ledger/sandbox/separate-pool.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const script = new URL('../../../src/ledger/sandbox/pool-process.ts', import.meta.url)

const run = async (start: PoolStart): Promise<{ readonly pool: ChildProcess; readonly first: FromPool }> => {
  const pool = fork(script)
  onTestFinished(() => void pool.kill('SIGKILL'))
  pool.send(start)
  const [first] = (await once(pool, 'message')) as [FromPool]
  return { pool, first }
}

it('the process of the pool says what wallets need, outlives a signal, and ends when it is let go', async () => {
  const folder = temporaryFolder('pool-process')
  const options = { folder, host: '127.0.0.1', firstPort: 0, onBug: () => {} }
  const separate = await startSeparatePool(options)
  await separate[Symbol.asyncDispose]()
  const firstPort = Number(/"client_port":(\d+)/.exec(separate.genesis)?.[1])
  const { pool, first } = await run({ folder, host: '127.0.0.1', firstPort })
  const endorserSeed = separate.endorserSeed.toString('hex')
  expect(first).toEqual({ is: 'ready', genesis: separate.genesis, endorserSeed })
  pool.kill('SIGTERM')
  pool.kill('SIGINT')
  await new Promise((resolve) => setImmediate(resolve))
  expect(pool.exitCode).toBeNull()
  const ended = once(pool, 'exit')
  pool.disconnect()
  expect(await ended).toEqual([0, null])
})

it('the process of the pool says why it cannot start', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  onTestFinished(() => void taken.close())
  const { port } = taken.address() as { port: number }
  const { first } = await run({ folder: temporaryFolder('pool-process'), host: '127.0.0.1', firstPort: port })
  expect(first).toMatchObject({ is: 'failed', reason: expect.stringContaining('use') as unknown })
})
