type Attempt = { readonly over: AbortController; readonly ended: Promise<unknown> }

/** Attempts under way whose bodies show personal data of records, which the erasure of any of them has to cut off. */
export class RunningAttempts {
  readonly #byRecord = new Map<string, Set<Attempt>>()

  /** What is cut off begins again, with the body that the record then gives. */
  async run<Answer>(
    recordIds: readonly string[],
    signal: AbortSignal,
    send: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    for (;;) {
      const over = new AbortController()
      const stop = (): void => over.abort(signal.reason)
      if (signal.aborted) stop()
      signal.addEventListener('abort', stop, { once: true })
      const sent = send(over.signal)
      const attempt = { over, ended: sent.catch(() => undefined) }
      for (const recordId of recordIds) this.#add(recordId, attempt)
      try {
        return await sent
      } catch (error) {
        if (signal.aborted || !over.signal.aborted) throw error
      } finally {
        signal.removeEventListener('abort', stop)
        for (const recordId of recordIds) this.#remove(recordId, attempt)
      }
    }
  }

  /** Resolves when none of those that ran goes on. */
  async cutOff(recordId: string): Promise<void> {
    const attempts = [...(this.#byRecord.get(recordId) ?? [])]
    for (const { over } of attempts) over.abort(new Error('the record was erased'))
    await Promise.all(attempts.map(({ ended }) => ended))
  }

  #add(recordId: string, attempt: Attempt): void {
    const attempts = this.#byRecord.get(recordId) ?? new Set()
    this.#byRecord.set(recordId, attempts.add(attempt))
  }

  #remove(recordId: string, attempt: Attempt): void {
    const attempts = this.#byRecord.get(recordId)
    attempts?.delete(attempt)
    if (attempts?.size === 0) this.#byRecord.delete(recordId)
  }
}
