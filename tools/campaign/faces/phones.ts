import type { WalletOptions } from '../../../sdk/wallet/create-wallet.ts'
import type { Json, Tenant } from '../../flows/tenant.ts'
import { ModuleProcess } from '../../harness/module-process.ts'
import { untilFound } from '../../harness/waiting.ts'
import type { Scene } from '../../vendors/people/camera.ts'
import type { Checked, Received } from './phones-process.ts'

type Network = Pick<WalletOptions, 'indyNamespace' | 'genesis'>
type PhoneOptions = { readonly phones: number; readonly processes: number }

const CALL_LIMIT_MS = 30 * 60_000
const CONNECTED_LIMIT_MS = 5 * 60_000

/** Phones in so many processes: phone `n` lives in process `n` modulo their number. `noticed` hears of all that happens on them. */
export const openPhones = ({ phones, processes }: PhoneOptions, awsUrl: string, noticed: () => void) => {
  const all = Array.from(
    { length: processes },
    () =>
      new ModuleProcess<typeof import('./phones-process.ts')>(
        new URL('./phones-process.ts', import.meta.url),
        { silent: true, callTimeoutMs: CALL_LIMIT_MS, onMessage: noticed },
      ),
  )
  const homeOf = (number: number) => {
    const home = all[number % processes]
    if (home === undefined) throw new Error('there is no process for phones')
    return home
  }
  const numbers = Array.from({ length: phones }, (_, number) => number)
  const connect = async (tenant: Tenant, network: Network, number: number): Promise<string> => {
    const own = { label: `Phone ${number}`, databaseFile: ':memory:', verbose: false }
    await homeOf(number).call('open', number, { ...own, ...network, host: '127.0.0.1', port: 0 }, awsUrl)
    const invitation = await tenant.post('/v1/connections/invitations', {}, `phone-${number}`)
    await homeOf(number).call('connect', number, String(invitation['invitationUrl']))
    const path = `/v1/connections?state=completed&invitationId=${String(invitation['invitationId'])}`
    const { id } = await untilFound(
      async () => ((await tenant.get(path))['items'] as readonly Json[])[0] ?? null,
      { limitMs: CONNECTED_LIMIT_MS, everyMs: 100, otherwise: () => new Error('a phone did not connect') },
    )
    return String(id)
  }
  return {
    /** Answers with the connection of each phone. */
    connect: (tenant: Tenant, network: Network): Promise<readonly string[]> =>
      Promise.all(numbers.map((number) => connect(tenant, network, number))),
    check: async (
      number: number,
      exchangeId: string,
      what: { readonly scenes: readonly Scene[]; readonly isLeft: boolean },
    ): Promise<Checked> => (await homeOf(number).call('check', number, exchangeId, what)).value,
    reports: (): Promise<readonly (readonly Received[])[]> =>
      Promise.all(numbers.map(async (number) => (await homeOf(number).call('report', number)).value)),
    close: async (): Promise<void> => {
      await Promise.all(all.map((home) => home[Symbol.asyncDispose]()))
    },
  }
}
