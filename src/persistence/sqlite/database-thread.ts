import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type AppendOutcome, type LogSlot, StoreFailure } from '../store-port.ts'
import type { GroupAnswer, Operations, ThreadFailure, ThreadReady } from './thread-messages.ts'
import { type Waiting, WaitingGroup } from './waiting-group.ts'

/** Two, so that the thread has the next group at hand when it finishes one, and what arrives meanwhile still gathers. */
const GROUPS_IN_FLIGHT_MAX = 2
const WAITING_CALLS_MAX = 65_536
const RESTART_DELAY_MS = 500
const WRITTEN: AppendOutcome = { is: 'written' }

/** This side of a worker thread with a connection to the file: calls gather into groups, answers find their callers. */
export class DatabaseThread<Allowed extends Operations> implements AsyncDisposable {
  readonly #script: URL
  readonly #file: string
  readonly #inFlight: (readonly Waiting[])[] = []
  #gathering = new WaitingGroup()
  #worker: Worker | null = null
  #flushPlanned = false
  #closing: Promise<void> | null = null

  private constructor(script: URL, file: string) {
    this.#script = script
    this.#file = file
  }

  /** Rejects when the file cannot be opened as it must be. */
  static async open<Allowed extends Operations>(script: URL, file: string): Promise<DatabaseThread<Allowed>> {
    const thread = new DatabaseThread<Allowed>(script, file)
    await thread.#start()
    return thread
  }

  call<Method extends keyof Allowed & string>(
    method: Method,
    ...args: Parameters<Allowed[Method]>
  ): Promise<ReturnType<Allowed[Method]>> {
    return this.#gather((waiting) => this.#gathering.addCall([method, ...(args as unknown[])], waiting))
  }

  /** Of the writing thread. */
  append(slot: LogSlot): Promise<AppendOutcome> {
    return this.#gather<AppendOutcome | undefined>((waiting) => this.#gathering.addSlot(slot, waiting)).then(
      (refused) => refused ?? WRITTEN,
    )
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  #gather<Answer>(add: (waiting: Waiting) => void): Promise<Answer> {
    if (this.#closing !== null) return Promise.reject(notApplied('the journal is closed'))
    if (this.#gathering.size >= WAITING_CALLS_MAX)
      return Promise.reject(notApplied('the journal is overloaded'))
    return new Promise((resolve, reject) => {
      add({ resolve: resolve as (value: unknown) => void, reject })
      this.#planFlush()
    })
  }

  /** At the end of the event loop's turn: what the turn's callbacks ask for travels together. */
  #planFlush(): void {
    if (this.#flushPlanned || this.#inFlight.length >= GROUPS_IN_FLIGHT_MAX) return
    this.#flushPlanned = true
    setImmediate(() => {
      this.#flushPlanned = false
      this.#flush()
    })
  }

  #flush(): void {
    if (this.#worker === null || this.#gathering.size === 0) return
    const group = this.#takeGathering()
    this.#inFlight.push(group.waiting())
    this.#worker.postMessage(group.request())
  }

  #settle({ values, failures }: GroupAnswer): void {
    const group = this.#inFlight.shift()
    if (group === undefined) return
    for (const [index, failure] of failures) group[index]?.reject(asError(failure))
    for (const [index, value] of values) group[index]?.resolve(value)
    // Those that were settled above ignore this.
    for (const { resolve } of group) resolve(undefined)
    if (this.#gathering.size > 0) this.#planFlush()
  }

  #takeGathering(): WaitingGroup {
    const group = this.#gathering
    this.#gathering = new WaitingGroup()
    return group
  }

  async #start(): Promise<void> {
    const worker = new Worker(this.#script, { workerData: { file: this.#file } })
    const [ready] = (await once(worker, 'message')) as [ThreadReady]
    if (!ready.ready) throw new Error(ready.message)
    this.#worker = worker
    worker.on('message', (answer: GroupAnswer) => this.#settle(answer))
    worker.on('error', (error) => this.#lose(worker, error))
    worker.on('exit', () => this.#lose(worker, new Error('the database thread ended')))
    this.#planFlush()
  }

  /** The thread died. Whether its last groups were committed is for the callers to find out. */
  #lose(worker: Worker, cause: Error): void {
    if (this.#worker !== worker) return
    this.#worker = null
    for (const { reject } of this.#inFlight.splice(0).flat()) {
      reject(new StoreFailure('unknown', 'the database thread ended', { cause }))
    }
    for (const { reject } of this.#takeGathering().waiting()) reject(notApplied('the database thread ended'))
    if (this.#closing === null) this.#restart()
  }

  #restart(): void {
    setTimeout(() => {
      if (this.#closing !== null) return
      this.#start().catch(() => this.#restart())
    }, RESTART_DELAY_MS).unref()
  }

  async #close(): Promise<void> {
    this.#flush()
    const worker = this.#worker
    if (worker === null) return
    const ended = once(worker, 'exit')
    worker.postMessage('stop')
    await ended
  }
}

const notApplied = (message: string): StoreFailure => new StoreFailure('not-applied', message)

const asError = ({ is, message }: ThreadFailure): Error =>
  is === 'defect' ? new Error(message) : new StoreFailure(is, message)
