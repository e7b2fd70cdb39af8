import type { WebhookAnswer, WebhookPost, WebhookSender } from '../ports/webhook-sender.ts'
import { limits } from '../domain/limits.ts'
import { EgressFailed, EgressRefused } from '../egress/failures.ts'
import type { Outbound } from '../egress/outbound.ts'
import { SIGNATURE_HEADER, signatureOf } from './signature.ts'

/** Signs at the moment of sending, so that a retry is as fresh as a first attempt. */
export class SignedSender implements WebhookSender {
  readonly #outbound: Pick<Outbound, 'post'>
  readonly #now: () => number

  constructor(outbound: Pick<Outbound, 'post'>, now: () => number) {
    this.#outbound = outbound
    this.#now = now
  }

  async send(post: WebhookPost, signal: AbortSignal): Promise<WebhookAnswer> {
    const { url, body, secrets, eventId, eventType, attempt } = post
    const startedMs = performance.now()
    try {
      const { status, durationMs, ...answered } = await this.#outbound.post({
        url,
        headers: {
          'Content-Type': 'application/json',
          'User-Agent': 'vouchsafe-webhooks/1',
          [SIGNATURE_HEADER]: signatureOf(body, secrets, this.#now()),
          'X-svc-Event-Id': eventId,
          'X-svc-Event-Type': eventType,
          'X-svc-Delivery-Attempt': String(attempt),
        },
        body,
        timeoutMs: limits.webhookTimeoutMs,
        answerBytesMax: limits.webhookAnswerBytesMax,
        signal,
      })
      return { status, durationMs, error: errorOf(status), answer: beginningOf(answered.body) }
    } catch (error) {
      // When this node stops, that is not a failure of the receiver.
      if (signal.aborted) throw error
      if (!(error instanceof EgressFailed || error instanceof EgressRefused)) throw error
      const durationMs = Math.round(performance.now() - startedMs)
      return { status: null, durationMs, error: error.message, answer: '' }
    }
  }
}

/** Its first bytes, without the part of a character that is cut at the end. */
const beginningOf = (body: string): string => {
  const bytes = Buffer.from(body)
  const { webhookAnswerBytesKept: kept } = limits
  return bytes.length <= kept
    ? body
    : bytes
        .subarray(0, kept)
        .toString('utf8')
        .replace(/\uFFFD+$/, '')
}

const errorOf = (status: number): string | null => {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400
    ? `the receiver answered ${status}; redirects are not followed`
    : `the receiver answered ${status}`
}
