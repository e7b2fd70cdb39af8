import type { AuditFacts, AuditOutcome, AuditRecord, AuditReply } from '../../domain/accounts/audit-entry.ts'
import { kindOf, shardOf } from '../../domain/shards.ts'
import { AUDIT_ENTRY } from '../../actors/accounts/audit-entry.ts'
import type { UseCasePorts } from '../use-case-ports.ts'
import { newAuditId } from './ask-account.ts'

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
  run: () => Value | Promise<Value>,
  outcomeOf: (value: Value) => AuditOutcome,
): Promise<Value> => {
  const id = await recordAudit(ports, facts, 'open')
  const close = (outcome: AuditOutcome) =>
    ask(ports, id, { type: 'CloseAuditEntry', atMs: ports.runtime.now(), outcome })
  let value: Value
  try {
    value = await run()
  } catch (error) {
    // The failure is what the caller must hear of; the line stays open when it cannot be closed.
    await close('failed').catch(() => undefined)
    throw error
  }
  // What is done is done: the line stays open when it cannot be closed now.
  await close(outcomeOf(value)).catch(() => undefined)
  return value
}

export const readAuditEntry = async (ports: UseCasePorts, id: string): Promise<AuditRecord | null> => {
  if (shardOf(id) === null || kindOf(id) !== AUDIT_ENTRY) return null
  const reply = await ask(ports, id, { type: 'ReadAuditEntry' })
  return 'entry' in reply ? reply.entry : null
}

const ask = (
  { actors, runtime, askTimeoutMs }: UseCasePorts,
  id: string,
  command: Command,
): Promise<AuditReply> => {
  const commandId = command.type === 'ReadAuditEntry' ? '' : runtime.newId()
  return actors.ask<AuditReply>(id, command, { commandId, timeoutMs: askTimeoutMs, tenant: null })
}
