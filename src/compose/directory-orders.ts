import { type Static, Type } from 'typebox'
import { exact } from '../http/route/fields.ts'
import { problem } from '../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../http/route/route.ts'

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

const progressSchema = exact({
  status: Type.Union([
    Type.Literal('none'),
    Type.Literal('running'),
    Type.Literal('done'),
    Type.Literal('failed'),
  ]),
  shards: Type.Integer(),
  shardsDone: Type.Integer(),
  records: Type.Integer(),
  lastError: Type.Union([Type.String(), Type.Null()]),
})
type Shown = Static<typeof progressSchema>
type Progress = { -readonly [Field in keyof Shown]: Shown[Field] }

const PATH = '/local/directory/rebuild'
const NONE: Progress = { status: 'none', shards: 0, shardsDone: 0, records: 0, lastError: null }

/**
 * Rebuilding the lists, until operators have a route for it: on the private port alone, for the command line. One
 * rebuild runs at a time, shard after shard, so that it takes little from the requests that are served meanwhile.
 */
export const directoryOrders = (ports: RebuildPorts): readonly Route[] => {
  let progress = NONE
  return [
    defineRoute({
      method: 'POST',
      path: PATH,
      operationId: 'rebuildDirectory',
      summary: 'Begins to rebuild the lists from the journal',
      access: { callers: ['operator'] },
      responses: { 202: progressSchema },
      errors: ['invalid_request'],
      handle: () => {
        if (progress.status === 'running')
          return problem('invalid_request', 'The lists are being rebuilt already.')
        const shards = ports.shards()
        const started: Progress = { ...NONE, status: 'running', shards: shards.length }
        progress = started
        void rebuildAll(ports, shards, started)
        return reply(202, { ...started })
      },
    }),
    defineRoute({
      method: 'GET',
      path: PATH,
      operationId: 'getDirectoryRebuild',
      summary: 'Shows how far the rebuild of the lists is',
      access: { callers: ['operator'] },
      responses: { 200: progressSchema },
      errors: [],
      handle: () => reply(200, { ...progress }),
    }),
  ]
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
