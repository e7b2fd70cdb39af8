export type WebhookPost = {
  readonly url: string
  /** Exactly these bytes are signed and sent. */
  readonly body: string
  /** The current secret first; then the previous one while it is valid. */
  readonly secrets: readonly string[]
  /** The event and the attempt as the headers name them, for receivers that look at a body only when they must. */
  readonly eventId: string
  readonly eventType: string
  /** Counted from one. */
  readonly attempt: number
}

/** `status` is null when no answer came, and `error` says why in our own words, never in the receiver's. */
export type WebhookAnswer = {
  readonly status: number | null
  readonly durationMs: number
  readonly error: string | null
  /** The beginning of what the receiver answered; empty when it answered nothing. It may say anything about anybody. */
  readonly answer: string
}

/** One signed attempt. A failure of the receiver is an answer; it rejects only when the signal is aborted. */
export interface WebhookSender {
  send(post: WebhookPost, signal: AbortSignal): Promise<WebhookAnswer>
}
