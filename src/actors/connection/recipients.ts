import type { ConnectionReply, TheirService } from './state.ts'
import type { EffectContext } from '../../host/definition.ts'
import type { Correspondent } from '../../ports/messenger.ts'
import type { Actors } from '../../ports/actors.ts'

const READ_TIMEOUT_MS = 5000

/** The record was erased in the meantime: there is nobody to write to any more. */
export class CorrespondentGone extends Error {
  constructor() {
    super('the connection has no address any more')
    this.name = 'CorrespondentGone'
  }
}

const read = async (actors: Actors, connectionId: string): Promise<Correspondent> => {
  const options = { commandId: '', timeoutMs: READ_TIMEOUT_MS, tenant: null }
  const reply = await actors.ask<ConnectionReply>(connectionId, { type: 'ReadConnection' }, options)
  if (!('connection' in reply)) throw new CorrespondentGone()
  const { theirService, ownSeed } = reply.connection
  if (theirService === null || ownSeed === null) throw new CorrespondentGone()
  return { service: theirService, ownSeed }
}

/** Asked at the moment of writing: the connection is the only one that knows its keys, and it may be erased while we wait. */
export const correspondentOf = async (
  actors: Actors,
  connectionId: string,
  forward: EffectContext['forward'] = noLine,
): Promise<Correspondent> => {
  const found = await read(actors, connectionId)
  const turn = forward(recipientOf(found.service))
  if (turn === null) return found
  await turn
  return read(actors, connectionId)
}

const noLine = (): null => null

/** Who hangs when this one hangs: the wallet's mediator or, without one, the wallet. */
export const recipientOf = ({ endpoint }: TheirService): string =>
  URL.canParse(endpoint) ? new URL(endpoint).host : endpoint
