import type { WalletOptions } from './create-wallet.ts'

/** What a holder does with what it is offered and asked. */
/** `propose`: to answer by a proposal for something else. */
export type Policy = 'accept' | 'decline' | 'ignore' | 'propose'

export type HolderOrder =
  | {
      readonly do: 'start'
      readonly options: WalletOptions
      readonly offers: Policy
      readonly proofs: Policy
    }
  | { readonly do: 'policy'; readonly offers: Policy; readonly proofs: Policy }
  | { readonly do: 'connect'; readonly url: string }
  | { readonly do: 'offline'; readonly offline: boolean }
  /** What the wallet holds: one entry for each credential, with its values. */
  | { readonly do: 'credentials' }
  | { readonly do: 'stop' }

export type ToHolder = { readonly call: number } & HolderOrder

export type HolderEvent = {
  readonly kind: 'credential' | 'proof'
  readonly threadId: string
  readonly state: string
}

export type FromHolder =
  | { readonly call: number; readonly value: unknown }
  | { readonly call: number; readonly failed: string }
  | { readonly event: HolderEvent }
