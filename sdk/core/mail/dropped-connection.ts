import type { DidCommConnectionRecord } from '@credo-ts/didcomm'
import { DidCommConnectionRepository, DidCommOutOfBandRepository } from '@credo-ts/didcomm'
import type { WalletAgent } from '../agent/open-agent.ts'

/** Forgets a connection that never came about, with the invitation to it, which may be taken again. Within a step. */
export const dropConnection = async (
  agent: WalletAgent,
  connectionId: string,
): Promise<DidCommConnectionRecord | null> => {
  const { context, dependencyManager } = agent
  const connections = dependencyManager.resolve(DidCommConnectionRepository)
  const invitations = dependencyManager.resolve(DidCommOutOfBandRepository)
  const connection = await connections.findById(context, connectionId)
  if (connection === null) return null
  const { outOfBandId } = connection
  const invitation = outOfBandId === undefined ? null : await invitations.findById(context, outOfBandId)
  await connections.delete(context, connection)
  if (invitation !== null) await invitations.delete(context, invitation)
  return connection
}

/** The connection that its organisation has refused, if this thread is one that waits for it. Within a step. */
export const dropRefusedConnection = async (
  agent: WalletAgent,
  threadId: string,
): Promise<DidCommConnectionRecord | null> => {
  const { context, dependencyManager } = agent
  const connections = dependencyManager.resolve(DidCommConnectionRepository)
  const [connection] = await connections.findByQuery(context, { threadId })
  if (connection === undefined || connection.isReady) return null
  return await dropConnection(agent, connection.id)
}
