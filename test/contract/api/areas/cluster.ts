import { refuse } from '../../../../src/domain/decider.ts'
import type { Code } from '../../../../src/domain/codes.ts'
import type { ShardOrders } from '../../../../src/ports/shard-orders.ts'
import { type Case, refuses, type RouteName, type Sample, type Samples } from '../table.ts'
import type { World } from '../world.ts'

const SHARDS = '/v1/operator/shards'
const NODES = '/v1/operator/nodes'
const MOVES = '/v1/operator/shard-moves'

type Cluster = ReturnType<World['inside']>['api']['cluster']
const clusterIn = (inside: World['inside']): Cluster =>
  inside('a map of shards of the case alone').api.cluster

const MOVE = { shard: 47, from: 'node-1', to: 'node-2' }

/** With the map as it was at first. */
const fresh =
  (asked: Omit<Awaited<ReturnType<Sample>>, 'as'>): Sample =>
  ({ inside }) => {
    clusterIn(inside).reset()
    return { as: 'operator', ...asked }
  }

export const clusterSamples: Samples = {
  [`GET ${NODES}`]: fresh({}),
  [`GET ${SHARDS}`]: fresh({}),
  [`POST ${SHARDS}/{id}/move`]: fresh({ target: `${SHARDS}/47/move`, body: { to: 'node-2' } }),
  [`POST ${SHARDS}/{id}/pin`]: fresh({ target: `${SHARDS}/47/pin` }),
  [`POST ${SHARDS}/{id}/unpin`]: fresh({ target: `${SHARDS}/47/unpin` }),
  [`POST ${NODES}/{id}/drain`]: fresh({ target: `${NODES}/node-2/drain` }),
  [`POST ${NODES}/{id}/take-part`]: fresh({ target: `${NODES}/node-2/take-part` }),
  [`GET ${MOVES}`]: fresh({}),
  [`GET ${MOVES}/plan`]: fresh({}),
  [`POST ${MOVES}`]: fresh({ body: { moves: [MOVE] } }),
  [`POST ${MOVES}/rebalance`]: fresh({}),
  [`POST ${MOVES}/stop`]: fresh({}),
  [`POST ${MOVES}/freeze`]: fresh({}),
  [`POST ${MOVES}/unfreeze`]: fresh({}),
}

const orders = (Object.keys(clusterSamples) as RouteName[]).filter((route) => route.startsWith('POST'))

/** The route's own request, when the cluster is as it is made to be. */
const when = (
  route: RouteName,
  code: Code,
  prepare: (cluster: Cluster) => void,
  of: { readonly target?: string; readonly body?: unknown } = {},
): Case =>
  refuses(route, code, async (at) => {
    const sampled = await (clusterSamples[route] as Sample)(at)
    prepare(clusterIn(at.inside))
    const [method, path] = route.split(' ') as [string, string]
    return at.ask(method, { target: path, ...sampled, ...of })
  })

const isAlone = ({ given }: Cluster): void => {
  given.isAlone = true
}
const isFrozen = ({ now, put }: Cluster): void => put({ ...now(), frozen: true })
const nothing = (): void => undefined

/** As when another node changes the map between the plan and its application. */
const isOutdated = ({ given }: Cluster): void => {
  const rebalance: ShardOrders['rebalance'] = () =>
    Promise.resolve(refuse('plan_outdated', 'Shard 47 is elsewhere by now: make a new plan.'))
  given.instead = { rebalance }
}

export const clusterCases: readonly Case[] = [
  ...orders.map((route) => when(route, 'no_cluster', isAlone)),
  when(`GET ${MOVES}/plan`, 'no_cluster', isAlone),
  ...orders.map((route) =>
    refuses(route, 'step_up_required', async (at) => {
      const [method, path] = route.split(' ') as [string, string]
      const sampled = await (clusterSamples[route] as Sample)(at)
      return at.raw(method, { target: path, ...sampled, as: await at.stale('operator') })
    }),
  ),
  when(`POST ${SHARDS}/{id}/move`, 'not_found', nothing, { body: { to: 'node-3' } }),
  when(`POST ${SHARDS}/{id}/move`, 'move_not_possible', isFrozen),
  when(`POST ${SHARDS}/{id}/pin`, 'not_found', nothing, { target: `${SHARDS}/256/pin` }),
  when(`POST ${SHARDS}/{id}/unpin`, 'not_found', nothing, { target: `${SHARDS}/047/unpin` }),
  when(`POST ${NODES}/{id}/drain`, 'not_found', nothing, { target: `${NODES}/node-9/drain` }),
  when(`POST ${NODES}/{id}/drain`, 'move_not_possible', ({ now, put }) =>
    put({ ...now(), members: [{ node: 'node-2', state: 'taking' }] }),
  ),
  when(`POST ${NODES}/{id}/take-part`, 'not_found', nothing, { target: `${NODES}/node-9/take-part` }),
  when(`POST ${NODES}/{id}/take-part`, 'move_not_possible', ({ now, put }) =>
    put({ ...now(), members: [{ node: 'node-2', state: 'leaving' }] }),
  ),
  when(`GET ${MOVES}/plan`, 'not_found', nothing, { target: `${MOVES}/plan?drain=node-9` }),
  when(
    `GET ${MOVES}/plan`,
    'move_not_possible',
    ({ now, put }) => put({ ...now(), members: [{ node: 'node-2', state: 'taking' }] }),
    { target: `${MOVES}/plan?drain=node-2` },
  ),
  when(`POST ${MOVES}`, 'invalid_request', nothing, { body: { moves: [MOVE, MOVE] } }),
  when(`POST ${MOVES}`, 'move_not_possible', isFrozen),
  when(`POST ${MOVES}`, 'plan_outdated', nothing, { body: { moves: [{ ...MOVE, from: 'node-3' }] } }),
  when(`POST ${MOVES}/rebalance`, 'move_not_possible', isFrozen),
  when(`POST ${MOVES}/rebalance`, 'plan_outdated', isOutdated),
]
