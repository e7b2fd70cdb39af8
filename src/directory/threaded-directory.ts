import { Worker } from 'node:worker_threads'
import type { Directory, DirectoryRow, ListQuery } from '../ports/directory.ts'
import type { TailPosition } from '../ports/journal.ts'
import { AskFailed } from '../ports/actors.ts'
import type { DirectoryAnswer, DirectoryOperations, DirectoryRequest } from './directory-messages.ts'
import type { DirectoryWrite } from './sqlite-directory.ts'

/** Each may take tens of milliseconds, so what waits behind more of them would wait too long anyway. */
const LISTS_WAITING_MAX = 128
const RETRY_AFTER_MS = 1_000
/** Each message to the thread wakes it and costs a transaction: what changes within this time shares both. */
const GATHER_MS = 50
/** So many rows do not wait, nor do any while somebody waits for a list. */
const GATHERED_ROWS_MAX = 256

type Waiting = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }

/** The directory from outside its thread. A thread that died is started again by the next call. */
export class ThreadedDirectory implements Directory, AsyncDisposable {
  readonly #file: string
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | null = null
  #closed: Promise<void> | null = null
  #calls = 0
  #lists = 0
  #gathered: DirectoryWrite[] = []
  #gatheredRows = 0
  #gathering: PromiseWithResolvers<void> | null = null
  #gatherTimer: NodeJS.Timeout | undefined
  #hurried = 0

  constructor(file: string) {
    this.#file = file
  }

  async list(query: ListQuery): Promise<{ readonly rows: readonly DirectoryRow[]; readonly total: number }> {
    if (this.#lists >= LISTS_WAITING_MAX)
      throw new AskFailed('overloaded', 'too many lists are being made', RETRY_AFTER_MS)
    this.#lists += 1
    try {
      return await this.#call('list', query)
    } finally {
      this.#lists -= 1
    }
  }

  positionOf(shard: number): Promise<TailPosition | null> {
    return this.#call('positionOf', shard)
  }

  /** Rows and the place up to which they stand, together. */
  async write(shard: number, rows: readonly DirectoryRow[], position: TailPosition): Promise<void> {
    this.#gathered.push({ shard, rows, position })
    this.#gatheredRows += rows.length
    if (this.#gathering === null) {
      this.#gathering = Promise.withResolvers()
      this.#gatherTimer = setTimeout(() => this.#writeGathered(), this.#hurried > 0 ? 0 : GATHER_MS)
    }
    const { promise } = this.#gathering
    if (this.#gatheredRows >= GATHERED_ROWS_MAX) this.#writeGathered()
    await promise
  }

  /** What has gathered is written now, and nothing gathers any more until the end of `work`. */
  async hurried<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#hurried += 1
    this.#writeGathered()
    try {
      return await work()
    } finally {
      this.#hurried -= 1
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#writeGathered()
    this.#closed ??= this.#close()
    return this.#closed
  }

  #writeGathered(): void {
    const gathering = this.#gathering
    if (gathering === null) return
    clearTimeout(this.#gatherTimer)
    const writes = this.#gathered
    this.#gathered = []
    this.#gatheredRows = 0
    this.#gathering = null
    this.#call('writeAll', writes).then(gathering.resolve, gathering.reject)
  }

  #call<Operation extends keyof DirectoryOperations>(
    operation: Operation,
    input: Parameters<DirectoryOperations[Operation]>[0] | null,
  ): Promise<ReturnType<DirectoryOperations[Operation]>> {
    if (this.#closed !== null) return Promise.reject(unavailable('the directory is closed'))
    return this.#ask(operation, input)
  }

  #ask<Operation extends keyof DirectoryOperations>(
    operation: Operation,
    input: unknown,
  ): Promise<ReturnType<DirectoryOperations[Operation]>> {
    this.#worker ??= this.#start()
    const worker = this.#worker
    this.#calls += 1
    const call = this.#calls
    return new Promise((resolve, reject) => {
      this.#waiting.set(call, { resolve: resolve as (value: unknown) => void, reject })
      worker.postMessage({ call, operation, input } satisfies DirectoryRequest)
    })
  }

  #start(): Worker {
    const worker = new Worker(new URL('./directory-thread.ts', import.meta.url), {
      workerData: { file: this.#file },
    })
    worker.on('message', (answer: DirectoryAnswer) => {
      const waiting = this.#waiting.get(answer.call)
      this.#waiting.delete(answer.call)
      if ('failed' in answer) waiting?.reject(unavailable(answer.failed))
      else waiting?.resolve(answer.value)
    })
    worker.on('error', (error) => this.#lose(worker, error))
    worker.on('exit', () => this.#lose(worker))
    return worker
  }

  #lose(worker: Worker, cause?: Error): void {
    if (this.#worker !== worker) return
    this.#worker = null
    for (const { reject } of this.#waiting.values()) reject(unavailable('the directory thread ended', cause))
    this.#waiting.clear()
  }

  async #close(): Promise<void> {
    const worker = this.#worker
    if (worker === null) return
    await this.#ask('close', null).catch(() => undefined)
    await worker.terminate()
  }
}

const unavailable = (reason: string, cause?: Error): AskFailed =>
  new AskFailed('unavailable', reason, RETRY_AFTER_MS, { cause })
