import bs58 from 'bs58'
import { malformed } from './refusal.ts'
import { TYPE } from './transactions.ts'
import type { Placed, World } from './world.ts'
import { attributeKey, definitionKey, schemaKey } from './world.ts'

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

type Read = (operation: Operation, world: World, trees: Trees) => Found

/** Every read this pool answers; each result goes out beside the echoed keys of its request. */
export const READS: ReadonlyMap<string, Read> = new Map<string, Read>([
  [
    TYPE.GET_NYM,
    ({ dest }: Operation, world: World) => {
      const nym = world.nyms.get(String(dest))
      if (!nym) return NOTHING
      const { did, verkey, role, from, seqNo, txnTime } = nym
      return at(nym, JSON.stringify({ dest: did, identifier: from, role, seqNo, txnTime, verkey }))
    },
  ],
  [
    TYPE.GET_SCHEMA,
    ({ dest, data }: Operation, world: World) => {
      const schema = world.schemas.get(schemaKey(dest, data))
      return schema ? at(schema, schema.data['data']) : { ...NOTHING, data }
    },
  ],
  [
    TYPE.GET_CLAIM_DEF,
    ({ origin, ref, tag }: Operation, world: World) => {
      const definition = world.definitions.get(definitionKey(origin, ref, tag))
      return definition ? at(definition, definition.data['data']) : NOTHING
    },
  ],
  [
    TYPE.GET_ATTRIB,
    (operation: Operation, world: World) => {
      const attribute = world.attributes.get(attributeKey(operation))
      return attribute
        ? at(attribute, attribute.data['raw'] ?? attribute.data['hash'] ?? attribute.data['enc'])
        : NOTHING
    },
  ],
  // This network asks nobody to accept a transaction author agreement.
  [TYPE.GET_TAA, () => NOTHING],
  [TYPE.GET_AML, () => NOTHING],
  [
    TYPE.GET_TXN,
    ({ ledgerId, data }: Operation, world: World, trees: Trees) => {
      const seqNo = Number(data)
      if (!Number.isInteger(seqNo) || seqNo < 1) throw malformed('data must be a sequence number')
      const isPool = ledgerId === 0
      if (!isPool && ledgerId !== 1) throw malformed(`ledger ${String(ledgerId)} is not kept here`)
      const tree = isPool ? trees.pool : trees.domain
      const transaction = isPool ? trees.poolTransactions[seqNo - 1] : world.byNumber[seqNo - 1]
      if (transaction === undefined) return { ...NOTHING, seqNo }
      const proof = {
        rootHash: bs58.encode(tree.root()),
        auditPath: tree.auditPath(seqNo - 1).map((hash) => bs58.encode(hash)),
        ledgerSize: tree.size,
      }
      return { data: { ...(transaction as object), ...proof }, seqNo, txnTime: null }
    },
  ],
])
