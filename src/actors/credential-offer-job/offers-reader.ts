import { Worker } from 'node:worker_threads'
import type { Eventually } from '../../domain/eventually.ts'
import type { ReadBody } from '../../http/route/body-reader.ts'
import type { Problem } from '../../http/route/problem.ts'
import { AskFailed } from '../../ports/actors.ts'
import { offersRead } from './read-offers.ts'

type Read = ReadBody | Problem

/** Handing so few bytes to a thread costs the event loop as much as reading them. */
const HERE_BYTES = 16_384
/** Of a body of two megabytes, whatever is in it. */
const HEAP_MEGABYTES = 256
const AGAIN_MS = 1_000

/** Reads requests for many offers: large ones in a thread, which begins with the first of them. */
export class OffersReader {
  readonly #waiting = new Map<number, PromiseWithResolvers<Read>>()
  #here: ((bytes: Uint8Array) => Read) | null = null
  #thread: Worker | null = null
  #asked = 0

  readonly read = (bytes: Uint8Array): Eventually<Read> => {
    if (bytes.byteLength > HERE_BYTES) return this.#readThere(bytes)
    this.#here ??= offersRead()
    return this.#here(bytes)
  }

  #readThere(bytes: Uint8Array): Promise<Read> {
    const thread = (this.#thread ??= this.#start())
    const id = ++this.#asked
    const waiting = Promise.withResolvers<Read>()
    this.#waiting.set(id, waiting)
    // A copy, because a body may share its memory with others, and what is handed over is gone here.
    const copy = new Uint8Array(bytes)
    thread.postMessage([id, copy], [copy.buffer])
    return waiting.promise
  }

  #start(): Worker {
    const thread = new Worker(new URL('./offers-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    })
    thread.unref()
    thread.on('message', ([id, read]: readonly [number, Read]) => {
      this.#waiting.get(id)?.resolve(read)
      this.#waiting.delete(id)
    })
    const lost = (cause?: Error): void => this.#lost(thread, cause)
    thread.on('error', lost)
    thread.on('exit', () => lost())
    return thread
  }

  /** Nothing was begun; the next request begins another thread. */
  #lost(thread: Worker, cause?: Error): void {
    if (this.#thread !== thread) return
    this.#thread = null
    for (const { reject } of this.#waiting.values())
      reject(new AskFailed('unavailable', 'the body could not be read', AGAIN_MS, { cause }))
    this.#waiting.clear()
  }
}
