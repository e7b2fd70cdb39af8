import { limits } from '../../domain/limits.ts'
import { type Problem, problem, problemReply, retryAfter } from './problem.ts'
import type { Refusal, Reply } from '../server/server.ts'

const refusals: Record<Refusal, Problem> = {
  head_too_large: problem(
    'invalid_request',
    `The request line and the headers may have ${limits.headBytesMax} bytes together, and be ${limits.headersMax} headers.`,
  ),
  body_too_large: problem('payload_too_large', 'The body is larger than this route accepts.'),
  body_memory_full: problem(
    'overloaded',
    'Too many large requests are under way; try again.',
    retryAfter(1000),
  ),
  malformed: problem('invalid_request', 'The request is not proper HTTP.'),
}

/** `reason`: what exactly is wrong, as a sentence without its full stop. */
export const refusalReply = (refusal: Refusal, reason?: string): Reply => {
  const standing = refusals[refusal]
  const refused =
    reason === undefined ? standing : { ...standing, reason: `The request is refused: ${reason}.` }
  const reply = { ...problemReply(refused), close: true }
  // The status that uWebSockets.js has for it, which nothing of ours can change.
  return refusal === 'head_too_large' ? { ...reply, status: 431 } : reply
}
