import type { BodyStore, KeptNow } from '../../../src/ports/bodies.ts'

/** Bodies in memory; what was done can be seen, and the store can be away. */
export class MemoryBodies implements BodyStore {
  readonly kept = new Map<string, string>()
  readonly calls: string[] = []
  isAway = false
  /** Called when a body is durable, before its event can be. */
  afterPut = (): void => undefined

  /** When the body that was put last ends. */
  endsMs = 0
  /** Records to which no other body comes, with the ids that were kept; as on Cassandra, what comes later is not there. */
  readonly #closed = new Map<string, readonly string[]>()

  async put(record: string, id: string, sealed: string, expiresAtMs: number): Promise<void> {
    this.#call(`put ${record}`)
    this.endsMs = expiresAtMs
    if (this.#closed.get(record)?.includes(id) !== false) this.kept.set(`${record}/${id}`, sealed)
    this.afterPut()
  }

  async get(record: string, id: string): Promise<string | null> {
    this.#call(`get ${record}`)
    return this.kept.get(`${record}/${id}`) ?? null
  }

  async delete(record: string, id: string): Promise<void> {
    this.#call(`delete ${record}`)
    this.kept.delete(`${record}/${id}`)
  }

  async keepOnly(record: string, ids: readonly string[]): Promise<void> {
    this.#call(`keepOnly ${record} ${ids.length}`)
    const open = this.#closed.get(record) ?? ids
    this.#closed.set(
      record,
      ids.filter((id) => open.includes(id)),
    )
    this.#deleteOthers(record, ids)
  }

  async deleteOthers(record: string, kept: KeptNow): Promise<void> {
    const keptIds = kept()
    if (keptIds === null) return
    this.#call(`deleteOthers ${record} ${keptIds.length}`)
    this.#deleteOthers(record, keptIds)
  }

  #deleteOthers(record: string, ids: readonly string[]): void {
    for (const name of this.kept.keys())
      if (name.startsWith(`${record}/`) && !ids.includes(name.slice(record.length + 1)))
        this.kept.delete(name)
  }

  #call(call: string): void {
    this.calls.push(call)
    if (this.isAway) throw Object.assign(new Error('away'), { retryable: true })
  }
}
