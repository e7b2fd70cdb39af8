import type { ModuleProcess } from '../../tools/harness/module-process.ts'
import type { Published } from './published-definition.ts'

export type Tenant = typeof import('../load/tenant.ts')
export type Wallets = typeof import('../load/wallets.ts')

export const ATTRIBUTES = ['name', 'birthdate', 'nationality', 'number', 'expiresAt'] as const
export const REVEALED = ['name', 'number'] as const

/** Good for as long as any benchmark sends the clock of the service forward. */
export const values = (): Record<(typeof ATTRIBUTES)[number], string> => ({
  name: 'Ada Lovelace',
  birthdate: '18151210',
  nationality: 'GB',
  number: 'P-1234567',
  expiresAt: String(Math.floor(Date.now() / 1_000) + 400 * 86_400),
})

type Parties = { readonly tenant: ModuleProcess<Tenant>; readonly wallets: ModuleProcess<Wallets> }

/** Flows between an organisation and its wallets, wherever the service between them runs. */
export class ExchangeFlows {
  readonly #parties: Parties
  readonly #published: Published
  readonly #atOnce: number

  constructor(parties: Parties, published: Published, atOnce: number) {
    this.#parties = parties
    this.#published = published
    this.#atOnce = atOnce
  }

  /** The ids of so many new connections, every event of theirs heard. */
  async connect(count: number): Promise<string[]> {
    const { tenant, wallets } = this.#parties
    const invited = (await tenant.call('invite', count, this.#atOnce)).value
    const urls = invited.map(({ url }) => url)
    await wallets.call('connect', urls, this.#atOnce)
    const ids = invited.map(({ externalId }) => externalId)
    return (await tenant.call('connected', ids)).value
  }

  /** With an image where the definition is behind a face check. */
  async issue(connections: readonly string[], referenceImage: string | null = null): Promise<void> {
    const { definitionId } = this.#published
    const definition = { definitionId, attributes: values(), referenceImage }
    await this.#explained(this.#parties.tenant.call('issue', connections, definition, this.#atOnce))
  }

  /** Offers at a pace of their own, and how long each took until it was answered, or until its credential was there. */
  async offer(
    connections: readonly string[],
    perS: number,
    durationMs: number,
    until: 'accepted' | 'done' = 'accepted',
  ): Promise<{ p50Ms: number; p99Ms: number; offers: number }> {
    const { definitionId } = this.#published
    const definition = { definitionId, attributes: values() }
    const pace = { perS, atOnce: this.#atOnce, durationMs, until }
    const { p50Ms, p99Ms, done } = (
      await this.#parties.tenant.call('issueFor', connections, definition, pace)
    ).value
    return { p50Ms, p99Ms, offers: done }
  }

  async verify(connections: readonly string[]): Promise<void> {
    const { templateId } = this.#published
    await this.#explained(this.#parties.tenant.call('verify', connections, templateId, this.#atOnce))
  }

  /** Throws when a webhook came with a wrong signature. */
  async checkWebhooks(): Promise<number> {
    const { events, refused } = (await this.#parties.tenant.call('tally')).value
    if (refused > 0) throw new Error(`${refused} webhooks had a wrong signature`)
    return events
  }

  /** A tenant that waits in vain does not know why; the wallet may. */
  async #explained(work: Promise<unknown>): Promise<void> {
    try {
      await work
    } catch (error) {
      const trouble = (await this.#parties.wallets.call('firstTrouble')).value
      throw new Error(trouble ?? 'no wallet had trouble', { cause: error })
    }
  }
}
