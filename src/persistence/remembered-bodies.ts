import type { BodyStore, KeptNow } from '../ports/bodies.ts'

/** Some seconds of bodies at full load: most are wanted a few milliseconds after they are written. */
const CHARACTERS_MAX = 8_000_000
/** One large body must not push out hundreds of usual ones. */
const ONE_MAX = 64_000

/** What is opened later than this after it was put is opened from its sealed form. */
const CLEAR_MS = 10_000

type Remembered = {
  readonly sealed: string
  readonly expiresAtMs: number
  readonly putAtMs: number
  /** Until it was recalled. */
  text: string | null
}

/**
 * Bodies just written are read from memory, as sealed as they are in the store, until they are deleted. Most are opened
 * once, by what they were written for: for that their text is remembered too.
 */
export class RememberedBodies implements BodyStore {
  readonly #store: BodyStore
  readonly #charactersMax: number
  readonly #now: () => number
  /** By record, the oldest first: what of its bodies is remembered, by id. */
  readonly #remembered = new Map<string, Map<string, Remembered>>()
  /** Those with a text, the oldest first. */
  readonly #clear = new Set<Remembered>()
  #dropping: NodeJS.Timeout | null = null
  #characters = 0
  #emptied: (record: string) => void = () => undefined

  constructor(store: BodyStore, now: () => number, charactersMax = CHARACTERS_MAX) {
    this.#store = store
    this.#charactersMax = charactersMax
    this.#now = now
  }

  get characters(): number {
    return this.#characters
  }

  async put(record: string, id: string, sealed: string, expiresAtMs: number, text?: string): Promise<void> {
    this.#forget(record, [id])
    // Before it is durable, so that a deletion that comes meanwhile takes it along.
    if (sealed.length <= ONE_MAX) {
      const putAtMs = this.#now()
      this.#remember(record, id, { sealed, expiresAtMs, putAtMs, text: text ?? null })
    }
    try {
      await this.#store.put(record, id, sealed, expiresAtMs)
    } catch (error) {
      this.#forget(record, [id])
      throw error
    }
  }

  async get(record: string, id: string): Promise<string | null> {
    const remembered = this.#remembered.get(record)?.get(id)
    if (remembered === undefined || remembered.expiresAtMs <= this.#now()) return this.#store.get(record, id)
    return remembered.sealed
  }

  recall(record: string, id: string): string | null {
    const remembered = this.#remembered.get(record)?.get(id)
    const text = remembered?.text ?? null
    if (remembered === undefined || text === null) return null
    this.#dropText(remembered)
    return this.#now() - remembered.putAtMs < CLEAR_MS ? text : null
  }

  /** What is remembered of a record goes; the store is another's. */
  forget(record: string): void {
    this.#forget(record, [...(this.#remembered.get(record)?.keys() ?? [])])
  }

  delete(record: string, id: string): Promise<void> {
    this.#forget(record, [id])
    return this.#store.delete(record, id)
  }

  keepOnly(record: string, ids: readonly string[]): Promise<void> {
    this.#forgetOthers(record, ids)
    const kept = this.#store.keepOnly(record, ids)
    return ids.length === 0 ? kept.then(() => this.#emptied(record)) : kept
  }

  deleteOthers(record: string, kept: KeptNow): Promise<void> {
    return this.#store.deleteOthers(record, () => {
      const keptIds = kept()
      if (keptIds !== null) this.#forgetOthers(record, keptIds)
      return keptIds
    })
  }

  /** Called with each record of which no body is left. */
  whenEmptied(emptied: (record: string) => void): void {
    this.#emptied = emptied
  }

  #remember(record: string, id: string, body: Remembered): void {
    const bodies = this.#remembered.get(record)
    if (bodies === undefined) this.#remembered.set(record, new Map([[id, body]]))
    else bodies.set(id, body)
    this.#characters += charactersOf(body)
    if (body.text !== null) this.#clear.add(body)
    this.#dropLater()
    for (const [oldest, others] of this.#remembered) {
      if (this.#characters <= this.#charactersMax) return
      this.#forget(oldest, [...others.keys()])
    }
  }

  #forgetOthers(record: string, keptIds: readonly string[]): void {
    const ids = [...(this.#remembered.get(record)?.keys() ?? [])]
    this.#forget(
      record,
      ids.filter((id) => !keptIds.includes(id)),
    )
  }

  #forget(record: string, ids: Iterable<string>): void {
    const bodies = this.#remembered.get(record)
    if (bodies === undefined) return
    for (const id of ids) {
      const body = bodies.get(id)
      if (body === undefined) continue
      this.#characters -= charactersOf(body)
      this.#clear.delete(body)
      bodies.delete(id)
    }
    if (bodies.size === 0) this.#remembered.delete(record)
  }

  /** A text that nobody came to open does not stay in clear. */
  #dropLater(): void {
    if (this.#dropping !== null || this.#clear.size === 0) return
    this.#dropping = setTimeout(() => {
      this.#dropping = null
      for (const body of this.#clear) {
        if (this.#now() - body.putAtMs < CLEAR_MS) break
        this.#dropText(body)
      }
      this.#dropLater()
    }, CLEAR_MS).unref()
  }

  #dropText(body: Remembered): void {
    this.#characters -= body.text?.length ?? 0
    body.text = null
    this.#clear.delete(body)
  }
}

const charactersOf = ({ sealed, text }: Remembered): number => sealed.length + (text?.length ?? 0)
