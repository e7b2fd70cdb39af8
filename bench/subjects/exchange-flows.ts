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
  expiresAt: String(Math.floor(Date.now() / 1_000) + 2_000 * 86_400),
})

type Parties = { readonly tenant: ModuleProcess<Tenant>; readonly wallets: ModuleProcess<Wallets> }

const HELD_LIMIT_MS = 600_000
const HELD_POLL_MS = 200

/** Exchanges that are under way; each ends when it is released. */
type Held = { readonly release: () => Promise<void> }

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

  /** Begins so many exchanges, and resolves when each waits for its wallet to end it. */
  async hold(kind: 'issuance' | 'verification', connections: readonly string[]): Promise<Held> {
    const { tenant, wallets } = this.#parties
    const { definitionId, templateId } = this.#published
    await wallets.call('holdBack')
    const begun =
      kind === 'issuance'
        ? tenant.call('offer', connections, { definitionId, attributes: values() }, this.#atOnce)
        : tenant.call('askForProofs', connections, templateId, this.#atOnce)
    const ids = (await begun).value
    const endMs = performance.now() + HELD_LIMIT_MS
    while ((await wallets.call('heldBack')).value < ids.length) {
      if (performance.now() > endMs) throw new Error(await this.#trouble())
      await new Promise((resolve) => setTimeout(resolve, HELD_POLL_MS))
    }
    return {
      release: async () => {
        await wallets.call('release')
        await this.#explained(tenant.call('ended', ids))
      },
    }
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
      throw new Error(await this.#trouble(), { cause: error })
    }
  }

  async #trouble(): Promise<string> {
    return (await this.#parties.wallets.call('firstTrouble')).value ?? 'no wallet had trouble'
  }
}
