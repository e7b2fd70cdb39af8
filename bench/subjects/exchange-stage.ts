import { type ModuleProcess, startProcess } from '../../tools/harness/module-process.ts'
import { childrenOf, usageOf } from '../harness/process-usage.ts'
import { ATTRIBUTES, ExchangeFlows, REVEALED, type Tenant, type Wallets } from './exchange-flows.ts'
import type { Backend } from '../load/installations.ts'
import type { Published } from './published-definition.ts'

type Service = typeof import('./exchange-service.ts')
type Open = <Resource extends AsyncDisposable>(resource: Promise<Resource>) => Promise<Resource>

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
  const ledger = { namespace: String(indyNamespace), genesis: genesisText }
  return new ExchangeStage({ service, tenant, wallets }, published, options.atOnce, ledger, { url, key })
}

type Parts = {
  readonly service: ModuleProcess<Service>
  readonly tenant: ModuleProcess<Tenant>
  readonly wallets: ModuleProcess<Wallets>
}

type Ledger = { readonly namespace: string; readonly genesis: string }

export class ExchangeStage extends ExchangeFlows {
  readonly parts: Parts
  readonly ledger: Ledger
  /** Where the service is, and the key of its organisation. */
  readonly backend: Backend
  readonly definitionIds: readonly string[]

  constructor(parts: Parts, published: Published, atOnce: number, ledger: Ledger, backend: Backend) {
    super(parts, published, atOnce)
    this.parts = parts
    this.ledger = ledger
    this.backend = backend
    this.definitionIds = [published.definitionId]
  }

  /** Puts the definition behind a face check at an account, or before it. */
  async gate(policy: Readonly<Record<string, unknown>>, isGated: boolean): Promise<void> {
    const { service } = this.parts
    await service.call('setBiometric', {
      ...policy,
      ...(isGated && { credentialDefinitionIds: this.definitionIds }),
    })
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
}
