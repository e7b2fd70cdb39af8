import { actingOf } from './kind.ts'
import { AskFailed } from '../../ports/actors.ts'
import type { Vault } from '../../ports/vault.ts'
import type { ActingCommand, ActingPeriod, ActingReply } from './rules.ts'
import { isRefused, type Refused } from '../../domain/refused.ts'
import { askQuestion } from '../ask-question.ts'
import { readTenant } from '../tenant/read.ts'
import type { UseCasePorts } from '../command-ports.ts'
import { ownSessions, type SignedInAs } from '../account/own-account.ts'
import type { AccountPorts } from '../account/account-ports.ts'

export type ActForPorts = UseCasePorts & { readonly vault: Pick<Vault, 'openTenant'> }

export type Acting = Omit<ActingPeriod, 'sealedReason' | 'operatorId'> & { readonly reason: string | null }

export type ActForOrder = {
  readonly organisation: string
  readonly reason: string
  readonly mayChange: boolean
}

/** When the audit log may have been written that was behind. */
const BEHIND_RETRY_MS = 10_000

/** Authenticated with the ciphertext: an organisation's reason opens nowhere else. */
const CONTEXT = 'reason to act for the organisation'

export const sealReason = async (
  { vault }: Pick<ActForPorts, 'vault'>,
  organisation: string,
  reason: string,
): Promise<string> => (await vault.openTenant(organisation)).seal(reason, CONTEXT)

/** Null when the organisation's key is gone. */
export const openReason = async (
  { vault }: Pick<ActForPorts, 'vault'>,
  organisation: string,
  sealedReason: string,
): Promise<string | null> => (await vault.openTenant(organisation)).open(sealedReason, CONTEXT)

/** Ends what the session acted for until now, and begins anew. */
export const beginActing = async (
  ports: ActForPorts,
  { accountId: operatorId, sessionId }: SignedInAs,
  { organisation, reason, mayChange }: ActForOrder,
): Promise<Acting | Refused> => {
  const known = await readTenant(ports, organisation)
  if (isRefused(known)) return known
  const sealedReason = await sealReason(ports, organisation, reason)
  const atMs = ports.runtime.now()
  const command = { type: 'BeginActing', atMs, organisation, operatorId, sealedReason, mayChange } as const
  const reply = await ask(ports, sessionId, command)
  if (isRefused(reply)) throw new AskFailed('overloaded', reply.reason, BEHIND_RETRY_MS)
  if (reply.period === null) throw new Error('acting that has begun has a period')
  return shown(reply.period, reason)
}

/** Harmless where nobody acts. */
export const endActing = async (ports: UseCasePorts, sessionId: string): Promise<void> => {
  const now = await actingNow(ports, sessionId)
  if (now !== null) await ask(ports, sessionId, { type: 'EndActing', atMs: ports.runtime.now() })
}

/** Sessions that end by something end what they acted for. What fails is told to the organisation when its time is over. */
export const endingActs = async <Value>(
  ports: AccountPorts,
  accountId: string,
  run: () => Promise<Value>,
): Promise<Value> => {
  const before = await ownSessions(ports, accountId)
  const value = await run()
  const after = await ownSessions(ports, accountId).catch(() => null)
  const left = new Set(after?.map(({ id }) => id))
  const over = after === null ? [] : before.filter(({ id }) => !left.has(id))
  await Promise.allSettled(over.map(({ id }) => endActing(ports, id)))
  return value
}

/** What a session acts for now. */
export const readActing = async (ports: ActForPorts, sessionId: string): Promise<Acting | null> => {
  const period = await actingNow(ports, sessionId)
  if (period === null) return null
  return shown(period, await openReason(ports, period.organisation, period.sealedReason))
}

/** Asked for every request of an operator to an organisation's route. */
export const actingNow = async (
  ports: Pick<UseCasePorts, 'actors' | 'askTimeoutMs' | 'runtime'>,
  sessionId: string,
): Promise<ActingPeriod | null> => {
  const reply = await askQuestion<ActingReply>(ports, actingOf(sessionId), { type: 'ReadActing' }, null)
  if (isRefused(reply) || reply.period === null) return null
  return ports.runtime.now() < reply.period.endsAtMs ? reply.period : null
}

const shown = (
  { organisation, mayChange, startedAtMs, endsAtMs }: ActingPeriod,
  reason: string | null,
): Acting => ({ organisation, mayChange, startedAtMs, endsAtMs, reason })

const ask = (
  { actors, runtime, askTimeoutMs }: UseCasePorts,
  sessionId: string,
  command: ActingCommand,
): Promise<ActingReply> =>
  actors.ask<ActingReply>(actingOf(sessionId), command, {
    commandId: runtime.newId(),
    timeoutMs: askTimeoutMs,
    tenant: null,
  })
