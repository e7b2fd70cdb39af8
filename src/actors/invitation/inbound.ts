import { createHash } from 'node:crypto'
import type { Message } from '../../didcomm/message.ts'
import { createOwnKey } from '../../didcomm/keys.ts'
import { openEnvelope, readable, type Received } from '../../didcomm/opened-envelope.ts'
import { isProblemReport } from '../../didcomm/problem-report.ts'
import { CONNECTIONS } from '../../didcomm/protocols/connections.ts'
import { handshakeRefusal, isHandshakeRequest, spokenIn } from '../../didcomm/protocols/handshake.ts'
import { unspokenReport, wantsNoAnswer } from '../../didcomm/protocols/unspoken.ts'
import { takesAnswerHere } from '../../didcomm/return-route.ts'
import { isRefused } from '../../domain/decider.ts'
import { type Ref, shardOf } from '../../domain/references.ts'
import { addressed } from '../../ports/actors.ts'
import { addressFlaw } from '../connection/address-flaw.ts'
import { answerHere } from '../connection/answers.ts'
import { laneTo } from '../connection/for-exchanges.ts'
import {
  type HandshakeRequest,
  handshakeProblem,
  parseHandshakeRequest,
  whyNotServed,
} from '../connection/messages.ts'
import { receiveRepetition } from '../connection/inbound.ts'
import { connection, type ConnectionTypes } from '../connection/rules.ts'
import type { InboundPorts } from '../kind-ports.ts'
import { type InvitationRecord, type InvitationTypes, invitation } from './rules.ts'

/**
 * One envelope that a wallet posted to the address of the invitation: the request for a connection, or a refusal of
 * what was answered, from a wallet that did not get as far as our own address for it.
 */
export const receiveFromStranger =
  (ports: InboundPorts) =>
  async (invitationId: string, envelope: string, from: string): Promise<Received> => {
    const { actors, runtime, reporter, handshakes, lateComers } = ports
    const ref = invitation.ref(invitationId)
    const record = await actors.read(ref)
    if (isRefused(record) || record.ownSeed === null) return 'refused'
    const { tenant, externalId, ownSeed: invitationSeed } = record
    const opened = openEnvelope(envelope, invitationSeed)
    if (opened === null) return 'refused'
    const { message, senderKey } = opened
    const { multiUse, winner } = record
    const connectionOf = (requestId: string) => connectionFor(ref, record, senderKey, requestId)
    if (isProblemReport(message)) return receiveProblem(ports, connectionOf(message.threadId), message)
    const self = { senderKey, ownSeed: invitationSeed }
    if (!isHandshakeRequest(message)) return notHere(self, message)
    const read = readable(() => servedRequest(ports, invitationId, senderKey, message))
    if (read === null) return 'refused'
    // No message could ever answer, so the sender hears it here, and nothing comes to be.
    if ('why' in read) return unserved(self, message, read.why)
    const { request } = read
    const connectionRef = connectionOf(message.id)
    const comesTooLate = () =>
      lateComers.answer(invitationId, connectionRef, (text) => {
        const to = { service: request.theirService, ownSeed: invitationSeed }
        const problem = { code: 'request_not_accepted', text }
        const lane = laneTo(to.service, ports.mediator.keepsFor(to.service))
        return reporter.report({ tenant, address: invitationId, lane }, async () => to, message, problem)
      })
    // An invitation for one holder lets in no more than that one, however many come, so its handshakes are not counted.
    if (!multiUse && winner !== null && winner !== connectionRef) return comesTooLate()
    const sent = { tenant, invitationId, connectionId: connectionRef, from }
    // Before any record of a stranger's choice is read.
    const tooManyBefore = multiUse ? await handshakes.refusal(sent) : null
    if (tooManyBefore !== null) return tooManyBefore
    // An invitation for one holder names its connection from the moment that there is one.
    const mayBeThere = multiUse || winner !== null
    if (mayBeThere && !isRefused(await actors.read(connectionRef)))
      return receiveRepetition(ports, connectionRef)
    const tooMany = multiUse ? handshakes.begin(sent) : null
    if (tooMany !== null) return tooMany
    const command = {
      type: 'RequestConnection',
      atMs: runtime.now(),
      tenant,
      invitationId,
      externalId,
      threadId: request.threadId,
      theirLabel: request.theirLabel,
      theirDid: request.theirDid,
      theirService: request.theirService,
      ...createOwnKey(),
      protocol: request.protocol,
      prefix: request.prefix,
    } as const
    const options = { commandId: `request:${connectionRef}`, tenant: null }
    if (multiUse || shardOf(connectionRef) !== shardOf(ref)) await actors.ask(connectionRef, command, options)
    else {
      const admit = { type: 'AdmitHolder', atMs: command.atMs, connectionId: connectionRef } as const
      const both = [addressed(ref, admit), addressed(connectionRef, command)] as const
      if (isRefused(await actors.askAtomically(both, options))) return comesTooLate()
    }
    return 'accepted'
  }

type Self = { readonly senderKey: string; readonly ownSeed: string }

/** A request that can be answered, or why it cannot. */
const servedRequest = (
  ports: Pick<InboundPorts, 'allowPrivateTargets' | 'targetPorts' | 'mediator'>,
  invitationId: string,
  senderKey: string,
  message: Message,
): { readonly request: HandshakeRequest } | { readonly why: string } => {
  const request = parseHandshakeRequest(message, (service) => addressFlaw(ports, service) === null)
  if (request === null) return { why: whyNotServed(message) }
  // Older wallets do not name what they answer, and write to its address all the same.
  const named = request.invitationId ?? (request.protocol === CONNECTIONS ? invitationId : null)
  if (named !== invitationId) return { why: 'The request does not name this invitation.' }
  // A wallet that writes with another key could never be heard again, and the invitation would be used up.
  if (!request.theirService.recipientKeys.includes(senderKey))
    return { why: 'The request is not sealed with a key of the DID that it names.' }
  const flaw = addressFlaw(ports, request.theirService)
  return flaw === null ? { request } : { why: `The address of this wallet is never written to: ${flaw}.` }
}

/** A wallet that takes an answer on the way of its message hears a problem report; any other reads the reason there. */
const unserved = (self: Self, message: Message, why: string): Received => {
  if (!takesAnswerHere(message)) return { reason: why }
  return answerHere(self, handshakeRefusal({ ...message, protocol: spokenIn(message) }, why))
}

const NOT_HERE = 'This is the address of an invitation, which takes requests to connect alone.'

const notHere = (self: Self, message: Message): Received => {
  if (wantsNoAnswer(message)) return 'refused'
  return takesAnswerHere(message) ? answerHere(self, unspokenReport(message, NOT_HERE)) : { reason: NOT_HERE }
}

/** The thread of a handshake is its request, so report and sender name the connection; nothing comes to be by asking. */
const receiveProblem = async (
  { actors, runtime }: InboundPorts,
  ref: Ref<ConnectionTypes>,
  message: Message,
): Promise<Received> => {
  const command = handshakeProblem(message, runtime.now())
  if (command === null || isRefused(await actors.read(ref))) return 'refused'
  await actors.ask(ref, command, { commandId: `${ref}:${message.id}`, tenant: null })
  return 'accepted'
}

/**
 * Made from the request itself: the same request, sent again, finds the connection it made. Only its sender knows it all.
 * The one connection of an invitation for one holder lives on its shard, so that both say in one batch who has come.
 */
const connectionFor = (
  invited: Ref<InvitationTypes>,
  { multiUse, winner }: Pick<InvitationRecord, 'multiUse' | 'winner'>,
  senderKey: string,
  requestId: string,
): Ref<ConnectionTypes> => {
  const hash = createHash('sha256')
    .update(JSON.stringify([invited, senderKey, requestId]))
    .digest()
  const on = (shard: number) => connection.newRef(shard, hash.subarray(0, 16).toString('hex'))
  const apart = on(hash[31] ?? 0)
  // Earlier releases let in a holder whose connection had a shard of its own, and its request may come again.
  return multiUse || winner === apart ? apart : on(shardOf(invited) ?? 0)
}
