import { correspondentOf } from './recipients.ts'
import type { Correspondent, Messenger } from '../../ports/messenger.ts'
import type { Actors } from '../../ports/actors.ts'
import type { Runtime } from '../../ports/runtime.ts'
import { deliverTo } from '../../didcomm/deliver.ts'
import { type InboundPorts, receiveEnvelope } from './inbound.ts'
import { createKeyPair, seedOf } from '../../didcomm/keys.ts'
import type { Message } from '../../didcomm/message.ts'
import { createMessenger } from './messenger.ts'
import { invitationMessage, invitationUrl } from '../invitation/messages.ts'
import type { Outbound } from '../../egress/outbound.ts'

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
  const send = async (url: string, body: string, signal: AbortSignal): Promise<void> => {
    const headers = { 'Content-Type': 'application/didcomm-envelope-enc' }
    const limits = { timeoutMs: SEND_TIMEOUT_MS, answerBytesMax: ANSWER_BYTES_MAX }
    const { status } = await outbound.post({ url, headers, body, ...limits, signal })
    if (status < 200 || status > 299) throw new Error(`the wallet's endpoint answered ${status}`)
  }
  const newId = () => runtime.newId()
  const messenger = createMessenger({
    newId,
    endpointOf: (actor) => `${publicUrl()}/didcomm/${actor}`,
    send,
  })
  const inbound: InboundPorts = { actors, runtime, askTimeoutMs, ...teller(actors, messenger) }
  return {
    messenger,
    deliver: deliverTo({ send, newId }),
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
const teller = (actors: Actors, messenger: Messenger): Pick<InboundPorts, 'tellProblem' | 'tellStranger'> => {
  let underWay = 0
  const tell = (to: () => Promise<Correspondent>, message: Message, text: string): void => {
    if (underWay >= PROBLEMS_AT_ONCE_MAX) return
    underWay += 1
    const protocol = message.type.split('/').slice(0, 2).join('/')
    const facts = { protocol, threadId: message.threadId, text }
    const told = to().then((holder) => messenger.problem(holder, facts, AbortSignal.timeout(SEND_TIMEOUT_MS)))
    void told
      .catch(() => undefined)
      .finally(() => {
        underWay -= 1
      })
  }
  return {
    tellProblem: (connectionId, message, text) =>
      tell(() => correspondentOf(actors, connectionId), message, text),
    tellStranger: (to, message, text) => tell(async () => to, message, text),
  }
}
