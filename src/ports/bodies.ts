/** Which bodies of a record are kept at the moment at which this is called; null where that is not known. */
export type KeptNow = () => readonly string[] | null

/**
 * Messages in flight: sealed texts that are too large for events and wanted for a limited time. Events carry the id
 * and a hash only. A body is durable when `put` resolves, so that the event that names it may follow.
 */
export interface BodyStore {
  /**
   * `sealed` is ASCII. Ids are given once: one that was deleted never comes back. `text` is what it opens to, which is
   * written nowhere.
   */
  put(record: string, id: string, sealed: string, expiresAtMs: number, text?: string): Promise<void>
  /** The text of a body that was put here a moment ago, once; the caller knows that its key is still there. */
  recall?(record: string, id: string): string | null
  /** Null when there is no such body, or when it has expired. */
  get(record: string, id: string): Promise<string | null>
  /** When this resolves the deletion is durable. Repeating is harmless. */
  delete(record: string, id: string): Promise<void>
  /**
   * Deletes all bodies of the record but these, for good: one that is put later is not there either. So a record to which
   * others come yet must not be asked for this.
   */
  keepOnly(record: string, ids: readonly string[]): Promise<void>
  /**
   * Deletes the bodies of the record that are there now, but those that are kept; others may come. Which are kept is asked
   * when it is known which are there: one that was put meanwhile is there, and kept as well. Null: none is to go.
   */
  deleteOthers(record: string, kept: KeptNow): Promise<void>
}
