import { createHash } from 'node:crypto'
import { createKeyPair, seedOf } from '../../didcomm/keys.ts'
import { openEnvelope, readable, type Received } from '../../didcomm/opened-envelope.ts'
import { isRefused } from '../../domain/decider.ts'
import type { Ref } from '../../domain/references.ts'
import { isHandshakeRequest, parseHandshakeRequest } from '../connection/messages.ts'
import { connection, type ConnectionTypes } from '../connection/rules.ts'
import type { InboundPorts } from '../kind-ports.ts'
import { invitation, type InvitationRecord } from './rules.ts'

/** One envelope that a wallet posted to the address of the invitation: the request for a connection. */
export const receiveFromStranger =
  ({ actors, runtime, reporter, handshakes }: InboundPorts) =>
  async (invitationId: string, envelope: string, from: string): Promise<Received> => {
    const ref = invitation.ref(invitationId)
    const record = await actors.read(ref)
    if (isRefused(record) || record.ownSeed === null) return 'refused'
    const { tenant, externalId, ownSeed: invitationSeed } = record
    const opened = openEnvelope(envelope, invitationSeed)
    if (opened === null || !isHandshakeRequest(opened.message)) return 'refused'
    const { message, senderKey } = opened
    const request = readable(() => parseHandshakeRequest(message))
    if (!request || request.invitationId !== invitationId) return 'refused'
    // A wallet that writes with another key could never be heard again, and the invitation would be used up.
    if (!request.theirService.recipientKeys.includes(senderKey)) return 'refused'
    const connectionRef = connectionFor(invitationId, senderKey, message.id)
    if (!isRefused(await actors.read(connectionRef))) {
      // A command of its own each time: what it leads to depends on when it comes.
      const commandId = `repeat:${connectionRef}:${runtime.newId()}`
      await actors.ask(
        connectionRef,
        { type: 'RepeatRequest', atMs: runtime.now() },
        { commandId, tenant: null },
      )
      return 'accepted'
    }
    const tooMany = isFor(record, connectionRef)
      ? null
      : await handshakes.begin({ tenant, invitationId, from })
    if (tooMany !== null) return tooMany
    const admit = { type: 'AdmitHolder', atMs: runtime.now(), connectionId: connectionRef } as const
    const admitted = await actors.ask(ref, admit, { commandId: `admit:${connectionRef}`, tenant: null })
    if (isRefused(admitted)) {
      const to = { service: request.theirService, ownSeed: invitationSeed }
      const text = 'This invitation is not open to you: it was for one holder.'
      reporter.report(async () => to, message, text)
      return 'refused'
    }
    const own = createKeyPair()
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
      ownSeed: seedOf(own).toString('base64url'),
      ownKey: own.publicKeyBase58,
    } as const
    await actors.ask(connectionRef, command, { commandId: `request:${connectionRef}`, tenant: null })
    return 'accepted'
  }

/** An invitation for one holder lets in no more than that one, however many come. */
const isFor = ({ multiUse, winner }: InvitationRecord, connectionRef: string): boolean =>
  !multiUse && (winner === null || winner === connectionRef)

/** Made from the request itself: the same request, sent again, finds the connection it made. Only its sender knows it all. */
const connectionFor = (invitationId: string, senderKey: string, requestId: string): Ref<ConnectionTypes> => {
  const hash = createHash('sha256')
    .update(JSON.stringify([invitationId, senderKey, requestId]))
    .digest()
  return connection.newRef(hash[31] ?? 0, hash.subarray(0, 16).toString('hex'))
}
