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

  async send({ url, body, secrets }: WebhookPost, signal: AbortSignal): Promise<WebhookAnswer> {
    const startedMs = performance.now()
    try {
      const { status, durationMs } = await this.#outbound.post({
        url,
        headers: {
          'Content-Type': 'application/json',
          'User-Agent': 'vouchsafe-webhooks/1',
          [SIGNATURE_HEADER]: signatureOf(body, secrets, this.#now()),
        },
        body,
        timeoutMs: limits.webhookTimeoutMs,
        answerBytesMax: limits.webhookAnswerBytesMax,
        signal,
      })
      return { status, durationMs, error: errorOf(status) }
    } catch (error) {
      // When this node stops, that is not a failure of the receiver.
      if (signal.aborted) throw error
      if (!(error instanceof EgressFailed || error instanceof EgressRefused)) throw error
      return { status: null, durationMs: Math.round(performance.now() - startedMs), error: error.message }
    }
  }
}

const errorOf = (status: number): string | null => {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400
    ? `the receiver answered ${status}; redirects are not followed`
    : `the receiver answered ${status}`
}
