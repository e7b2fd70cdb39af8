import { setTimeout as sleep } from 'node:timers/promises'
import { type Backoff, backoffMs } from '../../timing/backoff.ts'
import { type ApiAccess, finalReason, reasonIn } from '../api-access.ts'
import { type Heard, heardIn, isHeader } from './heard.ts'
import { type Message, MessageParser } from './message-parser.ts'

/** What a listener goes through: what the stream says, and whether there is one. */
export type Noticed =
  | Heard
  | { readonly is: 'connected' }
  | { readonly is: 'away'; readonly reason: string; readonly waitMs: number }

export type HearingOptions = {
  /** Goes on behind this event, where the service still can. */
  readonly after: string | null
  readonly signal: AbortSignal
  readonly patience?: Partial<Patience>
}

type Patience = {
  /** How long the head of the answer may take; over Kafka a stream takes seconds to begin. */
  readonly beginMs: number
  /** The service shows every five seconds that it is there. */
  readonly silenceMs: number
  /** Until the service has said how long it wants clients to wait. */
  readonly returnMs: number
  readonly unanswered: Backoff
  /** Whatever the service says: it is neither asked again and again, nor left alone for good. */
  readonly leastMs: number
  readonly mostMs: number
}

const PATIENCE: Patience = {
  beginMs: 30_000,
  silenceMs: 20_000,
  returnMs: 3_000,
  unanswered: { firstMs: 1_000, maxMs: 30_000 },
  leastMs: 500,
  mostMs: 300_000,
}

const PATH = '/v1/events/stream'

/** There is no stream now, and there may be one later; what cannot change by waiting is any other error. */
class Away extends Error {
  override readonly name = 'Away'
  /** For how long the service wants to be left alone. */
  readonly retryAfterMs: number
  constructor(reason: string, retryAfterMs = 0) {
    super(reason)
    this.retryAfterMs = retryAfterMs
  }
}

/**
 * The events of an organisation until the signal is aborted. It comes back behind the last event whenever the stream
 * ends, so one may come twice. Nothing is read from the connection while nobody asks for the next.
 */
export async function* hear(access: ApiAccess, options: HearingOptions): AsyncGenerator<Noticed> {
  const { signal } = options
  const patience = { ...PATIENCE, ...options.patience }
  let last = options.after
  let failures = 0
  let isBack = false
  while (!signal.aborted) {
    let [reason, waitMs] = ['The stream has ended.', patience.returnMs]
    const connection = new Connection(access, patience, signal)
    try {
      await connection.open(last)
      yield { is: 'connected' }
      // Without an event to come back behind the service cannot know what was missed.
      if (isBack && last === null) yield { is: 'gap' }
      isBack = true
      failures = 0
      for await (const message of connection.messages()) {
        const heard = heardIn(message)
        if (heard !== null) yield heard
        if (message.id !== null && isHeader(message.id)) last = message.id
      }
      waitMs = connection.returnMs
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof Away)) throw error
      failures += 1
      reason = error.message
      waitMs = Math.max(error.retryAfterMs, backoffMs(patience.unanswered, failures, Math.random()))
    } finally {
      connection.close()
    }
    waitMs = Math.min(patience.mostMs, Math.max(patience.leastMs, waitMs))
    yield { is: 'away', reason, waitMs }
    await sleep(waitMs, undefined, { signal }).catch(() => undefined)
  }
}

/** One request for the stream. */
class Connection {
  readonly #access: ApiAccess
  readonly #patience: Patience
  readonly #ending = new AbortController()
  readonly #signal: AbortSignal
  readonly #parser = new MessageParser()
  #body: ReadableStream<Uint8Array> | null = null

  constructor(access: ApiAccess, patience: Patience, signal: AbortSignal) {
    this.#access = access
    this.#patience = patience
    this.#signal = AbortSignal.any([signal, this.#ending.signal])
  }

  get returnMs(): number {
    return this.#parser.retryMs ?? this.#patience.returnMs
  }

  async open(after: string | null): Promise<void> {
    const { url, key } = this.#access
    const headers = {
      Accept: 'text/event-stream',
      Authorization: `Bearer ${key}`,
      ...(after !== null && { 'Last-Event-ID': after }),
    }
    const asked = fetch(`${url}${PATH}`, { headers, redirect: 'manual', signal: this.#signal })
    const response = await this.#within(this.#patience.beginMs, asked, `Nothing answers at ${url}.`)
    if (response.status !== 200)
      throw await this.#within(this.#patience.beginMs, this.#refusal(response), 'The service is away.')
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (!isStream || response.body === null) throw new Error(`What answers at ${url} is no Vouchsafe.`)
    this.#body = response.body
  }

  /** Until the service ends it, or is silent for too long. */
  async *messages(): AsyncGenerator<Message> {
    if (this.#body === null) return
    const reader = this.#body.getReader()
    const decoder = new TextDecoder()
    const { silenceMs } = this.#patience
    for (;;) {
      const { done, value } = await this.#within(silenceMs, reader.read(), 'The connection was lost.')
      if (done) return
      yield* this.#parser.take(decoder.decode(value, { stream: true }))
    }
  }

  close(): void {
    this.#ending.abort()
  }

  async #refusal(response: Response): Promise<Error> {
    const final = await finalReason(response, this.#access)
    if (final !== null) return new Error(final)
    const seconds = Number(response.headers.get('retry-after') ?? 0)
    return new Away(await reasonIn(response), Number.isFinite(seconds) ? seconds * 1_000 : 0)
  }

  /** What fails or takes longer means that the service is away, for the reason that is given. */
  async #within<Value>(limitMs: number, work: Promise<Value>, reason: string): Promise<Value> {
    const timer = setTimeout(() => this.close(), limitMs)
    try {
      return await work
    } catch {
      throw new Away(reason)
    } finally {
      clearTimeout(timer)
    }
  }
}
