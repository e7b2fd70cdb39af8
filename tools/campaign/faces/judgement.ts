import type { Json } from '../../flows/tenant.ts'
import type { HeardEvent } from '../../flows/webhook-receiver.ts'
import type { Checked, Received } from './phones-process.ts'
import { ATTEMPTS_MAX, type Plan } from './plan.ts'
import type { Vendors } from './vendors.ts'

/** What became of one check, as the organisation and the phone saw it. */
export type Done = {
  readonly plan: Plan
  readonly id: string
  readonly checked: Checked
  readonly record: Json
}

const PATHS = {
  credential: ['offer-sent', 'request-received', 'credential-issued', 'done'],
  proof: ['request-sent', 'presentation-received', 'done'],
} as const

/** Decided once and rightly: an attempt for each capture, no more and no fewer. */
export const wrongRecord = ({ plan, id, checked, record }: Done): string[] => {
  const { ends, kind, scenes, vendor } = plan
  const attempts = scenes.length
  const face = (record['biometric'] ?? {}) as Json
  const wanted: Json = {
    state: ends === 'passed' ? 'done' : 'abandoned',
    status: ends,
    attempts,
    attemptsRemaining: ATTEMPTS_MAX[vendor] - attempts,
    captured: attempts,
    ...(kind === 'proof' && { verified: ends === 'passed' ? true : null }),
  }
  const found: Json = { ...face, ...record, captured: checked.captured.length }
  const problems = Object.entries(wanted)
    .filter(([name, value]) => found[name] !== value)
    .map(([name, value]) => `${id} has ${name} ${JSON.stringify(found[name])}, not ${JSON.stringify(value)}`)
  if ((ends === 'passed') !== (face['reason'] === null) && attempts > 0)
    problems.push(`${id} was ${ends} with the reason ${JSON.stringify(face['reason'])}`)
  return problems
}

/** Each change was told once, each attempt by one event, and nothing of what is behind the check before it was passed. */
export const wrongEvents = ({ plan, id }: Done, events: readonly HeardEvent[]): string[] => {
  const own = events.filter(({ data }) => data.id === id).map(({ data }) => data)
  const told = own.toSorted((one, other) => one.sequence - other.sequence)
  const problems: string[] = []
  const say = (what: string): void => void problems.push(`${id}: ${what}`)
  if (told.some(({ sequence }, index) => sequence !== index + 1))
    say(`the webhooks have the numbers ${told.map(({ sequence }) => sequence).join(', ')}`)
  const moves = told.filter(({ state, previousState }) => state !== previousState).map(({ state }) => state)
  const path: readonly string[] = PATHS[plan.kind]
  const isRight =
    plan.ends === 'passed'
      ? moves.join() === path.join()
      : moves.at(-1) === 'abandoned' && path.join().startsWith(moves.slice(0, -1).join())
  if (!isRight) say(`its states were ${moves.join(', ')}`)
  let attempts = 0
  for (const { state, previousState, ...data } of told) {
    const { biometric, verified, disclosed } = data as unknown as Json
    const face = biometric as Json | null
    const isAttempt = state === previousState
    if (isAttempt) attempts += 1
    if (face?.['attempts'] !== attempts)
      say(`${state} says ${String(face?.['attempts'])} of ${attempts} attempts`)
    const isBehind = state === 'done' || state === 'credential-issued'
    if (isBehind && face?.['status'] !== 'passed') say(`${state} with a check that is not passed`)
    if (state !== 'done' && ((verified ?? null) !== null || (disclosed ?? null) !== null))
      say(`${state} shows what a proof has brought`)
  }
  if (attempts !== plan.scenes.length) say(`${attempts} attempts were told, not ${plan.scenes.length}`)
  return problems
}

/** What was passed brought one credential, and what was not brought none. */
export const wrongWallet = ({ plan, id }: Done, received: readonly Received[]): string[] => {
  if (plan.kind === 'proof') return []
  const different = new Set(received.filter(({ threadId }) => threadId === id).map(({ sha256 }) => sha256))
    .size
  const wanted = plan.ends === 'passed' ? 1 : 0
  return different === wanted ? [] : [`the wallet received ${different} credentials for ${id}, not ${wanted}`]
}

/**
 * Every session in which something was captured was read, and what Azure kept of a session that the service knew is
 * deleted. One that Azure began for a service which died before it heard so was told to nobody, and dies of age.
 */
export const wrongSessions = async (
  done: readonly Done[],
  { aws, azure }: Pick<Vendors, 'aws' | 'azure'>,
): Promise<string[]> => {
  const calls = [...(await aws.heard()), ...(await azure.heard())]
  const read = new Set(
    calls
      .filter(({ operation }) => operation === 'GetFaceLivenessSessionResults' || operation === 'GetSession')
      .map(({ sessionId }) => sessionId),
  )
  const held = new Map((await azure.held()).map((session) => [session.id, session]))
  const told = new Map(
    done.flatMap(({ id, checked }) => checked.told.map((session) => [session, id] as const)),
  )
  const captured = done.flatMap(({ id, checked }) =>
    checked.captured.map((session) => [session, id] as const),
  )
  return [
    ...captured
      .filter(([session]) => !read.has(session))
      .map(([, id]) => `a session of ${id} was never read`),
    ...[...told].filter(([session]) => held.has(session)).map(([, id]) => `Azure keeps a session of ${id}`),
    ...[...held.values()]
      .filter(({ attempts }) => attempts > 0)
      .map(({ id }) => `Azure keeps ${id}, in which something was captured`),
  ]
}
