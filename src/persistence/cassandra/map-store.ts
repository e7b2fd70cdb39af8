import type { KeptShardMap, ShardMapStore } from '../../ports/shard-map.ts'
import { decodeMap, encodeMap } from './map-codec.ts'
import { type CassandraSession, numberOf, numberOrNull, statement } from './session.ts'
import * as cql from './statements.ts'

/** The map of shards as one row, changed only by a conditional write on its version. */
export class CassandraMapStore implements ShardMapStore {
  readonly #session: CassandraSession
  /** Every node asks twice a second and more, and nearly always for what it knows: then eight bytes are enough. */
  #last: KeptShardMap | null = null

  constructor(session: CassandraSession) {
    this.#session = session
  }

  /**
   * A plain read: it may miss a write whose outcome nobody knows yet, and the next conditional write finds that one. The
   * map is advice, so this is worth more than a round of Paxos at every look.
   */
  async read(): Promise<KeptShardMap | null> {
    const [head] = await this.#session.read(statement(cql.readMapVersion))
    const version = numberOrNull(head?.['version'])
    if (version === null) return null
    if (version === this.#last?.version) return this.#last
    const [row] = await this.#session.read(statement(cql.readMap))
    if (row === undefined) return null
    const map = decodeMap(numberOf(row['version']), row['map'] as string)
    this.#last = map
    return map
  }

  async replace(next: KeptShardMap): Promise<boolean> {
    const text = encodeMap(next)
    const result = await this.#session.applyIf([
      next.version === 1
        ? statement(cql.insertMap, next.version, text)
        : statement(cql.replaceMap, next.version, text, next.version - 1),
    ])
    return result.wasApplied()
  }
}
