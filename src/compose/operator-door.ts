import type { Code } from '../domain/codes.ts'
import { AskFailed } from '../ports/actors.ts'
import { isRefused } from '../domain/refused.ts'
import { statusOf } from '../http/route/problem.ts'
import type { OperatorDoor } from '../telemetry/private-server.ts'
import { isSameToken } from './operator-access.ts'
import type { Operate } from './operate.ts'

type Order = { readonly command?: unknown; readonly input?: unknown }

/** `{command, input}` from whoever has the token; answers as the public API does. */
export const operatorDoor =
  (token: string, operate: Operate): OperatorDoor =>
  async (authorization, body) => {
    const answer = (status: number, value: object) => ({ status, body: JSON.stringify(value) })
    if (!isSameToken(authorization, `Bearer ${token}`))
      return answer(401, {
        error: 'unauthorized',
        reason: 'The operator token is not the one of this start.',
      })
    const order = parse(body)
    if (order === null || typeof order.command !== 'string')
      return answer(400, { error: 'invalid_request', reason: 'An order is {command, input} in JSON.' })
    try {
      const done = await operate(order.command, order.input)
      if (!isRefused(done)) return answer(200, done)
      return answer(statusOf[done.refused as Code], { error: done.refused, reason: done.reason })
    } catch (error) {
      if (!(error instanceof AskFailed)) throw error
      return answer(503, {
        error: 'unavailable',
        reason: 'The order could not be carried out now; try again.',
      })
    }
  }

const parse = (body: string): Order | null => {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}
