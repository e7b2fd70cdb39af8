import type { DidCommConnectionRecord } from '@credo-ts/didcomm'
import {
  DidCommConnectionRepository,
  DidCommCredentialState,
  DidCommDidExchangeState,
  DidCommProofState,
} from '@credo-ts/didcomm'
import type { WalletAgent } from '../agent/open-agent.ts'
import type { ReportedChanges } from '../agent/reported-changes.ts'
import { dropConnection } from './dropped-connection.ts'
import type { Refused } from './outbox.ts'

/**
 * Whom a message was for said that it is never taken: the connection was erased there, or the invitation is used up. What
 * waits for an answer to it would wait for ever, so it ends here too: what comes back is a connection that never came
 * about. Within a step.
 */
export const endWhatWasRefused = async (
  agent: WalletAgent,
  changes: Pick<ReportedChanges, 'note'>,
  { connectionId, threadId, status }: Refused,
): Promise<DidCommConnectionRecord | null> => {
  const { context, dependencyManager, didcomm } = agent
  if (connectionId === null) return null
  const connection = await dependencyManager
    .resolve(DidCommConnectionRepository)
    .findById(context, connectionId)
  if (connection !== null && connection.state !== DidCommDidExchangeState.Completed)
    return await dropConnection(agent, connectionId)
  if (threadId === null) return null
  const errorMessage = `the other side answered ${status}`
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
