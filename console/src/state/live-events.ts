/** What pages go by: something of this type happened to this record. */
export type LiveEvent = { readonly type: string; readonly recordId: string }

/** `null`: something may have been missed, because the stream was cut or begins. */
export type Listener = (event: LiveEvent | null) => void

/** The browser's `EventSource`, as far as it is needed. */
export type Source = {
  readonly readyState: number
  addEventListener(type: string, listener: (event: { readonly data?: unknown }) => void): void
  close(): void
}

const CLOSED = 2
/** Pages that follow each other share the stream. */
const LINGER_MS = 5_000
/** The service had no place, or no events for the moment. */
const RETRY_MS = 30_000

/**
 * What the service tells of events while they happen: one stream for all of the page, open while somebody listens and
 * looks at it, because an organisation has a bounded number of places.
 */
export class LiveEvents {
  readonly #open: () => Source
  readonly #types: readonly string[]
  readonly #listeners = new Set<Listener>()
  #source: Source | null = null
  #isLive = false
  #isLookedAt = true
  #closing: ReturnType<typeof setTimeout> | undefined
  #retrying: ReturnType<typeof setTimeout> | undefined

  constructor(types: readonly string[], open: () => Source) {
    this.#types = types
    this.#open = open
  }

  /** Whether what happens is told. */
  get isLive(): boolean {
    return this.#isLive
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    this.#settle()
    return () => {
      this.#listeners.delete(listener)
      this.#settle()
    }
  }

  lookedAt(isLookedAt: boolean): void {
    this.#isLookedAt = isLookedAt
    this.#settle()
  }

  #settle(): void {
    if (this.#listeners.size > 0 && this.#isLookedAt) {
      clearTimeout(this.#closing)
      this.#closing = undefined
      if (this.#source === null && this.#retrying === undefined) this.#begin()
    } else this.#closing ??= setTimeout(() => this.#end(), LINGER_MS)
  }

  #begin(): void {
    const source = this.#open()
    this.#source = source
    source.addEventListener('open', () => {
      this.#isLive = true
      this.#tell(null)
    })
    source.addEventListener('error', () => this.#lost(source))
    source.addEventListener('stream.gap', () => this.#tell(null))
    for (const type of this.#types)
      source.addEventListener(type, ({ data }) => this.#tell({ type, recordId: recordIn(data) }))
  }

  /** The browser itself comes back after a connection that broke, and not after a refusal. */
  #lost(source: Source): void {
    if (source !== this.#source) return
    const wasLive = this.#isLive
    this.#isLive = false
    if (source.readyState === CLOSED) {
      this.#source = null
      this.#retrying = setTimeout(() => {
        this.#retrying = undefined
        this.#settle()
      }, RETRY_MS)
    }
    if (wasLive) this.#tell(null)
  }

  #end(): void {
    this.#closing = undefined
    clearTimeout(this.#retrying)
    this.#retrying = undefined
    this.#source?.close()
    this.#source = null
    this.#isLive = false
  }

  #tell(event: LiveEvent | null): void {
    for (const listener of this.#listeners) listener(event)
  }
}

/** An event of a later service may name no record; then no page of a record is meant. */
const recordIn = (data: unknown): string => {
  try {
    const { data: about } = JSON.parse(String(data)) as { data?: { id?: unknown; recordId?: unknown } }
    const id = about?.id ?? about?.recordId
    return typeof id === 'string' ? id : ''
  } catch {
    return ''
  }
}
