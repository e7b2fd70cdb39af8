import { kinds } from '../../src/actors/index.ts'
import { KindTables } from '../../src/actors/tables.ts'

// The data folder that a busy service leaves behind when it is killed: host, shard log, publisher, lists as they run.
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import type { DirectoryRow } from '../../src/ports/directory.ts'
import type { Journal } from '../../src/ports/journal.ts'
import { openEvents } from '../../src/compose/events.ts'
import { loadConfig } from '../../src/config/config.ts'
import { Projector } from '../../src/directory/projector.ts'
import { DIRECTORY_READER } from '../../src/directory/saved-positions.ts'
import { ThreadedDirectory } from '../../src/directory/threaded-directory.ts'
import { SHARD_COUNT } from '../../src/domain/references.ts'
import { newNonce } from '../../src/actors/ids.ts'
import { type DurableActors, openDurableActors } from '../../src/compose/durable-actors.ts'
import { composeParking } from '../../src/compose/parking.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { Lifecycle } from '../../src/lifecycle.ts'
import { PUBLISHER } from '../../src/stream/shard-publisher.ts'
import { createLog } from '../../src/telemetry/logger.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { type Account, accounts, accountDefinition, accountId } from './account.ts'

export const FOLLOWERS = { projectedReader: DIRECTORY_READER, publishedReader: PUBLISHER } as const

const ASKERS = 2_048
/** How many actors stay in memory; an actor's events lie that many others apart. */
const ACTORS_AT_ONCE = 16_000
const TENANTS = 50
const MINUTE_MS = 60_000
const FOLD_POLL_MS = 2_000

/**
 * Every event is asked of the host and followed by publisher and lists, each of whose rows is written once. `over`: with
 * its last event each account is over, so that its events are folded, and every fourth goes whole; that is waited for.
 */
export async function fill(
  folder: string,
  actors: number,
  events: number,
  over: boolean,
): Promise<{ readonly eventsPerS: number }> {
  const context = {
    config: loadConfig({ VOUCHSAFE_DATA_FOLDER: folder }),
    log: createLog({ level: 'warn' }),
    metrics: createMetrics(),
    lifecycle: new Lifecycle(),
    runtime: createRuntime(),
    newNonce,
  }
  const passes = Math.ceil(events / actors)
  const definition = over ? { ...accountDefinition(), ...overAfter(passes) } : accountDefinition()
  const durable = await openDurableActors(context, () => [definition], FOLLOWERS)
  const projector = followLists(folder, durable)
  await openEvents(context, durable, new KindTables(kinds).publish)
  const startedMs = performance.now()
  for (let first = 0; first < actors; first += ACTORS_AT_ONCE) {
    const end = Math.min(first + ACTORS_AT_ONCE, actors)
    for (let pass = 0; pass < passes; pass++) await depositInEach(durable, first, end, pass)
  }
  await projector.caughtUp()
  for (let shard = 0; shard < SHARD_COUNT; shard++) await untilPublished(durable, shard)
  const tookMs = performance.now() - startedMs
  if (over) await untilFolded(folder, context.runtime)
  return { eventsPerS: (actors * passes) / (tookMs / 1_000) }
}

/** Those that are to go whole have twice the balance. */
const goesWhole = (index: number): boolean => index % 4 === 0

const overAfter = (deposits: number) => ({
  isOver: ({ balance }: Account) => balance >= deposits,
  goneAtMs: ({ balance }: Account) => (balance === 2 * deposits ? 1 : null),
})

const untilFolded = async (folder: string, runtime: DurableActors['runtime']): Promise<void> => {
  const database = new BetterSqlite3(join(folder, 'journal.db'), { readonly: true })
  const unfolded = database.prepare('SELECT 1 FROM actors WHERE folded_seq < last_seq LIMIT 1')
  while (unfolded.get() !== undefined) await runtime.sleep(FOLD_POLL_MS)
  database.close()
}

/** Nothing is closed: the next process finds what a crash leaves behind. */
export function vanish(): void {
  process.kill(process.pid, 'SIGKILL')
}

async function depositInEach(
  { actors }: DurableActors,
  first: number,
  end: number,
  pass: number,
): Promise<void> {
  let next = first
  const asker = async (): Promise<void> => {
    while (next < end) {
      const index = next++
      const options = { commandId: `bench-${pass}-${index}`, timeoutMs: 60_000, tenant: null }
      await actors.ask(
        accounts.ref(accountId(index)),
        { type: 'Deposit', amount: goesWhole(index) ? 2 : 1 },
        options,
      )
    }
  }
  await Promise.all(Array.from({ length: ASKERS }, asker))
}

function followLists(folder: string, { actors, journal, runtime }: DurableActors): Projector {
  const listed = new Set<string>()
  return new Projector({
    journal,
    directory: new ThreadedDirectory(join(folder, 'directory.sqlite')),
    runtime,
    shards: SHARD_COUNT,
    rowsOf: async (actor) => {
      if (listed.has(actor)) return []
      listed.add(actor)
      return [rowOf(actor)]
    },
    parking: composeParking(
      { actors, runtime, announceParked: async () => undefined },
      createLog({ level: 'silent' }),
    ),
    actorsOf: noActors,
    rebuilt: () => undefined,
    failed: (_, error) => {
      process.stderr.write(`${String(error)}\n`)
    },
  })
}

async function* noActors(): AsyncGenerator<string> {}

function rowOf(actor: string): DirectoryRow {
  const index = Number(actor.slice('acc_00'.length))
  const createdAtMs = Date.parse('2026-11-21T12:00:00Z') - index * MINUTE_MS
  return {
    kind: 'connection',
    id: actor,
    tenant: `ten_${index % TENANTS}`,
    createdAtMs,
    updatedAtMs: createdAtMs,
    state: index % 7 === 0 ? 'abandoned' : 'completed',
    filters: { invitationId: `inv_${index % 97}` },
    externalId: `customer-${index}`,
    searchText: `customer-${index}`,
  }
}

async function untilPublished({ journal, runtime }: DurableActors, shard: number): Promise<void> {
  while (!(await isPublished(journal, shard))) await runtime.sleep(50)
}

const isPublished = async (journal: Journal, shard: number): Promise<boolean> =>
  (await journal.readTail(shard, await journal.readPosition(PUBLISHER, shard), 1)).length === 0
