import { createHash } from 'node:crypto'
import { limits } from '../../domain/limits.ts'
import { OPERATORS } from '../../domain/operators.ts'
import type { Ref } from '../../domain/references.ts'
import { isRefused, type Refused } from '../../domain/decider.ts'
import { networksOf } from '../../http/server/address.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { signInLockout, type LockoutCommand, type LockoutState, type LockoutTypes } from './rules.ts'

type DurablePorts = Pick<ApiPorts, 'actors' | 'runtime' | 'vault'>
type Ports = DurablePorts & Pick<ApiPorts, 'signInCounts'>

/** The place that an attempt comes from, which has counted it. */
export type Place = { readonly forgive: () => void }

/** Asked before all else: while the place is locked nothing more is looked at, and nothing more is counted. */
export const countAtPlace = async (
  { runtime, signInCounts: { places } }: Pick<Ports, 'runtime' | 'signInCounts'>,
  networkAddress: string,
): Promise<Place | Refused> => {
  const atMs = runtime.now()
  const networks = networksOf(networkAddress)
  // All are looked at before one is counted, so that a network that is locked locks no wider one.
  for (const network of networks) {
    const locked = await places.look(network, atMs)
    if (locked !== null) return locked
  }
  const counted: { readonly network: string; readonly lockedUntilMs: number }[] = []
  const forgive = (): void => {
    for (const { network, lockedUntilMs } of counted)
      void places.tell(network, { type: 'ForgiveAttempt', atMs: runtime.now(), lockedUntilMs })
  }
  for (const [width, network] of networks.entries()) {
    const free = FREE_OF_NETWORKS[width] ?? limits.signInAttemptsOfAddress
    const state = await places.tell(network, { type: 'CountAttempt', atMs, free })
    if (!isRefused(state)) counted.push({ network, lockedUntilMs: state.lockedUntilMs })
    else {
      // Others were counted since it was looked at, and the wider ones are not to be locked by that.
      forgive()
      return state
    }
  }
  return { forgive }
}

/** The narrowest first, as `networksOf` names them. */
const FREE_OF_NETWORKS = [
  limits.signInAttemptsOfAddress,
  limits.signInAttemptsOfNetwork56,
  limits.signInAttemptsOfNetwork48,
]

/**
 * What an attempt is counted for: a device that has signed in to the account before; else the e-mail address, and the
 * account if it has one. Of an address that no account has nothing durable is kept.
 */
export type CountedFor =
  | { readonly what: 'device'; readonly id: string }
  | { readonly what: 'account'; readonly id: string; readonly emailAddress: string }
  | { readonly what: 'stranger'; readonly emailAddress: string }

/** One attempt that is being judged; `forgive` and `forget` when it was right. */
export type Attempt = {
  /** Null once it is counted; what was judged meanwhile is good for nothing when it is refused. */
  readonly counted: Promise<Refused | null>
  readonly forgive: () => Promise<void>
  readonly forget: () => Promise<void>
}

/**
 * Refused at once while there must be no attempt; else it is being counted while the caller judges it. An e-mail address
 * is counted by this node in the same way whether it has an account or not, and that count alone is shown: the durable
 * one of the account, which other nodes and earlier starts have added to, is known by `counted` only.
 */
export const beginAttempt = async (
  ports: Ports,
  place: Place,
  countedFor: CountedFor,
): Promise<Attempt | Refused> => {
  const now = () => ports.runtime.now()
  const count = () => ({ type: 'CountAttempt', atMs: now(), free: limits.signInAttemptsOfAccount }) as const
  const here = await countHere(ports, countedFor, count())
  if (isRefused(here)) return here
  const durable =
    countedFor.what === 'stranger' ? null : await durableCounter(ports, `${countedFor.what} ${countedFor.id}`)
  const state = durable?.tell(count()) ?? Promise.resolve(null)
  if (countedFor.what === 'device') {
    // Nothing is counted for it in memory, so only this says whether there may be an attempt.
    const answer = await state
    if (answer !== null && isRefused(answer)) return answer
  }
  const counted = state.then((answer) => (answer !== null && isRefused(answer) ? answer : null))
  // A wrong password is answered without it, and then no one waits.
  counted.catch(() => undefined)
  const forgive = async () => {
    place.forgive()
    here.tell({ type: 'ForgiveAttempt', atMs: now(), lockedUntilMs: here.lockedUntilMs })
    const answer = await state
    const lockedUntilMs = answer === null || isRefused(answer) ? 0 : answer.lockedUntilMs
    await durable?.tell({ type: 'ForgiveAttempt', atMs: now(), lockedUntilMs })
  }
  // The success of one person says nothing about the guesses of others at the same place.
  const forget = async () => {
    place.forgive()
    here.tell({ type: 'ForgetAttempts', atMs: now() })
    await durable?.tell({ type: 'ForgetAttempts', atMs: now() })
  }
  return { counted, forgive, forget }
}

type CountedHere = {
  readonly lockedUntilMs: number
  readonly tell: (command: LockoutCommand) => void
}

const countHere = async (
  { signInCounts: { emailAddresses } }: Ports,
  countedFor: CountedFor,
  count: LockoutCommand,
): Promise<CountedHere | Refused> => {
  if (countedFor.what === 'device') return { lockedUntilMs: 0, tell: () => undefined }
  const { emailAddress } = countedFor
  const counted = await emailAddresses.tell(emailAddress, count)
  if (isRefused(counted)) return counted
  const tell = (command: LockoutCommand): void => void emailAddresses.tell(emailAddress, command)
  return { lockedUntilMs: counted.lockedUntilMs, tell }
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
  readonly tell: (command: LockoutCommand) => Promise<LockoutState | Refused>
}

const durableCounter = async (ports: DurablePorts, of: string): Promise<Counter> => {
  const { actors, runtime } = ports
  const lockout = await lockoutOf(ports, of)
  return {
    tell: async (command) => actors.ask(lockout, command, { commandId: runtime.newId(), tenant: null }),
  }
}

/** The id is made of a keyed fingerprint, so that it does not tell who tried. */
const lockoutOf = async ({ vault }: Pick<Ports, 'vault'>, of: string): Promise<Ref<LockoutTypes>> => {
  const digest = createHash('sha256')
    .update(await vault.fingerprint(OPERATORS, of))
    .digest()
  return signInLockout.newRef(digest[0] ?? 0, digest.subarray(1, 21).toString('hex'))
}
