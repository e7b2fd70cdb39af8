import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import type { FromPool, PoolStart } from '../../../src/ledger/sandbox/pool-messages.ts'
import { startThreadedPool } from '../../../src/ledger/sandbox/threaded-pool.ts'

const script = new URL('../../../src/ledger/sandbox/pool-thread.ts', import.meta.url)

const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'pool-thread-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
const run = async (start: PoolStart): Promise<{ readonly worker: Worker; readonly first: FromPool }> => {
  const worker = new Worker(script, { workerData: start })
  onTestFinished(async () => void (await worker.terminate()))
  const [first] = (await once(worker, 'message')) as [FromPool]
  return { worker, first }
}

it('the thread of the pool says what wallets need, and ends when it is told to', async () => {
  const folder = temporaryFolder()
  const pool = await startThreadedPool({ folder, host: '127.0.0.1', firstPort: 0, onBug: () => {} })
  await pool[Symbol.asyncDispose]()
  const firstPort = Number(/"client_port":(\d+)/.exec(pool.genesis)?.[1])
  const { worker, first } = await run({ folder, host: '127.0.0.1', firstPort })
  expect(first).toEqual({
    is: 'ready',
    genesis: pool.genesis,
    endorserSeed: pool.endorserSeed.toString('hex'),
  })
  const ended = once(worker, 'exit')
  worker.postMessage('close')
  expect(await ended).toEqual([0])
})

it('the thread of the pool says why it cannot start', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  onTestFinished(() => void taken.close())
  const { port } = taken.address() as { port: number }
  const { first } = await run({ folder: temporaryFolder(), host: '127.0.0.1', firstPort: port })
  expect(first).toMatchObject({ is: 'failed', reason: expect.stringContaining('use') as unknown })
})
