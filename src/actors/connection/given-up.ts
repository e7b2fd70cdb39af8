import type { Message } from '../../didcomm/message.ts'
import type { Received } from '../../didcomm/opened-envelope.ts'
import type { ProblemReporter } from '../../didcomm/problem-reporter.ts'
import { isRefused } from '../../domain/decider.ts'
import type { Actors } from '../../ports/actors.ts'
import type { Recipient } from '../../ports/wallets.ts'
import { invitation } from '../invitation/rules.ts'
import type { ConnectionRecord } from './state.ts'

/** Says to a wallet that its handshake is over. Who has not completed it may know no key of ours but the invitation's. */
export const tellGivenUp = (
  { actors, reporter }: { readonly actors: Pick<Actors, 'read'>; readonly reporter: ProblemReporter },
  { tenant, invitationId, theirService, protocol, prefix, threadId }: ConnectionRecord,
): Received => {
  const recipient = async (): Promise<Recipient> => {
    const answered = await actors.read(invitation.ref(invitationId))
    if (isRefused(answered) || answered.ownSeed === null || theirService === null)
      throw new Error('the wallet of the handshake has no address any more')
    return { service: theirService, ownSeed: answered.ownSeed }
  }
  const request: Message = {
    id: threadId,
    prefix,
    type: `${protocol}/request`,
    threadId,
    parentThreadId: invitationId,
    body: {},
  }
  const problem = { code: 'request_not_accepted', text: 'The connection was given up before.' }
  reporter.report({ tenant, address: invitationId }, recipient, request, problem)
  return 'accepted'
}
