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
export class Caller {
  readonly #port: number
  readonly #key: string
  readonly #agent = new Agent({
    connections: CONNECTIONS_MAX,
    headersTimeout: ANSWER_LIMIT_MS,
    pipelining: 1,
  })

  constructor(port: number, key: string) {
    this.#port = port
    this.#key = key
  }

  async post({ path, body }: Command, idempotencyKey: string): Promise<Answer> {
    try {
      const {
        statusCode,
        headers,
        body: answer,
      } = await this.#agent.request({
        origin: `http://127.0.0.1:${this.#port}`,
        path,
        method: 'POST',
        headers: {
          Authorization: `Bearer ${this.#key}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': idempotencyKey,
        },
        body: JSON.stringify(body),
      })
      const text = await answer.text()
      return {
        status: statusCode,
        replayed: headers['idempotent-replayed'] === 'true',
        retryAfter: headers['retry-after']?.toString(),
        text,
        json: JSON.parse(text) as Json,
      }
    } catch {
      return null
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }
}
