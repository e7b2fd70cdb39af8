import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { LedgerRefused, LedgerUnavailable } from '../actors/ledger-port.ts'
import type { FromWorker, ToWorker, WorkerStart } from './indy-messages.ts'

type Waiting = { resolve(text: string): void; reject(error: Error): void; timer: NodeJS.Timeout }
type Call = ToWorker extends infer Message ? (Message extends unknown ? Omit<Message, 'call'> : never) : never

const CLOSE_TIMEOUT_MS = 1000

/** Calls into the ledger thread: bounded in number and time; a thread that dies is replaced at the next call. */
export class WorkerCalls implements AsyncDisposable {
  readonly #start: WorkerStart
  readonly #settings: { readonly callTimeoutMs: number; readonly callsMax: number }
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | null = null
  #last = 0

  constructor(start: WorkerStart, settings: { callTimeoutMs: number; callsMax: number }) {
    this.#start = start
    this.#settings = settings
  }

  call(message: Call): Promise<string> {
    if (this.#waiting.size >= this.#settings.callsMax) {
      return Promise.reject(new LedgerUnavailable('too many ledger requests are waiting'))
    }
    const worker = this.#running()
    const call = ++this.#last
    return new Promise<string>((resolve, reject) => {
      const timer = setTimeout(
        () => this.#settle(call, new LedgerUnavailable('the ledger did not answer in time')),
        this.#settings.callTimeoutMs,
      )
      this.#waiting.set(call, { resolve, reject, timer })
      worker.postMessage({ ...message, call })
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    this.#failAll('the ledger client is closing')
    if (!worker) return
    const ended = once(worker, 'exit')
    worker.postMessage('close')
    const timer = setTimeout(() => void worker.terminate(), CLOSE_TIMEOUT_MS)
    await ended
    clearTimeout(timer)
  }

  #running(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(new URL('./indy-worker.ts', import.meta.url), { workerData: this.#start })
    worker.unref()
    worker.on('message', (message: FromWorker) => this.#settle(message.call, message))
    const gone = (cause: unknown): void => {
      if (this.#worker !== worker) return
      this.#worker = null
      this.#failAll('the ledger thread stopped', cause)
    }
    worker.on('error', gone)
    worker.on('exit', gone)
    this.#worker = worker
    return worker
  }

  #settle(call: number, outcome: FromWorker | Error): void {
    const waiting = this.#waiting.get(call)
    if (!waiting) return
    this.#waiting.delete(call)
    clearTimeout(waiting.timer)
    if (outcome instanceof Error) waiting.reject(outcome)
    else if ('text' in outcome) waiting.resolve(outcome.text)
    else if ('refused' in outcome) waiting.reject(new LedgerRefused(outcome.refused))
    else waiting.reject(new LedgerUnavailable(outcome.failed))
  }

  #failAll(reason: string, cause?: unknown): void {
    for (const call of this.#waiting.keys()) this.#settle(call, new LedgerUnavailable(reason, { cause }))
  }
}
