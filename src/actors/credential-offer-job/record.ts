import { type Static, Type } from 'typebox'
import { choice, isoTime, recordOf, recordTimes, words, wordsOrNull } from '../../http/route/fields.ts'
import type { Reasons } from './reasons.ts'
import type { OfferJob } from './rules.ts'

/** One that is being received is not shown yet, and one that is forgotten not any more. */
export const JOB_STATUSES = ['running', 'finished'] as const
const JOB_EXAMPLE = 'coj_5cx7k3m9p1r5t7v9x1z3b5d7f9'

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] })

export const offerJobSchema = recordOf('CredentialOfferJob', {
  id: words('Names the job.', JOB_EXAMPLE),
  total: count('How many offers the request has.', 1_000),
  offered: count('How many of them are offered, those among them that had been offered before.', 992),
  refused: count('How many are refused; the items say why.', 8),
  status: choice(
    JOB_STATUSES,
    '`finished`: every item has its result; it goes on as an exchange of its own.',
    'finished',
  ),
  ...recordTimes,
})

type Shown = Static<typeof offerJobSchema>

export const offerJobView = (id: string, job: OfferJob): Shown | null => {
  const { total, results, offered, status, createdAtMs, updatedAtMs } = job
  if (status !== 'running' && status !== 'finished') return null
  const times = { createdAt: isoTime(createdAtMs), updatedAt: isoTime(updatedAtMs) }
  return { id, total, offered, refused: results.length - offered, status, ...times }
}

/** What the request was answered with, however far its job is by now. */
export const offerJobAsBegun = (id: string, { total, createdAtMs }: OfferJob): Shown => {
  const createdAt = isoTime(createdAtMs)
  return { id, total, offered: 0, refused: 0, status: 'running', createdAt, updatedAt: createdAt }
}

export const offerItemSchema = recordOf('CredentialOfferItem', {
  index: Type.Integer({
    minimum: 0,
    description: 'Its place in the request, counted from 0.',
    examples: [17],
  }),
  idempotencyKey: wordsOrNull('Your name for it, from the request.', 'order-1042'),
  credentialId: wordsOrNull(
    'The credential exchange; null while it waits, and where it is refused.',
    'cre_5f8d2k4m6p7q9r1s3t5v0w2y',
  ),
  error: wordsOrNull(
    'Why it is refused: the code that the offer would be answered with by itself. Null while it waits, and where it is offered.',
    null,
  ),
  reason: wordsOrNull('The same in a sentence.', null),
})

type Item = Static<typeof offerItemSchema>

/** All items in the order of the request; `keys` is null where they cannot be read any more. */
export const offerItemsView = (
  { total, results }: OfferJob,
  keys: readonly string[] | null,
  reasons: Reasons,
): readonly Item[] => {
  const known = new Map(results.map((result) => [result[0], result]))
  return Array.from({ length: total }, (_, index): Item => {
    const [, credentialId = null, error = null] = known.get(index) ?? []
    const reason = reasons[index] ?? null
    return { index, idempotencyKey: keys?.[index] ?? null, credentialId, error, reason }
  })
}
