import { startSandboxPool } from './pool.ts'

export type PoolStart = { readonly folder: string; readonly host: string; readonly firstPort: number }

export type FromPool =
  | { readonly is: 'ready'; readonly genesis: string; readonly endorserSeed: string }
  | { readonly is: 'failed'; readonly reason: string }
  | { readonly is: 'bug'; readonly name: string }

/**
 * Runs the pool in a separate process: it hashes and checks signatures away from the thread that serves requests, and
 * its sockets, which abort a process that exits while they are open, cannot end the service.
 */
const send = (message: FromPool): void => void process.send?.(message)

const run = async (start: PoolStart): Promise<void> => {
  try {
    const pool = await startSandboxPool({
      ...start,
      onBug: (error) => send({ is: 'bug', name: error instanceof Error ? error.name : typeof error }),
    })
    process.once('disconnect', () => void pool[Symbol.asyncDispose]())
    send({ is: 'ready', genesis: pool.genesis, endorserSeed: pool.endorser.seed.toString('hex') })
  } catch (error) {
    send({ is: 'failed', reason: error instanceof Error ? error.message : String(error) })
    process.disconnect?.()
  }
}

process.once('message', (start: PoolStart) => void run(start))
// A signal to the whole process group is meant for the service, which still needs the ledger while it drains and then
// disconnects.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
