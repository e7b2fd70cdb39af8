import { join } from 'node:path'
import { caughtUpWith, currentLists } from '../directory/current-lists.ts'
import { HoursKept } from '../directory/hours-kept.ts'
import { rebuildJob } from '../directory/rebuild-job.ts'
import { Projector } from '../directory/projector.ts'
import { ThreadedDirectory } from '../directory/threaded-directory.ts'
import { SHARD_COUNT, shardOfActor } from '../domain/references.ts'
import { engineSettings } from '../persistence/engine-settings.ts'
import { openForInspection } from '../persistence/open-engine.ts'
import { walkActors } from '../persistence/journal-walk.ts'
import type { KindTables } from '../actors/tables.ts'
import type { Directory, FinishedRecords, RecordsOfTenant } from '../ports/directory.ts'
import type { ListOverviews } from '../ports/list-overview.ts'
import type { Runtime } from '../ports/runtime.ts'
import { type FollowedLog, type ListsCluster, listsOfNode } from './cluster-lists.ts'
import type { DurableActors } from './durable-actors.ts'
import { listsProbe } from './lists-probe.ts'
import { composeParking } from './parking.ts'
import type { ServiceContext } from './service-context.ts'

/**
 * The lists, which follow the journal for as long as the service runs, and can be rebuilt from it. In a cluster those of
 * every node have the records of all.
 */
export const followLists = (
  context: ServiceContext,
  durable: DurableActors,
  tables: Pick<KindTables, 'rowsOf' | 'firstRowWaits'>,
) => {
  const { config, lifecycle } = context
  const file = join(config.storage.dataFolder, 'directory.sqlite')
  const followed = followedBy(context, durable, tables)
  const cluster = clusterOf(context, durable)
  const { directory, projector, ...lists } =
    cluster === null
      ? openAlone(lifecycle, file, durable.runtime, followed)
      : openInCluster(lifecycle, file, durable.runtime, followed, cluster)
  lifecycle.use('hours-kept', new HoursKept({ directory, runtime: durable.runtime }))
  const rebuild = rebuildJob({
    shards: () => Array.from({ length: SHARD_COUNT }, (_, shard) => shard).filter(durable.isOpen),
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
    directory: lists.listing,
    /** For the routes: pages, and what lists say in numbers. */
    ports: { directory: lists.listing, overviews: lists.listing },
    listHere: directory.list.bind(directory),
    /** Resolves when the lists show the record as it is now. */
    caughtUpWith: lists.caughtUpWith,
    /** The same, and no file of theirs has what it was. */
    clearedOf: lists.clearedOf,
    caughtUp: lists.caughtUp,
    rebuild,
    finished: lists.finished,
    recordsOfTenant: {
      listsOf: (tenant: string) => directory.listsOf(tenant),
      recordsOf: directory.recordsOf.bind(directory),
      listed: directory.listed.bind(directory),
      unlist: lists.unlist,
      caughtUp: lists.caughtUp,
      everyActor: () => everyActor(config),
    },
    listedUpTo: (shard: number) => directory.positionOf(shard),
    /** Rejects until lists can be made. */
    probe: listsProbe({
      session: () => durable.cluster?.lease.session() ?? null,
      list: (query) => lists.listing.list(query),
      runtime: durable.runtime,
    }),
  }
}

const clusterOf = ({ log }: ServiceContext, { cluster, epochOf }: DurableActors): ListsCluster | null => {
  if (cluster === null) return null
  const { link, livingNodes, readLivingNodes, mayServe, session } = cluster
  const failed = (node: string, error: unknown): void => log('directory.node_behind', { node, error })
  return { link, livingNodes, readLivingNodes, mayServe, session, epochOf, failed }
}

const followedBy = (
  { config, log }: ServiceContext,
  { actors, journal, runtime, announceParked }: DurableActors,
  tables: Pick<KindTables, 'rowsOf' | 'firstRowWaits'>,
): FollowedLog => ({
  journal,
  shards: SHARD_COUNT,
  rowsOf: async (actor) => tables.rowsOf(actors, actor),
  firstRowWaits: (actor) => tables.firstRowWaits(actor),
  parking: composeParking({ actors, runtime, announceParked }, log),
  actorsOf: (shard) => actorsOf(config, shard),
  rebuilt: (shard, records) => log('directory.rebuilt', { shard, count: records }),
  failed: (shard, error) => log('directory.behind', { shard, error }),
})

/** What is asked of the lists, on a node that is alone and in a cluster. */
type OpenedLists = {
  readonly directory: ThreadedDirectory
  readonly projector: Projector
  readonly listing: Directory & ListOverviews
  readonly finished: FinishedRecords
  readonly unlist: RecordsOfTenant['unlist']
  readonly caughtUpWith: (recordId: string) => Promise<void>
  readonly clearedOf: (recordId: string) => Promise<void>
  readonly caughtUp: () => Promise<void>
}

const openAlone = (
  lifecycle: ServiceContext['lifecycle'],
  file: string,
  runtime: Runtime,
  followed: FollowedLog,
): OpenedLists => {
  const directory = lifecycle.use('directory', new ThreadedDirectory(file))
  const projector = lifecycle.use('projector', new Projector({ ...followed, directory, runtime }))
  const lists = { directory, projector, runtime }
  return {
    directory,
    projector,
    listing: currentLists(lists),
    finished: directory,
    unlist: directory.unlist.bind(directory),
    caughtUpWith: (recordId) => caughtUpWith(lists, shardOfActor(recordId)),
    clearedOf: async (recordId) => {
      await caughtUpWith(lists, shardOfActor(recordId))
      await directory.clear()
    },
    caughtUp: () => caughtUpWith(lists),
  }
}

const openInCluster = (
  lifecycle: ServiceContext['lifecycle'],
  file: string,
  runtime: Runtime,
  followed: FollowedLog,
  cluster: ListsCluster,
): OpenedLists => {
  const { directory, projector, lists } = listsOfNode(file, cluster, runtime, followed)
  lifecycle.use('directory', directory)
  lifecycle.use('lists', lists)
  lifecycle.use('projector', projector)
  return {
    directory,
    projector,
    listing: lists,
    finished: {
      tenantsWithFinished: (shard) => directory.tenantsWithFinished(shard),
      finishedBefore: (query) => directory.finishedBefore(query),
      swept: (rows) => lists.swept(rows),
    },
    unlist: (rows) => lists.unlist(rows),
    caughtUpWith: (recordId) => lists.caughtUpWith(recordId),
    clearedOf: (recordId) => lists.clearedOf(recordId),
    caughtUp: () => lists.caughtUp(),
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
