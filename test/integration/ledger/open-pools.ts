import { IndyLedger } from '../../../src/ledger/indy-ledger.ts'
import type { SandboxPool } from '../../../src/ledger/sandbox/pool.ts'
import { reservePorts } from '../../../src/ledger/sandbox/reserved-ports.ts'
import { signerFromSeed } from '../../../src/ledger/signer.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

/** Where a test's sandbox of the ledger runs; a fault of the sandbox's own fails the test. */
export const sandboxPlace = async (name: string) => ({
  folder: temporaryFolder(name),
  host: '127.0.0.1',
  firstPort: await reservePorts(4),
  onBug: (error: unknown): never => {
    throw error
  },
})

type Limits = Pick<ConstructorParameters<typeof IndyLedger>[0], 'callTimeoutMs' | 'cachedObjectsMax'>

/** The client of the ledger over a sandbox, which signs as the sandbox's endorser. */
export const ledgerOver = (
  { genesis, endorser }: Pick<SandboxPool, 'genesis' | 'endorser'>,
  limits: Partial<Limits> = {},
): IndyLedger =>
  new IndyLedger({
    namespace: 'sandbox',
    genesis,
    endorser: signerFromSeed(endorser.seed),
    callTimeoutMs: 10_000,
    callsMax: 100,
    cachedObjectsMax: 100,
    ...limits,
  })
