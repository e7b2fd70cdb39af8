import { type Static, Type } from 'typebox'
import { isRefused, refuse, type Refused } from '../../domain/decider.ts'
import { SHARD_COUNT } from '../../domain/references.ts'
import type { ClusterView, MovesUnderWay } from '../../ports/cluster.ts'
import type { MovePlan, MoveReason, ShardOrders } from '../../ports/shard-orders.ts'
import type { KeptShardMap } from '../../ports/shard-map.ts'
import { limits } from '../../domain/limits.ts'
import { serviceTags } from '../openapi/tags.ts'
import { choice, exact, idText, recordOf, words, wordsOrNull } from '../route/fields.ts'
import { refusal } from '../route/problem.ts'
import { defineRoute, reply, type Route } from '../route/route.ts'

const PATH = '/v1/operator/shard-moves'

const REASONS = ['dead', 'leaving', 'drained', 'balance', 'order'] as const satisfies readonly MoveReason[]

const shardNumber = Type.Integer({
  minimum: 0,
  maximum: SHARD_COUNT - 1,
  description: 'Which shard.',
  examples: [47],
})
const mapVersion = Type.Integer({
  minimum: 0,
  description: 'Of the map of shards, which is one higher after each change.',
  examples: [118],
})
const movingShards = (description: string, to: string | null) =>
  Type.Array(
    exact({
      shard: shardNumber,
      from: wordsOrNull('The node that has it; null when none has.', 'node-1'),
      to: wordsOrNull('Where it goes; null where that is not decided yet.', to),
    }),
    { maxItems: SHARD_COUNT, description },
  )

const movesSchema = recordOf('ShardMoves', {
  version: mapVersion,
  frozen: Type.Boolean({
    description: 'Whether nothing moves but what a node that died or stops leaves behind.',
    examples: [false],
  }),
  moving: movingShards('What is on its way.', 'node-2'),
  toCome: movingShards(
    'What waits for these, or for a node to be chosen. When both are empty, all is done.',
    null,
  ),
})

const reason = choice(
  REASONS,
  'dead: its node is gone. leaving: its node stops. drained: its node is to be empty. balance: its node carries more than its share. order: an operator said so.',
  'balance',
)
const share = (description: string) => Type.Number({ minimum: 0, description, examples: [1.31] })

const planSchema = recordOf('ShardPlan', {
  version: mapVersion,
  moves: Type.Array(
    exact({
      shard: shardNumber,
      from: wordsOrNull('The node that has it, or was to have it; null when none.', 'node-1'),
      to: words('The node that it is to go to.', 'node-2'),
      reason,
    }),
    { maxItems: SHARD_COUNT, description: 'What is to move where, and why.' },
  ),
  nodes: Type.Array(
    exact({
      node: words('The name of a living node.', 'node-1'),
      before: share('What it carries now; 1 is what each carries where all carry the same.'),
      after: share('What it will carry.'),
    }),
    { description: 'What the plan does to each node.' },
  ),
  expectedPauseMs: Type.Integer({
    minimum: 0,
    description: 'How many milliseconds a request for a shard waits while that shard moves.',
    examples: [240],
  }),
  pauseIsMeasured: Type.Boolean({
    description:
      'Whether that is the longest that the node that answers saw in the last ten minutes, or what is taken where it saw none: 1000.',
    examples: [true],
  }),
})

const apply = exact({
  moves: Type.Array(
    exact({
      shard: shardNumber,
      from: Type.Union([Type.String({ maxLength: limits.pathIdCharactersMax }), Type.Null()], {
        description: 'As the plan says.',
        examples: ['node-1'],
      }),
      to: idText('As the plan says.', 'node-2'),
      reason: Type.Optional(reason),
    }),
    {
      minItems: 1,
      maxItems: SHARD_COUNT,
      description: 'The moves of a plan, as they stand in it. One shard stands in them once.',
    },
  ),
})

const noCluster = ['no_cluster'] as const
const planRefusals = ['not_found', 'no_cluster', 'move_not_possible'] as const
const applyRefusals = ['invalid_request', 'no_cluster', 'plan_outdated', 'move_not_possible'] as const
const rebalanceRefusals = ['no_cluster', 'plan_outdated', 'move_not_possible'] as const

/** What of the map is under way, and orders about the whole of it. */
export const shardMoveRoutes = (cluster: ClusterView): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: PATH,
    operationId: 'getShardMoves',
    summary: 'Shows which shards are on their way, and which wait for that',
    tag: serviceTags.operators,
    access: { callers: ['operator'] },
    responses: { 200: movesSchema },
    errors: [],
    handle: async () => reply(200, await cluster.moves()),
  }),
  defineRoute({
    method: 'GET',
    path: `${PATH}/plan`,
    operationId: 'planShardMoves',
    summary: 'Says what would move where to spread the load evenly, or to empty a node; nothing is changed',
    tag: serviceTags.operators,
    access: { callers: ['operator'] },
    query: Type.Object({
      drain: Type.Optional(
        idText('A node that is to be empty: what would move if it were drained now.', 'node-2'),
      ),
    }),
    responses: { 200: planSchema },
    errors: planRefusals,
    handle: async ({ query: { drain } }) => {
      const plan = await cluster.order<MovePlan | Refused>((orders) =>
        drain === undefined ? orders.plan() : orders.planDrain(drain),
      )
      return isRefused(plan) ? refusal(planRefusals, plan) : reply(200, planView(plan, cluster))
    },
  }),
  defineRoute({
    ...ordering(cluster),
    path: PATH,
    operationId: 'applyShardPlan',
    summary: 'Carries a plan out, exactly as it is',
    description:
      'It is refused as a whole, and nothing is changed, when the map has changed since in what the plan is about: 409 `plan_outdated`. Moves begin some at a time. A plan that was applied before and has not come to its end is replaced.',
    body: apply,
    errors: applyRefusals,
    audit: { done: ({ body }) => `${movesIn(body)} shards` },
    handle: async ({ body: { moves } }) => {
      if (new Set(moves.map(({ shard }) => shard)).size < moves.length)
        return refusal(applyRefusals, refuse('invalid_request', 'moves names a shard twice.'))
      const given = await cluster.order((orders) => orders.apply(moves))
      return isRefused(given) ? refusal(applyRefusals, given) : reply(200, await cluster.moves())
    },
  }),
  defineRoute({
    ...ordering(cluster),
    path: `${PATH}/rebalance`,
    operationId: 'rebalanceShards',
    summary: 'Plans how to spread the load evenly, and begins with it',
    errors: rebalanceRefusals,
    handle: async () => {
      const given = await cluster.order((orders) => orders.rebalance())
      return isRefused(given) ? refusal(rebalanceRefusals, given) : reply(200, await cluster.moves())
    },
  }),
  ...WHOLE_ORDERS.map((whole) => wholeOrder(cluster, whole)),
]

type WholeOrder = {
  readonly verb: string
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly give: (orders: ShardOrders) => Promise<KeptShardMap>
}

const WHOLE_ORDERS: readonly WholeOrder[] = [
  {
    verb: 'stop',
    operationId: 'stopShardMoves',
    summary: 'Takes back every move whose shard has not been let go yet',
    description:
      'What was let go arrives. The load is spread again by itself when it is far from even: freeze the map where that is not wanted.',
    give: (orders) => orders.stop(),
  },
  {
    verb: 'freeze',
    operationId: 'freezeShardMap',
    summary: 'Keeps every shard where it is, but for those of nodes that die or stop',
    give: (orders) => orders.freeze(),
  },
  {
    verb: 'unfreeze',
    operationId: 'unfreezeShardMap',
    summary: 'Lets shards move again',
    give: (orders) => orders.unfreeze(),
  },
]

const wholeOrder = (cluster: ClusterView, { verb, give, ...named }: WholeOrder): Route =>
  defineRoute({
    ...ordering(cluster),
    ...named,
    path: `${PATH}/${verb}`,
    errors: noCluster,
    handle: async () => {
      const given = await cluster.order(give)
      return isRefused(given) ? refusal(noCluster, given) : reply(200, await cluster.moves())
    },
  })

/** What all orders about the map have in common. */
const ordering = (cluster: ClusterView) =>
  ({
    method: 'POST',
    tag: serviceTags.operators,
    access: { callers: ['operator'], needsStepUp: true },
    responses: { 200: movesSchema },
    idempotency: {
      newRecordId: () => 'shard moves',
      showRecord: (): Promise<MovesUnderWay> => cluster.moves(),
      storedFields: Object.keys(movesSchema.properties),
    },
  }) as const

const planView = ({ version, moves, nodes }: MovePlan, cluster: ClusterView): Static<typeof planSchema> => {
  const { ms: expectedPauseMs, isMeasured: pauseIsMeasured } = cluster.expectedPause()
  return { version, moves: [...moves], nodes: nodes.map(inHundredths), expectedPauseMs, pauseIsMeasured }
}

const inHundredths = ({ node, before, after }: MovePlan['nodes'][number]) => ({
  node,
  before: Math.round(before * 100) / 100,
  after: Math.round(after * 100) / 100,
})

const movesIn = (body: unknown): number =>
  typeof body === 'object' && body !== null && 'moves' in body && Array.isArray(body.moves)
    ? body.moves.length
    : 0
