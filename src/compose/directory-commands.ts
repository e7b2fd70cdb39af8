import { type Refused, refuse } from '../domain/refused.ts'
import type { Commands } from './command.ts'

export type DirectoryCommandPorts = {
  /** Those that this node serves now. */
  readonly shards: () => readonly number[]
  /** Opens what a whole rebuild reads from. */
  readonly begin: () => Promise<{
    /** Resolves with how many records of the shard are in lists. */
    readonly rebuild: (shard: number) => Promise<number>
    readonly end: () => Promise<void>
  }>
}

type Progress = {
  status: 'none' | 'running' | 'done' | 'failed'
  shards: number
  shardsDone: number
  records: number
  lastError: string | null
}

/** One rebuild at a time, shard after shard, so that those who are served meanwhile hardly feel it. */
export const directoryCommands = (ports: DirectoryCommandPorts): Commands => {
  let progress: Progress = { status: 'none', shards: 0, shardsDone: 0, records: 0, lastError: null }
  const start = (): object | Refused => {
    if (progress.status === 'running')
      return refuse('invalid_request', 'The lists are being rebuilt already.')
    const shards = ports.shards()
    const now: Progress = {
      status: 'running',
      shards: shards.length,
      shardsDone: 0,
      records: 0,
      lastError: null,
    }
    progress = now
    void rebuildAll(ports, shards, now)
    return { ...now }
  }
  return {
    'directory rebuild': { run: () => Promise.resolve(start()) },
    'directory show': { run: () => Promise.resolve({ ...progress }) },
  }
}

const rebuildAll = async (
  { begin }: DirectoryCommandPorts,
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
