import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { setTimeout as pause } from 'node:timers/promises'

const root = fileURLToPath(new URL('../..', import.meta.url))
const START_LIMIT_MS = 120_000
const LISTENS = /listens on/
const SHOWN_CHARACTERS_MAX = 4_000

/** The service as `npm start` runs it, in a process of its own that is started again whenever it was killed. */
export class ServiceProcess {
  readonly #settings: Readonly<Record<string, string>>
  readonly starts: number[] = []
  /** Ends that nobody asked for. */
  readonly defects: string[] = []
  #child: ChildProcess | null = null
  #wanted = false
  #listening = false
  #said = ''

  constructor(settings: Readonly<Record<string, string>>) {
    this.#settings = settings
    process.once('exit', () => this.kill())
  }

  get isListening(): boolean {
    return this.#listening
  }

  get said(): string {
    return this.#said
  }

  start(): void {
    this.#wanted = true
    this.#listening = false
    const startedMs = performance.now()
    const child = spawn(process.execPath, ['src/main.ts'], {
      cwd: root,
      env: { ...process.env, ...this.#settings },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#child = child
    child.stderr.on('data', (chunk: Buffer) => {
      this.#said = (this.#said + chunk.toString()).slice(-SHOWN_CHARACTERS_MAX)
      if (this.#listening || !LISTENS.test(chunk.toString())) return
      this.#listening = true
      this.starts.push(performance.now() - startedMs)
    })
    child.once('exit', (code, signal) => this.#ended(code, signal))
  }

  /** Ends the process between any two of its instructions, and starts another. */
  kill(): void {
    this.#child?.kill('SIGKILL')
  }

  async untilListening(): Promise<void> {
    const startedMs = performance.now()
    while (!this.#listening) {
      if (performance.now() - startedMs > START_LIMIT_MS)
        throw new Error(`the service did not start: ${this.#said}`)
      await pause(20)
    }
  }

  async stop(): Promise<void> {
    const child = this.#child
    this.#wanted = false
    if (child === null) return
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    const code = await ended
    if (code !== 0) this.defects.push(`the service ended with ${code} when it was told to stop`)
  }

  #ended(code: number | null, signal: string | null): void {
    this.#listening = false
    this.#child = null
    if (!this.#wanted) return
    if (signal !== 'SIGKILL')
      this.defects.push(`the service ended by itself with ${code ?? signal}: ${this.#said}`)
    this.start()
  }
}
