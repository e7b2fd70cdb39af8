import { type ChildProcess, fork } from 'node:child_process'
import type { CounterCommand, CounterReply } from '../simulate/counter.ts'
import type { FromService, ServiceOrders, ToService } from './messages.ts'

export type Listener = {
  performed(actor: string, effect: string): void
  opened(node: string, shard: number, tookMs: number): void
  defect(node: string, text: string): void
}

export class Refused extends Error {
  readonly code: string
  readonly retryable: boolean
  constructor(code: string, retryable: boolean) {
    super(code)
    this.code = code
    this.retryable = retryable
  }
}

type Waiting = { readonly resolve: (reply: CounterReply) => void; readonly reject: (error: Error) => void }

const START_PAUSE_MS = 500

/** A node whose process is started again whenever it has ended, until it is told to stop. */
export class ServiceNode {
  readonly orders: ServiceOrders
  readonly #listener: Listener
  readonly #waiting = new Map<number, Waiting>()
  #child: ChildProcess | null = null
  #started = false
  #stopping = false
  #asks = 0
  starts = 0
  lastFailure = ''

  constructor(orders: ServiceOrders, listener: Listener) {
    this.orders = orders
    this.#listener = listener
  }

  get node(): string {
    return this.orders.node
  }

  get isStarted(): boolean {
    return this.#started
  }

  start(): void {
    this.starts++
    const child = fork(new URL('./service-child.ts', import.meta.url), [JSON.stringify(this.orders)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#child = child
    child.on('message', (message: FromService) => this.#heard(message))
    child.on('error', () => {})
    child.on('exit', () => this.#ended(child))
  }

  ask(actor: string, command: CounterCommand, commandId: string): Promise<CounterReply> {
    const child = this.#child
    if (child === null || !this.#started || !child.connected)
      return Promise.reject(new Refused('not running', true))
    const id = ++this.#asks
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      const order: ToService = { is: 'ask', id, actor, command, commandId }
      child.send(order, (error) => {
        if (error !== null) this.#settle(id, (waiting) => waiting.reject(new Refused('not sent', true)))
      })
    })
  }

  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(name)
  }

  async stop(): Promise<void> {
    this.#stopping = true
    const child = this.#child
    if (child === null) return
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    child.kill('SIGCONT')
    if (child.connected) child.send({ is: 'stop' } satisfies ToService)
    const limit = setTimeout(() => child.kill('SIGKILL'), 40_000)
    await ended
    clearTimeout(limit)
  }

  #heard(message: FromService): void {
    switch (message.is) {
      case 'started':
        this.#started = true
        return
      case 'failed':
        this.lastFailure = message.reason
        return
      case 'answer':
        return this.#settle(message.id, ({ resolve }) => resolve(message.reply))
      case 'refusal':
        return this.#settle(message.id, ({ reject }) => reject(new Refused(message.code, message.retryable)))
      case 'performed':
        return this.#listener.performed(message.actor, message.effect)
      case 'opened':
        return this.#listener.opened(this.node, message.shard, message.tookMs)
      case 'defect':
        return this.#listener.defect(this.node, message.text)
    }
  }

  #settle(id: number, settle: (waiting: Waiting) => void): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (waiting !== undefined) settle(waiting)
  }

  #ended(child: ChildProcess): void {
    if (this.#child !== child) return
    const hadStarted = this.#started
    this.#child = null
    this.#started = false
    for (const id of Array.from(this.#waiting.keys()))
      this.#settle(id, ({ reject }) => reject(new Refused('ended', true)))
    if (!this.#stopping) setTimeout(() => this.#stopping || this.start(), hadStarted ? 0 : START_PAUSE_MS)
  }
}
