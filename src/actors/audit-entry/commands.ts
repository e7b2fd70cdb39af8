import type { Eventually } from '../../domain/eventually.ts'
import type { Ref } from '../../domain/references.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { shardOfRealm } from '../roster/rules.ts'
import { type AuditEnd, auditEntry, type AuditFacts, type AuditOutcome, type AuditTypes } from './rules.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime'>

/** On the shard of the accounts that it may be about. */
export const newAuditRef = (
  { newId }: Pick<Ports['runtime'], 'newId'>,
  organisation: string | null,
): Ref<AuditTypes> => auditEntry.newRef(shardOfRealm(organisation), newId())

/** A line about something that is over, or begins. */
export const recordAudit = async (
  { actors, runtime }: Ports,
  facts: AuditFacts,
  outcome: 'open' | AuditOutcome,
): Promise<Ref<AuditTypes>> => {
  const entry = newAuditRef(runtime, facts.organisation)
  const options = { commandId: runtime.newId(), tenant: null }
  await actors.ask(entry, { type: 'OpenAuditEntry', atMs: runtime.now(), outcome, ...facts }, options)
  return entry
}

/** The line first, then what it tells of, then how that ended. An action whose line cannot be written is not done. */
export const audited = async <Value>(
  ports: Ports,
  facts: AuditFacts,
  run: () => Eventually<Value>,
  outcomeOf: (value: Value) => AuditEnd,
): Promise<Value> => {
  const { actors, runtime } = ports
  const entry = await recordAudit(ports, facts, 'open')
  // The action is done or has failed already: the line stays open when it cannot be closed now.
  const close = (end: AuditEnd) => {
    const command = { type: 'CloseAuditEntry', atMs: runtime.now(), ...end } as const
    return actors.ask(entry, command, { commandId: runtime.newId(), tenant: null }).catch(() => undefined)
  }
  let value: Value
  try {
    value = await run()
  } catch (error) {
    await close({ outcome: 'failed', targetId: null })
    throw error
  }
  await close(outcomeOf(value))
  return value
}

/** Authenticated with the ciphertext: an organisation's reason opens nowhere else. */
export const REASON_CONTEXT = 'reason to act for the organisation'

/** Why an operator acts for an organisation, as ciphertext that the organisation alone can read. */
export const sealReason = async (
  { vault }: Pick<ApiPorts, 'vault'>,
  organisation: string,
  reason: string,
): Promise<string> => (await vault.openTenant(organisation)).seal(reason, REASON_CONTEXT)

/** Null when the organisation's key is gone. */
export const openReason = async (
  { vault }: Pick<ApiPorts, 'vault'>,
  organisation: string,
  sealedReason: string,
): Promise<string | null> => (await vault.openTenant(organisation)).open(sealedReason, REASON_CONTEXT)
