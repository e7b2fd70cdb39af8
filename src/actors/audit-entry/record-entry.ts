import type { Eventually } from '../../domain/eventually.ts'
import type { AuditFacts, AuditOutcome, AuditRecord, AuditReply } from './rules.ts'
import { kindOf, shardOf } from '../../domain/shards.ts'
import { OPERATORS } from '../../domain/operators.ts'
import { AUDIT_ENTRY } from './kind.ts'
import type { DirectoryRow } from '../../ports/directory.ts'
import type { UseCasePorts } from '../command-ports.ts'
import { newAuditId } from '../account/ask-account.ts'

/** How it ended, and what came to be by it. */
export type AuditEnd = { readonly outcome: AuditOutcome; readonly targetId: string | null }

type ReadPorts = Pick<UseCasePorts, 'actors' | 'askTimeoutMs'>
type Command = { readonly type: string; readonly [field: string]: unknown }

/** A line about something that is over. */
export const recordAudit = async (
  ports: UseCasePorts,
  facts: AuditFacts,
  outcome: 'open' | AuditOutcome,
): Promise<string> => {
  const id = newAuditId(ports.runtime, facts.organisation)
  await ask(ports, id, { type: 'OpenAuditEntry', atMs: ports.runtime.now(), outcome, ...facts })
  return id
}

/** The line first, then what it tells of, then how that ended. An action whose line cannot be written is not done. */
export const audited = async <Value>(
  ports: UseCasePorts,
  facts: AuditFacts,
  run: () => Eventually<Value>,
  outcomeOf: (value: Value) => AuditEnd,
): Promise<Value> => {
  const id = await recordAudit(ports, facts, 'open')
  const close = (end: AuditEnd) =>
    ask(ports, id, { type: 'CloseAuditEntry', atMs: ports.runtime.now(), ...end })
  let value: Value
  try {
    value = await run()
  } catch (error) {
    // The failure is what the caller must hear of; the line stays open when it cannot be closed.
    await close({ outcome: 'failed', targetId: null }).catch(() => undefined)
    throw error
  }
  // What is done is done: the line stays open when it cannot be closed now.
  await close(outcomeOf(value)).catch(() => undefined)
  return value
}

/** How lists find the line. */
export const auditRowOf = async (ports: ReadPorts, id: string): Promise<DirectoryRow | null> => {
  const entry = await readAuditEntry(ports, id)
  if (entry === null) return null
  const { organisation, action, initiatorId, targetId, status, createdAtMs, updatedAtMs } = entry
  return {
    kind: 'audit-entry',
    id,
    tenant: organisation ?? OPERATORS,
    createdAtMs,
    updatedAtMs,
    state: status,
    filters: { action, initiatorId, targetId },
    externalId: null,
    searchText: `${action}\n${targetId ?? ''}`,
  }
}

export const readAuditEntry = async (
  { actors, askTimeoutMs }: ReadPorts,
  id: string,
): Promise<AuditRecord | null> => {
  if (shardOf(id) === null || kindOf(id) !== AUDIT_ENTRY) return null
  const options = { commandId: '', timeoutMs: askTimeoutMs, tenant: null }
  const reply = await actors.ask<AuditReply>(id, { type: 'ReadAuditEntry' }, options)
  return 'entry' in reply ? reply.entry : null
}

const ask = (
  { actors, runtime, askTimeoutMs }: UseCasePorts,
  id: string,
  command: Command,
): Promise<AuditReply> =>
  actors.ask<AuditReply>(id, command, { commandId: runtime.newId(), timeoutMs: askTimeoutMs, tenant: null })
