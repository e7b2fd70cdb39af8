import { chain, type Eventually } from '../domain/eventually.ts'
import { askQuestion } from './ask-question.ts'
import { kindOf, shardOf } from '../domain/shards.ts'
import type { UseCasePorts } from './command-ports.ts'

const read = {
  sch: { type: 'ReadSchema', field: 'schema' },
  def: { type: 'ReadDefinition', field: 'definition' },
  tpl: { type: 'ReadProofTemplate', field: 'template' },
  wal: { type: 'ReadWallet', field: 'wallet' },
} as const

export type ReadableKind = keyof typeof read

/** The record from its owner; null when there is none, or not of this tenant, which look the same from outside. */
export const readRecord = <Value extends { readonly tenant: string }>(
  ports: Pick<UseCasePorts, 'actors'> & { readonly askTimeoutMs?: number },
  tenant: string | null,
  kind: ReadableKind,
  id: string,
): Eventually<Value | null> => {
  if (shardOf(id) === null || kindOf(id) !== kind) return null
  const { type, field } = read[kind]
  return chain(
    askQuestion<Readonly<Record<string, unknown>>>({ askTimeoutMs: 5_000, ...ports }, id, { type }, tenant),
    (reply) => {
      const record = reply[field] as Value | undefined
      if (record === undefined || (tenant !== null && record.tenant !== tenant)) return null
      return record
    },
  )
}
