import { createHash } from 'node:crypto'
import type { KindTypes } from '../domain/decider.ts'
import type { Ref, References } from '../domain/references.ts'
import { actorId, shardOf } from '../domain/shards.ts'
import type { Runtime } from '../ports/runtime.ts'

/** The shard comes from the id's own chance, so that records spread evenly. */
export const newRef = <Of extends KindTypes>(
  references: References<Of>,
  { newId }: Pick<Runtime, 'newId'>,
): Ref<Of> => {
  const unique = newId()
  return references.newRef(createHash('sha256').update(unique).digest()[0] ?? 0, unique)
}

/** The same names give the same id: what exists is found again, not made twice. */
export const refOfNames = <Of extends KindTypes>(
  references: References<Of>,
  names: readonly unknown[],
): Ref<Of> => {
  const digest = createHash('sha256').update(JSON.stringify(names)).digest()
  return references.newRef(digest[0] ?? 0, digest.subarray(1, 17).toString('hex'))
}

/** For kinds that have no typed references yet. */
export const newRecordId = (kind: string, { newId }: Pick<Runtime, 'newId'>): string => {
  const unique = newId()
  return actorId(kind, createHash('sha256').update(unique).digest()[0] ?? 0, unique)
}

/** On the shard of its connection, so that both can be asked together. */
export const recordIdBeside = (kind: string, shard: number, { newId }: Pick<Runtime, 'newId'>): string =>
  actorId(kind, shard, newId())

/** Beside a connection as a caller names it; what is no connection is refused later, under any id. */
export const recordIdBesideConnection = (
  kind: string,
  connectionId: string,
  runtime: Pick<Runtime, 'newId'>,
): string => recordIdBeside(kind, shardOf(connectionId) ?? 0, runtime)
