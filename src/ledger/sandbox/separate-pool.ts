import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endProcess } from '../end-process.ts'
import type { FromPool, PoolStart } from './pool-process.ts'
import { reservePorts } from './reserved-ports.ts'

export type SeparatePool = AsyncDisposable & {
  readonly genesis: string
  readonly endorserSeed: Buffer
}

export type SeparatePoolOptions = {
  readonly folder: string
  readonly host: string
  /** 0 chooses the ports of the first start again, or free ones at the first start. */
  readonly firstPort: number
  readonly onBug: (name: string) => void
}

const CLOSE_TIMEOUT_MS = 2_000
/** One for each of the pool's nodes. */
const PORTS = 4

export const startSeparatePool = async ({
  folder,
  host,
  firstPort,
  onBug,
}: SeparatePoolOptions): Promise<SeparatePool> => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const start: PoolStart = { folder, host, firstPort: await rememberedPort(folder, firstPort) }
  const pool = fork(new URL('./pool-process.ts', import.meta.url), {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const close = (): Promise<void> => endProcess(pool, CLOSE_TIMEOUT_MS)
  pool.send(start)
  const first = await firstWord(pool)
  if (first.is !== 'ready') {
    await close()
    const reason = first.is === 'failed' ? first.reason : first.name
    throw new Error(`the sandbox ledger could not start on port ${start.firstPort}: ${reason}`)
  }
  pool.on('message', (message: FromPool) => {
    if (message.is === 'bug') onBug(message.name)
  })
  return {
    genesis: first.genesis,
    endorserSeed: Buffer.from(first.endorserSeed, 'hex'),
    [Symbol.asyncDispose]: close,
  }
}

const firstWord = (pool: ChildProcess): Promise<FromPool> =>
  new Promise((resolve) => {
    pool.once('message', (message: FromPool) => resolve(message))
    pool.once('exit', () => resolve({ is: 'failed', reason: 'its process ended' }))
  })

/** The ports are part of the genesis file, which wallets keep for ever. */
const rememberedPort = async (folder: string, chosen: number): Promise<number> => {
  const file = join(folder, 'first-port')
  if (existsSync(file)) return Number(readFileSync(file, 'utf8').trim())
  const port = chosen === 0 ? await reservePorts(PORTS) : chosen
  writeFileSync(file, `${port}\n`, { flush: true })
  return port
}
