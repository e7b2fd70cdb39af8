import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { IndyLedger } from './indy-ledger.ts'
import { startSeparatePool } from './sandbox/separate-pool.ts'
import { signerFromSeed } from './signer.ts'

const CALLS_MAX = 1_000
const CACHED_OBJECTS_MAX = 10_000
const SANDBOX_HOST = '127.0.0.1'

/** Opens the ledger that the configuration names; a sandbox starts and ends with it. */
export const openLedger = async (
  { ledger, storage }: Pick<Config, 'ledger' | 'storage'>,
  onBug: (name: string) => void,
): Promise<IndyLedger & AsyncDisposable> => {
  const sandboxed = ledger.engine === 'sandbox'
  const pool = sandboxed
    ? await startSeparatePool({
        folder: join(storage.dataFolder, 'sandbox-ledger'),
        host: SANDBOX_HOST,
        firstPort: ledger.sandboxPort,
        onBug,
      })
    : null
  const seed = pool?.endorserSeed ?? seedFrom(ledger.endorserSeedFile)
  const opened = new IndyLedger({
    namespace: ledger.namespace,
    genesis: pool?.genesis ?? readFileSync(ledger.genesisFile, 'utf8'),
    endorser: signerFromSeed(seed),
    callTimeoutMs: ledger.timeoutMs,
    callsMax: CALLS_MAX,
    cachedObjectsMax: CACHED_OBJECTS_MAX,
  })
  if (pool === null) return opened
  const closeClient = opened[Symbol.asyncDispose].bind(opened)
  return Object.assign(opened, {
    [Symbol.asyncDispose]: async () => {
      await closeClient()
      await pool[Symbol.asyncDispose]()
    },
  })
}

const seedFrom = (file: string): Buffer => {
  const text = readFileSync(file, 'utf8').trim()
  if (!/^[0-9a-f]{64}$/i.test(text))
    throw new Error(`${file} must hold 64 hex digits: the seed of the endorser`)
  return Buffer.from(text, 'hex')
}
