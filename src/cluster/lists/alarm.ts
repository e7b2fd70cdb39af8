import type { Runtime } from '../../ports/runtime.ts'

const RUNG = new Error('somebody has rung')

/** A pause that can be ended from outside. */
export class Alarm {
  readonly #runtime: Pick<Runtime, 'sleep'>
  #pause: AbortController | null = null

  constructor(runtime: Pick<Runtime, 'sleep'>) {
    this.#runtime = runtime
  }

  ring(): void {
    this.#pause?.abort(RUNG)
  }

  async wait(ms: number): Promise<void> {
    const pause = new AbortController()
    this.#pause = pause
    await this.#runtime.sleep(ms, pause.signal).catch(() => undefined)
    if (this.#pause === pause) this.#pause = null
  }
}
