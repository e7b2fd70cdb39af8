import type { NodeLoads, ShardLoad, ShardLoadStore } from '../../ports/shard-map.ts'
import { type CassandraSession, statement } from './session.ts'
import * as cql from './statements.ts'

/** What a node said before it went is of use for a while: its hottest shards are to be taken over first. */
const KEPT_SECONDS = 3_600

/** A row for each node: shard, events and bytes a second, residents, for every shard that it serves. */
export class CassandraLoadStore implements ShardLoadStore {
  readonly #session: CassandraSession

  constructor(session: CassandraSession) {
    this.#session = session
  }

  async tell({ node, loads }: NodeLoads): Promise<void> {
    const rows = loads.map(({ shard, eventsPerSecond, bytesPerSecond, residents }) =>
      [shard, rounded(eventsPerSecond), rounded(bytesPerSecond), residents].join(' '),
    )
    await this.#session.write([statement(cql.writeLoads, node, rows.join('\n'), KEPT_SECONDS)])
  }

  async read(): Promise<readonly NodeLoads[]> {
    const rows = await this.#session.read(statement(cql.readLoads))
    return rows.map((row) => ({ node: row['node'] as string, loads: loadsOf(row['loads'] as string | null) }))
  }
}

const rounded = (value: number): number => Math.round(value * 100) / 100

const loadsOf = (text: string | null): readonly ShardLoad[] =>
  (text ?? '')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [shard = 0, eventsPerSecond = 0, bytesPerSecond = 0, residents = 0] = line.split(' ').map(Number)
      return { shard, eventsPerSecond, bytesPerSecond, residents }
    })
