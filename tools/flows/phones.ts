import type { WalletOptions } from '../../sdk/wallet/create-wallet.ts'
import { ModuleProcess } from '../harness/module-process.ts'
import type { PhoneEvent } from './phones-process.ts'

type Network = Pick<WalletOptions, 'indyNamespace' | 'genesis'>

const CALL_LIMIT_MS = 30 * 60_000

/** Phones in so many processes: phone `n` lives in process `n` modulo their number. */
export const startPhones = (processes: number, happened: (event: PhoneEvent) => void) => {
  const onMessage = (event: unknown): void => happened(event as PhoneEvent)
  const all = Array.from(
    { length: processes },
    () =>
      new ModuleProcess<typeof import('./phones-process.ts')>(
        new URL('./phones-process.ts', import.meta.url),
        { silent: true, callTimeoutMs: CALL_LIMIT_MS, onMessage },
      ),
  )
  const phone = (number: number) => {
    const home = all[number % processes]
    if (!home) throw new Error('there is no process for phones')
    const own = { label: `Phone ${number}`, databaseFile: ':memory:', host: '127.0.0.1', port: 0 }
    return {
      open: async (network: Network) =>
        void (await home.call('open', number, { ...own, ...network, verbose: false })),
      connect: async (url: string) => void (await home.call('connect', number, url)),
      report: async () => (await home.call('report', number)).value,
    }
  }
  const close = async (): Promise<void> => {
    await Promise.all(all.map((home) => home[Symbol.asyncDispose]()))
  }
  return { phone, close }
}

export type Phone = ReturnType<ReturnType<typeof startPhones>['phone']>
