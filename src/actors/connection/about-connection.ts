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
import type { WalletFormat } from '../../domain/wallet-formats.ts'
import type { AskOptions } from '../../ports/actors.ts'
import { walletFlaw } from '../../egress/target.ts'
import { invitation } from '../invitation/rules.ts'
import type { InboundPorts } from '../kind-ports.ts'
import { answer, NOT_COMPLETED, type Sender, tell } from './answers.ts'
import { connection } from './rules.ts'
import { serviceOfKey } from './wallet-ways.ts'

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
  if (isHangup(message)) {
    const { actors, runtime } = ports
    await actors.ask(connection.ref(sender.address), { type: 'ReceiveHangup', atMs: runtime.now() }, options)
    return 'accepted'
  }
  return null
}

/** What a wallet has written in, or says that it knows, is how the next exchange with it is opened. */
export const noteFormats = async (
  { actors, runtime }: InboundPorts,
  { address, formats }: Sender,
  shown: readonly WalletFormat[],
): Promise<Received> => {
  const seen = shown.filter((format) => !formats.includes(format))
  if (seen.length === 0) return 'accepted'
  const options = { commandId: `formats:${address}:${seen.join('+')}`, tenant: null }
  const command = { type: 'RecordFormats', atMs: runtime.now(), formats: seen } as const
  await actors.ask(connection.ref(address), command, options)
  return 'accepted'
}

/** The invitation is used by the connection that there is, as it would be by a new one. */
const receiveReuse = async (ports: InboundPorts, sender: Sender, message: Message): Promise<Received> => {
  const { actors, runtime } = ports
  const refused = (text: string) => tell(ports, sender, message, { code: REUSE_REFUSED, text })
  const ref = message.parentThreadId === null ? null : invitation.find(message.parentThreadId)
  const invited = ref === null ? null : await actors.read(ref)
  if (ref === null || invited === null || isRefused(invited) || invited.tenant !== sender.tenant)
    return refused('There is no such invitation here.')
  if (!sender.isCompleted) return refused(NOT_COMPLETED)
  const admit = { type: 'AdmitHolder', atMs: runtime.now(), connectionId: sender.address } as const
  const commandId = `admit:${sender.address}`
  const admitted = await actors.ask(ref, admit, { commandId, tenant: null })
  return isRefused(admitted)
    ? refused('This invitation is not open to you: it was for one holder.')
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
  const rotation = rotationIn(message)
  if ('code' in rotation) return tell(ports, sender, message, rotation)
  const flaw = walletFlaw(rotation.theirService.endpoint, ports)
  if (flaw !== null)
    return tell(ports, sender, message, unsupported(`Its address is never written to: ${flaw}.`))
  const ref = connection.ref(sender.address)
  const before = await actors.read(ref)
  const service = isRefused(before) ? null : serviceOfKey(before, sender.senderKey, runtime.now())
  if (!sender.isCompleted || service === null) return tell(ports, sender, message, unsupported(NOT_COMPLETED))
  const rotated = await actors.ask(ref, { type: 'RotateDid', atMs: runtime.now(), ...rotation }, options)
  if (isRefused(rotated)) return 'refused'
  const { ownSeed } = sender
  return answer(ports, sender, message, rotationAck(message), async () => ({ service, ownSeed }))
}
