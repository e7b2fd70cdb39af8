import { setTimeout as pause } from 'node:timers/promises'
import type { Child, Ended } from './child.ts'
import { untilFound } from './waiting.ts'

type Manner<Running> = {
  open(): Running
  /** Resolves when the process does its work, rejects when it cannot. */
  ready(running: Running): Promise<unknown>
  stop?(running: Running): Promise<Ended>
}

const READY_LIMIT_MS = 120_000
const AFTER_FAILED_START_MS = 500

/** A process that is started again whenever it has ended, until it is stopped. */
export class Restarting<Running extends Child> {
  readonly startsMs: number[] = []
  /** How the process ended when it was neither killed nor stopped. */
  readonly failures: string[] = []
  readonly #manner: Manner<Running>
  #current: Running | null = null
  /** The last one that was killed on purpose; it may take a moment to end. */
  #killed: Running | null = null
  #isReady = false
  #isWanted = false
  #ended: Promise<void> = Promise.resolve()

  constructor(manner: Manner<Running>) {
    this.#manner = manner
  }

  /** The process, while it does its work; one that was killed does none, however late its end is noticed. */
  get ready(): Running | null {
    return this.#isReady && this.#current !== this.#killed ? this.#current : null
  }

  start(): void {
    this.#isWanted = true
    this.#ended = this.#startAgainAndAgain()
  }

  untilReady(): Promise<Running> {
    const otherwise = () => new Error(`a process did not start: ${this.failures.at(-1)}`)
    return untilFound(() => this.ready, { limitMs: READY_LIMIT_MS, everyMs: 5, otherwise })
  }

  kill(): void {
    this.#killed = this.#current
    this.#current?.kill()
  }

  freeze(): void {
    this.#current?.freeze()
  }

  thaw(): void {
    this.#current?.thaw()
  }

  async stop(): Promise<void> {
    this.#isWanted = false
    const running = this.#current
    if (running !== null) {
      running.thaw()
      const { code } = await (this.#manner.stop?.(running) ?? running.stop())
      if (code !== 0 && running !== this.#killed)
        this.failures.push(`it ended with ${code} when it was stopped`)
    }
    await this.#ended
  }

  async #startAgainAndAgain(): Promise<void> {
    while (this.#isWanted) {
      const hasStarted = await this.#runOnce()
      if (!hasStarted) await pause(AFTER_FAILED_START_MS)
    }
  }

  /** False when it could not start. */
  async #runOnce(): Promise<boolean> {
    const startedMs = performance.now()
    const running = this.#manner.open()
    this.#current = running
    const starting = this.#manner.ready(running).then(
      () => {
        this.#isReady = running.isRunning
        if (this.#isReady) this.startsMs.push(performance.now() - startedMs)
        return null
      },
      (error: Error) => {
        // A process that says itself that it cannot start goes on running.
        const isAlive = running.isRunning
        running.kill()
        return isAlive ? error.message : null
      },
    )
    const { code, signal } = await running.ended
    const hasStarted = this.#isReady
    this.#isReady = false
    this.#current = null
    const refusal = await starting
    if (refusal === null && (signal === 'SIGKILL' || !this.#isWanted)) return true
    this.failures.push(refusal ?? `it ended by itself with ${code ?? signal}: ${running.lastWords}`)
    return hasStarted
  }
}
