/**
 * Message bodies and credentials in flight: sealed, too large for events, wanted for a limited time. Events carry
 * the id and a hash only. A body is durable when `put` resolves, so that the event that names it may follow.
 */
export interface BodyStore {
  /** The same id again replaces the body. */
  put(id: string, body: Uint8Array, expiresAtMs: number): Promise<void>
  /** Null when there is no such body, or when it has expired. */
  get(id: string): Promise<Uint8Array | null>
  delete(id: string): Promise<void>
}
