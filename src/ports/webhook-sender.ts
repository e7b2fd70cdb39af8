export type WebhookPost = {
  readonly url: string
  /** Exactly these bytes are signed and sent. */
  readonly body: string
  /** The current one first; the previous one as long as it counts. */
  readonly secrets: readonly string[]
}

/** `status` is null when no answer came, and `error` says why in our own words, never in the receiver's. */
export type WebhookAnswer = {
  readonly status: number | null
  readonly durationMs: number
  readonly error: string | null
}

/** One signed attempt. Failures of the receiver are answers; it rejects only when it was told to give up. */
export interface WebhookSender {
  send(post: WebhookPost, signal: AbortSignal): Promise<WebhookAnswer>
}
