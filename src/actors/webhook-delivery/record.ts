import { type Static, Type } from 'typebox'
import { limits } from '../../domain/limits.ts'
import {
  choice,
  isoTime,
  moment,
  momentOrNull,
  recordOf,
  recordTimes,
  words,
  wordsOrNull,
} from '../../http/route/fields.ts'
import { type AnswerPorts, openAnswer } from './answers.ts'
import { DELIVERY_STATUSES } from './listed.ts'
import type { Delivery } from './rules.ts'

const integerOrNull = (description: string, example: number) =>
  Type.Union([Type.Integer(), Type.Null()], { description, examples: [example] })

const fields = {
  id: words('Names the delivery.', 'whd_5c8e1f3h5k7m9p1r3t5v7x9z2b'),
  eventId: words('The event.', 'evt_cre_5f8d2k4m6p7q9r1s3t5v0w2y_4'),
  eventType: words('Its type.', 'credential.state_changed'),
  status: choice(
    DELIVERY_STATUSES,
    'Whether it is still tried, has arrived, or is given up after its last attempt.',
  ),
  attempts: Type.Integer({ minimum: 0, description: 'Attempts that were made.' }),
  maxAttempts: Type.Integer({
    minimum: 1,
    description: 'After so many it is dead; a retry begins a new schedule.',
    examples: [limits.webhookAttemptsMax],
  }),
  nextAttemptAt: momentOrNull(
    'When it is tried next, at the earliest; null: it is over, or waits for a webhook endpoint.',
  ),
  lastAttemptAt: momentOrNull('When it was tried last.'),
  lastResponseStatus: integerOrNull('What was answered then; null: nothing.', 200),
  lastError: wordsOrNull('Why the last attempt failed.', null),
  url: wordsOrNull('Where the last attempt went.', 'https://backend.example/webhooks'),
  recordType: words('What kind of record the event is about.', 'credential'),
  recordId: words('The record.', 'cre_5f8d2k4m6p7q9r1s3t5v0w2y'),
  ...recordTimes,
}

export const deliverySchema = recordOf('WebhookDelivery', fields)

const attemptSchema = recordOf('WebhookAttempt', {
  at: moment('When it began.'),
  url: words('Where it went.', 'https://backend.example/webhooks'),
  status: integerOrNull('What was answered; null: nothing.', 200),
  latencyMs: Type.Integer({ minimum: 0, description: 'From connecting to the end of the answer.' }),
  error: wordsOrNull('Why it failed.', null),
  answer: wordsOrNull(
    `The first ${limits.webhookAnswerBytesKept} bytes of what was answered; null where that was nothing, and once the record is erased.`,
    'ok',
  ),
})

export const deliveryWithAttemptsSchema = recordOf('WebhookDeliveryWithAttempts', {
  ...fields,
  attemptLog: Type.Array(attemptSchema, { description: 'The newest attempts, in their order.' }),
})

/** Null for one that is forgotten. */
export const deliveryView = (id: string, delivery: Delivery): Static<typeof deliverySchema> | null => {
  const { status, event, attempts, attemptsBefore, attemptLog } = delivery
  if (status === 'forgotten') return null
  const last = attemptLog.at(-1)
  const isAwaited = delivery.status === 'pending' && delivery.isHeld !== true
  return {
    id,
    eventId: event.id,
    eventType: event.type,
    status,
    attempts,
    maxAttempts: attemptsBefore + limits.webhookAttemptsMax,
    nextAttemptAt: isAwaited ? isoTime(delivery.nextAttemptAtMs) : null,
    lastAttemptAt: last === undefined ? null : isoTime(last.atMs),
    lastResponseStatus: last?.status ?? null,
    lastError: last?.error ?? null,
    url: last?.url ?? null,
    recordType: event.recordType,
    recordId: event.recordId,
    createdAt: isoTime(delivery.createdAtMs),
    updatedAt: isoTime(delivery.updatedAtMs),
  }
}

/** The same with what each attempt came to; null for one that is forgotten. */
export const deliveryWithAttempts = async (
  ports: AnswerPorts,
  id: string,
  delivery: Delivery,
): Promise<Static<typeof deliveryWithAttemptsSchema> | null> => {
  const view = deliveryView(id, delivery)
  if (view === null) return null
  const { tenant, event, attempts, attemptLog } = delivery
  const firstNumber = attempts - attemptLog.length + 1
  const shown = await Promise.all(
    attemptLog.map(async ({ atMs, url, status, durationMs, error, sealedAnswer }, index) => {
      const of = { delivery: id, tenant, event, number: firstNumber + index }
      const answer = await openAnswer(ports, of, sealedAnswer)
      return { at: isoTime(atMs), url, status, latencyMs: durationMs, error, answer }
    }),
  )
  return { ...view, attemptLog: shown }
}
