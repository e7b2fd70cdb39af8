import { formatsIn, type Message } from '../../didcomm/message.ts'
import type { Received } from '../../didcomm/opened-envelope.ts'
import {
  isRotation,
  isHangup,
  rotationAck,
  rotationIn,
  unsupported,
} from '../../didcomm/protocols/did-rotate.ts'
import {
  disclosuresTo,
  isDisclosure,
  type SpokenProtocol,
} from '../../didcomm/protocols/discover-features.ts'
import { isReuse, REUSE_REFUSED, reuseAccepted } from '../../didcomm/protocols/handshake-reuse.ts'
import { isPing, pongTo } from '../../didcomm/protocols/trust-ping.ts'
import { isRefused } from '../../domain/decider.ts'
import { OWN_PREFIX } from '../../domain/message-prefix.ts'
import type { WalletFormat } from '../../domain/wallet-formats.ts'
import type { AskOptions } from '../../ports/actors.ts'
import type { Recipient } from '../../ports/wallets.ts'
import { invitation } from '../invitation/rules.ts'
import type { InboundPorts } from '../kind-ports.ts'
import { addressFlaw } from './address-flaw.ts'
import { answer, NOT_COMPLETED, type Sender, tell } from './answers.ts'
import { RecipientGone } from './for-exchanges.ts'
import { answeredBy, whyNotReused } from './reuse.ts'
import { connection } from './rules.ts'
import { isNews, serviceOfKey } from './wallet-ways.ts'

/** What wallets may find here, in the words of RFC 0031 and 0557. */
const SPOKEN: readonly SpokenProtocol[] = [
  { protocol: 'didexchange/1.0', roles: ['responder'] },
  { protocol: 'didexchange/1.1', roles: ['responder'] },
  { protocol: 'connections/1.0', roles: ['inviter'] },
  { protocol: 'out-of-band/1.1', roles: ['sender'] },
  { protocol: 'did-rotate/1.0', roles: ['observing_party'] },
  { protocol: 'trust_ping/1.0', roles: ['receiver'] },
  { protocol: 'discover-features/1.0', roles: ['responder'] },
  { protocol: 'discover-features/2.0', roles: ['responder'] },
  { protocol: 'issue-credential/2.0', roles: ['issuer'] },
  { protocol: 'present-proof/2.0', roles: ['verifier'] },
  { prefix: OWN_PREFIX, protocol: 'biometric-check/1.0', roles: ['requester'] },
]

/** Most messages are about exchanges, and are not looked at any closer here. */
const FAMILIES: ReadonlySet<string> = new Set([
  'trust_ping',
  'discover-features',
  'out-of-band',
  'did-rotate',
])

/** What a wallet says about its connection, and about no exchange; null for any other message. */
export const receiveAboutConnection = async (
  ports: InboundPorts,
  sender: Sender,
  message: Message,
  options: AskOptions,
): Promise<Received | null> => {
  if (!FAMILIES.has(message.type.slice(0, message.type.indexOf('/')))) return null
  if (isPing(message)) {
    const pong = pongTo(message)
    return pong === null ? 'accepted' : answer(ports, sender, message, pong)
  }
  const disclosures = disclosuresTo(message, SPOKEN)
  if (disclosures !== null) return answer(ports, sender, message, disclosures)
  if (isDisclosure(message)) return noteFormats(ports, sender, formatsIn(message))
  if (isReuse(message)) return receiveReuse(ports, sender, message)
  if (isRotation(message)) return receiveRotation(ports, sender, message, options)
  if (isHangup(message)) return receiveHangup(ports, sender, message, options)
  return null
}

const receiveHangup = async (
  ports: InboundPorts,
  sender: Sender,
  message: Message,
  options: AskOptions,
): Promise<Received> => {
  const { actors, runtime } = ports
  const { address, senderKey } = sender
  const command = { type: 'ReceiveHangup', atMs: runtime.now(), senderKey } as const
  const hungUp = await actors.ask(connection.ref(address), command, options)
  return isRefused(hungUp) ? tell(ports, sender, message, unsupported(hungUp.reason)) : 'accepted'
}

/** What a wallet has written in, or says that it knows, is how the next exchange with it is opened. */
export const noteFormats = async (
  { actors, runtime }: InboundPorts,
  { address, seen, senderKey }: Sender,
  formats: readonly WalletFormat[],
): Promise<Received> => {
  const atMs = runtime.now()
  if (!isNews(seen, formats, atMs)) return 'accepted'
  // A command of its own each time: what was seen before a change of the DID is forgotten with it.
  const options = { commandId: `formats:${address}:${runtime.newId()}`, tenant: null }
  const command = { type: 'RecordFormats', atMs, senderKey, formats } as const
  await actors.ask(connection.ref(address), command, options)
  return 'accepted'
}

/**
 * The invitation is used by the connection that there is, as it would be by a new one. No state changes, so no event says
 * so; whoever made the invitation finds the connection by it.
 */
const receiveReuse = async (ports: InboundPorts, sender: Sender, message: Message): Promise<Received> => {
  const { actors, runtime } = ports
  const { address, tenant } = sender
  const refused = (text: string) => tell(ports, sender, message, { code: REUSE_REFUSED, text })
  const ref = message.parentThreadId === null ? null : invitation.find(message.parentThreadId)
  const invited = ref === null ? null : await actors.read(ref)
  if (ref === null || invited === null || isRefused(invited) || invited.tenant !== tenant)
    return refused('There is no such invitation here.')
  const own = connection.ref(address)
  const record = await actors.read(own)
  if (isRefused(record)) return refused(record.reason)
  // An invitation for one holder is not to be used up in vain.
  const flaw = whyNotReused(record, ref)
  if (flaw !== null) return refused(flaw.reason)
  const atMs = runtime.now()
  const admit = { type: 'AdmitHolder', atMs, connectionId: address } as const
  const admitted = await actors.ask(ref, admit, { commandId: `admit:${address}`, tenant: null })
  if (isRefused(admitted)) return refused('This invitation is not open to you: it was for one holder.')
  const command = { type: 'RecordReuse', atMs, invitationId: ref } as const
  const options = { commandId: `reuse:${ref}`, tenant: null }
  const recorded = answeredBy(record).includes(ref) ? record : await actors.ask(own, command, options)
  return isRefused(recorded)
    ? refused(recorded.reason)
    : answer(ports, sender, message, reuseAccepted(message))
}

/** Its word that we know the new address goes to the old one, as the protocol wants it. */
const receiveRotation = async (
  ports: InboundPorts,
  sender: Sender,
  message: Message,
  options: AskOptions,
): Promise<Received> => {
  const { actors, runtime } = ports
  const rotation = rotationIn(message, (service) => addressFlaw(ports, service) === null)
  if ('code' in rotation) return tell(ports, sender, message, rotation)
  const flaw = addressFlaw(ports, rotation.theirService)
  if (flaw !== null)
    return tell(ports, sender, message, unsupported(`Its address is never written to: ${flaw}.`))
  if (!sender.isCompleted) return tell(ports, sender, message, unsupported(NOT_COMPLETED))
  const { address, senderKey } = sender
  const command = { type: 'RotateDid', atMs: runtime.now(), senderKey, ...rotation } as const
  const rotated = await actors.ask(connection.ref(address), command, options)
  if (isRefused(rotated)) return tell(ports, sender, message, unsupported(rotated.reason))
  // The message may be a repetition of one that others came after.
  return rotated.theirDid === rotation.theirDid
    ? answer(ports, sender, message, rotationAck(message), () => whereItWrote(ports, sender))
    : tell(ports, sender, message, unsupported(NOT_THIS_DID))
}

const NOT_THIS_DID = 'The connection has another DID by now, or is closed.'

/** Where a wallet is under the key that it wrote with; the connection may be closed while its answer waits. */
const whereItWrote = async (
  { actors, runtime }: Pick<InboundPorts, 'actors' | 'runtime'>,
  { address, senderKey }: Sender,
): Promise<Recipient> => {
  const record = await actors.read(connection.ref(address))
  if (isRefused(record) || record.status === 'closed' || record.ownSeed === null) throw new RecipientGone()
  const service = serviceOfKey(record, senderKey, runtime.now())
  if (service === null) throw new RecipientGone()
  return { service, ownSeed: record.ownSeed }
}
