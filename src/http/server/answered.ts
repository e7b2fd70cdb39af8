import { limits } from '../../domain/limits.ts'
import { refusalReply } from '../route/problem.ts'
import type { Reply, RequestInProgress } from './server.ts'

/** An exchange whose answer does not depend on the body. */
export const answeredWith = (reply: Reply | Promise<Reply>): RequestInProgress => ({
  bodyBytesMax: limits.bodyBytesMax,
  mayStream: false,
  strangerFrom: '',
  tenant: null,
  isLarge: false,
  turnAway: () => (reply instanceof Promise ? null : { ...reply, close: true }),
  respond: () => reply,
  refuse: refusalReply,
  aborted: () => undefined,
})
