import { type ModuleProcess, startProcess } from '../../tools/harness/module-process.ts'
import { childrenOf, usageOf } from '../harness/process-usage.ts'

type Service = typeof import('./exchange-service.ts')
type Tenant = typeof import('../load/tenant.ts')
type Wallets = typeof import('../load/wallets.ts')
type Open = <Resource extends AsyncDisposable>(resource: Promise<Resource>) => Promise<Resource>

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

export type StageOptions = {
  readonly engine: 'auto' | 'native' | 'library' | 'compare'
  /** Flows that are under way at once. */
  readonly atOnce: number
  /** How many answers of wallets arrive together; one by default. */
  readonly wave?: number
  /** Publishes a definition and a template too; a handshake needs none. */
  readonly publish: boolean
  /** All offers have one nonce, and the wallets one request for all of them; they take what is signed on trust. */
  readonly prepared?: boolean
  /** Where the data of the service are and stay. */
  readonly folder?: string | null
  readonly nodeArgs?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** The file that starts the service, where it is that of another tree. */
  readonly serviceFile?: URL
}

const OWN_SERVICE = new URL('./exchange-service.ts', import.meta.url)

const QUIET_POLL_MS = 200
const QUIET_POLLS = 3
const QUIET_TIMEOUT_MS = 30_000

/** The service, its tenant and the wallets, each in a process of its own, ready for exchanges. */
export const openStage = async (open: Open, options: StageOptions) => {
  const { nodeArgs = [], folder = null, prepared = false, serviceFile = OWN_SERVICE } = options
  const service = await open(startProcess<Service>(serviceFile, { silent: true, nodeArgs }))
  const tenant = await open(startProcess<Tenant>(new URL('../load/tenant.ts', import.meta.url)))
  const wallets = await open(startProcess<Wallets>(new URL('../load/wallets.ts', import.meta.url)))
  const environment = { VOUCHSAFE_ANONCREDS_ENGINE: options.engine, ...options.environment }
  const { url, key } = (
    await service.call('start', environment, { folder, nonce: prepared ? '1234567890' : null })
  ).value
  const hooks = (await tenant.call('listen')).value
  await tenant.call('meet', url, key, (await service.call('setWebhook', hooks)).value)
  await wallets.call('listen', options.wave ?? 1)
  const published = options.publish
    ? (await service.call('publish', ATTRIBUTES, REVEALED)).value
    : { definitionId: '', templateId: '' }
  const { indyNamespace, genesis } = (await tenant.call('get', '/v1/ledger')).value
  const genesisText = await (await fetch((genesis as { url: string }).url)).text()
  if (options.publish) await wallets.call('useLedger', String(indyNamespace), genesisText, prepared)
  return new ExchangeStage({ service, tenant, wallets }, published, options.atOnce, {
    namespace: String(indyNamespace),
    genesis: genesisText,
  })
}

type Parts = {
  readonly service: ModuleProcess<Service>
  readonly tenant: ModuleProcess<Tenant>
  readonly wallets: ModuleProcess<Wallets>
}

export class ExchangeStage {
  readonly parts: Parts
  readonly ledger: { readonly namespace: string; readonly genesis: string }
  readonly #published: { readonly definitionId: string; readonly templateId: string }
  readonly #atOnce: number

  constructor(
    parts: Parts,
    published: { readonly definitionId: string; readonly templateId: string },
    atOnce: number,
    ledger: { readonly namespace: string; readonly genesis: string },
  ) {
    this.parts = parts
    this.#published = published
    this.#atOnce = atOnce
    this.ledger = ledger
  }

  /** The ids of so many new connections, every event of theirs heard. */
  async connect(count: number): Promise<string[]> {
    const { tenant, wallets } = this.parts
    const invited = (await tenant.call('invite', count, this.#atOnce)).value
    const urls = invited.map(({ url }) => url)
    await wallets.call('connect', urls, this.#atOnce)
    const ids = invited.map(({ externalId }) => externalId)
    return (await tenant.call('connected', ids)).value
  }

  async issue(connections: readonly string[]): Promise<void> {
    const { definitionId } = this.#published
    const definition = { definitionId, attributes: values() }
    await this.#explained(this.parts.tenant.call('issue', connections, definition, this.#atOnce))
  }

  /** Offers at a pace of its own, and how long each took until it was answered. */
  async offer(
    connections: readonly string[],
    perS: number,
    durationMs: number,
  ): Promise<{ p99Ms: number; offers: number }> {
    const { definitionId } = this.#published
    const definition = { definitionId, attributes: values() }
    const pace = { perS, atOnce: this.#atOnce, durationMs, until: 'accepted' } as const
    const { p99Ms, done } = (await this.parts.tenant.call('issueFor', connections, definition, pace)).value
    return { p99Ms, offers: done }
  }

  async verify(connections: readonly string[]): Promise<void> {
    const { templateId } = this.#published
    await this.#explained(this.parts.tenant.call('verify', connections, templateId, this.#atOnce))
  }

  /** Processor time of the service by itself, its threads and its processes, the sandbox ledger's apart. */
  async cpuMs(): Promise<number> {
    const { service } = this.parts
    const children = childrenOf(service.pid).filter(({ command }) => !command.includes('pool-process'))
    const spentMs = children.reduce((sum, { pid }) => sum + usageOf(pid).cpuMs, 0)
    return (await service.usage()).cpuMs + spentMs
  }

  /**
   * Processor time of the service for `work`, from quiet to quiet: what it does behind the last answer (copies of the
   * journal, lists, primes made ahead for the next signatures) belongs to it.
   */
  async measured(
    work: () => Promise<void>,
    profile: string | null = null,
  ): Promise<{ cpuMs: number; wallMs: number }> {
    await this.quiet()
    if (profile !== null) await this.parts.service.call('startProfile')
    const [beforeMs, startedMs] = [await this.cpuMs(), performance.now()]
    await work()
    const wallMs = performance.now() - startedMs
    await this.quiet()
    if (profile !== null) await this.parts.service.call('stopProfile', profile)
    return { cpuMs: (await this.cpuMs()) - beforeMs, wallMs }
  }

  /** Resolves when the service takes less than a tenth of a core for a while. */
  async quiet(): Promise<void> {
    const deadlineMs = performance.now() + QUIET_TIMEOUT_MS
    let [last, calm] = [await this.cpuMs(), 0]
    while (calm < QUIET_POLLS && performance.now() < deadlineMs) {
      await new Promise((resolve) => setTimeout(resolve, QUIET_POLL_MS))
      const now = await this.cpuMs()
      calm = now - last < QUIET_POLL_MS / 10 ? calm + 1 : 0
      last = now
    }
  }

  /** Processor time that the service takes in a second without any request. */
  async idleMsPerS(seconds: number): Promise<number> {
    await this.quiet()
    const beforeMs = await this.cpuMs()
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
    return ((await this.cpuMs()) - beforeMs) / seconds
  }

  /** Throws when a webhook came with a wrong signature. */
  async checkWebhooks(): Promise<number> {
    const { events, refused } = (await this.parts.tenant.call('tally')).value
    if (refused > 0) throw new Error(`${refused} webhooks had a wrong signature`)
    return events
  }

  /** A tenant that waits in vain does not know why; the wallet may. */
  async #explained(work: Promise<unknown>): Promise<void> {
    try {
      await work
    } catch (error) {
      const trouble = (await this.parts.wallets.call('firstTrouble')).value
      throw new Error(trouble ?? 'no wallet had trouble', { cause: error })
    }
  }
}
