import { type ChildProcess, fork } from 'node:child_process'
import { LedgerRefused, LedgerUnavailable } from '../ports/ledger.ts'
import { endProcess } from './end-process.ts'
import type { Call, FromProcess, ProcessStart } from './indy-messages.ts'

type Waiting = { resolve(text: string): void; reject(error: Error): void; timer: NodeJS.Timeout }

const CLOSE_TIMEOUT_MS = 1000

/** Calls into the ledger process, bounded in number and time; a process that dies is replaced at the next call. */
export class ProcessCalls implements AsyncDisposable {
  readonly #start: ProcessStart
  readonly #settings: { readonly callTimeoutMs: number; readonly callsMax: number }
  readonly #waiting = new Map<number, Waiting>()
  #process: ChildProcess | null = null
  #isClosed = false
  #last = 0

  constructor(
    { genesis }: Pick<ProcessStart, 'genesis'>,
    settings: { callTimeoutMs: number; callsMax: number },
  ) {
    this.#start = { genesis, callTimeoutMs: settings.callTimeoutMs }
    this.#settings = settings
  }

  call(message: Call): Promise<string> {
    // Whoever tries again would otherwise start a process that nobody ends.
    if (this.#isClosed) return Promise.reject(new LedgerUnavailable('the ledger client is closed'))
    if (this.#waiting.size >= this.#settings.callsMax) {
      return Promise.reject(new LedgerUnavailable('too many ledger requests are waiting'))
    }
    const child = this.#running()
    const call = ++this.#last
    return new Promise<string>((resolve, reject) => {
      const timer = setTimeout(
        () => this.#settle(call, new LedgerUnavailable('the ledger did not answer in time')),
        this.#settings.callTimeoutMs,
      )
      this.#waiting.set(call, { resolve, reject, timer })
      child.send({ ...message, call })
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    const child = this.#process
    this.#process = null
    this.#failAll('the ledger client is closing')
    if (child !== null) await endProcess(child, CLOSE_TIMEOUT_MS)
  }

  #running(): ChildProcess {
    if (this.#process) return this.#process
    const child = fork(new URL('./indy-process.ts', import.meta.url), {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    child.unref()
    child.channel?.unref()
    child.on('message', (message: FromProcess) => this.#settle(message.call, message))
    const gone = (cause: unknown): void => {
      if (this.#process !== child) return
      this.#process = null
      this.#failAll('the ledger process stopped', cause)
    }
    child.on('error', gone)
    child.on('exit', gone)
    child.send(this.#start)
    this.#process = child
    return child
  }

  #settle(call: number, outcome: FromProcess | Error): void {
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
