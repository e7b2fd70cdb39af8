import { kindOf } from '../../domain/references.ts'
import type { StoredSize } from '../store-port.ts'
import { decodeEntries } from './entries-codec.ts'
import { keyspaceOfKeys } from './migrate.ts'
import { type CassandraSession, numberOf, statement } from './session.ts'
import * as cql from './statements.ts'

type Row = Readonly<Record<string, unknown>>
type Use = { readonly actor: string; readonly rows: number; readonly bytes: number }
type Counted = { rows: number; bytes: number }

/** Everything that has the id of an actor in each row, but timers: a table of theirs is mostly tombstones. */
const TABLES: readonly { readonly what: string; readonly query: string; readonly use: (row: Row) => Use }[] =
  [
    { what: 'events', query: cql.readAllEvents, use: (row) => eventsIn(row['events'] as Buffer) },
    { what: 'snapshots', query: cql.readAllSnapshots, use: (row) => textsIn(row, 'actor', 'data') },
    { what: 'actors', query: cql.readAllActors, use: (row) => textsIn(row, 'actor') },
  ]

/**
 * What uses the space: by kind what stands in the tables, one copy and before its compression, and by table what the node that
 * is asked estimates for its own part, every five minutes.
 */
export const sizesIn = async (session: CassandraSession): Promise<readonly StoredSize[]> => {
  const sizes: StoredSize[] = []
  for (const { what, query, use } of TABLES) {
    const kinds = new Map<string, Counted>()
    for await (const row of session.scan(statement(query))) {
      const { actor, rows, bytes } = use(row)
      add(kinds, kindOf(actor), rows, bytes)
    }
    sizes.push(...[...kinds].map(([kind, counted]) => ({ what, kind, ...counted })))
  }
  return [...sizes, ...(await estimates(session))]
}

const estimates = async (session: CassandraSession): Promise<readonly StoredSize[]> => {
  const { keyspace } = session.client
  const tables = new Map<string, Counted>()
  for (const each of [keyspace, keyspaceOfKeys(keyspace)])
    for (const row of await session.read(statement(cql.readSizes, each))) {
      const partitions = numberOf(row['partitions_count'])
      add(tables, row['table_name'] as string, partitions, partitions * numberOf(row['mean_partition_size']))
    }
  return [...tables].map(([table, counted]) => ({ what: `table ${table}`, kind: null, ...counted }))
}

const add = (sums: Map<string, Counted>, name: string, rows: number, bytes: number): void => {
  const counted = sums.get(name) ?? { rows: 0, bytes: 0 }
  counted.rows += rows
  counted.bytes += bytes
  sums.set(name, counted)
}

/** A row has several events of one actor. */
const eventsIn = (blob: Buffer): Use => {
  const entries = decodeEntries(blob)
  const rows = entries.reduce((sum, { events }) => sum + events.length, 0)
  return { actor: entries[0]?.actor ?? '', rows, bytes: blob.length }
}

const textsIn = (row: Row, ...columns: readonly string[]): Use => ({
  actor: row['actor'] as string,
  rows: 1,
  bytes: columns.reduce((sum, column) => sum + Buffer.byteLength(row[column] as string), 0),
})
