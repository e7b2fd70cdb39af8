import { isRefused, type KindTypes, type Refused } from '../../domain/decider.ts'
import { shardOf, type Ref, type References } from '../../domain/references.ts'
import { addressed, type Actors } from '../../ports/actors.ts'
import type { Runtime } from '../../ports/runtime.ts'
import { connection, noSuchConnection } from './rules.ts'

/** An exchange lives on the shard of its connection, whatever a caller names; no connection at all is refused later. */
export const newExchangeId = (
  { newRef }: Pick<References<KindTypes>, 'newRef'>,
  connectionId: string,
  { newId }: Pick<Runtime, 'newId'>,
): string => newRef(shardOf(connectionId) ?? 0, newId())

/** Creates an exchange in one batch with its connection saying that it is ready. */
export const createExchange = async <Of extends KindTypes>(
  { actors }: { readonly actors: Actors },
  { tenant, connectionId }: { readonly tenant: string; readonly connectionId: string },
  exchange: Ref<Of>,
  command: NoInfer<Of>['command'],
): Promise<Of['reply'] | Refused> => {
  const ref = connection.find(connectionId)
  if (ref === null) return noSuchConnection
  const ready = addressed(ref, { type: 'RequireConnectionReady', tenant })
  const options = { commandId: `create:${exchange}`, tenant }
  const replies = await actors.askAtomically([ready, addressed(exchange, command)], options)
  if (!isRefused(replies)) return replies[1]
  // A connection that never was is refused in the words of the caller's field.
  return replies.refused === 'not_found' ? noSuchConnection : replies
}
