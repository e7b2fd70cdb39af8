import { type ChildProcess, fork } from 'node:child_process'
import type { WalletOptions } from '../../sdk/wallet/create-wallet.ts'
import type { FromPhones, PhoneOrder, PhoneReport } from './phones-messages.ts'

type Waiting = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }

/** A process full of phones, seen from outside. */
class Phones {
  readonly #process: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  #calls = 0

  constructor(happened: () => void) {
    this.#process = fork(new URL('./phones-process.ts', import.meta.url), {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#process.on('message', (message: FromPhones) => {
      if ('happened' in message) return happened()
      const waiting = this.#waiting.get(message.call)
      this.#waiting.delete(message.call)
      if ('failed' in message) waiting?.reject(new Error(message.failed))
      else waiting?.resolve(message.value)
    })
    this.#process.on('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the phones are gone'))
      this.#waiting.clear()
    })
  }

  order(order: PhoneOrder): Promise<unknown> {
    const call = ++this.#calls
    return new Promise((resolve, reject) => {
      this.#waiting.set(call, { resolve, reject })
      this.#process.send({ ...order, call }, (error) => {
        if (error === null || !this.#waiting.delete(call)) return
        reject(error)
      })
    })
  }

  close(): void {
    if (this.#process.connected) this.#process.disconnect()
  }
}

export type Phone = {
  open(network: Pick<WalletOptions, 'indyNamespace' | 'genesis'>): Promise<void>
  connect(url: string): Promise<void>
  report(): Promise<PhoneReport>
}

/** Phone `n` lives in process `n` modulo their number. */
export const startPhones = (processes: number, happened: () => void) => {
  const all = Array.from({ length: processes }, () => new Phones(happened))
  const phone = (number: number): Phone => {
    const home = all[number % processes]
    if (!home) throw new Error('there is no process for phones')
    const own = { label: `Phone ${number}`, databaseFile: ':memory:', host: '127.0.0.1', port: 0 }
    return {
      open: async (network) => {
        await home.order({ do: 'open', phone: number, options: { ...own, ...network, verbose: false } })
      },
      connect: async (url) => void (await home.order({ do: 'connect', phone: number, url })),
      report: async () => (await home.order({ do: 'report', phone: number })) as PhoneReport,
    }
  }
  return { phone, close: () => all.forEach((home) => home.close()) }
}
