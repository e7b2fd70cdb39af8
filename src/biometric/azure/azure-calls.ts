import type { Outbound } from '../../egress/outbound.ts'
import type { WholeAnswer } from '../../egress/whole-answer.ts'
import type { Obstacle } from '../../ports/face-vendor.ts'
import { obstacleOnTheWay, Redirected, refused } from '../outcomes.ts'
import type { AzureAccount } from './azure-account.ts'
import { type AzureFailure, azureFailureOf } from './azure-refusals.ts'
import { type Json, jsonOf } from './json.ts'

const SESSIONS_PATH = '/face/v1.2/detectLivenessWithVerify-sessions'
const TIMEOUT_MS = 6_000
/** The image goes up. */
const CREATE_TIMEOUT_MS = 20_000
/** What is said of three tries and of the faces in the image has a few thousand. */
const ANSWER_BYTES_MAX = 131_072

type Sent = { readonly account: AzureAccount; readonly signal: AbortSignal }
type Call = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  readonly timeoutMs?: number
}

/** The three operations on sessions of liveness with verification, each sent once. */
export class AzureCalls {
  readonly #outbound: Pick<Outbound, 'call'>

  constructor(outbound: Pick<Outbound, 'call'>) {
    this.#outbound = outbound
  }

  async create(form: FormData, sent: Sent): Promise<Json | AzureFailure> {
    // The platform's own writer of forms, which also chooses what separates the parts.
    const written = new Response(form)
    const body = new Uint8Array(await written.arrayBuffer())
    const headers = { 'Content-Type': written.headers.get('content-type') ?? '' }
    const call = { method: 'POST', path: SESSIONS_PATH, headers, body, timeoutMs: CREATE_TIMEOUT_MS } as const
    return this.#answered(call, sent)
  }

  read(sessionId: string, sent: Sent): Promise<Json | AzureFailure> {
    return this.#answered({ method: 'GET', path: pathOf(sessionId) }, sent)
  }

  async delete(sessionId: string, sent: Sent): Promise<AzureFailure | null> {
    const answer = await this.#send({ method: 'DELETE', path: pathOf(sessionId) }, sent)
    if ('obstacle' in answer) return answer
    return answer.status >= 200 && answer.status < 300 ? null : azureFailureOf(answer)
  }

  async #answered(call: Call, sent: Sent): Promise<Json | AzureFailure> {
    const answer = await this.#send(call, sent)
    if ('obstacle' in answer) return answer
    return (answer.status === 200 ? jsonOf(answer.body) : null) ?? azureFailureOf(answer)
  }

  async #send(
    { method, path, headers = {}, body, timeoutMs = TIMEOUT_MS }: Call,
    { account, signal }: Sent,
  ): Promise<WholeAnswer | AzureFailure> {
    try {
      const answer = await this.#outbound.call({
        method,
        url: `${account.endpoint}${path}`,
        headers: { ...headers, Accept: 'application/json', 'Ocp-Apim-Subscription-Key': account.key },
        body: body ?? null,
        timeoutMs,
        answerBytesMax: ANSWER_BYTES_MAX,
        signal,
      })
      if (answer.status >= 300 && answer.status < 400) throw new Redirected()
      return answer
    } catch (error) {
      signal.throwIfAborted()
      const obstacle = obstacleOnTheWay(error, noSuchHost)
      if (obstacle === null) throw error
      return { code: null, message: '', obstacle }
    }
  }
}

const pathOf = (sessionId: string): string => `${SESSIONS_PATH}/${encodeURIComponent(sessionId)}`

const noSuchHost = (): Extract<Obstacle, { kind: 'refused' }> =>
  refused('endpoint', 'There is no host with the name in settings.endpoint.')
