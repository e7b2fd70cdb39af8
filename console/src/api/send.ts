import { type OperationName, requestOf } from './address.ts'
import type { Gives, Takes } from './generated/operations.ts'
import type { Answer, Problem } from './problem.ts'

export type SendOptions = {
  readonly signal?: AbortSignal
  /** The same for each attempt at one thing, so that it has its effect once. */
  readonly key?: string
}

/** One request, as the browser's session makes it. */
export const send = async <Name extends OperationName>(
  name: Name,
  takes: Takes[Name],
  { signal, key }: SendOptions = {},
): Promise<Answer<Gives[Name]>> => {
  const { method, address, isKeyed, body } = requestOf(name, takes)
  const headers: Record<string, string> = { Accept: 'application/json' }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  if (isKeyed) headers['Idempotency-Key'] = key ?? crypto.randomUUID()
  try {
    const response = await fetch(address, {
      method,
      headers,
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      ...(signal !== undefined && { signal }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answered: unknown = await response.json()
    if (response.ok) return { ok: true, body: answered as Gives[Name] }
    return { ok: false, problem: problemOf(response, answered) }
  } catch (error) {
    if (signal?.aborted === true) throw error
    return { ok: false, problem: { status: 0, error: 'no_answer', reason: '', retryAfterSeconds: null } }
  }
}

const problemOf = ({ status, headers }: Response, answered: unknown): Problem => {
  const { error = 'internal', reason = '' } = (answered ?? {}) as Partial<Problem>
  const after = Number(headers.get('Retry-After') ?? Number.NaN)
  return { status, error, reason, retryAfterSeconds: Number.isFinite(after) ? after : null }
}
