import { ExactNumber } from '../exact-json.ts'

/** A committed transaction of the domain ledger, in the form in which Indy nodes store and send it. */
export type Transaction = {
  readonly txn: {
    readonly type: string
    readonly protocolVersion: 2
    readonly data: Readonly<Record<string, unknown>>
    readonly metadata: {
      readonly from: string
      readonly reqId: number | ExactNumber
      readonly digest: string
      readonly payloadDigest: string
      readonly endorser?: string
      readonly taaAcceptance?: unknown
    }
  }
  readonly txnMetadata: { readonly seqNo: number; readonly txnTime: number; readonly txnId: string }
  readonly reqSignature: {
    readonly type: 'ED25519'
    readonly values: readonly { from: string; value: string }[]
  }
  readonly ver: '1'
}

export const TRANSACTION_TYPE = {
  NODE: '0',
  NYM: '1',
  GET_TXN: '3',
  TAA: '4',
  AML: '5',
  GET_TAA: '6',
  GET_AML: '7',
  ATTRIB: '100',
  SCHEMA: '101',
  CLAIM_DEF: '102',
  GET_ATTRIB: '104',
  GET_NYM: '105',
  GET_SCHEMA: '107',
  GET_CLAIM_DEF: '108',
} as const

export const ROLE = { TRUSTEE: '0', STEWARD: '2', ENDORSER: '101', NETWORK_MONITOR: '201' } as const

/** msgpack has 64-bit integers where the JSON text has digits, and the tree hashes msgpack. */
export const withBigIntegers = (value: unknown): unknown => {
  if (value instanceof ExactNumber) return BigInt(value.digits)
  if (Array.isArray(value)) return value.map(withBigIntegers)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, withBigIntegers(field)]))
  }
  return value
}
