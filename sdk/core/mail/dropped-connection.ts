import { DidCommConnectionRepository, DidCommOutOfBandRepository } from '@credo-ts/didcomm'
import type { WalletAgent } from '../agent/open-agent.ts'

/** Forgets a connection that never came about, with the invitation to it, which may be taken again. Within a step. */
export const dropConnection = async (agent: WalletAgent, connectionId: string): Promise<void> => {
  const { context, dependencyManager } = agent
  const connections = dependencyManager.resolve(DidCommConnectionRepository)
  const invitations = dependencyManager.resolve(DidCommOutOfBandRepository)
  const connection = await connections.findById(context, connectionId)
  if (connection === null) return
  const { outOfBandId } = connection
  const invitation = outOfBandId === undefined ? null : await invitations.findById(context, outOfBandId)
  await connections.delete(context, connection)
  if (invitation !== null) await invitations.delete(context, invitation)
}
