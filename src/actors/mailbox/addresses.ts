import type { WalletService } from '../../ports/wallets.ts'

type Public = { readonly publicUrl: () => string }

/** Where anybody writes to any wallet behind the mediator: nothing in it tells one wallet from another. */
export const sharedAddress = ({ publicUrl }: Public): string => `${publicUrl()}/didcomm`

/** Where the phone of one wallet writes to: over HTTP, and over a WebSocket on which it can be written to. */
export const addressesOf = ({ publicUrl }: Public, mailbox: string): readonly [string, string] => {
  const http = `${sharedAddress({ publicUrl })}/${mailbox}`
  // `https` becomes `wss`, and `http` becomes `ws`.
  return [http, http.replace(/^http/, 'ws')]
}

export const servicesOf = (addresses: readonly string[], recipientKey: string): readonly WalletService[] =>
  addresses.map((endpoint) => ({ endpoint, recipientKeys: [recipientKey], routingKeys: [] }))
