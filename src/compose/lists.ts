import { join } from 'node:path'
import { caughtUpWith, currentLists } from '../directory/current-lists.ts'
import { rebuildJob } from '../directory/rebuild-job.ts'
import { Projector } from '../directory/projector.ts'
import { ThreadedDirectory } from '../directory/threaded-directory.ts'
import { SHARD_COUNT, shardOfActor } from '../domain/references.ts'
import { engineSettings } from '../persistence/engine-settings.ts'
import { openForInspection } from '../persistence/open-engine.ts'
import { walkActors } from '../persistence/journal-walk.ts'
import type { KindTables } from '../actors/tables.ts'
import type { DurableActors } from './durable-actors.ts'
import { composeParking } from './parking.ts'
import type { ServiceContext } from './service-context.ts'

/** The lists, which follow the journal for as long as the service runs, and can be rebuilt from it. */
export const followLists = (
  { config, log, lifecycle }: ServiceContext,
  { actors, journal, runtime, isOpen }: DurableActors,
  tables: Pick<KindTables, 'rowsOf'>,
) => {
  const file = join(config.storage.dataFolder, 'directory.sqlite')
  const directory = lifecycle.use('directory', new ThreadedDirectory(file))
  const projector = new Projector({
    journal,
    directory,
    runtime,
    shards: SHARD_COUNT,
    rowsOf: async (actor) => tables.rowsOf(actors, actor),
    parking: composeParking({ actors, runtime }, log),
    actorsOf: (shard) => actorsOf(config, shard),
    rebuilt: (shard, records) => log('directory.rebuilt', { shard, count: records }),
    failed: (shard, error) => log('directory.behind', { shard, error }),
  })
  lifecycle.use('projector', projector)
  const rebuild = rebuildJob({
    shards: () => Array.from({ length: SHARD_COUNT }, (_, shard) => shard).filter(isOpen),
    begin: async () => {
      const reads = await openForInspection(engineSettings(config))
      return {
        rebuild: (shard) => projector.rebuild(shard, walkActors(reads, shard)),
        end: async () => {
          await reads[Symbol.asyncDispose]()
        },
      }
    },
  })
  const lists = { directory, projector, runtime }
  return {
    directory: currentLists(lists),
    /** Resolves when the lists show the record as it is now. */
    caughtUpWith: (recordId: string) => caughtUpWith(lists, shardOfActor(recordId)),
    /** The same, and no file of theirs has what it was. */
    clearedOf: async (recordId: string): Promise<void> => {
      await caughtUpWith(lists, shardOfActor(recordId))
      await directory.clear()
    },
    caughtUp: () => caughtUpWith(lists),
    rebuild,
    finished: directory,
    recordsOfTenant: {
      listsOf: (tenant: string) => directory.listsOf(tenant),
      recordsOf: directory.recordsOf.bind(directory),
      listed: directory.listed.bind(directory),
      unlist: directory.unlist.bind(directory),
      caughtUp: () => directory.hurried(() => projector.caughtUp()),
      everyActor: () => everyActor(config),
    },
    listedUpTo: (shard: number) => directory.positionOf(shard),
  }
}

async function* everyActor(config: ServiceContext['config']): AsyncGenerator<string> {
  const reads = await openForInspection(engineSettings(config))
  try {
    for (let shard = 0; shard < SHARD_COUNT; shard++) yield* walkActors(reads, shard)
  } finally {
    await reads[Symbol.asyncDispose]()
  }
}

/** Reads are opened for this one shard, because a list file is seldom behind the journal. */
async function* actorsOf(config: ServiceContext['config'], shard: number): AsyncGenerator<string> {
  const reads = await openForInspection(engineSettings(config))
  try {
    yield* walkActors(reads, shard)
  } finally {
    await reads[Symbol.asyncDispose]()
  }
}
