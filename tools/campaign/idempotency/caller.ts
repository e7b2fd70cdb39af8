import { Agent } from 'undici'
import type { Json } from '../../flows/tenant.ts'
import type { Command } from './commands.ts'

/** What one request met; null when no answer came. */
export type Answer = {
  readonly status: number
  readonly replayed: boolean
  readonly retryAfter: string | undefined
  readonly text: string
  readonly json: Json
} | null

type Method = 'GET' | 'POST' | 'DELETE'
type Sent = { readonly idempotencyKey?: string; readonly body?: Json }

const ANSWER_LIMIT_MS = 60_000
const CONNECTIONS_MAX = 1_024

/** A backend with many connections that are kept open. */
export const openCaller = (origin: string, apiKey: string) => {
  const agent = new Agent({ connections: CONNECTIONS_MAX, headersTimeout: ANSWER_LIMIT_MS })
  const always = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
  const ask = async (method: Method, path: string, sent: Sent = {}): Promise<Answer> => {
    const { idempotencyKey, body } = sent
    const headers = { ...always, ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }) }
    const asked = { origin, path, method, headers, body: body === undefined ? null : JSON.stringify(body) }
    try {
      const { statusCode: status, headers: answered, body: answer } = await agent.request(asked)
      const text = await answer.text()
      const replayed = answered['idempotent-replayed'] === 'true'
      const retryAfter = answered['retry-after']?.toString()
      return { status, replayed, retryAfter, text, json: JSON.parse(text) as Json }
    } catch {
      return null
    }
  }
  return {
    ask,
    post: ({ path, body }: Pick<Command, 'path' | 'body'>, idempotencyKey: string): Promise<Answer> =>
      ask('POST', path, { idempotencyKey, body }),
    close: () => agent.destroy(),
  }
}

export type Caller = ReturnType<typeof openCaller>
