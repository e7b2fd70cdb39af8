import { setMaxListeners } from 'node:events'
import pLimit from 'p-limit'
import type { WebhookAnswer } from '../../ports/webhook-sender.ts'
import type { HeardEvent } from './heard.ts'

/** What came of one attempt. `again`: after so many milliseconds; null when it was the last. */
export type Attempted = {
  readonly event: HeardEvent
  readonly attempt: number
  readonly answer: Pick<WebhookAnswer, 'status' | 'durationMs' | 'error'>
  readonly againMs: number | null
}

export type ForwarderParts = {
  /** One signed attempt; rejects only when the signal is aborted. */
  readonly send: (event: HeardEvent, attempt: number, signal: AbortSignal) => Promise<WebhookAnswer>
  readonly told: (attempted: Attempted) => void
  readonly settings?: Partial<ForwarderSettings>
}

type ForwarderSettings = {
  /** The pauses before the second attempt, the third, and so on; an event is given up after the last. */
  readonly pausesMs: readonly number[]
  readonly atOnceMax: number
  readonly waitingMax: number
  readonly waitingCharactersMax: number
}

/** A receiver that a developer starts again is back within half a minute; deliveries of the service wait for hours. */
const SETTINGS: ForwarderSettings = {
  pausesMs: [1_000, 2_000, 4_000, 8_000, 16_000],
  atOnceMax: 4,
  waitingMax: 1_000,
  waitingCharactersMax: 16_777_216,
}

/**
 * Posts events on. Those of a record go out one after the other, in the order in which they came; one that is tried
 * again holds up no other record.
 */
export class Forwarder {
  readonly #parts: ForwarderParts
  readonly #settings: ForwarderSettings
  readonly #atOnce: ReturnType<typeof pLimit>
  /** Of each record that has any, the events that are not settled, the oldest first. */
  readonly #lines = new Map<string, HeardEvent[]>()
  readonly #working = new Set<Promise<void>>()
  /** Aborted when no attempt is to begin any more. */
  readonly #ending = new AbortController()
  /** Aborted when those under way are to end, too. */
  readonly #ended = new AbortController()
  #waiting = 0
  #characters = 0
  #room = Promise.withResolvers<void>()

  constructor(parts: ForwarderParts) {
    this.#parts = parts
    this.#settings = { ...SETTINGS, ...parts.settings }
    this.#atOnce = pLimit(this.#settings.atOnceMax)
    // Every record that is to be tried again waits for it.
    setMaxListeners(0, this.#ending.signal)
  }

  /** Events that are neither accepted nor given up. */
  get waiting(): number {
    return this.#waiting
  }

  /** Resolves when there is room for another one. */
  async take(event: HeardEvent): Promise<void> {
    this.#waiting += 1
    this.#characters += event.body.length
    const key = event.recordId ?? event.id
    const line = this.#lines.get(key)
    if (line === undefined) this.#begin(key, [event])
    else line.push(event)
    while (this.#isFull && !this.#ending.signal.aborted) await this.#room.promise
  }

  /** Begins no attempt any more, and lets nobody wait for room. */
  stop(): void {
    this.#ending.abort()
    this.#room.resolve()
  }

  /** Stops, and resolves when what is under way has ended, or had so long to end. */
  async end(graceMs: number): Promise<void> {
    this.stop()
    const timer = setTimeout(() => this.#ended.abort(), graceMs)
    await Promise.all(this.#working)
    clearTimeout(timer)
  }

  get #isFull(): boolean {
    const { waitingMax, waitingCharactersMax } = this.#settings
    return this.#waiting >= waitingMax || this.#characters >= waitingCharactersMax
  }

  #begin(key: string, line: HeardEvent[]): void {
    this.#lines.set(key, line)
    const working = this.#work(key, line).finally(() => this.#working.delete(working))
    this.#working.add(working)
  }

  async #work(key: string, line: HeardEvent[]): Promise<void> {
    for (let [event] = line; event !== undefined; [event] = line) {
      const isSettled = await this.#forward(event)
      if (!isSettled) return
      line.shift()
      this.#waiting -= 1
      this.#characters -= event.body.length
      this.#room.resolve()
      this.#room = Promise.withResolvers()
    }
    this.#lines.delete(key)
  }

  /** False when this ends before the event was accepted or given up. */
  async #forward(event: HeardEvent): Promise<boolean> {
    const { pausesMs } = this.#settings
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#atOnce(() => this.#attempt(event, attempt))
      if (answer === null) return false
      const againMs = answer.error === null ? null : (pausesMs[attempt - 1] ?? null)
      this.#parts.told({ event, attempt, answer, againMs })
      if (againMs === null) return true
      await pause(againMs, this.#ending.signal)
    }
  }

  /** Null when it was not begun, or not ended. */
  async #attempt(event: HeardEvent, attempt: number): Promise<WebhookAnswer | null> {
    if (this.#ending.signal.aborted) return null
    try {
      return await this.#parts.send(event, attempt, this.#ended.signal)
    } catch (error) {
      if (this.#ended.signal.aborted) return null
      throw error
    }
  }
}

/** Shorter where the signal is aborted before. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const over = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', over)
      resolve()
    }
    const timer = setTimeout(over, ms)
    if (signal.aborted) over()
    else signal.addEventListener('abort', over)
  })
