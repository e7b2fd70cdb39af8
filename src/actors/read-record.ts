import { afterwards, askQuestion } from './ask-question.ts'
import type { UseCasePorts } from './command-ports.ts'
import type { KindTypes } from '../domain/decider.ts'
import { chain, type Eventually } from '../domain/eventually.ts'
import type { References } from '../domain/references.ts'
import { isRefused } from '../domain/refused.ts'
import { kindOf, shardOf } from '../domain/shards.ts'
import { problem } from '../http/route/problem.ts'
import { reply } from '../http/route/route.ts'
import type { Actors } from '../ports/actors.ts'

type OfTenant = KindTypes & { readonly views: { readonly record: { readonly tenant: string } } }

/** Null when there is no such record, or it is another organisation's, which look the same from outside. */
export const recordOfTenant = <Of extends OfTenant>(
  { actors }: { readonly actors: Actors },
  references: References<Of>,
  tenant: string,
  id: string,
): Eventually<Of['views']['record'] | null> => {
  const ref = references.find(id)
  if (ref === null) return null
  return chain(actors.read<Of, 'record'>(ref, { tenant }), (record) =>
    isRefused(record) || record.tenant !== tenant ? null : record,
  )
}

/** The answer to a caller who asks for a record by its id; `name` says which kind was not found. */
export const shownOrNotFound = <View>(found: Eventually<View | null>, name: string) =>
  chain(found, (view) =>
    view === null ? problem('not_found', `There is no ${name} with this id.`) : reply(200, view),
  )

const read = {
  con: { type: 'ReadConnection', field: 'connection' },
  cre: { type: 'ReadCredential', field: 'credential' },
  pro: { type: 'ReadProof', field: 'proof' },
} as const

export type ReadableKind = keyof typeof read

/** For kinds that have no typed references yet. */
export const readRecord = <Value extends { readonly tenant: string }>(
  ports: Pick<UseCasePorts, 'actors' | 'askTimeoutMs'>,
  tenant: string | null,
  kind: ReadableKind,
  id: string,
): Value | null | Promise<Value | null> => {
  if (shardOf(id) === null || kindOf(id) !== kind) return null
  const { type, field } = read[kind]
  return afterwards(askQuestion<Readonly<Record<string, unknown>>>(ports, id, { type }, tenant), (answer) => {
    const record = answer[field] as Value | undefined
    if (record === undefined || (tenant !== null && record.tenant !== tenant)) return null
    return record
  })
}
