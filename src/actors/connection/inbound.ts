import { createHash } from 'node:crypto'
import type { Correspondent } from '../../ports/messenger.ts'
import type { Actors, OldAskOptions } from '../../ports/actors.ts'
import type { Runtime } from '../../ports/runtime.ts'
import type { ConnectionReply } from './state.ts'
import type { InvitationReply } from '../invitation/rules.ts'
import { actorId, kindOf, shardOf } from '../../domain/shards.ts'
import { unpack } from '../../didcomm/envelope.ts'
import { exchangeCommandOf } from './inbound-exchange.ts'
import { createKeyPair, keyPairFromSeed, seedOf } from '../../didcomm/keys.ts'
import type { Message } from '../../didcomm/message.ts'
import { parseMessage } from '../../didcomm/message.ts'
import { isHandshakeComplete, isHandshakeRequest, parseHandshakeRequest } from './messages.ts'
import { isCredentialProposal } from '../credential/messages.ts'
import { isProofProposal } from '../proof/messages.ts'
import { isProblemReport, problemReportOf } from '../../didcomm/problem-report.ts'

export type InboundPorts = {
  readonly actors: Actors
  readonly runtime: Pick<Runtime, 'now'>
  readonly askTimeoutMs: number
  /** Tells the holder, at best effort, that a message came too late or out of turn. */
  readonly tellProblem: (connectionId: string, message: Message, text: string) => void
  /** The same for a holder with whom there is no connection. */
  readonly tellStranger: (to: Correspondent, message: Message, text: string) => void
}

/** `refused`: nothing we can read, or nobody here it is for; the sender learns no more than that. */
export type Received = 'accepted' | 'refused'

/** One envelope that arrived at `/didcomm/{address}`. Resolves after everything it caused is durable. */
export const receiveEnvelope = async (
  ports: InboundPorts,
  address: string,
  envelope: string,
): Promise<Received> => {
  const kind = shardOf(address) === null ? '' : kindOf(address)
  if (kind === 'inv') return receiveForInvitation(ports, address, envelope)
  if (kind === 'con') return receiveForConnection(ports, address, envelope)
  return 'refused'
}

const receiveForInvitation = async (
  ports: InboundPorts,
  invitationId: string,
  envelope: string,
): Promise<Received> => {
  const read = await ports.actors.ask<InvitationReply>(
    invitationId,
    { type: 'ReadInvitation' },
    options(ports, ''),
  )
  if (!('invitation' in read) || read.invitation.ownSeed === null) return 'refused'
  const { tenant, externalId, ownSeed: invitationSeed } = read.invitation
  const opened = open(envelope, invitationSeed)
  const message = opened?.message ?? null
  if (!opened?.senderKey || !message || !isHandshakeRequest(message)) return 'refused'
  const request = readable(() => parseHandshakeRequest(message))
  if (!request || request.invitationId !== invitationId) return 'refused'
  // Whoever writes with another key could never be heard again, and the invitation would be used up.
  if (!request.theirService.recipientKeys.includes(opened.senderKey)) return 'refused'
  const connectionId = connectionIdFor(invitationId, opened.senderKey, message.id)
  const admit = { type: 'AdmitHolder', atMs: ports.runtime.now(), connectionId }
  const admitted = await ports.actors.ask<InvitationReply>(
    invitationId,
    admit,
    options(ports, `admit:${connectionId}`),
  )
  if (!('invitation' in admitted)) {
    const to = { service: request.theirService, ownSeed: invitationSeed }
    ports.tellStranger(to, message, 'This invitation is not open to you: it was for one holder.')
    return 'refused'
  }
  const own = createKeyPair()
  const command = {
    type: 'RequestConnection',
    atMs: ports.runtime.now(),
    tenant,
    invitationId,
    externalId,
    threadId: request.threadId,
    theirLabel: request.theirLabel,
    theirDid: request.theirDid,
    theirService: request.theirService,
    ownSeed: seedOf(own).toString('base64url'),
    ownKey: own.publicKeyBase58,
  }
  await ports.actors.ask<ConnectionReply>(connectionId, command, options(ports, `request:${connectionId}`))
  return 'accepted'
}

const receiveForConnection = async (
  ports: InboundPorts,
  connectionId: string,
  envelope: string,
): Promise<Received> => {
  const read = await ports.actors.ask<ConnectionReply>(
    connectionId,
    { type: 'ReadConnection' },
    options(ports, ''),
  )
  if (!('connection' in read)) return 'refused'
  const { ownSeed, theirService, status } = read.connection
  if (ownSeed === null || theirService === null) return 'refused'
  const opened = open(envelope, ownSeed)
  const message = opened?.message ?? null
  if (!message || !opened?.senderKey || !theirService.recipientKeys.includes(opened.senderKey))
    return 'refused'
  const commandId = `${connectionId}:${message.id}`
  const atMs = ports.runtime.now()
  if (isHandshakeComplete(message)) {
    await ports.actors.ask(
      connectionId,
      { type: 'ReceiveConnectionComplete', atMs },
      options(ports, commandId),
    )
    return 'accepted'
  }
  if (isProblemReport(message) && status !== 'completed') {
    const problem = readable(() => problemReportOf(message))
    if (problem === null) return 'refused'
    const { code, text } = problem
    await ports.actors.ask(
      connectionId,
      { type: 'ReceiveConnectionProblem', atMs, code, text },
      options(ports, commandId),
    )
    return 'accepted'
  }
  return receiveForExchange(ports, connectionId, message, commandId)
}

const receiveForExchange = async (
  ports: InboundPorts,
  connectionId: string,
  message: Message,
  commandId: string,
): Promise<Received> => {
  const read = readable(() => ({ found: exchangeCommandOf(message, connectionId, ports.runtime.now()) }))
  if (read === null) return 'refused'
  const { found } = read
  if (!found) {
    // What we don't speak is accepted and dropped: a refusal would make the wallet send it for ever.
    if (isCredentialProposal(message) || isProofProposal(message)) {
      ports.tellProblem(
        connectionId,
        message,
        'Proposals are not taken here; wait for an offer or a request.',
      )
    }
    return 'accepted'
  }
  const reply = await ports.actors.ask<{ met?: string; refused?: string }>(
    found.exchange,
    found.command,
    options(ports, commandId),
  )
  const late = reply.met === 'late' || reply.met === 'unexpected' || reply.refused !== undefined
  if (late && !isProblemReport(message))
    ports.tellProblem(connectionId, message, 'The exchange does not wait for this message.')
  return 'accepted'
}

type Opened = { readonly message: Message | null; readonly senderKey: string | null }

const open = (envelope: string, ownSeed: string): Opened | null => {
  const own = keyPairFromSeed(Buffer.from(ownSeed, 'base64url'))
  return readable(() => {
    const { message, senderKey } = unpack(envelope, (key) => (key === own.publicKeyBase58 ? own : null))
    return { message: parseMessage(message), senderKey }
  })
}

/** Null for what can't be read, whatever stumbles over it: nothing that a stranger writes is a failure of ours. */
const readable = <Value>(read: () => Value | null): Value | null => {
  try {
    return read()
  } catch {
    return null
  }
}

const options = (ports: InboundPorts, commandId: string): OldAskOptions => ({
  commandId,
  timeoutMs: ports.askTimeoutMs,
  tenant: null,
})

/** Made from the request itself: the same request, sent again, finds the connection it made. Only its sender knows it all. */
const connectionIdFor = (invitationId: string, senderKey: string, requestId: string): string => {
  const hash = createHash('sha256')
    .update(JSON.stringify([invitationId, senderKey, requestId]))
    .digest()
  return actorId('con', hash[31] ?? 0, hash.subarray(0, 16).toString('hex'))
}
