type Read = () => Promise<unknown>

/** One view of one actor, read for one organisation's share of its queue. */
type ReadUnderWay = {
  readonly view: string
  readonly tenant: string | null
  readonly running: Promise<unknown>
  next: Promise<unknown> | null
}

/**
 * Reads of the same actor at the same time are one read: a burst of one key's requests does not fill the queue of the
 * actors that all of them read. A read that comes while another is under way shares the one after it, which begins
 * later, so that no caller gets what was true before the call.
 */
export class SharedReads {
  readonly #underWay = new Map<string, ReadUnderWay>()

  share(actor: string, view: string, tenant: string | null, read: Read): Promise<unknown> {
    const entry = this.#underWay.get(actor)
    if (entry === undefined) return this.#begin(actor, view, tenant, read)
    if (entry.view !== view || entry.tenant !== tenant) return read()
    const after = (): Promise<unknown> => this.#begin(actor, view, tenant, read)
    entry.next ??= entry.running.then(after, after)
    return entry.next
  }

  #begin(actor: string, view: string, tenant: string | null, read: Read): Promise<unknown> {
    const running = read()
    const entry: ReadUnderWay = { view, tenant, running, next: null }
    this.#underWay.set(actor, entry)
    const over = (): void => {
      if (entry.next === null) this.#underWay.delete(actor)
    }
    void running.then(over, over)
    return running
  }
}
