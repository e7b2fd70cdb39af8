import type { OverviewOfList } from '../api/generated/operations.ts'

type Counted = Pick<OverviewOfList, 'recordType' | 'entered' | 'failures'>

/** What records came to, a number for each hour or day. */
export type Outcomes = { readonly good: readonly number[]; readonly bad: readonly number[] }

type Ends = {
  readonly good: string
  readonly bad: readonly string[]
  /** The reason of what came to its end and is no good one all the same. */
  readonly butFor?: string
}

const ENDS: Readonly<Record<string, Ends>> = {
  connection: { good: 'completed', bad: ['abandoned'] },
  credential: { good: 'done', bad: ['declined', 'abandoned'] },
  proof: { good: 'done', bad: ['declined', 'abandoned'], butFor: 'not_verified' },
  webhook_delivery: { good: 'delivered', bad: ['dead'] },
}

/** How the records of a list ended; null for a kind of records that is newer than this console. */
export const outcomesOf = ({ recordType, entered, failures }: Counted): Outcomes | null => {
  const ends = ENDS[recordType]
  if (ends === undefined) return null
  // A state that nothing came into is left out, so the others say how many hours or days there are.
  const length = Math.max(0, ...[...entered, ...failures].map(({ counts }) => counts.length))
  const into = (states: readonly string[]): readonly number[] => {
    const lists = entered.filter(({ state }) => states.includes(state)).map(({ counts }) => counts)
    return Array.from({ length }, (_, index) => lists.reduce((sum, list) => sum + (list[index] ?? 0), 0))
  }
  const but = failures.find(({ code }) => code === ends.butFor)?.counts ?? []
  return {
    good: into([ends.good]).map((count, index) => Math.max(0, count - (but[index] ?? 0))),
    bad: into(ends.bad).map((count, index) => count + (but[index] ?? 0)),
  }
}

export const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

/** How many of a hundred that ended ended well; null where none did. */
export const rateOf = ({ good, bad }: Outcomes): number | null => {
  const [well, ill] = [sumOf(good), sumOf(bad)]
  if (well + ill === 0) return null
  // What is not quite all of them, or not quite none, is not called so.
  const rate = Math.round((well / (well + ill)) * 100)
  if (ill > 0 && rate === 100) return 99
  return well > 0 && rate === 0 ? 1 : rate
}

/** Why records failed, the most frequent reason first. */
export const reasonsOf = ({
  failures,
}: Counted): readonly { readonly code: string; readonly count: number }[] =>
  failures
    .map(({ code, counts }) => ({ code, count: sumOf(counts) }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count)

/** How many records are in these states now. */
export const nowIn = (list: Pick<OverviewOfList, 'now'>, states: readonly string[]): number =>
  list.now.reduce((sum, { state, records }) => (states.includes(state) ? sum + records : sum), 0)
