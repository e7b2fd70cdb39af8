import { correspondentOf } from '../actors/exchanges/correspondents.ts'
import type { Messenger } from '../actors/messenger-port.ts'
import type { Actors } from '../actors/ports.ts'
import type { Runtime } from '../actors/runtime-port.ts'
import { type InboundPorts, receiveEnvelope } from '../didcomm/inbound.ts'
import { createKeyPair, seedOf } from '../didcomm/keys.ts'
import { createMessenger } from '../didcomm/messenger.ts'
import { invitationMessage, invitationUrl } from '../didcomm/protocols/out-of-band.ts'
import type { Outbound } from '../egress/outbound.ts'

type Ports = {
  readonly actors: Actors
  readonly runtime: Runtime
  readonly outbound: Outbound
  readonly askTimeoutMs: number
  /** Rejects the thought of an address before there is one. */
  readonly publicUrl: () => string
}

const SEND_TIMEOUT_MS = 30_000
const ANSWER_BYTES_MAX = 4_096
const PROBLEMS_AT_ONCE_MAX = 64

/** Everything between the actors and the wallets: messages out, messages in, invitations. */
export const composeWallets = ({ actors, runtime, outbound, askTimeoutMs, publicUrl }: Ports) => {
  const messenger = createMessenger({
    newId: () => runtime.newId(),
    endpointOf: (actor) => `${publicUrl()}/didcomm/${actor}`,
    send: async (url, body, signal) => {
      const headers = { 'Content-Type': 'application/didcomm-envelope-enc' }
      const limits = { timeoutMs: SEND_TIMEOUT_MS, answerBytesMax: ANSWER_BYTES_MAX }
      const { status } = await outbound.post({ url, headers, body, ...limits, signal })
      if (status < 200 || status > 299) throw new Error(`the wallet's endpoint answered ${status}`)
    },
  })
  const inbound: InboundPorts = { actors, runtime, askTimeoutMs, tellProblem: teller(actors, messenger) }
  return {
    messenger,
    receive: (address: string, envelope: string) => receiveEnvelope(inbound, address, envelope),
    newKey: () => {
      const pair = createKeyPair()
      return { seed: seedOf(pair).toString('base64url'), publicKey: pair.publicKeyBase58 }
    },
    invitationUrl: ({ id, label, key }: { id: string; label: string; key: string }): string => {
      const endpoint = `${publicUrl()}/didcomm/${id}`
      const message = invitationMessage({ id, label, endpoint, recipientKey: key, routingKeys: [] })
      return invitationUrl(`${publicUrl()}/i/${id}`, message)
    },
  }
}

/** One attempt, and only so many at once: whoever sends nonsense must not make us busy. */
const teller = (actors: Actors, messenger: Messenger): InboundPorts['tellProblem'] => {
  let underWay = 0
  return (connectionId, message, text) => {
    if (underWay >= PROBLEMS_AT_ONCE_MAX) return
    underWay += 1
    const protocol = message.type.split('/').slice(0, 2).join('/')
    const facts = { protocol, threadId: message.threadId, text }
    const told = correspondentOf(actors, connectionId).then((to) =>
      messenger.problem(to, facts, AbortSignal.timeout(SEND_TIMEOUT_MS)),
    )
    void told
      .catch(() => undefined)
      .finally(() => {
        underWay -= 1
      })
  }
}
