import { availableParallelism } from 'node:os'
import {
  type AnonCreds,
  AnonCredsOverloaded,
  AnonCredsRefused,
  AnonCredsUnavailable,
  type CredentialInput,
  type DefinitionInput,
  type JsonText,
  type NewDefinition,
  type PresentationInput,
} from '../ports/anoncreds.ts'
import { CryptoPool } from './crypto-pool.ts'
import type { CryptoAnswer, CryptoTask, LoadFailure } from './crypto-task.ts'
import { DefinitionGenerator } from './definition-generator.ts'
import type { EngineName } from './engine.ts'
import { type EngineObserver, type Operation, silentObserver } from './engine-observer.ts'
import type { EngineChoice, Outcome } from './selection.ts'

export type AnonCredsSettings = {
  readonly engine: EngineChoice
  /** 0 starts one thread per core. */
  readonly workers: number
  readonly queueMax: number
  readonly tableBytesMax?: number
  readonly definitionTimeoutMs?: number
  readonly binaries?: readonly string[]
}

const TABLE_BYTES_MAX = 512 * 2 ** 20
const DEFINITION_TIMEOUT_MS = 120_000
const DEFINITIONS_WAITING_MAX = 100

type Count = (engine: EngineName, result: 'ok' | 'refused' | 'failed') => void
type Stopwatch = { readonly count: Count; readonly began: () => void }

/** Signs and verifies on threads, and generates keys in a process. */
export class AnonCredsService implements AnonCreds, AsyncDisposable {
  readonly #pool: CryptoPool
  readonly #generator: DefinitionGenerator
  readonly #observer: EngineObserver
  readonly #engine: EngineChoice
  readonly #fallbacks = new Set<string>()
  #nativeIsAway = false

  constructor(settings: AnonCredsSettings, observer: EngineObserver = silentObserver) {
    const { engine, queueMax, binaries } = settings
    const workers = settings.workers === 0 ? availableParallelism() : settings.workers
    const tableBytesMax = settings.tableBytesMax ?? TABLE_BYTES_MAX
    this.#observer = observer
    this.#engine = engine
    this.#pool = new CryptoPool({ engine, workers, queueMax, tableBytesMax, binaries }, ({ status }) => {
      if (status) observer.status(status)
    })
    this.#generator = new DefinitionGenerator({
      engine,
      queueMax: Math.min(queueMax, DEFINITIONS_WAITING_MAX),
      timeoutMs: settings.definitionTimeoutMs ?? DEFINITION_TIMEOUT_MS,
      changed: (waiting, running) => observer.generating(waiting, running),
    })
  }

  /**
   * Rejects when the configuration requires the service's own engine and it does not load. Where the library may
   * replace it, the start does not wait and the observer gets the reason.
   */
  async start(): Promise<void> {
    if (this.#engine === 'library') return
    const loading = this.#loadFailure()
    if (this.#engine === 'auto') {
      void loading.then((failure) => failure && this.#observer.fellBack(failure.code)).catch(() => undefined)
      return
    }
    const failure = await loading
    if (failure)
      throw new AnonCredsUnavailable(
        `VOUCHSAFE_ANONCREDS_ENGINE=${this.#engine} needs the own engine: ${failure.reason}`,
      )
  }

  get waiting(): number {
    return this.#pool.waiting
  }

  async createCredential(tenantId: string, input: CredentialInput): Promise<JsonText> {
    const answer = await this.#run(tenantId, 'issue', { kind: 'issue', input })
    if (answer.kind !== 'issued') throw new AnonCredsUnavailable('a signature thread gave another answer')
    return answer.outcome.value
  }

  async verifyPresentation(tenantId: string, input: PresentationInput): Promise<boolean> {
    const answer = await this.#run(tenantId, 'verify', { kind: 'verify', input })
    return answer.kind === 'verified' && answer.outcome.value
  }

  async generateDefinition(
    tenantId: string,
    input: DefinitionInput,
    begun: () => void = () => undefined,
  ): Promise<NewDefinition> {
    const { count } = this.#timed('define')
    try {
      const made = await this.#generator.generate(tenantId, input, begun)
      count(made.engine, 'ok')
      return made.definition
    } catch (error) {
      count(this.#askedOf('define', error), error instanceof AnonCredsRefused ? 'refused' : 'failed')
      throw error
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#pool[Symbol.asyncDispose](), this.#generator[Symbol.asyncDispose]()])
  }

  async #loadFailure(): Promise<LoadFailure | null> {
    const answer = await this.#pool.run('', { kind: 'load' })
    if (answer.kind !== 'loaded') return null
    this.#nativeIsAway = answer.failure !== null
    return answer.failure
  }

  async #run(tenantId: string, operation: Operation, task: CryptoTask): Promise<CryptoAnswer> {
    const { count, began } = this.#timed(operation)
    const answer = await this.#pool.run(tenantId, task, began).catch((error: unknown) => {
      count(this.#askedOf(operation, error), 'failed')
      throw error
    })
    if (answer.kind === 'failed') return this.#fail(operation, answer, count)
    if (answer.kind === 'issued' || answer.kind === 'verified') {
      this.#noteFallback(answer.outcome)
      count(answer.outcome.engine, answer.outcome.value === false ? 'refused' : 'ok')
    }
    return answer
  }

  #timed(operation: Operation): Stopwatch {
    const askedAt = performance.now()
    let waitedSeconds: number | null = null
    return {
      began: () => {
        waitedSeconds = (performance.now() - askedAt) / 1_000
      },
      count: (engine, result) => {
        const seconds = (performance.now() - askedAt) / 1_000
        this.#observer.done(operation, engine, result, { seconds, waitedSeconds })
      },
    }
  }

  /** The engine that had the work when no answer came, because its thread or process ended. */
  #askedOf(operation: Operation, error: unknown): EngineName {
    if (error instanceof AnonCredsOverloaded) return 'none'
    if (this.#engine === 'library' || (this.#engine === 'auto' && this.#nativeIsAway)) return 'library'
    return this.#engine === 'compare' && operation !== 'define' ? 'both' : 'native'
  }

  /** A presentation on which the engines disagree, or that no engine can judge, proves nothing. */
  #fail(
    operation: Operation,
    { failure, reason, engine }: Extract<CryptoAnswer, { kind: 'failed' }>,
    count: Count,
  ): CryptoAnswer {
    count(engine, failure === 'fault' ? 'failed' : 'refused')
    if (failure === 'fault') throw new AnonCredsUnavailable(reason)
    if (failure === 'disagreement') this.#observer.disagreed(operation)
    if (operation === 'verify') return { kind: 'verified', outcome: { value: false, engine: 'checks' } }
    throw new AnonCredsRefused(reason)
  }

  /** That the own engine did not load is reported once, at the start. */
  #noteFallback({ fallback }: Outcome<unknown>): void {
    if (fallback === undefined || fallback === 'not-loaded' || this.#fallbacks.has(fallback)) return
    this.#fallbacks.add(fallback)
    this.#observer.fellBack(fallback)
  }
}
