import { Type } from 'typebox'
import type { ClusterNode, ClusterShard, ShardLag } from '../../cluster/cluster-view.ts'
import { pageOf, pageOfAll, pageQuery, pageReply } from '../route/list.ts'
import { nodeSchema, shardSchema } from './cluster-record.ts'
import { defineRoute, type Route } from '../route/route.ts'
import { serviceTags } from '../openapi/tags.ts'

/** What these routes call; composed outside. */
export type ClusterApi = {
  readonly nodes: () => Promise<readonly ClusterNode[]>
  readonly shards: () => Promise<readonly ClusterShard[]>
  readonly lagOf: (shard: ClusterShard) => Promise<ShardLag>
}

/** Which nodes there are and who serves what: to look at; nothing is moved here. */
export const operatorClusterRoutes = (api: ClusterApi): readonly Route[] => [
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
        pageOfAll(await api.nodes(), query, ({ id, address }) => [id, address]),
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
      const page = pageOfAll(await api.shards(), query, ({ node }) => [node])
      const items = await Promise.all(
        page.items.map(async (each) => ({ ...each, ...(await api.lagOf(each)) })),
      )
      return pageReply(head, { ...page, items })
    },
  }),
]
