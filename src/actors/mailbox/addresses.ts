import type { Services } from '../../didcomm/peer-did.ts'

type Public = { readonly publicUrl: () => string }

/** Where anybody writes to any wallet behind the mediator: nothing in it tells one wallet from another. */
export const sharedAddress = ({ publicUrl }: Public): string => `${publicUrl()}/didcomm`

/** Where the phone of one wallet writes to: over HTTP, and over a WebSocket on which it can be written to. */
const addressesOf = ({ publicUrl }: Public, mailbox: string): readonly [string, string] => {
  const http = `${sharedAddress({ publicUrl })}/${mailbox}`
  // `https` becomes `wss`, and `http` becomes `ws`.
  return [http, http.replace(/^http/, 'ws')]
}

/** The same with the key that opens what is sent there. */
export const servicesOf = (ports: Public, mailbox: string, ownKey: string): Services => {
  const [http, socket] = addressesOf(ports, mailbox)
  const keys = { recipientKeys: [ownKey], routingKeys: [] }
  return [
    { endpoint: http, ...keys },
    { endpoint: socket, ...keys },
  ]
}
