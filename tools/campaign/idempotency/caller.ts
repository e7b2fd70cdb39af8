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

const ANSWER_LIMIT_MS = 60_000
const CONNECTIONS_MAX = 1_024

/** A backend with many connections that are kept open. */
export const openCaller = (origin: string, apiKey: string) => {
  const agent = new Agent({ connections: CONNECTIONS_MAX, headersTimeout: ANSWER_LIMIT_MS })
  const always = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
  return {
    post: async ({ path, body }: Command, idempotencyKey: string): Promise<Answer> => {
      const headers = { ...always, 'Idempotency-Key': idempotencyKey }
      try {
        const sent = { origin, path, method: 'POST', headers, body: JSON.stringify(body) } as const
        const { statusCode: status, headers: answered, body: answer } = await agent.request(sent)
        const text = await answer.text()
        const replayed = answered['idempotent-replayed'] === 'true'
        const retryAfter = answered['retry-after']?.toString()
        return { status, replayed, retryAfter, text, json: JSON.parse(text) as Json }
      } catch {
        return null
      }
    },
    close: () => agent.destroy(),
  }
}

export type Caller = ReturnType<typeof openCaller>
