import { keyPairFromSeed } from '../../didcomm/keys.ts'
import { isRefused } from '../../domain/decider.ts'
import type { EffectContext } from '../../host/definition.ts'
import { invitation } from '../invitation/rules.ts'
import type { KindPorts } from '../kind-ports.ts'
import { handshakeResponse } from './messages.ts'
import type { ConnectionCommand, ConnectionEffect } from './rules.ts'
import { RecipientGone, hostOf, type HolderPorts } from './for-exchanges.ts'

/** The answer to the holder's request, signed and sent with the key of the invitation: the holder knows no other yet. */
export const deliverResponse = async (
  { actors, deliver, publicUrl, runtime }: HolderPorts & Pick<KindPorts, 'publicUrl'>,
  { connection }: ConnectionEffect,
  { actor, signal, forward }: EffectContext,
): Promise<ConnectionCommand> => {
  const { theirService, theirDid, ownSeed, invitationId, threadId } = connection
  if (theirService) await forward(hostOf(theirService))
  const answered = await actors.read(invitation.ref(invitationId))
  const invitationSeed = isRefused(answered) ? null : answered.ownSeed
  if (!theirService || !theirDid || !ownSeed || !invitationSeed) throw new RecipientGone()
  const own = keyPairFromSeed(Buffer.from(ownSeed, 'base64url'))
  const message = handshakeResponse({
    request: { threadId, invitationId, theirDid },
    own: {
      endpoint: `${publicUrl()}/didcomm/${actor}`,
      recipientKeys: [own.publicKeyBase58],
      routingKeys: [],
    },
    invitationKey: keyPairFromSeed(Buffer.from(invitationSeed, 'base64url')),
  })
  await deliver({ service: theirService, ownSeed: invitationSeed }, message, signal)
  return { type: 'RecordResponseDelivered', atMs: runtime.now() }
}
