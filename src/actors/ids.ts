import { createHash } from 'node:crypto'
import type { Runtime } from '../ports/runtime.ts'
import type { DefinitionName } from '../domain/ledger-names.ts'
import { actorId } from '../domain/shards.ts'

/** The shard comes from the id's own chance, so that records spread evenly. */
export const newRecordId = (kind: string, { newId }: Pick<Runtime, 'newId'>): string => {
  const unique = newId()
  return actorId(kind, createHash('sha256').update(unique).digest()[0] ?? 0, unique)
}

/** On the shard of its connection, so that both can be asked together. */
export const recordIdBeside = (kind: string, shard: number, { newId }: Pick<Runtime, 'newId'>): string =>
  actorId(kind, shard, newId())

/** The same names give the same id: what exists is found again, not made twice. */
export const schemaIdOf = (tenant: string, name: string, version: string): string =>
  hashedId('sch', [tenant, name, version])

export const definitionIdOf = (tenant: string, { did, schemaSeqNo, tag }: DefinitionName): string =>
  hashedId('def', [tenant, did, schemaSeqNo, tag])

const hashedId = (kind: string, names: readonly unknown[]): string => {
  const digest = createHash('sha256').update(JSON.stringify(names)).digest()
  return actorId(kind, digest[0] ?? 0, digest.subarray(1, 17).toString('hex'))
}
