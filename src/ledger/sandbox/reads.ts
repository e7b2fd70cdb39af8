import bs58 from 'bs58'
import { malformed } from './refused-request.ts'
import { TRANSACTION_TYPE } from './transactions.ts'
import type { LedgerState } from './ledger-state.ts'
import type { Placed } from './placed.ts'
import { attributeKey, definitionKey, schemaKey } from './ledger-state.ts'

type Operation = Readonly<Record<string, unknown>>
type Found = { readonly data: unknown; readonly seqNo: number | null; readonly txnTime: number | null }
export type TreeView = { size: number; root(): Buffer; auditPath(index: number): Buffer[] }
export type Trees = {
  readonly pool: TreeView
  readonly poolTransactions: readonly unknown[]
  readonly domain: TreeView
}

const NOTHING: Found = { data: null, seqNo: null, txnTime: null }
const at = (placed: Placed, data: unknown): Found => ({ data, seqNo: placed.seqNo, txnTime: placed.txnTime })

export type Read = (operation: Operation, state: LedgerState, trees: Trees) => Found

/** Every read that this pool answers; the result is sent beside the echoed keys of its request. */
const reads: Readonly<Record<string, Read>> = {
  [TRANSACTION_TYPE.GET_NYM]: ({ dest }, state) => {
    const nym = state.nyms.get(String(dest))
    if (!nym) return NOTHING
    const { did, verkey, role, from, seqNo, txnTime } = nym
    return at(nym, JSON.stringify({ dest: did, identifier: from, role, seqNo, txnTime, verkey }))
  },
  [TRANSACTION_TYPE.GET_SCHEMA]: ({ dest, data }, state) => {
    const schema = state.schemas.get(schemaKey(dest, data))
    return schema ? at(schema, schema.data['data']) : { ...NOTHING, data }
  },
  [TRANSACTION_TYPE.GET_CLAIM_DEF]: ({ origin, ref, tag }, state) => {
    const definition = state.definitions.get(definitionKey(origin, ref, tag))
    return definition ? at(definition, definition.data['data']) : NOTHING
  },
  [TRANSACTION_TYPE.GET_ATTRIB]: (operation, state) => {
    const attribute = state.attributes.get(attributeKey(operation))
    if (!attribute) return NOTHING
    return at(attribute, attribute.data['raw'] ?? attribute.data['hash'] ?? attribute.data['enc'])
  },
  [TRANSACTION_TYPE.GET_TAA]: (_, { agreement }) => {
    if (agreement === null) return NOTHING
    const { text, version, digest, txnTime } = agreement
    return at(agreement, { text, version, digest, ratification_ts: txnTime })
  },
  [TRANSACTION_TYPE.GET_AML]: (_, { mechanisms }) => {
    if (mechanisms === null) return NOTHING
    const { version, aml, amlContext } = mechanisms.data
    return at(mechanisms, { version, aml, ...(amlContext !== undefined && { amlContext }) })
  },
  [TRANSACTION_TYPE.GET_TXN]: ({ ledgerId, data }, state, trees) => {
    const seqNo = Number(data)
    if (!Number.isInteger(seqNo) || seqNo < 1) throw malformed('data must be a sequence number')
    const isPool = ledgerId === 0
    if (!isPool && ledgerId !== 1) throw malformed(`ledger ${String(ledgerId)} is not kept here`)
    const tree = isPool ? trees.pool : trees.domain
    const transaction = isPool ? trees.poolTransactions[seqNo - 1] : state.byNumber[seqNo - 1]
    if (transaction === undefined) return { ...NOTHING, seqNo }
    const proof = {
      rootHash: bs58.encode(tree.root()),
      auditPath: tree.auditPath(seqNo - 1).map((hash) => bs58.encode(hash)),
      ledgerSize: tree.size,
    }
    return { data: { ...(transaction as object), ...proof }, seqNo, txnTime: null }
  },
}

export const READS: ReadonlyMap<string, Read> = new Map(Object.entries(reads))
