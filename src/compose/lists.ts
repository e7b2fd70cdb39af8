import { join } from 'node:path'
import { currentLists } from '../directory/current-lists.ts'
import { Projector } from '../directory/projector.ts'
import { ThreadedDirectory } from '../directory/threaded-directory.ts'
import { SHARD_COUNT } from '../domain/shards.ts'
import type { Heart } from './actor-runtime.ts'
import type { Lifecycle } from '../lifecycle.ts'
import type { PartContext } from '../parts.ts'
import { engineSettings } from '../persistence/engine-settings.ts'
import { openForInspection } from '../persistence/open-engine.ts'
import { walkActors } from '../persistence/journal-walk.ts'
import type { KindTables } from '../actors/tables.ts'
import { directoryOrders } from './directory-orders.ts'

/** The lists, which follow the journal for as long as the service runs, and can be rebuilt from it. */
export const followLists = (
  { config, log }: PartContext,
  lifecycle: Lifecycle,
  { actors, journal, runtime, isOpen }: Heart,
  tables: Pick<KindTables, 'rowOf'>,
) => {
  const directory = new ThreadedDirectory(join(config.storage.dataFolder, 'directory.sqlite'))
  lifecycle.add('directory', () => directory[Symbol.asyncDispose]())
  const projector = new Projector({
    journal,
    directory,
    runtime,
    shards: SHARD_COUNT,
    rowOf: async (actor) => tables.rowOf(actors, actor),
    actorsOf: (shard) => actorsOf(config, shard),
    rebuilt: (shard, records) => log('directory.rebuilt', { shard, count: records }),
    failed: (shard, error) => log('directory.behind', { shard, error }),
  })
  lifecycle.add('projector', () => projector[Symbol.asyncDispose]())
  const orders = directoryOrders({
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
  return {
    directory: currentLists({ directory, projector, runtime }),
    orders,
    listedUpTo: (shard: number) => directory.positionOf(shard),
  }
}

/** Reads are opened for this one shard, because a list file is seldom behind the journal. */
async function* actorsOf(config: PartContext['config'], shard: number): AsyncGenerator<string> {
  const reads = await openForInspection(engineSettings(config))
  try {
    yield* walkActors(reads, shard)
  } finally {
    await reads[Symbol.asyncDispose]()
  }
}
