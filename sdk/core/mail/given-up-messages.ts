import type { DidCommConnectionRecord } from '@credo-ts/didcomm'
import {
  DidCommConnectionRepository,
  DidCommCredentialState,
  DidCommDidExchangeState,
  DidCommProofState,
} from '@credo-ts/didcomm'
import type { WalletAgent } from '../agent/open-agent.ts'
import type { ReportedChanges } from '../agent/reported-changes.ts'
import { WalletError } from '../wallet-error.ts'
import { dropConnection } from './dropped-connection.ts'
import type { GivenUp } from './outbox.ts'

/**
 * Whom a message was for said that it is never taken (the connection was erased there, or the invitation is used up), or
 * nobody took it for days. What waits for an answer to it would wait for ever, so it ends here too: what comes back is a
 * connection that never came about. Within a step.
 */
export const endWhatWaitsFor = async (
  agent: WalletAgent,
  changes: Pick<ReportedChanges, 'note'>,
  { connectionId, threadId, status }: GivenUp,
): Promise<DidCommConnectionRecord | null> => {
  const { context, dependencyManager, didcomm } = agent
  if (connectionId === null) return null
  const connection = await dependencyManager
    .resolve(DidCommConnectionRepository)
    .findById(context, connectionId)
  if (connection !== null && connection.state !== DidCommDidExchangeState.Completed)
    return await dropConnection(agent, connectionId)
  if (threadId === null) return null
  const errorMessage = status === null ? 'nobody took the message' : `the other side answered ${status}`
  for (const record of await didcomm.credentials.findAllByQuery({ threadId, connectionId })) {
    Object.assign(record, { errorMessage, state: DidCommCredentialState.Abandoned })
    await didcomm.credentials.update(record)
    changes.note('offer', record.id)
  }
  for (const record of await didcomm.proofs.findAllByQuery({ threadId, connectionId })) {
    Object.assign(record, { errorMessage, state: DidCommProofState.Abandoned })
    await didcomm.proofs.update(record)
    changes.note('proofRequest', record.id)
  }
  return null
}

/** What the app hears of it. */
export const whyGivenUp = ({ status }: Pick<GivenUp, 'status'>, isMediator: boolean): WalletError => {
  const kind = isMediator ? 'MediatorUnavailable' : 'PlatformError'
  return status === null
    ? new WalletError(kind, 'a message was given up that nobody took', { code: 'message_not_taken' })
    : new WalletError(kind, `a message was answered ${status}`, { code: 'message_refused' })
}
