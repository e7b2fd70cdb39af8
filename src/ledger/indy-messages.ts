/** Messages between the ledger client and its process. */
export type WriteDraft =
  | { readonly kind: 'nym'; readonly author: string; readonly did: string; readonly verkey: string }
  | {
      readonly kind: 'schema'
      readonly author: string
      readonly name: string
      readonly version: string
      readonly attributes: readonly string[]
    }
  | {
      readonly kind: 'definition'
      readonly author: string
      readonly schemaSeqNo: number
      readonly tag: string
      readonly value: Readonly<Record<string, unknown>>
    }

export type ReadQuery =
  | { readonly kind: 'nym'; readonly did: string }
  | { readonly kind: 'schema'; readonly id: string }
  | { readonly kind: 'definition'; readonly id: string }

export type ToProcess = { readonly call: number } & (
  | { readonly do: 'read'; readonly query: ReadQuery }
  | { readonly do: 'draft'; readonly draft: WriteDraft; readonly endorser: string | null }
  | { readonly do: 'submit'; readonly request: string }
  | { readonly do: 'refresh' }
)

/** `text` is JSON; the answer to a draft has the request and the text to sign. */
export type FromProcess = { readonly call: number } & (
  | { readonly text: string }
  | { readonly refused: string }
  | { readonly failed: string }
)

export type ProcessStart = { readonly genesis: string }
