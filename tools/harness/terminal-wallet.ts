import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { untilFound } from './waiting.ts'

const main = fileURLToPath(new URL('../../sdk/terminal/main.ts', import.meta.url))
const LIMIT_MS = 60_000
/** An empty line makes it fetch its messages. */
const ASKED_EVERY_MS = 300

type Service = { readonly apiKey: string; readonly url: string }
type Kept = { readonly folder: string; readonly label: string }

/** The wallet in a terminal, in a process of its own, and whoever sits before it. */
export class TerminalWallet {
  readonly #process: ChildProcessWithoutNullStreams
  #said = ''

  constructor({ apiKey, url }: Service, { folder, label }: Kept) {
    const words = [main, '--folder', folder, '--label', label]
    this.#process = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...words], {
      env: { ...process.env, API_KEY: apiKey, BASE_URL: url },
    })
    // What is typed when it has just ended is not heard.
    this.#process.stdin.on('error', () => undefined)
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream.on('data', (chunk: Buffer) => {
        this.#said += chunk.toString()
      })
  }

  type(line: string): void {
    this.#process.stdin.write(`${line}\n`)
  }

  /** Until it has said this. */
  async says(text: string): Promise<void> {
    const look = (): true | null => {
      if (this.#said.includes(text)) return true
      this.type('')
      return null
    }
    const otherwise = () => new Error(`the wallet did not say "${text}" but: ${this.#said}`)
    await untilFound(look, { limitMs: LIMIT_MS, everyMs: ASKED_EVERY_MS, otherwise })
  }

  async connect(invitationUrl: string): Promise<void> {
    await this.says('Paste an invitation link')
    this.type(invitationUrl)
    await this.says(', completed')
  }

  async quit(): Promise<void> {
    const ended = once(this.#process, 'exit')
    this.type('quit')
    await ended
  }

  kill(): void {
    this.#process.kill()
  }
}
