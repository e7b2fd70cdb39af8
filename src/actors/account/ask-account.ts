import { AUDIT_ENTRY } from '../audit-entry/kind.ts'
import { rosterOf } from '../roster/kind.ts'
import { tenants } from '../tenant/rules.ts'
import type { AccountCommand, AccountRecord, AccountReply } from './state.ts'
import type { AuditFacts } from '../audit-entry/rules.ts'
import type { RosterCommand, RosterEntry, RosterReply } from '../roster/rules.ts'
import { isRefused, type Refused } from '../../domain/refused.ts'
import { actorId, shardOf } from '../../domain/shards.ts'
import type { UseCasePorts } from '../command-ports.ts'
import type { Realm } from './account-ports.ts'

export const isRealm = (realm: Realm): boolean => realm === null || tenants.find(realm) !== null

export const shardOfRealm = (realm: Realm): number => shardOf(rosterOf(realm)) ?? 0

export const askAccount = (
  { actors, runtime, askTimeoutMs }: UseCasePorts,
  account: string,
  command: AccountCommand,
  commandId: string = command.type.startsWith('Read') ? '' : runtime.newId(),
): Promise<AccountReply> => {
  return actors.ask<AccountReply>(account, command, { commandId, timeoutMs: askTimeoutMs, tenant: null })
}

export const readRoster = async (
  { actors, askTimeoutMs }: UseCasePorts,
  realm: Realm,
): Promise<readonly RosterEntry[]> => {
  const options = { commandId: '', timeoutMs: askTimeoutMs, tenant: null }
  const reply = await actors.ask<RosterReply>(rosterOf(realm), { type: 'ReadRoster' }, options)
  return isRefused(reply) ? [] : reply.entries
}

export const readAccount = async (ports: UseCasePorts, account: string): Promise<AccountRecord | null> => {
  const reply = await askAccount(ports, account, { type: 'ReadAccount' })
  return isRefused(reply) ? null : reply.account
}

type Beside = {
  readonly roster?: RosterCommand
  readonly audit?: AuditFacts
  readonly commandId?: string
}

/** An account's command with what belongs to it, all in one batch: what the roster says, a line of the audit log. */
export const askTogetherWith = async (
  { actors, runtime, askTimeoutMs }: UseCasePorts,
  realm: Realm,
  account: { readonly id: string; readonly command: AccountCommand },
  { roster, audit, commandId = runtime.newId() }: Beside,
): Promise<AccountReply> => {
  const atMs = runtime.now()
  const opening = { type: 'OpenAuditEntry', atMs, outcome: 'done', ...audit }
  const commands = [
    ...(roster === undefined ? [] : [{ actor: rosterOf(realm), command: roster }]),
    { actor: account.id, command: account.command },
    ...(audit === undefined ? [] : [{ actor: newAuditId(runtime, realm), command: opening }]),
  ]
  const options = { commandId, timeoutMs: askTimeoutMs, tenant: realm }
  const replies = await actors.askTogether(commands, isRefused, options)
  const last = replies.at(-1)
  if (isRefused(last)) return last
  return replies[roster === undefined ? 0 : 1] as Exclude<AccountReply, Refused>
}

export const newAuditId = ({ newId }: Pick<UseCasePorts['runtime'], 'newId'>, realm: Realm): string =>
  actorId(AUDIT_ENTRY, shardOfRealm(realm), newId())
