import type { Message } from '../../didcomm/message.ts'
import { openEnvelope, readable, type Received, senderOfHead } from '../../didcomm/opened-envelope.ts'
import { isProblemReport, problemReportOf } from '../../didcomm/problem-report.ts'
import { isRefused } from '../../domain/decider.ts'
import type { AskOptions } from '../../ports/actors.ts'
import type { InboundPorts } from '../kind-ports.ts'
import { isHandshakeComplete } from './messages.ts'
import { connection, type ConnectionCommand } from './rules.ts'
import { recipientOf } from './for-exchanges.ts'

/** One envelope that a holder posted to the address of the connection. */
export const receiveFromHolder =
  (ports: InboundPorts) =>
  async (connectionId: string, envelope: string): Promise<Received> => {
    const { actors, runtime } = ports
    const ref = connection.ref(connectionId)
    const record = await actors.read(ref)
    if (isRefused(record) || record.ownSeed === null || record.theirService === null) return 'refused'
    const opened = openEnvelope(envelope, record.ownSeed)
    if (opened === null || !record.theirService.recipientKeys.includes(opened.senderKey)) return 'refused'
    const { message } = opened
    const options = { commandId: `${connectionId}:${message.id}`, tenant: null }
    const isHandshake = record.status !== 'completed' && isProblemReport(message)
    if (!isHandshakeComplete(message) && !isHandshake)
      return receiveForExchange(ports, connectionId, message, options)
    const command = handshakeCommand(message, runtime.now())
    if (command === null) return 'refused'
    await actors.ask(ref, command, options)
    return 'accepted'
  }

/** Whether the holder of the connection has sealed an envelope, of which the ciphertext is left out. */
export const isHolders =
  ({ actors }: InboundPorts) =>
  async (connectionId: string, head: string): Promise<boolean> => {
    const record = await actors.read(connection.ref(connectionId))
    if (isRefused(record) || record.ownSeed === null || record.theirService === null) return false
    const sender = senderOfHead(head, record.ownSeed)
    return sender !== null && record.theirService.recipientKeys.includes(sender)
  }

const handshakeCommand = (message: Message, atMs: number): ConnectionCommand | null => {
  if (isHandshakeComplete(message)) return { type: 'ReceiveConnectionComplete', atMs }
  const problem = readable(() => problemReportOf(message))
  return problem && { type: 'ReceiveConnectionProblem', atMs, code: problem.code, text: problem.text }
}

/** The thread of an exchange is its id, so a holder's message names the actor that it is for. */
const receiveForExchange = async (
  { actors, runtime, reporter, addresseeOf, isProposal }: InboundPorts,
  connectionId: string,
  message: Message,
  options: AskOptions,
): Promise<Received> => {
  const tell = (text: string): void => reporter.report(() => recipientOf(actors, connectionId), message, text)
  const addressee = addresseeOf(message.threadId)
  const frame = { from: connectionId, atMs: runtime.now() }
  const read = readable(() => ({ command: addressee?.commandOf(message, frame) ?? null }))
  if (read === null) return 'refused'
  if (addressee === null || read.command === null) {
    // A message that we do not speak is accepted and dropped: a refusal would make the wallet send it for ever.
    if (isProposal(message)) tell('Proposals are not taken here; wait for an offer or a request.')
    return 'accepted'
  }
  const reply = await actors.ask(addressee.to, read.command, options)
  if (isRefused(reply) && !isProblemReport(message)) tell('The exchange does not wait for this message.')
  return 'accepted'
}
