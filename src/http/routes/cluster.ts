import { Type } from 'typebox'
import type { ClusterNode, ClusterView } from '../../ports/cluster.ts'
import { pageOf, pageOfAll, pageQuery, pageReply } from '../route/list.ts'
import { recordOf, words, wordsOrNull } from '../route/fields.ts'
import { defineRoute, type Route } from '../route/route.ts'
import { serviceTags } from '../openapi/tags.ts'

const behind = 'log entries that were committed and not taken on yet; it is not counted further than 256.'

const nodeSchema = recordOf('Node', {
  id: words('The name of the node.', 'node-1'),
  address: words('Where other nodes reach it.', 'node-1:9000'),
  status: Type.Unsafe<ClusterNode['status']>({
    type: 'string',
    enum: ['alive', 'dead', 'left'],
    description:
      'Whether it keeps its lease, was declared dead by another, or has left in order. A node that died a few seconds ago may still be shown as alive.',
  }),
  current: Type.Boolean({ description: 'Whether it is the one that answers.', examples: [true] }),
  shards: Type.Integer({
    minimum: 0,
    maximum: 256,
    description: 'How many of the 256 shards the map gives to it.',
    examples: [86],
  }),
})

const shardSchema = recordOf('Shard', {
  number: Type.Integer({
    minimum: 0,
    maximum: 255,
    description: 'Which shard; ids have it as the two hex digits after their underscore.',
    examples: [47],
  }),
  node: wordsOrNull('The node that the map gives it to; null when none is alive.', 'node-1'),
  servedHere: Type.Boolean({
    description: 'Whether the node that answers serves it at this moment.',
    examples: [true],
  }),
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

/** Shows which nodes there are and which shards they serve; nothing can be changed here. */
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
        pageOfAll(await cluster.nodes(), query, ({ id, address }) => [id, address]),
      ),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/operator/shards',
    operationId: 'listShards',
    summary:
      'Lists the 256 shards by number, who serves them and how far behind they are; q looks in the node',
    tag: serviceTags.operators,
    access: { callers: ['operator'] },
    query: Type.Object(pageQuery),
    responses: { 200: pageOf(shardSchema, 'by number') },
    errors: ['invalid_request'],
    handle: async ({ query, head }) => {
      const page = pageOfAll(await cluster.shards(), query, ({ node }) => [node])
      const items = await Promise.all(
        page.items.map(async (each) => ({ ...each, ...(await cluster.lagOf(each)) })),
      )
      return pageReply(head, { ...page, items })
    },
  }),
]
