export type RebuildPorts = {
  /** Those that this node serves now. */
  readonly shards: () => readonly number[]
  /** Opens what a rebuild of all lists reads from. */
  readonly begin: () => Promise<{
    /** Resolves with the number of records of the shard that are in lists. */
    readonly rebuild: (shard: number) => Promise<number>
    readonly end: () => Promise<void>
  }>
}

const NONE = {
  status: 'none' as 'none' | 'running' | 'done' | 'failed',
  shards: 0,
  shardsDone: 0,
  records: 0,
  lastError: null as string | null,
}
type Progress = typeof NONE

/**
 * Rebuilding all lists from the journal. One rebuild runs at a time, shard after shard, so that it takes little from the
 * requests that are served meanwhile.
 */
export const rebuildJob = (ports: RebuildPorts) => {
  let progress = NONE
  const show = (): Readonly<Progress> => ({ ...progress })
  return {
    show,
    /** Null when a rebuild is running already. */
    begin: (): Readonly<Progress> | null => {
      if (progress.status === 'running') return null
      const shards = ports.shards()
      progress = { ...NONE, status: 'running', shards: shards.length }
      void rebuildAll(ports, shards, progress)
      return show()
    },
  }
}

const rebuildAll = async (
  { begin }: RebuildPorts,
  shards: readonly number[],
  progress: Progress,
): Promise<void> => {
  try {
    const { rebuild, end } = await begin()
    try {
      for (const shard of shards) {
        progress.records += await rebuild(shard)
        progress.shardsDone += 1
      }
    } finally {
      await end()
    }
    progress.status = 'done'
  } catch (error) {
    progress.status = 'failed'
    progress.lastError = error instanceof Error ? error.message : String(error)
  }
}
