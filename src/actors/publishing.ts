import { isRefused, type KindTypes, type Refused } from '../domain/decider.ts'
import {
  attemptOf,
  type EndorsementMode,
  type Publishing,
  type PublishingCommand,
} from '../domain/publishing.ts'
import type { References } from '../domain/references.ts'
import type { ApiPorts } from './kind-ports.ts'
import { countLedgerWrite } from './ledger-ceiling/commands.ts'
import { ownRecord } from './own-record.ts'
import { readTenant } from './tenant/read.ts'
import { endorsementModeOf } from './tenant/rules.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime'>

/** A kind whose rules are those of `src/domain/publishing.ts`. */
export type PublishedTypes = KindTypes & {
  readonly reply: Publishing
  readonly views: { readonly record: Publishing }
}
export type PublishedReferences<Of extends PublishedTypes> = References<Of> &
  ([PublishingCommand] extends [Of['command']] ? unknown : never)

/** What is ordered, and which organisation orders it. */
type Ordered<Of extends PublishedTypes> = {
  readonly tenant: string
  readonly references: PublishedReferences<Of>
  readonly id: string
}

/** Another attempt, of what has failed: one more write of the day, and one more endorsement where an operator decides. */
export const retryPublishing = async <Of extends PublishedTypes>(
  ports: Ports,
  ordered: Ordered<Of>,
): Promise<Of['reply'] | Refused | null> => {
  const { tenant, references, id } = ordered
  const record: Publishing | null = await ownRecord<Of>(ports, references, tenant, id)
  if (record === null) return null
  const known = await readTenant(ports, tenant)
  if (isRefused(known)) return known
  if (record.status === 'failed') {
    const counted = await countLedgerWrite(ports, tenant, `${id}:${attemptOf(record) + 1}`)
    if (isRefused(counted)) return counted
  }
  const endorsement: EndorsementMode = endorsementModeOf(known)
  return tell(ports, ordered, { type: 'RetryPublishing', atMs: ports.runtime.now(), endorsement })
}

export const deprecate = async <Of extends PublishedTypes>(
  ports: Ports,
  ordered: Ordered<Of>,
): Promise<Of['reply'] | Refused | null> => {
  const { tenant, references, id } = ordered
  if ((await ownRecord<Of>(ports, references, tenant, id)) === null) return null
  return tell(ports, ordered, { type: 'Deprecate', atMs: ports.runtime.now() })
}

const tell = <Of extends PublishedTypes>(
  { actors, runtime }: Ports,
  { references, id }: Ordered<Of>,
  command: PublishingCommand,
): Promise<Of['reply'] | Refused> => {
  const options = { commandId: `${command.type}:${runtime.newId()}`, tenant: null }
  return actors.ask<Of>(references.ref(id), command, options)
}
