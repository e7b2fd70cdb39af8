import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { AnswerTooLong } from './failures.ts'

export type WholeAnswer = {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Reads an answer that is of use only as a whole: a longer one than allowed is a failure, and the connection is closed. */
export class WholeAnswerReader implements Dispatcher.DispatchHandler {
  readonly answer: Promise<WholeAnswer>
  readonly #bytesMax: number
  readonly #settle = Promise.withResolvers<WholeAnswer>()
  readonly #chunks: Buffer[] = []
  #bytes = 0
  #status = 0
  #headers: IncomingHttpHeaders = {}
  #over: Error | null = null
  #controller: Dispatcher.DispatchController | null = null

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
    this.answer = this.#settle.promise
  }

  /** May be called before the call has a connection, which is then not made. */
  giveUp(error: Error): void {
    this.#over ??= error
    this.#settle.reject(error)
    this.#controller?.abort(error)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#over !== null) controller.abort(this.#over)
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > this.#bytesMax) return this.giveUp(new AnswerTooLong(this.#bytesMax))
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    this.#settle.resolve({
      status: this.#status,
      headers: flat(this.#headers),
      body: Buffer.concat(this.#chunks),
    })
  }

  onResponseError(_: unknown, error: Error): void {
    this.#settle.reject(error)
  }
}

const flat = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? ''].flat().join(', ')]),
  )
