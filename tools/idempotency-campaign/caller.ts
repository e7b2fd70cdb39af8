import { Agent, request } from 'node:http'
import type { Command, Json } from './commands.ts'

/** What one request met; null when no answer came. */
export type Answer = {
  readonly status: number
  readonly replayed: boolean
  readonly retryAfter: string | undefined
  readonly text: string
  readonly json: Json
} | null

const ANSWER_LIMIT_MS = 60_000

/** A backend with many connections that are kept open. */
export class Caller implements Disposable {
  readonly #port: number
  readonly #authorization: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1_024 })

  constructor(port: number, key: string) {
    this.#port = port
    this.#authorization = `Bearer ${key}`
  }

  post({ path, body }: Command, key: string): Promise<Answer> {
    const text = JSON.stringify(body)
    const headers = {
      Authorization: this.#authorization,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
      'Idempotency-Key': key,
    }
    return new Promise((resolve) => {
      const none = (): void => resolve(null)
      const options = {
        host: '127.0.0.1',
        port: this.#port,
        method: 'POST',
        path,
        headers,
        agent: this.#agent,
      }
      const sent = request({ ...options, timeout: ANSWER_LIMIT_MS }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', none)
        response.on('close', none)
        response.on('end', () => {
          const { 'idempotent-replayed': replayed, 'retry-after': retryAfter } = response.headers
          const answer = Buffer.concat(chunks).toString()
          const json = JSON.parse(answer) as Json
          const status = response.statusCode ?? 0
          resolve({ status, replayed: replayed === 'true', retryAfter, text: answer, json })
        })
      })
      sent.on('timeout', () => sent.destroy())
      sent.on('error', none)
      sent.end(text)
    })
  }

  [Symbol.dispose](): void {
    this.#agent.destroy()
  }
}
