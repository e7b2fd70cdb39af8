import { fnv1a } from '../../../src/domain/fnv1a.ts'
import { Random } from '../../simulate/random.ts'

/** How the receiver meets an attempt that it does not accept. */
const FAILING = ['error', 'reset', 'endless', 'redirect', 'hang'] as const
export type Failing = (typeof FAILING)[number]

/** What the attempts of one event meet: so many fail, each in its way, and the next one is accepted. */
type Plan = {
  readonly failures: number
  readonly wayOf: (attempt: number) => Failing
  /** The answer that accepts it does not end. */
  readonly acceptsEndlessly: boolean
}

/** All of a schedule: it is dead then. */
export const ATTEMPTS_MAX = 12

const AT_ONCE = 0.7
const FEW = 0.22
const MANY = 0.04
/** Each one costs ten seconds of the machine's own time. */
const HANGS = 0.004
const OTHERS = FAILING.filter((way) => way !== 'hang')

/** The same for the same event, whatever came before it. */
export const planOf = (seed: number, eventId: string): Plan => {
  const random = new Random(seed ^ fnv1a(eventId))
  const share = random.next()
  const failures =
    share < AT_ONCE
      ? 0
      : share < AT_ONCE + FEW
        ? random.integer(1, 4)
        : share < AT_ONCE + FEW + MANY
          ? random.integer(5, ATTEMPTS_MAX - 1)
          : ATTEMPTS_MAX
  const ways = Array.from({ length: failures }, () => (random.chance(HANGS) ? 'hang' : random.pick(OTHERS)))
  const acceptsEndlessly = random.chance(0.01)
  return { failures, wayOf: (attempt) => ways[attempt - 1] ?? 'error', acceptsEndlessly }
}
