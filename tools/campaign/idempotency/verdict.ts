import type { Answer } from './caller.ts'
import type { Command } from './commands.ts'

/** What is counted over all keys of a command. */
export const noCounts = () => ({
  posts: 0,
  created: 0,
  replayed: 0,
  inProgress: 0,
  unavailable: 0,
  unanswered: 0,
})

export type Counts = ReturnType<typeof noCounts>

export type Verdict = { readonly id: string | null; readonly problems: readonly string[] }

/**
 * What all answers to one key say together: one thing was made; every other caller got the same answer again, or heard
 * that the first is still under way. `killed`: the process may have died among them, so that some have no answer, and
 * the retry that completes a lost run says that it made what it found.
 */
export const judge = (
  command: Command,
  answers: readonly Answer[],
  killed: boolean,
  counts: Counts,
): Verdict => {
  const problems: string[] = []
  const made: NonNullable<Answer>[] = []
  let firsts = 0
  for (const answer of answers) {
    counts.posts += 1
    if (answer === null) counts.unanswered += 1
    else if (answer.status === 503) counts.unavailable += 1
    else if (answer.status === 409 && answer.json['error'] === 'idempotency_in_progress') {
      counts.inProgress += 1
      if (!/^\d+$/.test(answer.retryAfter ?? '')) problems.push('a 409 without Retry-After')
    } else if (isFirst(command, answer)) {
      counts.created += 1
      firsts += 1
      made.push(answer)
    } else if (isRepeated(command, answer)) {
      counts.replayed += 1
      made.push(answer)
    } else problems.push(`answered ${answer.status}: ${answer.text.slice(0, 200)}`)
    if (!killed && (answer === null || answer.status === 503))
      problems.push(`answered ${answer?.status ?? 'not at all'}, and no process was killed`)
  }
  if (firsts > 1 && !killed) problems.push(`${firsts} answers say that they made it`)
  if (firsts === 0 && !killed) problems.push('no answer says that it made it')
  return { id: sameId(command, made, problems), problems }
}

const isFirst = ({ createdStatus }: Command, { status, replayed }: NonNullable<Answer>): boolean =>
  status === createdStatus && !replayed

const isRepeated = (
  { ownRule, createdStatus }: Command,
  { status, replayed }: NonNullable<Answer>,
): boolean => (ownRule ? status === 200 : status === createdStatus && replayed)

const sameId = (
  { idOf, ownRule }: Command,
  made: readonly NonNullable<Answer>[],
  problems: string[],
): string | null => {
  const ids = new Set(made.map(({ json }) => idOf(json)))
  if (ids.size > 1) problems.push(`${ids.size} things were made: ${[...ids].join(', ')}`)
  if (ownRule) {
    const tokens = new Set(made.map(({ json }) => json['walletToken']))
    if (tokens.size !== made.length) problems.push('a token was shown twice')
  } else if (new Set(made.map(({ text }) => text)).size > 1) problems.push('a repeated answer is another one')
  return [...ids][0] ?? null
}
