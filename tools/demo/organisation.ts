import type { Timeline } from './timeline.ts'

export type Json = Readonly<Record<string, unknown>>

/** A tenant's backend: what it would call with its API key. */
export class Organisation {
  readonly #url: string
  readonly #key: string
  readonly #timeline: Timeline

  constructor(url: string, key: string, timeline: Timeline) {
    this.#url = url
    this.#key = key
    this.#timeline = timeline
  }

  async get(path: string): Promise<Json> {
    return this.#send('GET', path)
  }

  async post(path: string, body: Json): Promise<Json> {
    const startedMs = performance.now()
    const answer = await this.#send('POST', path, body)
    const what = typeof answer['state'] === 'string' ? ` → ${answer['state']}` : ''
    this.#timeline.tell('API', `POST ${path}${what} (${Math.round(performance.now() - startedMs)} ms)`)
    return answer
  }

  /** Asks until the record is where it should be, or somewhere it can't leave. */
  async reached(path: string, state: string, timeoutMs: number): Promise<Json> {
    const deadlineMs = performance.now() + timeoutMs
    for (;;) {
      const record = await this.get(path)
      if (record['state'] === state) return record
      const over = record['state'] === 'declined' || record['state'] === 'abandoned'
      if (over || performance.now() > deadlineMs) {
        throw new Error(
          `${path} is ${String(record['state'])}, not ${state}: ${JSON.stringify(record['errorMessage'] ?? 'too slow')}`,
        )
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  async #send(method: string, path: string, body?: Json): Promise<Json> {
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.#key}`, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as Json
    if (!response.ok)
      throw new Error(`${method} ${path} was answered ${response.status}: ${String(answer['reason'])}`)
    return answer
  }
}
