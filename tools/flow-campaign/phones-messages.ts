import type { WalletOptions } from '../../sdk/wallet/create-wallet.ts'

/** What one wallet received and has, told at the end. */
export type PhoneReport = {
  /** Messages that carried a credential, in order: of which exchange, and what exactly it was. */
  readonly received: readonly { readonly threadId: string; readonly sha256: string }[]
  readonly held: readonly { readonly name: string }[]
  readonly failures: readonly string[]
}

export type PhoneOrder =
  | { readonly do: 'open'; readonly phone: number; readonly options: WalletOptions }
  | { readonly do: 'connect'; readonly phone: number; readonly url: string }
  | { readonly do: 'report'; readonly phone: number }

export type ToPhones = { readonly call: number } & PhoneOrder

export type FromPhones =
  | { readonly call: number; readonly value: unknown }
  | { readonly call: number; readonly failed: string }
  | { readonly happened: string }
