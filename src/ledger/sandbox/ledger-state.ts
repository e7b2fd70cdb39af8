import { type Agreement, agreementOf } from './agreement.ts'
import type { Placed, Written } from './placed.ts'
import type { Transaction } from './transactions.ts'
import { TRANSACTION_TYPE } from './transactions.ts'

/** An identity on the ledger; Indy calls it a nym. */
export type Nym = {
  readonly did: string
  readonly verkey: string
  readonly role: string | null
  readonly from: string
} & Placed
/** The state that follows from the transactions: reads are answered from it and writes are checked against it. */
export class LedgerState {
  readonly nyms = new Map<string, Nym>()
  readonly schemas = new Map<string, Written>()
  readonly definitions = new Map<string, Written>()
  readonly attributes = new Map<string, Written>()
  /** The transaction author agreement in force; null: none has to be accepted. */
  agreement: Agreement | null = null
  mechanisms: Written | null = null
  readonly byNumber: Transaction[] = []
  readonly byDigest = new Map<string, Transaction>()

  apply(transaction: Transaction): void {
    const { type, data, metadata } = transaction.txn
    const placed = { seqNo: transaction.txnMetadata.seqNo, txnTime: transaction.txnMetadata.txnTime }
    const written = { did: metadata.from, data, ...placed }
    this.byNumber.push(transaction)
    this.byDigest.set(metadata.payloadDigest, transaction)
    if (type === TRANSACTION_TYPE.NYM) this.#applyNym(data, metadata.from, placed)
    else if (type === TRANSACTION_TYPE.SCHEMA)
      this.schemas.set(schemaKey(metadata.from, data['data']), written)
    else if (type === TRANSACTION_TYPE.CLAIM_DEF) {
      this.definitions.set(definitionKey(metadata.from, data['ref'], data['tag']), written)
    } else if (type === TRANSACTION_TYPE.ATTRIB) this.attributes.set(attributeKey(data), written)
    else if (type === TRANSACTION_TYPE.TAA) this.agreement = agreementOf(data, placed, this)
    else if (type === TRANSACTION_TYPE.AML) this.mechanisms = written
    else throw new Error(`the transaction file holds an unknown type ${type}`)
  }

  #applyNym(data: Readonly<Record<string, unknown>>, from: string, placed: Placed): void {
    const did = String(data['dest'])
    const before = this.nyms.get(did)
    const role = data['role'] === undefined ? (before?.role ?? null) : (data['role'] as string | null)
    const verkey = typeof data['verkey'] === 'string' ? data['verkey'] : (before?.verkey ?? did)
    this.nyms.set(did, { did, verkey, role, from: before?.from ?? from, ...placed })
  }
}

export const schemaKey = (did: unknown, schema: unknown): string => {
  const { name, version } = (schema ?? {}) as { name?: unknown; version?: unknown }
  return JSON.stringify([did, name, version])
}

export const definitionKey = (did: unknown, ref: unknown, tag: unknown): string =>
  JSON.stringify([did, String(ref), tag ?? 'tag'])

/** An attribute is keyed by its name: `raw` is `{"name": value}`; `hash` and `enc` are their own names. */
export const attributeKey = (operation: Readonly<Record<string, unknown>>): string => {
  const raw = operation['raw']
  const name = typeof raw === 'string' ? attributeName(raw) : (operation['hash'] ?? operation['enc'])
  return JSON.stringify([operation['dest'], name])
}

/** A write has the JSON object, a read only the name. */
const attributeName = (raw: string): string => {
  try {
    const parsed: unknown = JSON.parse(raw)
    return typeof parsed === 'object' && parsed !== null ? (Object.keys(parsed)[0] ?? raw) : raw
  } catch {
    return raw
  }
}
