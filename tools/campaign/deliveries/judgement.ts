import type { Json } from '../../flows/tenant.ts'
import type { FlakyReceiver } from './flaky-receiver.ts'
import { ATTEMPTS_MAX, planOf } from './plans.ts'

/** Pauses in seconds after each failed attempt, as the contract has them. */
const PAUSES_S = [5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600]
/** Times of signatures are whole seconds. */
const ROUNDED_MS = 1_000

/** Every event of every connection was heard or is dead, and none that there is not. */
export const judgeEvents = (
  connections: readonly string[],
  deliveries: ReadonlyMap<string, Json>,
  { events }: Pick<FlakyReceiver, 'events'>,
): readonly string[] => {
  const problems: string[] = []
  const byRecord = Map.groupBy(deliveries.values(), ({ recordId }) => String(recordId))
  for (const id of connections) {
    const of = byRecord.get(id) ?? []
    const numbers = of.map(({ eventId }) => Number(String(eventId).split('_').at(-1)))
    const isWhole = numbers.toSorted((a, b) => a - b).every((number, index) => number === index + 1)
    const heard = numbers.map((number) => events.get(`evt_${id}_${number}`))
    if (!isWhole || of.length < 2)
      problems.push(`${id}: there are deliveries of its events ${numbers.join(', ')}`)
    if (!heard.some((each) => each?.state === 'completed'))
      problems.push(`${id}: nobody heard that it is completed`)
  }
  const known = new Set(connections)
  const strange = [...byRecord.keys()].filter((id) => !known.has(id))
  if (strange.length > 0) problems.push(`deliveries of ${strange.slice(0, 5).join(', ')}, which nobody made`)
  return problems
}

/** Each is delivered with the attempt that was planned, or dead after the last one of the schedule. */
export const judgeOutcomes = (
  seed: number,
  deliveries: ReadonlyMap<string, Json>,
  { events }: Pick<FlakyReceiver, 'events'>,
): readonly string[] =>
  [...deliveries].flatMap(([eventId, { status, attempts }]) => {
    const { failures } = planOf(seed, eventId)
    const isDead = failures === ATTEMPTS_MAX
    const made = isDead ? ATTEMPTS_MAX : failures + 1
    const arrived = [...(events.get(eventId)?.attempts.keys() ?? [])]
    const problems: string[] = []
    if (status !== (isDead ? 'dead' : 'delivered') || attempts !== made)
      problems.push(
        `${eventId} is ${String(status)} after ${String(attempts)} attempts, and ${made} were planned`,
      )
    if (arrived.length !== made || arrived.some((attempt) => !(attempt >= 1 && attempt <= made)))
      problems.push(`${eventId}: the attempts ${arrived.join(', ')} arrived, and ${made} were planned`)
    return problems
  })

/** No attempt came before its time, seen from outside: by the times of the signatures. */
export const judgeTimes = ({ events }: Pick<FlakyReceiver, 'events'>): readonly string[] =>
  [...events].flatMap(([eventId, { attempts }]) =>
    [...attempts].flatMap(([attempt, times]) => {
      const before = attempts.get(attempt - 1)
      const pauseMs = (PAUSES_S[attempt - 2] ?? 0) * 1_000
      if (before === undefined) return []
      const earliestMs = Math.max(...before) + pauseMs - ROUNDED_MS
      const atMs = Math.min(...times)
      return atMs >= earliestMs
        ? []
        : [`${eventId}: attempt ${attempt} came ${earliestMs - atMs} ms before its time`]
    }),
  )

/** What the service itself shows of the attempts: none before its time, and each as it was met. */
export const judgeLog = (seed: number, { eventId, attemptLog }: Json): readonly string[] => {
  const log = attemptLog as readonly {
    at: string
    latencyMs: number
    status: number | null
    answer: string | null
  }[]
  const plan = planOf(seed, String(eventId))
  return log.flatMap(({ at, status, answer }, index) => {
    const problems: string[] = []
    const earlier = log[index - 1]
    if (earlier !== undefined) {
      const endedMs = Date.parse(earlier.at) + earlier.latencyMs
      const pauseMs = (PAUSES_S[index - 1] ?? 0) * 1_000
      // Both were rounded to milliseconds.
      if (Date.parse(at) < endedMs + pauseMs - 2)
        problems.push(`${String(eventId)}: attempt ${index + 1} is too early`)
    }
    if (index >= plan.failures) return problems
    const way = plan.wayOf(index + 1)
    const expected = { error: 500, redirect: 307, endless: 503, reset: null, hang: null }[way]
    if (status !== expected) problems.push(`${String(eventId)}: ${way} is shown as ${String(status)}`)
    if (way === 'error' && answer !== 'something is wrong')
      problems.push(`${String(eventId)}: its answer is shown as ${String(answer)}`)
    if (way === 'endless' && answer?.length !== 1_024)
      problems.push(`${String(eventId)}: ${String(answer?.length)} characters of its answer are kept`)
    return problems
  })
}
