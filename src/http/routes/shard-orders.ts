import { isRefused, refuse, type Refused } from '../../domain/decider.ts'
import { SHARD_COUNT } from '../../domain/references.ts'
import type { ClusterShard, ClusterView } from '../../ports/cluster.ts'
import type { KeptShardMap } from '../../ports/shard-map.ts'
import type { ShardOrders } from '../../ports/shard-orders.ts'
import { serviceTags } from '../openapi/tags.ts'
import { exact, idText, recordOf } from '../route/fields.ts'
import { refusal } from '../route/problem.ts'
import { defineRoute, reply, type Route } from '../route/route.ts'
import { nodeSchema, placeFields, shownNode, type ShownNode } from './cluster.ts'

const SHARDS = '/v1/operator/shards'
const NODES = '/v1/operator/nodes'

const placeSchema = recordOf('PlacedShard', placeFields)
const nodeName = idText('The name of a node.', 'node-2')
const unknownHere = ['not_found', 'no_cluster'] as const
const mayBeHeld = ['not_found', 'no_cluster', 'move_not_possible'] as const

type Given = Promise<KeptShardMap | Refused>
type ById = { readonly params: { readonly id?: string } }

/** What all orders have in common: who may give them, and that a second factor is asked for. */
const ordering = {
  method: 'POST',
  tag: serviceTags.operators,
  access: { callers: ['operator'], needsStepUp: true },
} as const

/** Orders about one shard or one node. */
export const shardOrderRoutes = (cluster: ClusterView): readonly Route[] => [
  defineRoute({
    ...ofShard(cluster),
    path: `${SHARDS}/{id}/move`,
    operationId: 'moveShard',
    summary: 'Moves a shard to another node',
    description:
      'It begins within a second and is seen in `GET /v1/operator/shard-moves`. Requests for the shard wait meanwhile. Shards are also moved without an order, to spread the load; pin one that is to stay.',
    body: exact({ to: nodeName }),
    errors: mayBeHeld,
    audit: { done: ({ params, body }) => `shard ${params['id'] ?? ''} to ${destination(body)}` },
    handle: async ({ params: { id }, body }) => {
      const moved = await ofNumber(cluster, id, (orders, shard) => orders.move(shard, body.to))
      return isRefused(moved) ? refusal(mayBeHeld, moved) : reply(200, moved)
    },
  }),
  ...(['pin', 'unpin'] as const).map((verb) => pinning(cluster, verb)),
  defineRoute({
    ...ofNode(cluster),
    path: `${NODES}/{id}/drain`,
    operationId: 'drainNode',
    summary: 'Moves every shard away from a node, and keeps it empty',
    description:
      'It stays empty when it is started again, until it may take part. Pinned shards stay with it, and while the map is frozen all do. It is not ready (`/ready`) meanwhile. `GET /v1/operator/shard-moves/plan?drain=…` shows beforehand what moves.',
    errors: mayBeHeld,
    handle: async ({ params: { id } }) => {
      const drained = await ofName(cluster, id, (orders) => orders.drain(id))
      return isRefused(drained) ? refusal(mayBeHeld, drained) : reply(200, drained)
    },
  }),
  defineRoute({
    ...ofNode(cluster),
    path: `${NODES}/{id}/take-part`,
    operationId: 'letNodeTakePart',
    summary: 'Lets a node that was kept empty take its share of the shards again',
    errors: mayBeHeld,
    handle: async ({ params: { id } }) => {
      const taking = await ofName(cluster, id, (orders) => orders.takePart(id))
      return isRefused(taking) ? refusal(mayBeHeld, taking) : reply(200, taking)
    },
  }),
]

const PINS = {
  pin: { operationId: 'pinShard', summary: 'Keeps a shard where it is for as long as its node lives' },
  unpin: { operationId: 'unpinShard', summary: 'Lets a shard that was pinned move again' },
} as const

const pinning = (cluster: ClusterView, verb: keyof typeof PINS): Route =>
  defineRoute({
    ...ofShard(cluster),
    ...PINS[verb],
    path: `${SHARDS}/{id}/${verb}`,
    errors: unknownHere,
    audit: { done: ({ params }) => `shard ${params['id'] ?? ''}` },
    handle: async ({ params: { id } }) => {
      const done = await ofNumber(cluster, id, (orders, shard) => orders[verb](shard))
      return isRefused(done) ? refusal(unknownHere, done) : reply(200, done)
    },
  })

const ofShard = (cluster: ClusterView) =>
  ({
    ...ordering,
    responses: { 200: placeSchema },
    idempotency: {
      // What was sent in its place may be anything, and this stands in the journal.
      newRecordId: () => 'a shard',
      showRecord: async (_: string, __: string, { params: { id = '' } }: ById) =>
        shardOf(cluster, numberIn(id)),
      storedFields: Object.keys(placeFields),
    },
  }) as const

const ofNode = (cluster: ClusterView) =>
  ({
    ...ordering,
    responses: { 200: nodeSchema },
    idempotency: {
      newRecordId: () => 'a node',
      showRecord: async (_: string, __: string, { params: { id = '' } }: ById) => nodeOf(cluster, id),
      storedFields: Object.keys(nodeSchema.properties),
    },
  }) as const

/** The shard as it is after the order. */
const ofNumber = async (
  cluster: ClusterView,
  id: string,
  give: (orders: ShardOrders, shard: number) => Given,
): Promise<ClusterShard | Refused> => {
  const number = numberIn(id)
  if (number === null) return NO_SHARD
  const given = await cluster.order((orders) => give(orders, number))
  return isRefused(given) ? given : ((await shardOf(cluster, number)) ?? NO_SHARD)
}

/** The node as it is after the order. */
const ofName = async (
  cluster: ClusterView,
  id: string,
  give: (orders: ShardOrders) => Given,
): Promise<ShownNode | Refused> => {
  const given = await cluster.order(give)
  if (isRefused(given)) return given
  return (await nodeOf(cluster, id)) ?? refuse('not_found', 'There is no node of this name.')
}

const shardOf = async (cluster: ClusterView, number: number | null): Promise<ClusterShard | null> =>
  (await cluster.shards()).find((each) => each.number === number) ?? null

const nodeOf = async (cluster: ClusterView, id: string): Promise<ShownNode | null> =>
  (await cluster.nodes()).map(shownNode).find((each) => each.id === id) ?? null

const numberIn = (id: string): number | null =>
  /^(0|[1-9]\d{0,2})$/.test(id) && Number(id) < SHARD_COUNT ? Number(id) : null

const NO_SHARD = refuse('not_found', `A shard is a number from 0 to ${SHARD_COUNT - 1}.`)

const destination = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'to' in body ? String(body.to) : ''
