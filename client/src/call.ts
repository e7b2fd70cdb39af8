/** One request as the methods of the client say it. */
export type Call = {
  readonly method: string
  readonly path: string
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  /** Carries an Idempotency-Key, so that it has its effect once however often it is sent. */
  readonly keyed?: boolean
}

export type CallOptions = {
  /** Ends the call, its retries included. */
  readonly signal?: AbortSignal | undefined
  /** For this call instead of what the client was made with. */
  readonly timeoutMs?: number | undefined
}

export type WriteOptions = CallOptions & {
  /** Yours, so that the call has one effect even when your own process starts it again; else one is made up. */
  readonly idempotencyKey?: string | undefined
}

export type KeyedCallOptions = CallOptions & { readonly idempotencyKey: string }

export type Send = <Answer>(call: Call, options?: WriteOptions) => Promise<Answer>
