import { chain, type Eventually } from '../../domain/eventually.ts'
import type { Ref } from '../../domain/references.ts'
import { isRefused, type Refused } from '../../domain/decider.ts'
import { AskFailed } from '../../ports/actors.ts'
import { liveSessions } from '../account/rules.ts'
import { account, type SignedInAs } from '../account/state.ts'
import { sealReason } from '../audit-entry/commands.ts'
import { refOfText } from '../ids.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { livingTenant } from '../tenant/read.ts'
import { acting, type ActingPeriod, type ActingTypes } from './rules.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime'>

export type BeginActingOrder = {
  readonly organisation: string
  readonly reason: string
  readonly mayChange: boolean
}

/** When the audit log may have been written that was behind. */
const BEHIND_RETRY_MS = 10_000

/** One for each session of an operator: found by the session, so nothing has to be kept with the account. */
export const actingOf = (sessionId: string): Ref<ActingTypes> => refOfText(acting, `acting ${sessionId}`)

/** Ends what the session acted for until now. */
export const beginActing = async (
  ports: Ports & Pick<ApiPorts, 'vault'>,
  { accountId: operatorId, sessionId }: SignedInAs,
  { organisation, reason, mayChange }: BeginActingOrder,
): Promise<ActingPeriod | Refused> => {
  const known = await livingTenant(ports, organisation)
  if (isRefused(known)) return known
  const { actors, runtime } = ports
  const sealedReason = await sealReason(ports, organisation, reason)
  const period = await actors.ask(
    actingOf(sessionId),
    { type: 'BeginActing', atMs: runtime.now(), organisation, operatorId, sealedReason, mayChange },
    { commandId: runtime.newId(), tenant: null },
  )
  if (isRefused(period)) throw new AskFailed('overloaded', period.reason, BEHIND_RETRY_MS)
  if (period === null) throw new Error('acting that has begun has a period')
  return period
}

/** Harmless where the session acts for no organisation. */
export const endActing = async (ports: Ports, sessionId: string): Promise<void> => {
  if ((await actingNow(ports, sessionId)) === null) return
  const { actors, runtime } = ports
  const options = { commandId: runtime.newId(), tenant: null }
  await actors.ask(actingOf(sessionId), { type: 'EndActing', atMs: runtime.now() }, options)
}

/** What a session acts for now; asked for every request of an operator to an organisation's route. */
export const actingNow = ({ actors, runtime }: Ports, sessionId: string): Eventually<ActingPeriod | null> =>
  chain(actors.read(actingOf(sessionId)), (period) =>
    isRefused(period) || period === null || period.endsAtMs <= runtime.now() ? null : period,
  )

/** Sessions that end by `run` end what they acted for. Where that fails, acting ends when its time is over. */
export const endingActs = async <Value>(
  ports: Ports,
  accountId: string,
  run: () => Promise<Value>,
): Promise<Value> => {
  const before = await sessionsOf(ports, accountId)
  const value = await run()
  const after = await sessionsOf(ports, accountId).catch(() => before)
  const over = before.filter((id) => !after.includes(id))
  await Promise.allSettled(over.map((id) => endActing(ports, id)))
  return value
}

const sessionsOf = async ({ actors, runtime }: Ports, accountId: string): Promise<readonly string[]> => {
  const known = await actors.read(account.ref(accountId))
  return isRefused(known) ? [] : liveSessions(known, runtime.now()).map(({ id }) => id)
}
