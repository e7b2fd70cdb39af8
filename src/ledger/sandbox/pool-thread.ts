import { parentPort, workerData } from 'node:worker_threads'
import { startSandboxPool } from './pool.ts'
import type { FromPool, PoolStart } from './pool-messages.ts'

/** The pool away from the thread that serves requests: it hashes and checks signatures. */

const tell = (message: FromPool): void => parentPort?.postMessage(message)

try {
  const pool = await startSandboxPool({
    ...(workerData as PoolStart),
    onBug: (error) => tell({ is: 'bug', name: error instanceof Error ? error.name : typeof error }),
  })
  parentPort?.once('message', () => {
    void pool[Symbol.asyncDispose]().then(() => parentPort?.close())
  })
  tell({ is: 'ready', genesis: pool.genesis, endorserSeed: pool.endorser.seed.toString('hex') })
} catch (error) {
  tell({ is: 'failed', reason: error instanceof Error ? error.message : String(error) })
}
