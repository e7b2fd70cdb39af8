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

/** What anybody may ask of a ledger, in Indy's terms. */
export type LedgerQuestion =
  | { readonly kind: 'nym'; readonly did: string }
  | { readonly kind: 'schema'; readonly id: string }
  | { readonly kind: 'definition'; readonly id: string }
  | { readonly kind: 'attribute'; readonly did: string; readonly name: string }
  | { readonly kind: 'agreement' }
  | { readonly kind: 'mechanisms' }
  /** 0: the nodes of the pool, 1: what organisations have written, 2: the configuration. */
  | { readonly kind: 'transaction'; readonly ledger: 0 | 1 | 2; readonly seqNo: number }

/** What authors have to accept before they write; Indy calls it the transaction author agreement. */
export type LedgerAgreement = {
  readonly version: string
  readonly text: string
  readonly digest: string
  /** How it may be accepted, by name, with what each means. */
  readonly mechanisms: Readonly<Record<string, string>>
}

/** That an operator has accepted an agreement. */
export type LedgerAcceptance = {
  readonly digest: string
  readonly mechanism: string
  readonly acceptedAtMs: number
}

/** Too many ask at once. */
export class LedgerBusy extends Error {
  override readonly name = 'LedgerBusy'
  readonly retryable = true
}

/** The ledger refused: trying the same again is pointless. Everything else that goes wrong is retryable. */
export class LedgerRefused extends Error {
  override readonly name = 'LedgerRefused'
  readonly retryable = false
}

export class LedgerUnavailable extends Error {
  override readonly name = 'LedgerUnavailable'
  readonly retryable = true
}

/** The agreement of the ledger has to be accepted by an operator first: until then all writes wait. */
export class AgreementOpen extends LedgerUnavailable {
  constructor() {
    super('the agreement of the ledger has to be accepted by an operator')
  }
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
  /** As it is now; null where the ledger has none. */
  readAgreement(): Promise<LedgerAgreement | null>
  probe(): Promise<void>
}
