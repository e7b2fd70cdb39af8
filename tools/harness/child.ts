import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

export type Ended = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

const STOP_LIMIT_MS = 60_000

const running = new Set<Child>()
process.once('exit', () => running.forEach((child) => child.abandon()))

/** A process that this one has started, and that does not survive it. */
export class Child {
  readonly ended: Promise<Ended>
  protected readonly child: ChildProcess
  readonly #isGroup: boolean

  /** A group is killed with everything that the process has started in it. */
  constructor(child: ChildProcess, isGroup = false) {
    this.child = child
    this.#isGroup = isGroup
    running.add(this)
    this.ended = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null): void => {
        running.delete(this)
        resolve({ code, signal })
      }
      child.once('exit', end)
      child.on('error', () => {
        if (child.pid === undefined) end(null, null)
      })
    })
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error(`no process could be started: ${this.child.spawnfile}`)
    return this.child.pid
  }

  get isRunning(): boolean {
    const { pid, exitCode, signalCode } = this.child
    return pid !== undefined && exitCode === null && signalCode === null
  }

  /** The end of its output, for a report about why it has ended. */
  get lastWords(): string {
    return ''
  }

  signal(name: NodeJS.Signals): void {
    if (!this.#isGroup || this.child.pid === undefined) return void this.child.kill(name)
    try {
      process.kill(-this.child.pid, name)
    } catch {
      // Nothing of the group runs any more.
    }
  }

  /** Ends the process between any two of its instructions. */
  kill(): void {
    this.signal('SIGKILL')
  }

  /** The process does nothing until it is thawed, and keeps what it has open. */
  freeze(): void {
    this.signal('SIGSTOP')
  }

  thaw(): void {
    this.signal('SIGCONT')
  }

  /** The last word of this process to the one that it has started. */
  abandon(): void {
    this.kill()
  }

  /** Lets the process end in good order, and ends it by force when that takes too long. */
  async stop(limitMs = STOP_LIMIT_MS): Promise<Ended> {
    this.thaw()
    this.signal('SIGTERM')
    return this.endedWithin(limitMs)
  }

  protected async endedWithin(limitMs: number): Promise<Ended> {
    const isOver = new AbortController()
    void pause(limitMs, undefined, { signal: isOver.signal }).then(
      () => this.kill(),
      () => undefined,
    )
    const ended = await this.ended
    isOver.abort()
    return ended
  }
}
