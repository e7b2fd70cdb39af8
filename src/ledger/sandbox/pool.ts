import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PoolNode } from './genesis.ts'
import { genesisText, poolTransactions } from './genesis.ts'
import type { Identity } from './identities.ts'
import { derivedIdentity } from './identities.ts'
import { NodeSocket } from './node-socket.ts'
import { SandboxLedger } from './sandbox-ledger.ts'
import { TransactionFile } from './transaction-file.ts'
import { ROLE } from './transactions.ts'

export type SandboxOptions = {
  readonly folder: string
  readonly host: string
  /** The first of four client ports in a row. They are part of the genesis file, so the first choice stays. */
  readonly firstPort: number
  readonly now?: () => number
  /** Called when a request met a bug of the pool; the pool itself goes on. */
  readonly onBug: (error: unknown) => void
}

export type SandboxPool = AsyncDisposable & {
  readonly genesis: string
  readonly trustee: Identity
  readonly endorser: Identity
  readonly size: () => number
}

const ALIASES = ['Node1', 'Node2', 'Node3', 'Node4']

/** The ledger on disk with the identities of its nodes and operators, before anybody can reach it. */
export const openSandboxLedger = (options: SandboxOptions, hasQuorum: () => boolean = () => true) => {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 })
  const secret = poolSecret(join(options.folder, 'pool-secret'))
  const nodes = ALIASES.map((alias, index) => nodeOf(secret, alias, options.firstPort + index))
  const pool = poolTransactions(nodes, options.host)
  const { file, transactions } = TransactionFile.open(join(options.folder, 'domain-transactions.jsonl'))
  const { now = Date.now, onBug } = options
  const ledger = new SandboxLedger({ file, transactions, poolTransactions: pool, now, onBug, hasQuorum })
  const trustee = derivedIdentity(secret, 'trustee')
  const endorser = derivedIdentity(secret, 'endorser')
  if (ledger.size < 1) ledger.seedNym(trustee.did, trustee.verkey, ROLE.TRUSTEE)
  if (ledger.size < 2) ledger.seedNym(endorser.did, endorser.verkey, ROLE.ENDORSER)
  return { secret, nodes, ledger, file, genesis: genesisText(pool), trustee, endorser }
}

export const nodeOf = (secret: Uint8Array, alias: string, clientPort: number): PoolNode => ({
  alias,
  identity: derivedIdentity(secret, alias),
  clientPort,
})

/**
 * Starts a small Indy pool for laptops and tests, to which real Indy clients connect with its genesis file. Four
 * validators share one process and one ledger on disk, without a consensus protocol.
 */
export const startSandboxPool = async (options: SandboxOptions): Promise<SandboxPool> => {
  const { nodes, ledger, file, genesis, trustee, endorser } = openSandboxLedger(options)
  const sockets = nodes.map((node) => ({ node, socket: new NodeSocket() }))
  const dispose = async (): Promise<void> => {
    await Promise.all(sockets.map(({ socket }) => socket.close()))
    file[Symbol.dispose]()
  }
  try {
    await Promise.all(
      sockets.map(({ node, socket }) => socket.open(node, options.host, (text) => ledger.answerTexts(text))),
    )
  } catch (error) {
    await dispose()
    throw error
  }
  return { genesis, trustee, endorser, size: () => ledger.size, [Symbol.asyncDispose]: dispose }
}

const poolSecret = (path: string): Buffer => {
  if (existsSync(path)) return Buffer.from(readFileSync(path, 'utf8').trim(), 'hex')
  const secret = randomBytes(32)
  writeFileSync(path, secret.toString('hex'), { flag: 'wx', mode: 0o600, flush: true })
  return secret
}
