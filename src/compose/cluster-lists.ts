import { ClusterLists } from '../cluster/lists/cluster-lists.ts'
import type { ClusterListsPorts, ClusterListsSettings } from '../cluster/lists/ports.ts'
import { caughtUpWith } from '../directory/current-lists.ts'
import { Projector } from '../directory/projector.ts'
import type { ProjectorPorts } from '../directory/projector-ports.ts'
import { ThreadedDirectory } from '../directory/threaded-directory.ts'

/** What lists have to know of the cluster. */
export type ListsCluster = Pick<
  ClusterListsPorts,
  'link' | 'livingNodes' | 'readLivingNodes' | 'epochOf' | 'mayServe' | 'session' | 'failed'
>

export type FollowedLog = Omit<ProjectorPorts, 'directory' | 'runtime' | 'termOf' | 'forgettable'>

/** The file as its thread hands it over. */
export type FileOfNode = Pick<
  ThreadedDirectory,
  'replicas' | 'list' | 'overview' | 'due' | 'positionOf' | 'write' | 'hurried'
>

/** Directory, projector and lists of one node of a cluster. To be made before the link is started. */
export const listsOfNode = (file: string, ...more: ListsOver) => {
  const directory = new ThreadedDirectory(file, true)
  return { directory, ...listsOver(directory, ...more) }
}

type ListsOver = [
  cluster: ListsCluster,
  runtime: ClusterListsPorts['runtime'],
  followed: FollowedLog,
  settings?: Partial<ClusterListsSettings>,
]

export const listsOver = (
  directory: FileOfNode,
  ...[cluster, runtime, followed, settings = {}]: ListsOver
) => {
  const lists = new ClusterLists(
    {
      ...cluster,
      runtime,
      shards: followed.shards,
      file: directory.replicas,
      list: (query) => directory.list(query),
      overview: (query) => directory.overview(query),
      due: (query) => directory.due(query),
      rowsOf: followed.rowsOf,
      // Asked long after the projector is there.
      caughtUp: (shard) => caughtUpWith({ directory, projector }, shard),
      follow: (shard) => projector.follow(shard),
    },
    settings,
  )
  const projector: Projector = new Projector({
    ...followed,
    runtime,
    termOf: lists.termOf,
    forgettable: lists.forgettable,
    directory: {
      positionOf: (shard) => directory.positionOf(shard),
      write: (...rows) => lists.write((...written) => directory.write(...written), ...rows),
    },
  })
  return { projector, lists }
}
