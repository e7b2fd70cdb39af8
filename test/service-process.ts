import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from './temporary-folder.ts'

export type Ended = {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** The service as its operator runs it: a process of its own, on ports and a folder of its own. */
export class ServiceProcess {
  readonly folder: string
  readonly ended: Promise<Ended>
  readonly #child: ChildProcess
  #stdout = ''
  #stderr = ''

  constructor(
    environment: Readonly<Record<string, string>> = {},
    script = 'src/main.ts',
    args: readonly string[] = [],
  ) {
    this.folder = temporaryFolder('vouchsafe-service')
    const root = fileURLToPath(new URL('..', import.meta.url))
    this.#child = spawn(process.execPath, [join(root, script), ...args], {
      cwd: this.folder,
      env: {
        PATH: process.env.PATH,
        // Where the bootstrap put the native libraries.
        LIB_ANONCREDS_PATH: process.env.LIB_ANONCREDS_PATH,
        LIB_INDY_VDR_PATH: process.env.LIB_INDY_VDR_PATH,
        PORT: '0',
        VOUCHSAFE_PRIVATE_PORT: '0',
        VOUCHSAFE_DATA_FOLDER: join(this.folder, 'data'),
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      this.#stdout += chunk.toString()
    })
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr += chunk.toString()
    })
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        resolve({ code, signal, stdout: this.#stdout, stderr: this.#stderr })
      })
    })
  }

  /** Where it listens, once it says so; rejects when it ends before. */
  async listening(withinMs = 180_000): Promise<{ readonly url: string; readonly privateUrl: string }> {
    const deadline = performance.now() + withinMs
    for (;;) {
      const found = /listens on (http\S+) \(metrics: (http\S+)\/metrics\)/.exec(this.#stderr)
      if (found?.[1] !== undefined && found[2] !== undefined) return { url: found[1], privateUrl: found[2] }
      if (this.#child.exitCode !== null || performance.now() > deadline) {
        throw new Error(`the service did not start: ${this.#stderr}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  /** Of the development organisation, as the first start shows it; empty before that. */
  get apiKey(): string {
    return /svc_sk_[A-Za-z0-9_-]+/.exec(this.#stderr)?.[0] ?? ''
  }

  /** What the person at the terminal has read so far. */
  get shown(): string {
    return this.#stderr
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name)
  }

  async stop(): Promise<Ended> {
    this.signal('SIGTERM')
    return this.ended
  }

  /** The events it has logged so far, or all of them once it has ended. */
  get events(): readonly string[] {
    const lines = this.#stdout.trim().split('\n').filter(Boolean)
    return lines.map((line) => (JSON.parse(line) as { event: string }).event)
  }
}
