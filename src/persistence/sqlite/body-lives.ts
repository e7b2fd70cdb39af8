type BodyPlace = readonly [record: string, id: string]

/** Which bodies there are, and when the life of each ends. */
export class BodyLives {
  /** By record: the ends of the lives of its bodies, by id. */
  readonly #ofRecord = new Map<string, Map<string, number>>()

  endOf(record: string, id: string): number | undefined {
    return this.#ofRecord.get(record)?.get(id)
  }

  idsOf(record: string): readonly string[] {
    return [...(this.#ofRecord.get(record)?.keys() ?? [])]
  }

  add(record: string, id: string, expiresAtMs: number): void {
    const lives = this.#ofRecord.get(record)
    if (lives === undefined) this.#ofRecord.set(record, new Map([[id, expiresAtMs]]))
    else lives.set(id, expiresAtMs)
  }

  remove(record: string, id: string): void {
    const lives = this.#ofRecord.get(record)
    lives?.delete(id)
    if (lives?.size === 0) this.#ofRecord.delete(record)
  }

  /**
   * One walk through all of them: those whose life is over at `nowMs`, in slices of so many that were looked at, a slice
   * without any included. Others may come and go between two slices.
   */
  *expired(nowMs: number, lookedAtMax: number): Generator<readonly BodyPlace[], void, void> {
    let [over, lookedAt]: [BodyPlace[], number] = [[], 0]
    for (const [record, lives] of this.#ofRecord)
      for (const [id, expiresAtMs] of lives) {
        if (expiresAtMs <= nowMs) over.push([record, id])
        if (++lookedAt < lookedAtMax) continue
        yield over
        ;[over, lookedAt] = [[], 0]
      }
    yield over
  }
}
