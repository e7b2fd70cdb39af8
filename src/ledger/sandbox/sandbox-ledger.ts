import { createHash } from 'node:crypto'
import bs58 from 'bs58'
import { ExactNumber, parseExact } from '../exact-json.ts'
import { verify } from './identities.ts'
import { MerkleTree } from './merkle.ts'
import { type Read, READS } from './reads.ts'
import { malformed, RefusedRequest } from './refused-request.ts'
import { signingText } from './signing-text.ts'
import type { TransactionFile } from './transaction-file.ts'
import { type Transaction, TRANSACTION_TYPE, withBigIntegers } from './transactions.ts'
import { demandAcceptance, isUnderAgreement } from './agreement.ts'
import { LedgerState } from './ledger-state.ts'
import type { Write } from './write-rules.ts'
import { WRITE_RULES } from './write-rules.ts'

type Request = {
  readonly identifier?: string
  readonly reqId: number | ExactNumber
  readonly operation: Readonly<Record<string, unknown>> & { readonly type: string }
  readonly signature?: string
  readonly signatures?: Readonly<Record<string, string>>
  readonly endorser?: string
  readonly protocolVersion?: unknown
  readonly taaAcceptance?: unknown
}

const PROTOCOL_VERSION = 2

type SandboxParts = {
  readonly file: TransactionFile
  readonly transactions: readonly Transaction[]
  readonly poolTransactions: readonly unknown[]
  readonly now: () => number
  readonly onBug: (error: unknown) => void
  /** Whether enough nodes live to agree on a write; what comes meanwhile is heard and never answered. */
  readonly hasQuorum: () => boolean
}

/**
 * The ledger that all nodes of the sandbox pool share: each request is processed once, by the node that gets it first.
 */
export class SandboxLedger {
  readonly #state = new LedgerState()
  readonly #domain = new MerkleTree()
  readonly #pool = new MerkleTree()
  readonly #poolTransactions: readonly unknown[]
  readonly #file: TransactionFile
  readonly #now: () => number
  readonly #onBug: (error: unknown) => void

  readonly #hasQuorum: () => boolean

  constructor({ file, transactions, poolTransactions, now, onBug, hasQuorum }: SandboxParts) {
    this.#file = file
    this.#now = now
    this.#onBug = onBug
    this.#hasQuorum = hasQuorum
    this.#poolTransactions = poolTransactions
    for (const transaction of poolTransactions) this.#pool.append(transaction)
    for (const transaction of transactions) this.#accept(transaction)
  }

  get size(): number {
    return this.#domain.size
  }

  /** Adds the sandbox's first identities, for which there is no identity yet that could sign. */
  seedNym(did: string, verkey: string, role: string): void {
    const operation = { type: TRANSACTION_TYPE.NYM, dest: did, verkey, role }
    const write = { author: did, endorser: null, operation }
    this.#commit(write, { reqId: this.#domain.size + 1, operation }, [], did)
  }

  status(): Record<string, unknown> {
    return {
      op: 'LEDGER_STATUS',
      ledgerId: 0,
      txnSeqNo: this.#pool.size,
      merkleRoot: bs58.encode(this.#pool.root()),
      protocolVersion: 2,
      ppSeqNo: null,
      viewNo: null,
    }
  }

  /** The same as they go over the wire. */
  answerTexts(text: string): readonly string[] {
    return this.answer(text).map((answer) => JSON.stringify(answer))
  }

  /** Returns the answers to one message, in order. Never throws: a request that cannot be understood is refused. */
  answer(text: string): readonly unknown[] {
    let message: unknown
    try {
      message = parseExact(text)
    } catch {
      return []
    }
    if (typeof message !== 'object' || message === null) return []
    if ((message as { op?: unknown }).op === 'LEDGER_STATUS') return [this.status()]
    const request = message as Request
    const heading = { identifier: request.identifier ?? null, reqId: request.reqId ?? null }
    try {
      demandShape(request)
      const read = READS.get(request.operation.type)
      if (read) return [this.#read(request, read)]
      const heard = { op: 'REQACK', ...heading }
      return this.#hasQuorum() ? [heard, this.#write(request)] : [heard]
    } catch (error) {
      if (error instanceof RefusedRequest) return [{ op: error.op, ...heading, reason: error.message }]
      this.#onBug(error)
      return [{ op: 'REQNACK', ...heading, reason: 'the node could not process the request' }]
    }
  }

  #read(request: Request, read: Read): unknown {
    const trees = { pool: this.#pool, poolTransactions: this.#poolTransactions, domain: this.#domain }
    const found = read(request.operation, this.#state, trees)
    const result = { ...request.operation, identifier: request.identifier, reqId: request.reqId, ...found }
    return { op: 'REPLY', result }
  }

  #write(request: Request): unknown {
    const rules = WRITE_RULES.get(request.operation.type)
    if (!rules) throw malformed(`type ${request.operation.type} is not supported`)
    const author = request.identifier
    if (author === undefined) throw malformed('identifier is missing')
    const { operation, endorser = null, taaAcceptance = null } = request
    const write: Write = { author, endorser, operation }
    rules.shape(write)
    const signatures = this.#demandSignatures(request, write)
    const known = this.#state.byDigest.get(payloadDigest(request))
    // A repeated request (after a lost answer, or through the other nodes) gets the first answer again.
    if (known) return this.#reply(known)
    rules.permission(write, this.#state)
    if (isUnderAgreement(operation.type)) demandAcceptance(taaAcceptance, this.#state.agreement, this.#now())
    return this.#reply(this.#commit(write, request, signatures, rules.txnId(write)))
  }

  #demandSignatures(request: Request, write: Write): { from: string; value: string }[] {
    const given = { ...request.signatures }
    if (request.signature !== undefined) given[write.author] = request.signature
    const text = signingText(request)
    for (const signer of write.endorser === null ? [write.author] : [write.author, write.endorser]) {
      const value = given[signer]
      const nym = this.#state.nyms.get(signer)
      if (typeof value !== 'string') throw malformed(`the signature of ${signer} is missing`)
      if (!nym) throw malformed(`could not authenticate, verkey for ${signer} cannot be found`)
      if (!verify(nym.verkey, signer, text, value))
        throw malformed(`the signature of ${signer} does not verify`)
    }
    return Object.entries(given).map(([from, value]) => ({ from, value }))
  }

  #commit(
    write: Write,
    request: Request,
    values: { from: string; value: string }[],
    txnId: string,
  ): Transaction {
    const { type, ...data } = write.operation
    const digest = createHash('sha256').update(JSON.stringify(request)).digest('hex')
    const { taaAcceptance } = request
    const metadata = {
      from: write.author,
      reqId: request.reqId,
      digest,
      payloadDigest: payloadDigest(request),
      ...(taaAcceptance !== undefined && { taaAcceptance }),
    }
    const transaction: Transaction = {
      txn: {
        type: String(type),
        protocolVersion: 2,
        data,
        metadata: write.endorser === null ? metadata : { ...metadata, endorser: write.endorser },
      },
      txnMetadata: {
        seqNo: this.#domain.size + 1,
        txnTime: Math.floor(this.#now() / 1000),
        txnId,
      },
      reqSignature: { type: 'ED25519', values },
      ver: '1',
    }
    this.#file.append(transaction)
    this.#accept(transaction)
    return transaction
  }

  #accept(transaction: Transaction): void {
    this.#domain.append(withBigIntegers(transaction))
    this.#state.apply(transaction)
  }

  #reply(transaction: Transaction): unknown {
    const { seqNo } = transaction.txnMetadata
    // Proved against the tree as it was at this transaction, so that every node always gives the same proof.
    const rootHash = bs58.encode(this.#domain.root(seqNo))
    const auditPath = this.#domain.auditPath(seqNo - 1, seqNo).map((hash) => bs58.encode(hash))
    return { op: 'REPLY', result: { ...transaction, rootHash, auditPath } }
  }
}

const payloadDigest = (request: Request): string =>
  createHash('sha256').update(signingText(request)).digest('hex')

const demandShape = (request: Request): void => {
  const { operation, reqId, protocolVersion } = request
  if (typeof operation !== 'object' || operation === null) throw malformed('operation is missing')
  if (typeof operation.type !== 'string') throw malformed('operation.type is missing')
  if (typeof reqId !== 'number' && !(reqId instanceof ExactNumber)) throw malformed('reqId must be a number')
  if (protocolVersion !== PROTOCOL_VERSION)
    throw malformed(
      `protocolVersion differs from the current one. Expected: ${PROTOCOL_VERSION}, but was ${String(protocolVersion)}`,
    )
}
