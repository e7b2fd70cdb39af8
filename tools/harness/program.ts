import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Child, type Ended } from './child.ts'
import { untilFound } from './waiting.ts'

type Output = { readonly stdout: string; readonly stderr: string }

export type ProgramOptions = {
  readonly env?: NodeJS.ProcessEnv
  /** Where it runs; otherwise the root of the repository. */
  readonly folder?: string
  readonly isGroup?: boolean
  readonly keepsOutput?: boolean
}

const repository = fileURLToPath(new URL('../..', import.meta.url))
const SHOWN_CHARACTERS_MAX = 200_000
const LAST_WORDS_CHARACTERS = 4_000
const LISTENS = /listens on (http\S+) \(metrics: (http\S+)\/metrics\)/

/** A script that Node runs in a process of its own. */
export class Program extends Child {
  /** Resolves when the process has ended and all that it wrote has been read. */
  readonly finished: Promise<Ended & Output>
  #stdout = ''
  #stderr = ''

  constructor(args: readonly string[], options: ProgramOptions = {}) {
    const { env = process.env, folder = repository, isGroup = false, keepsOutput = false } = options
    const child = spawn(process.execPath, args, {
      cwd: folder,
      env,
      detached: isGroup,
      stdio: ['ignore', keepsOutput ? 'pipe' : 'ignore', 'pipe'],
    })
    super(child, isGroup)
    child.stdout?.on('data', (chunk: Buffer) => {
      this.#stdout += chunk.toString()
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-SHOWN_CHARACTERS_MAX)
    })
    this.finished = new Promise((resolve) => {
      child.once('close', (code, signal) =>
        resolve({ code, signal, stdout: this.#stdout, stderr: this.#stderr }),
      )
    })
  }

  get output(): string {
    return this.#stdout
  }

  /** What the person at the terminal has read so far. */
  get shown(): string {
    return this.#stderr
  }

  override get lastWords(): string {
    return this.#stderr.slice(-LAST_WORDS_CHARACTERS)
  }

  override async stop(limitMs?: number): Promise<Ended & Output> {
    await super.stop(limitMs)
    return this.finished
  }

  /** Where the service listens, once it says so. */
  async untilListening(limitMs = 180_000): Promise<{ readonly url: string; readonly privateUrl: string }> {
    const failed = () => new Error(`the service did not start: ${this.shown}`)
    const look = () => LISTENS.exec(this.shown) ?? !this.isRunning
    const found = await untilFound(look, { limitMs, everyMs: 10, otherwise: failed })
    if (found === true) throw failed()
    return { url: found[1] ?? '', privateUrl: found[2] ?? '' }
  }
}
