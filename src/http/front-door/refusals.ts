import { limits } from '../../domain/limits.ts'
import { problem, problemReply, retryAfter } from '../route/problem.ts'
import type { CompiledRoute } from '../route/compiled-route.ts'
import type { Reply, RequestHead } from '../server/server.ts'
import type { Match } from './router.ts'

const EMPTY = new Uint8Array()

export const SIGNED_OUT_ONLY = problem(
  'forbidden',
  'This is for the console; API keys and wallet tokens may not do this.',
)

export const overloaded = (): Reply =>
  problemReply(problem('overloaded', 'Too many requests are under way; try again.', retryAfter(1000)))

export const tooManyLarge = (): Reply => {
  const reason = `At most ${limits.imageBodiesOfTenantMax} requests of an organisation with more than ${limits.bodyBytesMax} bytes are taken at once; try again.`
  return problemReply(problem('overloaded', reason, retryAfter(1000)))
}

export const unmatched = (head: RequestHead, match: Match<CompiledRoute>): Reply => {
  if (match.is === 'malformed')
    return problemReply(problem('invalid_request', 'The path has a percent-encoding that cannot be read.'))
  if (match.is !== 'wrong_method') return problemReply(problem('not_found', 'There is nothing at this path.'))
  if (head.method === 'OPTIONS') return { status: 204, headers: { Allow: match.allow }, body: EMPTY }
  return problemReply(
    problem('method_not_allowed', `This path does not answer this method, only ${match.allow}.`, {
      Allow: match.allow,
    }),
  )
}
