import type { Samples } from '../../contract/api/table.ts'
import { against } from '../against.ts'
import { shownRoutes } from './shown-routes.ts'

const SHARDS = '/v1/operator/shards'
const MOVES = '/v1/operator/shard-moves'

const seen: Samples = {
  'GET /v1/operator/nodes': () => ({ as: 'operator' }),
  [`GET ${SHARDS}`]: () => ({ as: 'operator' }),
  [`GET ${MOVES}`]: () => ({ as: 'operator' }),
}

/** Orders that nobody else on the cluster notices; moves are the business of test/cluster/. */
const ordered: Samples = {
  [`GET ${MOVES}/plan`]: () => ({ as: 'operator' }),
  [`POST ${SHARDS}/{id}/pin`]: () => ({ as: 'operator', target: `${SHARDS}/47/pin` }),
  [`POST ${SHARDS}/{id}/unpin`]: () => ({ as: 'operator', target: `${SHARDS}/47/unpin` }),
  [`POST ${MOVES}/stop`]: () => ({ as: 'operator' }),
  [`POST ${MOVES}/freeze`]: () => ({ as: 'operator' }),
  [`POST ${MOVES}/unfreeze`]: () => ({ as: 'operator' }),
}

shownRoutes('nodes and shards', { samples: against === null ? seen : { ...seen, ...ordered }, cases: [] })
