import { type Static, Type } from 'typebox'
import { exact } from '../route/fields.ts'
import { problem } from '../route/problem.ts'
import { defineRoute, reply, type Route } from '../route/route.ts'

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
type Progress = Static<typeof progressSchema>

type RebuildJob = {
  readonly show: () => Progress
  /** Null when a rebuild is running already. */
  readonly begin: () => Progress | null
}

const PATH = '/local/directory/rebuild'

/** Until operators have a route for it: on the private port alone, for the command line. */
export const directoryRebuildRoutes = (job: RebuildJob): readonly Route[] => [
  defineRoute({
    method: 'POST',
    path: PATH,
    operationId: 'rebuildDirectory',
    summary: 'Begins to rebuild the lists from the journal',
    access: { callers: ['operator'] },
    responses: { 202: progressSchema },
    errors: ['invalid_request'],
    handle: () => {
      const begun = job.begin()
      return begun === null
        ? problem('invalid_request', 'The lists are being rebuilt already.')
        : reply(202, begun)
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
    handle: () => reply(200, job.show()),
  }),
]
