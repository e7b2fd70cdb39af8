import { createHash } from 'node:crypto'
import { limits } from '../../domain/limits.ts'
import { OPERATORS } from '../../domain/operators.ts'
import type { Ref } from '../../domain/references.ts'
import { isRefused, type Refused } from '../../domain/decider.ts'
import { networkOf } from '../../http/server/address.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { lockOf, signInLockout, type LockoutCommand, type LockoutState, type LockoutTypes } from './rules.ts'

type DurablePorts = Pick<ApiPorts, 'actors' | 'runtime' | 'vault'>
type Ports = DurablePorts & Pick<ApiPorts, 'signInCounts'>

/** The place that an attempt comes from, which has counted it. */
export type Place = { readonly forgive: () => void }

/** Asked before all else: while the place is locked nothing more is looked at, and nothing more is counted. */
export const countAtPlace = (
  { runtime, signInCounts: { places } }: Pick<Ports, 'runtime' | 'signInCounts'>,
  networkAddress: string,
): Place | Refused => {
  const network = networkOf(networkAddress)
  const free = limits.signInAttemptsOfAddress
  const counted = places.tell(network, { type: 'CountAttempt', atMs: runtime.now(), free })
  if (isRefused(counted)) return counted
  const { lockedUntilMs } = counted
  return {
    forgive: () => void places.tell(network, { type: 'ForgiveAttempt', atMs: runtime.now(), lockedUntilMs }),
  }
}

/**
 * What an attempt is counted for: an account; a device that has signed in to it before; or an e-mail address that no
 * account has, of which nothing durable is kept.
 */
export type CountedFor = { readonly what: 'account' | 'device' | 'stranger'; readonly id: string }

/** One attempt that is being judged; `forgive` and `forget` when it was right. */
export type Attempt = {
  /** Null once it is counted; what was judged meanwhile is good for nothing when it is refused. */
  readonly counted: Promise<Refused | null>
  readonly forgive: () => Promise<void>
  readonly forget: () => Promise<void>
}

/** Refused at once while there must be no attempt; else it is being counted while the caller judges it. */
export const beginAttempt = async (
  ports: Ports,
  place: Place,
  countedFor: CountedFor,
): Promise<Attempt | Refused> => {
  const now = () => ports.runtime.now()
  const { read, tell } = await counterOf(ports, countedFor)
  const locked = lockOf(await read(), now())
  if (locked !== null) return locked
  const count = tell({ type: 'CountAttempt', atMs: now(), free: limits.signInAttemptsOfAccount })
  const forgive = async () => {
    const state = await count
    const lockedUntilMs = isRefused(state) ? 0 : state.lockedUntilMs
    place.forgive()
    await tell({ type: 'ForgiveAttempt', atMs: now(), lockedUntilMs })
  }
  // The success of one person says nothing about the guesses of others at the same place.
  const forget = async () => {
    place.forgive()
    await tell({ type: 'ForgetAttempts', atMs: now() })
  }
  return { counted: count.then((state) => (isRefused(state) ? state : null)), forgive, forget }
}

export type SessionAttempt = { readonly isLast: boolean; readonly forgive: () => Promise<void> }

/**
 * One attempt to prove something in a live session; null when there were too many. A success takes back its own attempt
 * and none of the failures, so who shares a stolen session with its owner has no more of them.
 */
export const attemptInSession = async (
  ports: DurablePorts,
  sessionId: string,
): Promise<SessionAttempt | null> => {
  const { tell } = await durableCounter(ports, `session ${sessionId}`)
  const free = limits.sessionFailuresMax
  const counted = await tell({ type: 'CountAttempt', atMs: ports.runtime.now(), free })
  if (isRefused(counted) || counted.count > free) return null
  const { count, lockedUntilMs } = counted
  const forgive = async () =>
    void (await tell({ type: 'ForgiveAttempt', atMs: ports.runtime.now(), lockedUntilMs }))
  return { isLast: count >= free, forgive }
}

type Counter = {
  readonly read: () => Promise<LockoutState>
  readonly tell: (command: LockoutCommand) => Promise<LockoutState | Refused>
}

const counterOf = async (ports: Ports, { what, id }: CountedFor): Promise<Counter> => {
  const { signInCounts } = ports
  if (what === 'stranger')
    return {
      read: async () => signInCounts.strangers.of(id),
      tell: async (command) => signInCounts.strangers.tell(id, command),
    }
  return durableCounter(ports, `${what} ${id}`)
}

const durableCounter = async (ports: DurablePorts, of: string): Promise<Counter> => {
  const { actors, runtime } = ports
  const lockout = await lockoutOf(ports, of)
  return {
    read: async () => {
      const state = await actors.read(lockout)
      if (isRefused(state)) throw new Error('a count can always be read')
      return state
    },
    tell: (command) => actors.ask(lockout, command, { commandId: runtime.newId(), tenant: null }),
  }
}

/** The id is made of a keyed fingerprint, so that it does not tell who tried. */
const lockoutOf = async ({ vault }: Pick<Ports, 'vault'>, of: string): Promise<Ref<LockoutTypes>> => {
  const digest = createHash('sha256')
    .update(await vault.fingerprint(OPERATORS, of))
    .digest()
  return signInLockout.newRef(digest[0] ?? 0, digest.subarray(1, 21).toString('hex'))
}
