import type { RowStore } from './row-store.ts'

/** One kind of row, as values. */
export class Kept<Value extends object> {
  readonly #rows: RowStore
  readonly #kind: string

  constructor(rows: RowStore, kind: string) {
    this.#rows = rows
    this.#kind = kind
  }

  /** As the step sees it that is under way. */
  find(id: string): Value | null {
    return this.#valueOf(this.#rows.get(this.#kind, id))
  }

  stored(id: string): Value | null {
    return this.#valueOf(this.#rows.stored(this.#kind, id))
  }

  /** By id. */
  allStored(): readonly (Value & { readonly id: string })[] {
    return [...this.#rows.allStored(this.#kind)]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([id, text]) => ({ ...(JSON.parse(text) as Value), id }))
  }

  put(id: string, value: Value): void {
    this.#rows.put(this.#kind, id, JSON.stringify(value))
  }

  /** Behind all that there are. */
  add(value: Value): string {
    const id = this.#rows.nextId(this.#kind)
    this.put(id, value)
    return id
  }

  remove(id: string): void {
    this.#rows.remove(this.#kind, id)
  }

  #valueOf(text: string | null): Value | null {
    return text === null ? null : (JSON.parse(text) as Value)
  }
}
