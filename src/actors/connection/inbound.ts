import type { Message } from '../../didcomm/message.ts'
import { openEnvelope, readable, type Received, senderOfHead } from '../../didcomm/opened-envelope.ts'
import { isProblemReport } from '../../didcomm/problem-report.ts'
import { CONNECTIONS } from '../../didcomm/protocols/connections.ts'
import { isHandshakeComplete } from '../../didcomm/protocols/did-exchange.ts'
import { unspokenReport, wantsNoAnswer } from '../../didcomm/protocols/unspoken.ts'
import { isRefused } from '../../domain/decider.ts'
import { proposed } from '../../domain/exchange.ts'
import type { Ref } from '../../domain/references.ts'
import type { AskOptions } from '../../ports/actors.ts'
import type { Addressee, InboundPorts } from '../kind-ports.ts'
import { Enclosed } from '../bodies.ts'
import { noteFormats, receiveAboutConnection } from './about-connection.ts'
import { answer, type Sender, tell } from './answers.ts'
import { EnclosedMessages } from './enclosed.ts'
import { laneTo } from './for-exchanges.ts'
import { HANDSHAKE_OVER, handshakeProblem } from './messages.ts'
import { type ConnectionTypes, connection, HANDSHAKE_STATES, isSaidNoMore } from './rules.ts'
import { serviceOfKey } from './wallet-ways.ts'

/** One envelope that a holder posted to the address of the connection. */
export const receiveFromHolder = (ports: InboundPorts) => {
  const enclosed = new EnclosedMessages(ports)
  return async (connectionId: string, envelope: string): Promise<Received> => {
    const { actors, runtime } = ports
    const ref = connection.ref(connectionId)
    const record = await actors.read(ref)
    if (isRefused(record)) return 'refused'
    // Its keys are gone or about to go, so no answer can be promised; a refusal would make the wallet send it again.
    if (record.status === 'closed') return 'accepted'
    const { tenant, ownSeed, formats, formatsAtMs, status } = record
    if (ownSeed === null || record.theirService === null) return 'refused'
    const opened = openEnvelope(envelope, ownSeed)
    const service = opened && serviceOfKey(record, opened.senderKey, runtime.now())
    if (!opened || !service) return 'refused'
    const { message, senderKey } = opened
    const options = { commandId: `${connectionId}:${message.id}`, tenant: null }
    const lane = laneTo(service, ports.mediator.keepsFor(service))
    const known = { tenant, address: connectionId, lane, senderKey, ownSeed, seen: { formats, formatsAtMs } }
    const atMs = runtime.now()
    if (status !== 'completed' && isProblemReport(message)) {
      const command = handshakeProblem(message, atMs)
      if (command === null) return 'refused'
      await actors.ask(ref, command, options)
      return 'accepted'
    }
    if (isHandshakeComplete(message)) {
      const completed = await actors.ask(ref, { type: 'ReceiveConnectionComplete', atMs }, options)
      return isRefused(completed) ? receiveRepetition(ports, ref) : 'accepted'
    }
    // The older handshake has no word for its end: who writes to our own address for the wallet has our answer.
    const completes = record.protocol === CONNECTIONS && HANDSHAKE_STATES.includes(status)
    const isCompleted = completes ? await complete(ports, ref, message) : status === 'completed'
    const sender = { ...known, isCompleted }
    return (
      (await receiveAboutConnection(ports, sender, message, options)) ??
      receiveForExchange(ports, enclosed, sender, message, options).catch(unlessClosed(actors, ref))
    )
  }
}

/** Whether it is completed now. */
const complete = async (
  { actors, runtime }: InboundPorts,
  ref: Ref<ConnectionTypes>,
  message: Message,
): Promise<boolean> => {
  const options = { commandId: `complete:${ref}:${message.id}`, tenant: null }
  return !isRefused(
    await actors.ask(ref, { type: 'ReceiveConnectionComplete', atMs: runtime.now() }, options),
  )
}

/**
 * A wallet waits for what comes of its handshake and has written once more: it gets that again, within the attempts of
 * its handshake, or hears here that it is over and no message comes.
 */
export const receiveRepetition = async (
  { actors, runtime }: Pick<InboundPorts, 'actors' | 'runtime'>,
  ref: Ref<ConnectionTypes>,
): Promise<Received> => {
  // A command of its own each time: what it leads to depends on when it comes.
  const options = { commandId: `repeat:${ref}:${runtime.newId()}`, tenant: null }
  const record = await actors.ask(ref, { type: 'RepeatRequest', atMs: runtime.now() }, options)
  return !isRefused(record) && isSaidNoMore(record) ? { reason: HANDSHAKE_OVER } : 'accepted'
}

/** Whether the holder of the connection has sealed an envelope, of which the ciphertext is left out. */
export const isHolders =
  ({ actors, runtime }: InboundPorts) =>
  async (connectionId: string, head: string): Promise<boolean> => {
    const record = await actors.read(connection.ref(connectionId))
    if (isRefused(record) || record.ownSeed === null || record.theirService === null) return false
    const sender = senderOfHead(head, record.ownSeed)
    return sender !== null && serviceOfKey(record, sender, runtime.now()) !== null
  }

/** An erasure that came in between has taken the keys with which the exchange would write the message down. */
const unlessClosed =
  (actors: InboundPorts['actors'], ref: Ref<ConnectionTypes>) =>
  async (error: unknown): Promise<Received> => {
    const record = await actors.read(ref)
    if (isRefused(record) || record.status !== 'closed') throw error
    return 'accepted'
  }

/** The thread of an exchange is its id, so a holder's message names the actor that it is for. */
const receiveForExchange = async (
  ports: InboundPorts,
  enclosed: EnclosedMessages,
  sender: Sender,
  message: Message,
  options: AskOptions,
): Promise<Received> => {
  const { actors, runtime, addresseeOf } = ports
  const addressee = addresseeOf(message.threadId) ?? reportedOn(ports, message)
  const frame = { from: sender.address, atMs: runtime.now(), prefix: message.prefix }
  const read = readable(() => ({ command: addressee?.commandOf(message, frame) ?? null }))
  if (read === null) return 'refused'
  if (addressee === null || read.command === null) return receiveUnspoken(ports, sender, message)
  const { to } = addressee
  const { command } = read
  const reply = await (command instanceof Enclosed
    ? enclosed.ask(to, command, options)
    : actors.ask(to, command, options))
  if (!isRefused(reply)) return noteFormats(ports, sender, addressee.formatsShown(message))
  if (isProblemReport(message)) return 'accepted'
  const { problemCode: code } = addressee
  return tell(ports, sender, message, { code, text: 'The exchange does not wait for this message.' })
}

/** What a report is about that has a thread of its own, below the message that its wallet could not read. */
const reportedOn = ({ addresseeOf }: InboundPorts, message: Message): Addressee | null => {
  const { parentThreadId } = message
  const above = parentThreadId !== null && isProblemReport(message) ? addresseeOf(parentThreadId) : null
  return above?.isReportedBelow === true ? above : null
}

/** Messages that begin or belong to no exchange of ours. A refusal would make the wallet send them for ever. */
const receiveUnspoken = async (ports: InboundPorts, sender: Sender, message: Message): Promise<Received> => {
  const code = ports.proposalCode(message)
  if (code !== null) return tell(ports, sender, message, { code, text: proposed.problem })
  return wantsNoAnswer(message) ? 'accepted' : answer(ports, sender, message, unspokenReport(message))
}
