import type { Outbound } from '../../egress/outbound.ts'
import { Redirected } from '../outcomes.ts'

/** What the client hands on of the options of each call. */
type CallOptions = { readonly requestTimeout?: number; readonly abortSignal?: unknown }

/** What the vendor's client hands to its handler, as far as it is used. */
type ClientRequest = {
  readonly method: string
  readonly protocol: string
  readonly hostname: string
  readonly port?: number | undefined
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

type ClientAnswer = {
  readonly response: {
    readonly statusCode: number
    readonly headers: Record<string, string>
    readonly body: Uint8Array
  }
}

/** Sends what the vendor's client has signed by the way out that checks addresses, sizes and times. */
export class EgressHandler {
  readonly metadata = { handlerProtocol: 'http/1.1' }
  readonly #outbound: Pick<Outbound, 'call'>
  readonly #answerBytesMax: number

  constructor(outbound: Pick<Outbound, 'call'>, answerBytesMax: number) {
    this.#outbound = outbound
    this.#answerBytesMax = answerBytesMax
  }

  async handle(
    request: ClientRequest,
    { requestTimeout: timeoutMs, abortSignal: signal }: CallOptions = {},
  ): Promise<ClientAnswer> {
    // Each call says how long it may take, and when it is given up; anything else is a mistake of ours.
    if (timeoutMs === undefined || !(signal instanceof AbortSignal))
      throw new TypeError('the client sends something without a limit')
    const { method, protocol, hostname, port, path, headers, body } = request
    // The operations that are used send a POST with bytes that are all there; anything else is a mistake of ours.
    if (method !== 'POST' || !(typeof body === 'string' || body instanceof Uint8Array))
      throw new TypeError('the client sends something else than a POST with bytes')
    const { status, ...answer } = await this.#outbound.call({
      method,
      url: `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`,
      headers: withoutLength(headers),
      body,
      timeoutMs,
      answerBytesMax: this.#answerBytesMax,
      signal,
    })
    if (status >= 300 && status < 400) throw new Redirected()
    return { response: { statusCode: status, headers: { ...answer.headers }, body: answer.body } }
  }

  // The client asks for both, and there is nothing to be set.
  updateHttpClientConfig(): void {}

  httpHandlerConfigs(): Record<string, never> {
    return {}
  }
}

/** The length is that of the body, which the way out counts itself. */
function withoutLength(headers: ClientRequest['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^content-length$/i.test(name)))
}
