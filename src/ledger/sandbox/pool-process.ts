import { startSandboxPool } from './pool.ts'

export type PoolStart = { readonly folder: string; readonly host: string; readonly firstPort: number }

export type FromPool =
  | { readonly is: 'ready'; readonly genesis: string; readonly endorserSeed: string }
  | { readonly is: 'failed'; readonly reason: string }
  | { readonly is: 'bug'; readonly name: string }

/**
 * The pool in a process of its own: it hashes and checks signatures away from the thread that serves requests, and its
 * sockets, which abort a process that exits while they are open, can't take the service with them.
 */
const tell = (message: FromPool): void => void process.send?.(message)

const run = async (start: PoolStart): Promise<void> => {
  try {
    const pool = await startSandboxPool({
      ...start,
      onBug: (error) => tell({ is: 'bug', name: error instanceof Error ? error.name : typeof error }),
    })
    process.once('disconnect', () => void pool[Symbol.asyncDispose]())
    tell({ is: 'ready', genesis: pool.genesis, endorserSeed: pool.endorser.seed.toString('hex') })
  } catch (error) {
    tell({ is: 'failed', reason: error instanceof Error ? error.message : String(error) })
    process.disconnect?.()
  }
}

process.once('message', (start: PoolStart) => void run(start))
// A signal to the whole group is for the service: it still needs the ledger while it drains, and then lets go of us.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
