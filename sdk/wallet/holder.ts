import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import type { WalletOptions } from './create-wallet.ts'
import type { FromHolder, HolderEvent, HolderOrder, Policy } from './holder-messages.ts'

export type HeldCredential = {
  readonly attributes: Readonly<Record<string, string>>
  readonly credentialDefinitionId: string
}

type Waiting = {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** A phone seen from outside: starts a wallet in its own process and tells it what to do. */
export class Holder implements AsyncDisposable {
  readonly #process: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  readonly #events = new EventEmitter<{ happened: [HolderEvent] }>()
  /** Everything that happened, in order. */
  readonly history: HolderEvent[] = []
  #last = 0

  private constructor() {
    this.#process = fork(new URL('./holder-process.ts', import.meta.url), {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#process.on('message', (message: FromHolder) => this.#heard(message))
    this.#process.on('exit', () => this.#failAll())
  }

  static async start(options: WalletOptions, policies: { offers: Policy; proofs: Policy }): Promise<Holder> {
    const holder = new Holder()
    await holder.#order({ do: 'start', options, ...policies })
    return holder
  }

  async connect(url: string): Promise<void> {
    await this.#order({ do: 'connect', url })
  }

  async decide(policies: { offers: Policy; proofs: Policy }): Promise<void> {
    await this.#order({ do: 'policy', ...policies })
  }

  async setOffline(offline: boolean): Promise<void> {
    await this.#order({ do: 'offline', offline })
  }

  async credentials(): Promise<readonly HeldCredential[]> {
    return (await this.#order({ do: 'credentials' })) as readonly HeldCredential[]
  }

  onEvent(listener: (event: HolderEvent) => void): void {
    this.#events.on('happened', listener)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode !== null) return
    const ended = once(this.#process, 'exit')
    await this.#order({ do: 'stop' }).catch(() => this.#process.kill('SIGKILL'))
    await ended
  }

  #order(order: HolderOrder): Promise<unknown> {
    const call = ++this.#last
    return new Promise((resolve, reject) => {
      if (!this.#process.connected) return reject(new Error('the phone is gone'))
      this.#waiting.set(call, { resolve, reject })
      this.#process.send({ ...order, call })
    })
  }

  #heard(message: FromHolder): void {
    if ('event' in message) {
      this.history.push(message.event)
      this.#events.emit('happened', message.event)
      return
    }
    const waiting = this.#waiting.get(message.call)
    this.#waiting.delete(message.call)
    if ('failed' in message) waiting?.reject(new Error(message.failed))
    else waiting?.resolve(message.value)
  }

  #failAll(): void {
    for (const waiting of this.#waiting.values()) waiting.reject(new Error('the phone is gone'))
    this.#waiting.clear()
  }
}
