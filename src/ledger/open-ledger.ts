import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { type Genesis, genesisOf, keepGenesis, readGenesis } from './genesis-source.ts'
import { IndyLedger } from './indy-ledger.ts'
import { KeptObjects } from './kept-objects.ts'
import type { PoolStatus } from './pool-health.ts'
import { startSeparatePool } from './sandbox/separate-pool.ts'
import { signerFromSeed } from './signer.ts'

const CALLS_MAX = 1_000
const CACHED_OBJECTS_MAX = 10_000
const SANDBOX_HOST = '127.0.0.1'
const NETWORK_CHARACTERS = 16

export type OpenLedger = IndyLedger &
  AsyncDisposable & {
    /** The genesis files that wallets were told of, the one in force first. */
    readonly genesisFiles: readonly Genesis[]
  }

type Observer = {
  /** Called with the name of an error of the sandbox. */
  readonly failed: (name: string) => void
  readonly changed?: (status: PoolStatus) => void
}

/** Opens the ledger that the configuration names; a sandbox starts and ends with it. */
export const openLedger = async (
  { ledger, storage }: Pick<Config, 'ledger' | 'storage'>,
  { failed, changed }: Observer,
): Promise<OpenLedger> => {
  const seed = ledger.engine === 'sandbox' ? null : seedFrom(ledger.endorserSeedFile)
  const folder = join(storage.dataFolder, 'ledger')
  const genesisFolder = join(folder, 'genesis')
  const pool =
    seed === null
      ? await startSeparatePool({
          folder: join(storage.dataFolder, 'sandbox-ledger'),
          host: SANDBOX_HOST,
          firstPort: ledger.sandboxPort,
          onBug: failed,
        })
      : null
  const genesis = pool === null ? await readGenesis(ledger, genesisFolder) : genesisOf(pool.genesis)
  const opened = new IndyLedger({
    namespace: ledger.namespace,
    genesis: genesis.text,
    endorser: signerFromSeed(pool?.endorserSeed ?? seed ?? Buffer.alloc(0)),
    callTimeoutMs: ledger.timeoutMs,
    callsMax: CALLS_MAX,
    cachedObjectsMax: CACHED_OBJECTS_MAX,
    refreshMs: ledger.refreshSeconds * 1_000,
    kept: new KeptObjects(join(folder, 'objects'), genesis.sha256.slice(0, NETWORK_CHARACTERS)),
    ...(changed && { changed }),
  })
  const closeClient = opened[Symbol.asyncDispose].bind(opened)
  return Object.assign(opened, {
    genesisFiles: keepGenesis(genesis, genesisFolder),
    [Symbol.asyncDispose]: async () => {
      await closeClient()
      await pool?.[Symbol.asyncDispose]()
    },
  })
}

const seedFrom = (file: string): Buffer => {
  const text = readFileSync(file, 'utf8').trim()
  if (!/^[0-9a-f]{64}$/i.test(text))
    throw new Error(`${file} must hold 64 hex digits: the seed of the endorser`)
  return Buffer.from(text, 'hex')
}
