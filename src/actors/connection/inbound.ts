import type { Message } from '../../didcomm/message.ts'
import { openEnvelope, readable, type Received, senderOfHead } from '../../didcomm/opened-envelope.ts'
import type { ReportSource } from '../../didcomm/problem-reporter.ts'
import { isProblemReport, type ProblemFacts } from '../../didcomm/problem-report.ts'
import { isRefused } from '../../domain/decider.ts'
import { proposed } from '../../domain/exchange.ts'
import type { Ref } from '../../domain/references.ts'
import type { AskOptions } from '../../ports/actors.ts'
import type { InboundPorts } from '../kind-ports.ts'
import { Enclosed } from '../bodies.ts'
import { EnclosedMessages } from './enclosed.ts'
import { HANDSHAKE_OVER, handshakeProblem, isHandshakeComplete } from './messages.ts'
import { type ConnectionTypes, connection, isSaidNoMore } from './rules.ts'
import { recipientOf } from './for-exchanges.ts'

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
    if (record.ownSeed === null || record.theirService === null) return 'refused'
    const opened = openEnvelope(envelope, record.ownSeed)
    if (opened === null || !record.theirService.recipientKeys.includes(opened.senderKey)) return 'refused'
    const { message } = opened
    const options = { commandId: `${connectionId}:${message.id}`, tenant: null }
    const isCompleted = record.status === 'completed'
    const sender = { tenant: record.tenant, address: connectionId, isCompleted }
    const isHandshake = !isCompleted && isProblemReport(message)
    if (!isHandshakeComplete(message) && !isHandshake)
      return receiveForExchange(ports, enclosed, sender, message, options).catch(unlessClosed(actors, ref))
    const atMs = runtime.now()
    if (isHandshake) {
      const command = handshakeProblem(message, atMs)
      if (command === null) return 'refused'
      await actors.ask(ref, command, options)
      return 'accepted'
    }
    const completed = await actors.ask(ref, { type: 'ReceiveConnectionComplete', atMs }, options)
    return isRefused(completed) ? receiveRepetition(ports, ref) : 'accepted'
  }
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

/**
 * Who hears the reason is answered like everybody who was understood: a refusal would make the wallet send it again.
 * Before its handshake is complete a wallet is written to in the attempts of that alone, and hears the reason here.
 */
const tell = (
  { actors, reporter }: InboundPorts,
  { isCompleted, ...source }: Sender,
  message: Message,
  problem: Pick<ProblemFacts, 'code' | 'text'>,
): Received =>
  isCompleted
    ? reporter.report(source, () => recipientOf(actors, source.address), message, problem)
    : { reason: 'The connection is not completed.' }

type Sender = ReportSource & { readonly isCompleted: boolean }

/** Whether the holder of the connection has sealed an envelope, of which the ciphertext is left out. */
export const isHolders =
  ({ actors }: InboundPorts) =>
  async (connectionId: string, head: string): Promise<boolean> => {
    const record = await actors.read(connection.ref(connectionId))
    if (isRefused(record) || record.ownSeed === null || record.theirService === null) return false
    const sender = senderOfHead(head, record.ownSeed)
    return sender !== null && record.theirService.recipientKeys.includes(sender)
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
  const { actors, runtime, addresseeOf, proposalCode } = ports
  const addressee = addresseeOf(message.threadId)
  const frame = { from: sender.address, atMs: runtime.now(), prefix: message.prefix }
  const read = readable(() => ({ command: addressee?.commandOf(message, frame) ?? null }))
  if (read === null) return 'refused'
  if (addressee === null || read.command === null) {
    // A message that we do not speak is accepted and dropped: a refusal would make the wallet send it for ever.
    const code = proposalCode(message)
    return code === null ? 'accepted' : tell(ports, sender, message, { code, text: proposed.problem })
  }
  const { to } = addressee
  const { command } = read
  const reply = await (command instanceof Enclosed
    ? enclosed.ask(to, command, options)
    : actors.ask(to, command, options))
  if (!isRefused(reply) || isProblemReport(message)) return 'accepted'
  const { problemCode: code } = addressee
  return tell(ports, sender, message, { code, text: 'The exchange does not wait for this message.' })
}
