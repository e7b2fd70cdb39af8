import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { FromPool, PoolStart } from './pool-messages.ts'

export type ThreadedPool = AsyncDisposable & {
  readonly genesis: string
  readonly endorserSeed: Buffer
}

export type ThreadedPoolOptions = {
  readonly folder: string
  readonly host: string
  /** 0: the ports that were taken at the first start, or free ones. */
  readonly firstPort: number
  readonly onBug: (name: string) => void
}

const CLOSE_TIMEOUT_MS = 2_000

export const startThreadedPool = async ({
  folder,
  host,
  firstPort,
  onBug,
}: ThreadedPoolOptions): Promise<ThreadedPool> => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const start: PoolStart = { folder, host, firstPort: await rememberedPort(folder, firstPort) }
  const worker = new Worker(new URL('./pool-thread.ts', import.meta.url), { workerData: start })
  const close = async (): Promise<void> => {
    const ended = once(worker, 'exit')
    worker.postMessage('close')
    const timer = setTimeout(() => void worker.terminate(), CLOSE_TIMEOUT_MS)
    await ended
    clearTimeout(timer)
  }
  const [first] = (await once(worker, 'message')) as [FromPool]
  if (first.is !== 'ready') {
    await worker.terminate()
    const reason = first.is === 'failed' ? first.reason : first.name
    throw new Error(`the sandbox ledger could not start on port ${start.firstPort}: ${reason}`)
  }
  worker.on('message', (message: FromPool) => {
    if (message.is === 'bug') onBug(message.name)
  })
  return {
    genesis: first.genesis,
    endorserSeed: Buffer.from(first.endorserSeed, 'hex'),
    [Symbol.asyncDispose]: close,
  }
}

/** The ports stand in the genesis file, which wallets keep for ever. */
const rememberedPort = async (folder: string, chosen: number): Promise<number> => {
  const file = join(folder, 'first-port')
  if (existsSync(file)) return Number(readFileSync(file, 'utf8').trim())
  const port = chosen === 0 ? await fourFreePorts() : chosen
  writeFileSync(file, `${port}\n`, { flush: true })
  return port
}

const ATTEMPTS = 20

const fourFreePorts = async (): Promise<number> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const first = await free(0)
    if (first === null || first > 65_000) continue
    const others = await Promise.all([first + 1, first + 2, first + 3].map(free))
    if (others.every((port) => port !== null)) return first
  }
  throw new Error('four free ports in a row were not found; set VOUCHSAFE_SANDBOX_PORT')
}

const free = async (port: number): Promise<number | null> => {
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
    return (server.address() as AddressInfo).port
  } catch {
    return null
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}
