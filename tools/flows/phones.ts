import type { WalletOptions } from '../../sdk/wallet/create-wallet.ts'
import type { Pickup } from '../../sdk/wallet/pickup.ts'
import { ModuleProcess } from '../harness/module-process.ts'
import type { PhoneEvent } from './phones-process.ts'

type Network = Pick<WalletOptions, 'indyNamespace' | 'genesis'>

const CALL_LIMIT_MS = 30 * 60_000

/** How phones that cannot be reached come to their messages. */
export type Mediation = {
  readonly pollMs: number
  /** An invitation to the mediator for the installation of this phone. */
  readonly invite: (number: number) => Promise<string>
}

const PICKUPS: readonly Pickup[] = ['live', 'implicit', 'polling']
export const pickupOf = (number: number): Pickup => PICKUPS[number % PICKUPS.length] ?? 'polling'

/**
 * Phones in so many processes: phone `n` lives in process `n` modulo their number. Without a mediator each has an address
 * of its own.
 */
export const startPhones = (
  processes: number,
  happened: (event: PhoneEvent) => void,
  mediation: Mediation | null = null,
) => {
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
    const own = { label: `Phone ${number}`, databaseFile: ':memory:', verbose: false }
    const open = async (network: Network): Promise<void> => {
      if (mediation === null) {
        await home.call('open', number, { ...own, ...network, host: '127.0.0.1', port: 0 })
        return
      }
      const { pollMs } = mediation
      const options = { ...own, ...network, pickup: pickupOf(number), pollMs }
      await home.call('openMediated', number, options, await mediation.invite(number))
    }
    return {
      open,
      connect: async (url: string) => void (await home.call('connect', number, url)),
      report: async () => (await home.call('report', number)).value,
      /** Cuts its sockets, or leaves them open and deaf; answers with how many there were. */
      disturb: async (how: 'drop' | 'stall') => (await home.call('disturb', number, how)).value,
      close: async () => void (await home.call('close', number)),
    }
  }
  const close = async (): Promise<void> => {
    await Promise.all(all.map((home) => home[Symbol.asyncDispose]()))
  }
  return { phone, close }
}

export type Phone = ReturnType<ReturnType<typeof startPhones>['phone']>
