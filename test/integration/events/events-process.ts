import { type ChildProcess, fork } from 'node:child_process'
import type { FromChild, ToChild } from './messages.ts'

type Order =
  | { readonly is: 'connect'; readonly connection: string; readonly tenant: string }
  | { readonly is: 'endpoint'; readonly tenant: string; readonly url: string }

/** A service process that can be killed and started again; orders wait for it and are given again until they are done. */
export class EventsProcess implements AsyncDisposable {
  readonly #environment: Readonly<Record<string, string>>
  readonly #waiting = new Map<
    number,
    { readonly message: ToChild; readonly done: (secret: string | null) => void }
  >()
  readonly trouble: string[] = []
  #child: ChildProcess | null = null
  #started = Promise.withResolvers<void>()
  #orders = 0

  constructor(environment: Readonly<Record<string, string>>) {
    this.#environment = environment
  }

  async start(): Promise<void> {
    this.#started = Promise.withResolvers()
    const child = fork(new URL('./events-child.ts', import.meta.url), [], {
      env: { ...process.env, ...this.#environment },
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#child = child
    child.on('message', (message: FromChild) => this.#heard(message))
    child.once('exit', (code) => this.#started.reject(new Error(`the process ended with ${code}`)))
    await this.#started.promise
    for (const { message } of this.#waiting.values()) child.send(message)
  }

  async kill(): Promise<void> {
    const child = this.#child
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }

  order(order: Order): Promise<string | null> {
    const message = { ...order, id: ++this.#orders }
    return new Promise((done) => {
      this.#waiting.set(message.id, { message, done })
      this.#send(message)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
  }

  #send(message: ToChild): void {
    if (this.#child?.connected === true) this.#child.send(message, () => undefined)
  }

  #heard(message: FromChild): void {
    if (message.is === 'started') return this.#started.resolve()
    if (message.is === 'trouble') return void this.trouble.push(message.text)
    const waiting = this.#waiting.get(message.id)
    if (waiting === undefined) return
    if (message.is === 'failed') return this.#send(waiting.message)
    this.#waiting.delete(message.id)
    waiting.done(message.secret)
  }
}
