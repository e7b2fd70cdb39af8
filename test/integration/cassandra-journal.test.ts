import { fileURLToPath } from 'node:url'
import { Client } from 'cassandra-driver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerJournal } from '../../src/cli/journal.ts'
import { registerMigrate } from '../../src/cli/migrate.ts'
import { CassandraJournalStore } from '../../src/persistence/cassandra/journal-store.ts'
import { migrateCassandra, SCHEMA_VERSION } from '../../src/persistence/cassandra/migrate.ts'
import type { CassandraSettings } from '../../src/persistence/engine-settings.ts'
import { SEGMENT_SLOTS } from '../../src/persistence/cassandra/log-table.ts'
import { type Outcome, vouchsafe } from '../cli/parts/vouchsafe.ts'
import { settingsOf } from '../contract/journal/parts/cassandra-keyspace.ts'
import { startJournal } from '../contract/journal/parts/journal-parts.ts'
import { batchSlot, entry, openSlot, someActor, timer } from '../contract/journal/parts/slots.ts'
import { cassandra } from '../engines/engines.ts'

describe('the journal in Cassandra', () => {
  let settings: CassandraSettings
  let client: Client

  const run = (...args: string[]): Promise<Outcome> =>
    vouchsafe(
      [registerJournal, registerMigrate],
      {
        VOUCHSAFE_JOURNAL: 'cassandra',
        VOUCHSAFE_VAULT_KEY_FILE: fileURLToPath(import.meta.url),
        VOUCHSAFE_CASSANDRA_CONTACT_POINTS: settings.contactPoints.join(','),
        VOUCHSAFE_CASSANDRA_LOCAL_DATACENTER: settings.localDatacenter,
        VOUCHSAFE_CASSANDRA_KEYSPACE: settings.keyspace,
        VOUCHSAFE_CASSANDRA_REPLICATION_FACTOR: '1',
      },
      args,
    )

  beforeAll(async () => {
    settings = settingsOf(await cassandra())
    client = new Client({
      contactPoints: [...settings.contactPoints],
      localDataCenter: settings.localDatacenter,
    })
    await client.connect()
  })
  afterAll(async () => client.shutdown())

  it('is refused before it was migrated, with the command that helps', async () => {
    await expect(CassandraJournalStore.open(settings)).rejects.toThrow('run vouchsafe migrate')
  })

  it('is made by vouchsafe migrate, which may be repeated', async () => {
    const first = await run('migrate')
    expect([first.code, first.out]).toEqual([0, expect.stringContaining(`version ${SCHEMA_VERSION} now`)])
    const again = await run('--json', 'migrate')
    expect(JSON.parse(again.out)).toEqual({
      engine: 'cassandra',
      keyspaces: [settings.keyspace, `${settings.keyspace}_keys`],
      from: SCHEMA_VERSION,
      to: SCHEMA_VERSION,
    })
    const { rows } = await client.execute(
      'SELECT keyspace_name, replication FROM system_schema.keyspaces WHERE keyspace_name IN (?, ?)',
      [settings.keyspace, `${settings.keyspace}_keys`],
      { prepare: true },
    )
    const factors = rows.map(
      (row) => (row['replication'] as Record<string, string>)[settings.localDatacenter],
    )
    expect(factors).toEqual(['1', '1'])
  })

  it('of another release is refused, by the service and by migrate', async () => {
    const write = `UPDATE ${settings.keyspace}.schema_version SET version = ? WHERE component = 'journal'`
    await client.execute(write, [SCHEMA_VERSION + 1], { prepare: true })
    await expect(CassandraJournalStore.open(settings)).rejects.toThrow('start the release that wrote it')
    await expect(migrateCassandra(settings)).rejects.toThrow('start the release that wrote it')
    await client.execute(write, [SCHEMA_VERSION], { prepare: true })
  })

  it('is shown and checked; damage to the copies is found', async () => {
    const store = await CassandraJournalStore.open(settings)
    const actor = someActor(9)
    const journal = startJournal(store)
    const writer = await journal.open(9)
    for (const seq of [1, 2, 3]) await writer.append([entry(actor, seq)])
    const before = await run('--json', 'journal', 'show', actor)
    expect((JSON.parse(before.out) as { events: unknown[] }).events).toHaveLength(3)
    await journal[Symbol.asyncDispose]()
    expect(await run('journal', 'check', '--shard', '9')).toMatchObject({ code: 0 })
    const { out } = await run('--json', 'journal', 'size')
    const { sizes } = JSON.parse(out) as { sizes: { what: string; kind: string | null; bytes: number }[] }
    const kind = actor.slice(0, 3)
    expect(sizes.filter((size) => size.kind !== null)).toMatchObject([
      { what: 'events', kind, rows: 3, bytes: expect.any(Number) as number },
      { what: 'actors', kind, rows: 1, bytes: actor.length },
    ])
    await client.execute(
      `DELETE FROM ${settings.keyspace}.actor_events WHERE actor = ? AND bucket = 0`,
      [actor],
      {
        prepare: true,
      },
    )
    const damaged = await run('journal', 'check', '--shard', '9')
    expect([damaged.code, damaged.out]).toEqual([1, expect.stringContaining('has 0 events, its log 3')])
    await store[Symbol.asyncDispose]()
  })

  it('finds the first segment although a crash kept its hint from being written', async () => {
    const store = await CassandraJournalStore.open(settings)
    await store.append(openSlot(10, 0, 1))
    await client.execute(
      `UPDATE ${settings.keyspace}.shard_log SET retired = true WHERE shard = 10 AND segment = 0 IF retired = null`,
    )
    expect(await store.append(openSlot(10, 1, 1))).toEqual({ is: 'retired' })
    expect(await store.firstSegment(10)).toBe(1)
    expect(await store.append(openSlot(10, SEGMENT_SLOTS, 1))).toEqual({ is: 'written' })
    await store[Symbol.asyncDispose]()
  })

  it('deletes hours of timers that are over, but not what a later slot set in them', async () => {
    const store = await CassandraJournalStore.open(settings)
    const actor = someActor(11)
    const [old, late] = [timer(actor, 1_000, 'old'), timer(actor, 2_000, 'late')]
    const first = batchSlot(11, 0, 1, [entry(actor, 1, { set: [old] })])
    const second = batchSlot(11, 1, 1, [entry(actor, 2, { set: [late] })])
    for (const slot of [first, second]) await store.append(slot)
    await store.copy(11, [first, second])
    await store.writeCheckpoint(11, 1, { copiedNo: 0, publishedNo: 0, projectedNo: 0, timerAckMs: 3_600_000 })
    expect(await store.timersDue(11, 0, 10_000, null, 10)).toEqual([late])
    await store.writeCheckpoint(11, 1, {
      copiedNo: 1,
      publishedNo: 1,
      projectedNo: 1,
      timerAckMs: 2 * 3_600_000,
    })
    expect(await store.timersDue(11, 0, 10_000, null, 10)).toEqual([])
    await store[Symbol.asyncDispose]()
  })
})
