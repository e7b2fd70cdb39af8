import { mkdirSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { BodyStore, KeptNow } from '../../ports/bodies.ts'
import type { BodyOperations } from './body-file-server.ts'
import { bodyFile } from './body-file.ts'
import { BodyLives } from './body-lives.ts'
import { DatabaseThread } from './database-thread.ts'

/**
 * Waking the thread costs more than a deletion, so deletions gather until a body is put, which wakes it anyway, or for so
 * long; what is to be gone within a second can wait for it.
 */
const DELETIONS_GATHER_MS = 200
/** Each message wakes the thread, so what comes during a sync travels together after it. */
const GROUPS_IN_FLIGHT_MAX = 1
const SWEEP_INTERVAL_MS = 60_000
/** A sweep looks at so many and lets others have their turn: less than a millisecond. */
const SWEPT_AT_ONCE = 4_096

type Deletions = { readonly names: string[]; readonly done: Promise<void> }

/** Bodies of the embedded engine, in a file and a thread of their own; which there are is known here. */
export class FileBodyStore implements BodyStore, AsyncDisposable {
  readonly #thread: DatabaseThread<BodyOperations>
  readonly #now: () => number
  readonly #lives = new BodyLives()
  /** By record: the newest deletion that is not done. */
  readonly #deleting = new Map<string, Promise<void>>()
  readonly #sweeper: NodeJS.Timeout
  #sweeping: Promise<void> | null = null
  #isClosing = false
  #gathering: Deletions | null = null
  #flushNow: (() => void) | null = null

  private constructor(thread: DatabaseThread<BodyOperations>, now: () => number) {
    this.#thread = thread
    this.#now = now
    this.#sweeper = setInterval(() => void this.sweep().catch(() => {}), SWEEP_INTERVAL_MS).unref()
  }

  static async open(folder: string, now: () => number = Date.now): Promise<FileBodyStore> {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const script = new URL('body-file-thread.ts', import.meta.url)
    const thread = await DatabaseThread.open<BodyOperations>(script, bodyFile(folder), {
      groupsInFlightMax: GROUPS_IN_FLIGHT_MAX,
    })
    const store = new FileBodyStore(thread, now)
    for (const [name, expiresAtMs] of await thread.call('list'))
      store.#lives.add(...partsOf(name), expiresAtMs)
    return store
  }

  async put(record: string, id: string, sealed: string, expiresAtMs: number): Promise<void> {
    this.#lives.add(record, id, expiresAtMs)
    this.#flushNow?.()
    await this.#thread.call('put', nameOf(record, id), sealed, expiresAtMs)
  }

  async get(record: string, id: string): Promise<string | null> {
    const expiresAtMs = this.#lives.endOf(record, id)
    if (expiresAtMs === undefined || expiresAtMs <= this.#now()) return null
    return this.#thread.call('get', nameOf(record, id))
  }

  async delete(record: string, id: string): Promise<void> {
    if (this.#lives.endOf(record, id) !== undefined) await this.#delete([[record, id]])
    else await this.#deleting.get(record)
  }

  async keepOnly(record: string, ids: readonly string[]): Promise<void> {
    const others = this.#lives.idsOf(record).filter((id) => !ids.includes(id))
    const deleting = this.#deleting.get(record)
    if (others.length > 0) await this.#delete(others.map((id) => [record, id]))
    await deleting
  }

  /** Ids are given once here too, but what is put later stays. */
  async deleteOthers(record: string, kept: KeptNow): Promise<void> {
    const keptIds = kept()
    if (keptIds !== null) await this.keepOnly(record, keptIds)
  }

  /**
   * Removes what has outlived its exchange, a slice after the other, however many there are; a failed sweep is repeated at the
   * next interval.
   */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#sweepAll().finally(() => {
      this.#sweeping = null
    })
    return this.#sweeping
  }

  async #sweepAll(): Promise<void> {
    for (const expired of this.#lives.expired(this.#now(), SWEPT_AT_ONCE)) {
      if (expired.length > 0) await this.#delete(expired)
      else await setImmediate()
      if (this.#isClosing) return
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#sweeper)
    this.#isClosing = true
    const last = this.#gathering?.done
    this.#flushNow?.()
    // A failure is the answer to those who asked for these deletions.
    await last?.catch(() => undefined)
    await this.#thread[Symbol.asyncDispose]()
  }

  /** What could not be deleted is known as before, so that the next try finds it. */
  async #delete(bodies: readonly (readonly [record: string, id: string])[]): Promise<void> {
    const { names, done } = (this.#gathering ??= this.#gather())
    const kept = bodies.map(([record, id]) => [record, id, this.#lives.endOf(record, id) ?? 0] as const)
    for (const [record, id] of bodies) {
      names.push(nameOf(record, id))
      this.#lives.remove(record, id)
    }
    for (const [record] of bodies) this.#deleting.set(record, done)
    try {
      await done
    } catch (error) {
      for (const [record, id, expiresAtMs] of kept) this.#lives.add(record, id, expiresAtMs)
      throw error
    } finally {
      for (const [record] of bodies) if (this.#deleting.get(record) === done) this.#deleting.delete(record)
    }
  }

  #gather(): Deletions {
    const names: string[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    const done = promise.then(() => this.#thread.call('deleteAll', names))
    const flush = (): void => {
      clearTimeout(timer)
      this.#gathering = null
      this.#flushNow = null
      resolve()
    }
    const timer = setTimeout(flush, DELETIONS_GATHER_MS)
    this.#flushNow = flush
    return { names, done }
  }
}

const nameOf = (record: string, id: string): string => `${record}/${id}`

const partsOf = (name: string): readonly [record: string, id: string] => {
  const end = name.indexOf('/')
  return [name.slice(0, end), name.slice(end + 1)]
}
