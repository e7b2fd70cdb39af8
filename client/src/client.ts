import type { Call, WriteOptions } from './call.ts'
import { ApiError, NoAnswerError } from './errors.ts'
import { TenantApi } from './generated/api.ts'
import { mayComeAgain, type Outcome, pause, pauseMs, RETRY_RULES, type RetryRules } from './retry.ts'

export type ClientOptions = {
  /** Where the service is, such as https://vouchsafe.example. Plain http is for this machine alone. */
  readonly baseUrl: string
  /** svc_sk_…, or where to find it, asked before every attempt, so that it can be exchanged while this runs. */
  readonly apiKey: string | (() => string | Promise<string>)
  /** For each attempt, from connecting to the last byte of the answer. */
  readonly timeoutMs?: number
  readonly retries?: Partial<RetryRules>
  /** What sends requests; the one of the platform unless told. */
  readonly fetch?: typeof fetch
}

type Answer = Outcome & { readonly body: unknown; readonly requestId: string | null; readonly cause: unknown }
type Attempt = { readonly call: Call; readonly key: string | null; readonly options: WriteOptions }

const TIMEOUT_MS = 30_000

/** A client of the tenant API. Every call is sent again when that is safe, and has its effect once. */
export const createClient = (options: ClientOptions): TenantApi => {
  const base = baseOf(options.baseUrl)
  const rules = { ...RETRY_RULES, ...options.retries }
  const send = async <Found>(call: Call, given: WriteOptions = {}): Promise<Found> => {
    const key = call.keyed === true ? (given.idempotencyKey ?? crypto.randomUUID()) : null
    const attempt = { call, key, options: given }
    let pausedMs = 0
    for (let attempts = 1; ; attempts++) {
      const answer = await once(base, options, attempt)
      if (answer.status !== null && answer.status < 300) return answer.body as Found
      const waitMs = pauseMs(answer, attempts, rules)
      const isOver = attempts >= rules.attemptsMax || pausedMs + waitMs > rules.pausesMsMax
      if (!mayComeAgain(answer) || isOver) throw refusalOf(answer, attempts, key)
      pausedMs += waitMs
      await pause(waitMs, given.signal)
    }
  }
  return new TenantApi(send)
}

const once = async (base: URL, options: ClientOptions, { call, key, options: given }: Attempt) => {
  const { apiKey, timeoutMs = TIMEOUT_MS } = options
  const timeout = AbortSignal.timeout(given.timeoutMs ?? timeoutMs)
  const signal = given.signal === undefined ? timeout : AbortSignal.any([timeout, given.signal])
  const headers: Record<string, string> = {
    Accept: 'application/json',
    Authorization: `Bearer ${typeof apiKey === 'string' ? apiKey : await apiKey()}`,
    ...(key !== null && { 'Idempotency-Key': key }),
    ...(call.body !== undefined && { 'Content-Type': 'application/json' }),
  }
  const body = call.body === undefined ? null : JSON.stringify(call.body)
  try {
    const request = { method: call.method, headers, body, signal, redirect: 'error' as const }
    const response = await (options.fetch ?? fetch)(addressOf(base, call), request)
    return answerOf(response, await response.text())
  } catch (cause) {
    // The caller has ended it, which is no reason to try again.
    if (given.signal?.aborted === true) throw given.signal.reason
    return { status: null, error: null, retryAfter: null, body: null, requestId: null, cause }
  }
}

const answerOf = ({ status, headers }: Response, text: string): Answer => {
  const body = jsonOf(text)
  const error = typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : null
  const [retryAfter, requestId] = [headers.get('retry-after'), headers.get('x-request-id')]
  // A success whose body is no JSON was cut off or made up on the way: nobody knows what was done.
  if (status < 300 && body === undefined)
    return { status: null, error, retryAfter, body, requestId, cause: new Error('the answer is not JSON') }
  return { status, error, retryAfter, body, requestId, cause: undefined }
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const refusalOf = (answer: Answer, attempts: number, idempotencyKey: string | null): Error => {
  const { status, error, body, requestId, cause } = answer
  if (status === null) return new NoAnswerError({ attempts, idempotencyKey, cause })
  const known = error !== null && typeof body === 'object' && body !== null && 'reason' in body
  const reason = known ? String(body.reason) : 'Something on the way answered instead of the service.'
  return new ApiError({ status, error: error ?? 'unknown', reason, requestId, attempts })
}

const addressOf = (base: URL, { path, query = {} }: Call): URL => {
  const address = new URL(`${base.pathname.replace(/\/$/, '')}${path}`, base)
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const each of Array.isArray(value) ? value : [value]) address.searchParams.append(name, String(each))
  }
  return address
}

const THIS_MACHINE = new Set(['localhost', '127.0.0.1', '[::1]'])

const baseOf = (text: string): URL => {
  const base = new URL(text)
  if (base.protocol !== 'https:' && !(base.protocol === 'http:' && THIS_MACHINE.has(base.hostname)))
    throw new Error('baseUrl must be https: an API key may not travel in clear')
  return base
}
