import type { KindPorts } from '../../actors/kind-ports.ts'
import { beginDeletion, restoreTenant, setRetention } from '../../actors/tenant/commands.ts'
import { deleteRecords } from '../../actors/tenant/deletion.ts'
import { readTenant } from '../../actors/tenant/read.ts'
import { tenant } from '../../actors/tenant/rules.ts'
import { isRefused } from '../../domain/decider.ts'
import { isWaitedFor } from '../../ports/parking.ts'
import type { DurableActors } from '../durable-actors.ts'
import type { CalledBackLine, DeletionLine, OrganisationLine, PeriodLine } from './erasure-file.ts'
import type { OrganisationLines } from './organisation-lines.ts'
import { patiently } from './patiently.ts'

/** Organisations by what became of a type of line about them. */
type Outcomes = Readonly<Record<'done' | 'before' | 'unknown' | 'unreadable', string[]>>
type Outcome = Exclude<keyof Outcomes, 'unreadable'>

/** Nothing is removed here, so that neither the order of lines nor that of files matters. */
export const decideAgain = async (durable: DurableActors, lines: OrganisationLines) => {
  const calledBack = await outcomesOf(durable, lines.calledBack, callBack)
  const deletions = await outcomesOf(durable, lines.deletions, begin)
  const periods = await outcomesOf(durable, lines.periods, putInForce)
  // All other keys of the organisation are below this one.
  for (const organisation of deletions.unreadable) await durable.vault.eraseTenant(organisation)
  const all = [calledBack, deletions, periods]
  return { calledBack, deletions, periods, unreadable: new Set(all.flatMap(({ unreadable }) => unreadable)) }
}

const outcomesOf = async <Line extends OrganisationLine>(
  durable: DurableActors,
  lines: ReadonlyMap<string, Line>,
  decide: (durable: DurableActors, line: Line) => Promise<Outcome>,
): Promise<Outcomes> => {
  const outcomes: Outcomes = { done: [], before: [], unknown: [], unreadable: [] }
  for (const line of lines.values()) {
    const outcome = await patiently(durable, () => decide(durable, line)).catch((error: unknown) => {
      if (isWaitedFor(error)) throw error
      return 'unreadable' as const
    })
    outcomes[outcome].push(line.organisation)
  }
  return outcomes
}

/** Where what was restored has the order that was called back, and no later one. */
const callBack = async (
  durable: DurableActors,
  { organisation, deletionCalledBackAt }: CalledBackLine,
): Promise<Outcome> => {
  const found = await readTenant(durable, organisation)
  if (isRefused(found)) return 'unknown'
  const atMs = Date.parse(deletionCalledBackAt)
  if (found.status !== 'deletion_ordered' || (found.deletion?.orderedAtMs ?? atMs) >= atMs) return 'before'
  return isRefused(await restoreTenant(durable, organisation, atMs)) ? 'before' : 'done'
}

const begin = async (
  durable: DurableActors,
  { organisation, deletionOrderedAt }: DeletionLine,
): Promise<Outcome> => {
  const found = await beginDeletion(durable, organisation, Date.parse(deletionOrderedAt))
  if (isRefused(found)) return 'unknown'
  return found.status === 'deleted' ? 'before' : 'done'
}

/** Unless the organisation has changed it later. */
const putInForce = async (
  durable: DurableActors,
  { organisation, retentionDays, changedAt }: PeriodLine,
): Promise<Outcome> => {
  const found = await readTenant(durable, organisation)
  if (isRefused(found)) return 'unknown'
  const atMs = Date.parse(changedAt)
  if (found.retentionDays === retentionDays || (found.retentionChangedAtMs ?? 0) >= atMs) return 'before'
  return isRefused(await setRetention(durable, organisation, retentionDays, atMs)) ? 'before' : 'done'
}

/**
 * Removes all that an organisation has, as the service does it; false where something is left, with which the service goes
 * on. Its deletion has begun and the lists are complete.
 */
export const remove = async (
  durable: DurableActors,
  recordsOfTenant: KindPorts['recordsOfTenant'],
  organisation: string,
): Promise<boolean> => {
  const { actors, runtime } = durable
  const deletion = { recordsPerSecond: Infinity }
  const context = { actor: organisation, signal: new AbortController().signal }
  try {
    const command = await patiently(durable, () =>
      deleteRecords({ ...durable, recordsOfTenant, deletion }, context),
    )
    const options = { commandId: runtime.newId(), tenant: null }
    await patiently(durable, () => actors.ask(tenant.ref(organisation), command, options))
    return true
  } catch (error) {
    if (!isWaitedFor(error)) throw error
    return false
  }
}
