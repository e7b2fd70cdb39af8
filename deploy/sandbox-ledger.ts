// node deploy/sandbox-ledger.ts FOLDER SHARED ADDRESS PORT runs the sandbox ledger that all nodes of a cluster use.
// Its transactions and secrets are kept in FOLDER; SHARED gets what a node needs: genesis.txn and endorser.seed.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { startSandboxPool } from '../src/ledger/sandbox/pool.ts'

const run = async (folder: string, shared: string, address: string, firstPort: number): Promise<void> => {
  const pool = await startSandboxPool({
    folder,
    host: address,
    firstPort,
    onBug: (error) =>
      process.stderr.write(
        `The ledger met a request it could not handle: ${error instanceof Error ? error.name : typeof error}\n`,
      ),
  })
  const stop = (): void => void pool[Symbol.asyncDispose]().then(() => process.exit(0))
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  mkdirSync(shared, { recursive: true })
  // The genesis comes last: whoever sees it finds the seed too.
  put(join(shared, 'endorser.seed'), pool.endorser.seed.toString('hex'))
  put(join(shared, 'genesis.txn'), pool.genesis)
  process.stdout.write(`The sandbox ledger answers on ${address}, ports ${firstPort} to ${firstPort + 3}.\n`)
}

/** Moved into its place whole: a node may be reading it. */
const put = (path: string, text: string): void => {
  const part = `${path}.part`
  writeFileSync(part, text, { mode: 0o600, flush: true })
  renameSync(part, path)
}

const [folder, shared, address = '', port = ''] = process.argv.slice(2)
const firstPort = Number(port)
if (
  folder === undefined ||
  shared === undefined ||
  isIP(address) === 0 ||
  !(Number.isInteger(firstPort) && firstPort > 0 && firstPort <= 65_000)
) {
  // The address stands in the genesis file, which wallets keep, and Indy's genesis takes no names.
  process.stderr.write('Usage: node deploy/sandbox-ledger.ts FOLDER SHARED IP-ADDRESS PORT\n')
  process.exitCode = 1
} else {
  try {
    await run(folder, shared, address, firstPort)
  } catch (error) {
    process.stderr.write(
      `The sandbox ledger could not start: ${error instanceof Error ? error.message : String(error)}\n`,
    )
    process.exit(1)
  }
}
