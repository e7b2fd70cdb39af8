/** Who signs a ledger request; the private key stays behind it. */
export type LedgerSigner = { readonly did: string; sign(input: Uint8Array): Uint8Array }

export type LedgerSchema = {
  readonly id: string
  readonly seqNo: number
  readonly name: string
  readonly version: string
  readonly attributes: readonly string[]
}

export type LedgerDefinition = {
  readonly id: string
  readonly schemaSeqNo: number
  readonly tag: string
  /** The public key as AnonCreds has it: `{primary: {n, s, r, rctxt, z}}`. */
  readonly value: Readonly<Record<string, unknown>>
}

/** What the ledger does not say itself of an object that is published. */
export type NewSchema = Omit<LedgerSchema, 'id' | 'seqNo'>
export type NewDefinition = Omit<LedgerDefinition, 'id'>

/** The ledger refused: trying the same again is pointless. Everything else that goes wrong is retryable. */
export class LedgerRefused extends Error {
  override readonly name = 'LedgerRefused'
  readonly retryable = false
}

export class LedgerUnavailable extends Error {
  override readonly name = 'LedgerUnavailable'
  readonly retryable = true
}

/** Every write first reads whether it landed already: a retry after a lost answer is harmless. */
export interface Ledger {
  /** `did:indy:<namespace>:…` */
  readonly namespace: string
  readonly genesis: { readonly text: string; readonly sha256: string }
  /** Adds an identity without a role, signed by the operator's endorser. */
  registerIdentity(identity: { did: string; verkey: string }): Promise<void>
  /** Signed by the author and endorsed by the operator. Null from a read: not on the ledger. */
  publishSchema(author: LedgerSigner, schema: NewSchema): Promise<LedgerSchema>
  publishDefinition(author: LedgerSigner, definition: NewDefinition): Promise<LedgerDefinition>
  readSchema(id: string): Promise<LedgerSchema | null>
  readDefinition(id: string): Promise<LedgerDefinition | null>
  probe(): Promise<void>
}
