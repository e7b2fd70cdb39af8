import type { LedgerQuestion, NewDefinition, NewSchema } from '../ports/ledger.ts'

/** Messages between the ledger client and its process. */
export type WriteDraft =
  | { readonly kind: 'nym'; readonly author: string; readonly did: string; readonly verkey: string }
  | ({ readonly kind: 'schema'; readonly author: string } & NewSchema)
  | ({ readonly kind: 'definition'; readonly author: string } & NewDefinition)

export type ReadQuery = LedgerQuestion

/** As the ledger wants to have it; the time is the day, in Unix seconds. */
export type Acceptance = { readonly taaDigest: string; readonly mechanism: string; readonly time: number }

export type Call =
  | { readonly do: 'read'; readonly query: ReadQuery }
  | {
      readonly do: 'draft'
      readonly draft: WriteDraft
      readonly endorser: string | null
      readonly acceptance: Acceptance | null
    }
  | { readonly do: 'submit'; readonly request: string }
  | { readonly do: 'refresh' }

export type ToProcess = { readonly call: number } & Call

/** `text` is JSON; the answer to a draft has the request and the text to sign. */
export type FromProcess = { readonly call: number } & (
  | { readonly text: string }
  | { readonly refused: string }
  | { readonly failed: string }
)

export type ProcessStart = {
  readonly genesis: string
  /** After this nobody waits for an answer any more. */
  readonly callTimeoutMs: number
}
