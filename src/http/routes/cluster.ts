import { Type } from 'typebox'
import type { ClusterNode, ClusterView } from '../../ports/cluster.ts'
import { pageOf, pageOfAll, pageQuery, pageReply } from '../route/list.ts'
import { choice, exact, isoTime, moment, recordOf, words, wordsOrNull } from '../route/fields.ts'
import { defineRoute, type Route } from '../route/route.ts'
import { serviceTags } from '../openapi/tags.ts'

const behind = 'log entries that were committed and not taken on yet; it is not counted further than 256.'

const loadShare = (description: string) =>
  Type.Union([Type.Number({ minimum: 0 }), Type.Null()], { description, examples: [1.04] })

/** As it is listed, and as orders about a node answer. */
export const nodeSchema = recordOf('Node', {
  id: words('The name of the node.', 'node-1'),
  address: words('Where other nodes reach it.', 'node-1:9000'),
  status: Type.Unsafe<ClusterNode['status']>({
    type: 'string',
    enum: ['coming', 'alive', 'dead', 'left'],
    description:
      'Whether it connects itself with the others and serves nothing before, keeps its lease, was declared dead by another, or has left: in order, or because it did not reach the others. A node that died a few seconds ago may still be shown as alive.',
  }),
  current: Type.Boolean({ description: 'Whether it is the one that answers.', examples: [true] }),
  part: Type.Union([Type.Null(), Type.Literal('taking'), Type.Literal('leaving'), Type.Literal('drained')], {
    description:
      'Whether it takes its share of the shards, is stopping, or is kept empty by an operator; null: it gets none.',
    examples: ['taking'],
  }),
  shards: Type.Integer({
    minimum: 0,
    maximum: 256,
    description: 'How many of the 256 shards it serves, as the map says.',
    examples: [86],
  }),
  shardsToCome: Type.Integer({
    minimum: 0,
    maximum: 256,
    description: 'How many it is to serve and does not serve yet.',
    examples: [0],
  }),
  load: loadShare(
    'What it carries: 1 is what each would carry if all carried the same. Null where that is not known.',
  ),
  link: Type.Union(
    [
      exact({
        state: choice(
          ['connected', 'connecting', 'refused'],
          'Whether there is a connection, one is being made, or one was refused (the log says why).',
        ),
        since: moment('Since when it is so.'),
      }),
      Type.Null(),
    ],
    { description: 'How the node that answers reaches it; null for itself, and where it knows of no link.' },
  ),
  reaches: Type.Union([Type.Array(words('The name of a node.', 'node-2')), Type.Null()], {
    description:
      'The nodes that it said it is connected to, two seconds ago at most. Null where it has said nothing, or is gone.',
  }),
})

export type ShownNode = ReturnType<typeof shownNode>

/** As answers show it. */
export const shownNode = ({ link, ...node }: ClusterNode) => ({
  ...node,
  link: link === null ? null : { state: link.state, since: isoTime(link.sinceMs) },
})

const measured = (description: string, example: number) =>
  Type.Number({ minimum: 0, description, examples: [example] })

/** As it is listed, and as orders about one shard answer. */
export const placeFields = {
  number: Type.Integer({
    minimum: 0,
    maximum: 255,
    description: 'Which shard; ids have it as the two hex digits after their underscore.',
    examples: [47],
  }),
  owner: wordsOrNull('The node that serves it, as the map says; null when none does.', 'node-1'),
  desired: wordsOrNull('The node that is to serve it; another than the owner while it moves.', 'node-1'),
  moving: Type.Boolean({ description: 'Whether it is on its way from one to the other.', examples: [false] }),
  pinned: Type.Boolean({
    description: 'Whether it stays where it is for as long as its node lives.',
    examples: [false],
  }),
  servedHere: Type.Boolean({
    description: 'Whether the node that answers serves it at this moment.',
    examples: [true],
  }),
  load: Type.Union(
    [
      exact({
        eventsPerSecond: measured('Events that are committed in a second.', 12.5),
        bytesPerSecond: measured('Their bytes.', 8_200),
        residents: measured('Records in memory.', 310),
      }),
      Type.Null(),
    ],
    {
      description:
        'What the owner of the shard measured over about the last minute; null where the owner has not told.',
    },
  ),
}

const shardSchema = recordOf('Shard', {
  ...placeFields,
  eventsBehind: Type.Integer({
    minimum: 0,
    maximum: 256,
    description: `How far the stream of events is behind: ${behind}`,
    examples: [0],
  }),
  listsBehind: Type.Union([Type.Integer({ minimum: 0, maximum: 256 }), Type.Null()], {
    description: `How far the lists of this node are behind: ${behind} Null for a shard that is not served here.`,
    examples: [0],
  }),
})

/** Shows which nodes there are and which shards they serve. */
export const operatorClusterRoutes = (cluster: ClusterView): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/v1/operator/nodes',
    operationId: 'listNodes',
    summary: 'Lists the nodes by name; q looks in name and address',
    tag: serviceTags.operators,
    access: { callers: ['operator'] },
    query: Type.Object(pageQuery),
    responses: { 200: pageOf(nodeSchema, 'by name') },
    errors: ['invalid_request'],
    handle: async ({ query, head }) =>
      pageReply(
        head,
        pageOfAll((await cluster.nodes()).map(shownNode), query, ({ id, address }) => [id, address]),
      ),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/operator/shards',
    operationId: 'listShards',
    summary:
      'Lists the 256 shards by number: who serves them, what they cost, how far behind they are; q looks in the nodes',
    tag: serviceTags.operators,
    access: { callers: ['operator'] },
    query: Type.Object(pageQuery),
    responses: { 200: pageOf(shardSchema, 'by number') },
    errors: ['invalid_request'],
    handle: async ({ query, head }) => {
      const page = pageOfAll(await cluster.shards(), query, ({ owner, desired }) => [owner, desired])
      const items = await Promise.all(
        page.items.map(async (each) => ({ ...each, ...(await cluster.lagOf(each)) })),
      )
      return pageReply(head, { ...page, items })
    },
  }),
]
