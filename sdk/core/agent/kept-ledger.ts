import type { AgentContext } from '@credo-ts/core'
import type { IndyVdrPoolService } from '@credo-ts/indy-vdr'
import { IndyVdrAnonCredsRegistry } from '@credo-ts/indy-vdr'
import type { Clock } from '../ports.ts'
import type { RowStore } from '../rows/row-store.ts'
import { WalletError } from '../wallet-error.ts'
import { withinTime } from '../within-time.ts'
import { isLedgerAway, type LedgerWays } from './ledger-ways.ts'

type SchemaResult = Awaited<ReturnType<IndyVdrAnonCredsRegistry['getSchema']>>
type DefinitionResult = Awaited<ReturnType<IndyVdrAnonCredsRegistry['getCredentialDefinition']>>

/** indy-vdr itself asks nodes that do not answer for longer than anybody looks at a phone. */
const ANSWER_LIMIT_MS = 20_000

const SCHEMA = 'ledger-schema'
const DEFINITION = 'ledger-definition'

/**
 * Schemas and credential definitions never change, so what was read once is kept: a wallet presents its credentials when
 * the ledger is away, and never waits for it within a step.
 */
export class KeptLedger extends IndyVdrAnonCredsRegistry {
  readonly #rows: RowStore
  readonly #clock: Clock
  readonly #ways: LedgerWays
  /** Credo says "not found" of what it could not ask for too, so who was away is noted below Credo. */
  #unanswered = 0

  constructor(rows: RowStore, clock: Clock, ways: LedgerWays) {
    super()
    this.#rows = rows
    this.#clock = clock
    this.#ways = ways
  }

  /** Below Credo, which knows one way to the ledger: begins to go the others, and to note whether any of them answers. */
  watch({ pools }: Pick<IndyVdrPoolService, 'pools'>): void {
    for (const pool of pools) {
      const submit = pool.submitRequest.bind(pool)
      const submitWatched = async (request: Parameters<typeof submit>[0]): Promise<unknown> => {
        try {
          return await this.#ways.ask(
            () => request.body,
            () => submit(request),
          )
        } catch (error) {
          if (isLedgerAway(error)) this.#unanswered += 1
          throw error
        }
      }
      pool.submitRequest = submitWatched as typeof pool.submitRequest
    }
  }

  override async getSchema(context: AgentContext, schemaId: string): Promise<SchemaResult> {
    const kept = this.#rows.get(SCHEMA, schemaId)
    return kept === null
      ? await this.#inTime(() => super.getSchema(context, schemaId))
      : (JSON.parse(kept) as SchemaResult)
  }

  override async getCredentialDefinition(context: AgentContext, id: string): Promise<DefinitionResult> {
    const kept = this.#rows.get(DEFINITION, id)
    return kept === null
      ? await this.#inTime(() => super.getCredentialDefinition(context, id))
      : (JSON.parse(kept) as DefinitionResult)
  }

  /** Reads a definition and its schema, if they are not kept yet. */
  async keep(context: AgentContext, definitionId: string): Promise<void> {
    const definition =
      (keptIn(this.#rows, DEFINITION, definitionId) as DefinitionResult | null) ??
      (await this.#asked(() => super.getCredentialDefinition(context, definitionId)))
    const { schemaId } = definition.credentialDefinition ?? {}
    if (schemaId === undefined) throw unknown(definitionId)
    const schema =
      (keptIn(this.#rows, SCHEMA, schemaId) as SchemaResult | null) ??
      (await this.#asked(() => super.getSchema(context, schemaId)))
    if (schema.schema === undefined) throw unknown(schemaId)
    if (this.#rows.stored(DEFINITION, definitionId) !== null && this.#rows.stored(SCHEMA, schemaId) !== null)
      return
    await this.#rows.step(async () => {
      this.#rows.put(DEFINITION, definitionId, JSON.stringify(definition))
      this.#rows.put(SCHEMA, schemaId, JSON.stringify(schema))
    })
  }

  #asked<Result>(ask: () => Promise<Result>): Promise<Result> {
    return this.attempt(() => this.#inTime(ask))
  }

  /** No step waits longer than this. */
  #inTime<Result>(ask: () => Promise<Result>): Promise<Result> {
    return withinTime(this.#clock, ANSWER_LIMIT_MS, ask(), () => {
      this.#unanswered += 1
      return away()
    })
  }

  /** What came of it counts only if the ledger answered all that it was asked meanwhile. */
  async attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = this.#unanswered
    const outcome = await work().then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    )
    if (this.#unanswered > before) throw away()
    if ('error' in outcome) throw outcome.error
    return outcome.result
  }
}

const keptIn = (rows: RowStore, kind: string, id: string): unknown => {
  const text = rows.stored(kind, id)
  return text === null ? null : JSON.parse(text)
}

const away = (): WalletError => new WalletError('LedgerUnavailable', 'the ledger did not answer')

const unknown = (id: string): WalletError =>
  new WalletError('LedgerUnavailable', `the ledger does not know ${id}`, { code: 'ledger_object_unknown' })
