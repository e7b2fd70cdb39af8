import { Type } from 'typebox'
import { isRefused, refuse, type Refused } from '../../domain/decider.ts'
import { SHARD_COUNT, shardOfActor } from '../../domain/references.ts'
import { pageOf, pageOfAll, pageQuery, pageReply } from '../../http/route/list.ts'
import { refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { Parked } from '../../ports/parking.ts'
import { newRef } from '../ids.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { tags } from '../tags.ts'
import { parkedIn, retryParked } from './parking.ts'
import { parkedRecordSchema, parkedView } from './record.ts'
import { parkedRecord } from './rules.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime'>

const PATH = '/v1/operator/parked'
const unknown = ['not_found'] as const
const ALL_SHARDS = Array.from({ length: SHARD_COUNT }, (_, shard) => shard)

/** What lists and webhooks go on without, because it cannot be read. */
export const parkedRoutes = (ports: Ports): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: PATH,
    operationId: 'listParkedRecords',
    summary: 'Lists the records that lists and webhooks go on without; q looks in their ids and errors',
    description:
      'A record that cannot be read holds up no other: what needs it is parked, the newest first, and stays until a retry succeeds.',
    tag: tags.operators,
    access: { callers: ['operator'] },
    query: Type.Object(pageQuery),
    responses: { 200: pageOf(parkedRecordSchema) },
    errors: ['invalid_request'],
    handle: async ({ query, head }) => {
      const parked = (await Promise.all(ALL_SHARDS.map((shard) => parkedIn(ports, shard)))).flat()
      const newestFirst = parked.sort((left, right) => right.sinceMs - left.sinceMs).map(parkedView)
      return pageReply(
        head,
        pageOfAll(newestFirst, query, ({ id, recordId, error }) => [id, recordId, error]),
      )
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${PATH}/{id}/retry`,
    operationId: 'retryParkedRecord',
    summary: 'Tries a parked record again',
    description:
      'It is tried within a moment. What can be read then is listed or published, with all that waited behind it in its order, and leaves the list; what cannot stays, with one more in `attempts`.',
    tag: tags.operators,
    access: { callers: ['operator'] },
    idempotency: {
      newRecordId: ({ params: { id = '' } }) => parkedRecord.find(id) ?? newRef(parkedRecord, ports.runtime),
      showRecord: async (_, id) => {
        const found = (await parkedIn(ports, shardOfActor(id))).find((each) => each.id === id)
        return found === undefined ? null : parkedView(found)
      },
      storedFields: Object.keys(parkedRecordSchema.properties),
    },
    responses: { 200: parkedRecordSchema },
    errors: unknown,
    handle: async ({ params: { id } }) => {
      const asked = await retryById(ports, id)
      return isRefused(asked) ? refusal(unknown, asked) : reply(200, parkedView(asked))
    },
  }),
]

const retryById = async (ports: Ports, id: string): Promise<Parked | Refused> => {
  const found = parkedRecord.find(id)
  return found === null
    ? refuse('not_found', 'Nothing is parked under this id.')
    : retryParked(ports, shardOfActor(found), found)
}
