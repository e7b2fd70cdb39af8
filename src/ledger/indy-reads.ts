import { setTimeout as pause } from 'node:timers/promises'
import { type LedgerDefinition, LedgerRefused, type LedgerSchema } from '../ports/ledger.ts'
import { isDefinitionId, isSchemaId, spelledForLedger } from './indy-ids.ts'
import type { Call, ReadQuery } from './indy-messages.ts'
import { type CachedReads, cachedReads, keepsNothing, type KeptReads } from './read-cache.ts'

export type ReadSettings = {
  readonly namespace: string
  readonly callTimeoutMs: number
  readonly cachedObjectsMax: number
  readonly absentMs?: number
  /** Left out: what was found is forgotten with the process. */
  readonly kept?: { of<Value extends object>(kind: string): KeptReads<Value> }
}

const ABSENT_MS = 5_000
const ATTEMPTS_MAX = 3
const PAUSE_MS = 200

type Ports = {
  readonly call: (message: Call) => Promise<string>
  /** Called when an answer did not come. */
  readonly failed: () => void
}

/** What is asked of the ledger: found objects are cached, and what was asked in vain is asked again for a while. */
export class IndyReads {
  readonly #ports: Ports
  readonly #settings: ReadSettings
  readonly #schemas: CachedReads<LedgerSchema>
  readonly #definitions: CachedReads<LedgerDefinition>

  constructor(ports: Ports, settings: ReadSettings) {
    this.#ports = ports
    this.#settings = settings
    const { cachedObjectsMax: max, absentMs = ABSENT_MS, kept } = settings
    const common = { max, absentMs }
    this.#schemas = cachedReads({
      ...common,
      kept: kept?.of('schema') ?? keepsNothing,
      read: (id) => this.#fetchSchema(id),
    })
    this.#definitions = cachedReads({
      ...common,
      kept: kept?.of('definition') ?? keepsNothing,
      read: (id) => this.#fetchDefinition(id),
    })
  }

  async schema(id: string, how: 'read' | 'fresh' = 'read'): Promise<LedgerSchema | null> {
    const asked = isSchemaId(id) ? spelledForLedger(id, this.#settings.namespace) : null
    const found = asked !== null && isSchemaId(asked) ? await this.#schemas[how](asked) : null
    return found && { ...found, id }
  }

  async definition(id: string, how: 'read' | 'fresh' = 'read'): Promise<LedgerDefinition | null> {
    const asked = isDefinitionId(id) ? spelledForLedger(id, this.#settings.namespace) : null
    const found = asked !== null && isDefinitionId(asked) ? await this.#definitions[how](asked) : null
    return found && { ...found, id }
  }

  noteSchema(schema: LedgerSchema): Promise<void> {
    return this.#schemas.put(schema.id, schema)
  }

  noteDefinition(definition: LedgerDefinition): Promise<void> {
    return this.#definitions.put(definition.id, definition)
  }

  /** As the ledger answers it. */
  async read(query: ReadQuery): Promise<Record<string, unknown>> {
    return JSON.parse(await this.text(query)) as Record<string, unknown>
  }

  /** Refuses what no ledger has: names come from outside too, and only what may be one reaches the client. */
  async text(asked: ReadQuery): Promise<string> {
    const { callTimeoutMs, namespace } = this.#settings
    const query = spelled(asked, namespace)
    if (query === null) throw new LedgerRefused('nothing on this ledger has such a name')
    const endMs = performance.now() + callTimeoutMs
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#ports.call({ do: 'read', query })
      } catch (error) {
        if (error instanceof LedgerRefused) throw error
        this.#ports.failed()
        // A pool that let the whole time go by is not asked once more by somebody who waits.
        if (attempt === ATTEMPTS_MAX || performance.now() > endMs) throw error
        await pause(PAUSE_MS * attempt)
      }
    }
  }

  async #fetchSchema(id: string): Promise<LedgerSchema | null> {
    const { data, seqNo } = await this.#find({ kind: 'schema', id })
    const found = data as { name: string; version: string; attr_names?: string[] } | null
    if (!found?.attr_names || typeof seqNo !== 'number') return null
    return { id, seqNo, name: found.name, version: found.version, attributes: found.attr_names }
  }

  async #fetchDefinition(id: string): Promise<LedgerDefinition | null> {
    const { data, ref, tag } = await this.#find({ kind: 'definition', id })
    if (typeof data !== 'object' || data === null) return null
    return { id, schemaSeqNo: Number(ref), tag: String(tag), value: data as Record<string, unknown> }
  }

  /** What the ledger refuses to look up does not exist, so asking again is pointless. */
  async #find(query: ReadQuery): Promise<Record<string, unknown>> {
    try {
      return await this.read(query)
    } catch (error) {
      if (error instanceof LedgerRefused) return {}
      throw error
    }
  }
}

/** As the ledger spells it; null for a name that nothing has there. */
const spelled = (query: ReadQuery, namespace: string): ReadQuery | null => {
  if (query.kind !== 'schema' && query.kind !== 'definition') return query
  const isName = query.kind === 'schema' ? isSchemaId : isDefinitionId
  const id = isName(query.id) ? spelledForLedger(query.id, namespace) : null
  return id === null || !isName(id) ? null : { ...query, id }
}
