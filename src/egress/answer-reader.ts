import type { Dispatcher } from 'undici'

/** Reads as much of an answer as is kept, and closes the connection on a longer one. */
export class AnswerReader implements Dispatcher.DispatchHandler {
  readonly answer: Promise<{ readonly status: number; readonly body: string }>
  readonly #bytesMax: number
  readonly #settle = Promise.withResolvers<{ readonly status: number; readonly body: string }>()
  readonly #chunks: Buffer[] = []
  #bytes = 0
  #status = 0
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

  onResponseStart(_: Dispatcher.DispatchController, status: number): void {
    this.#status = status
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes < this.#bytesMax) return
    this.onResponseEnd()
    controller.abort(new Error('the rest of the answer is not wanted'))
  }

  onResponseEnd(): void {
    const body = Buffer.concat(this.#chunks).subarray(0, this.#bytesMax).toString('utf8')
    this.#settle.resolve({ status: this.#status, body })
  }

  onResponseError(_: unknown, error: Error): void {
    this.#settle.reject(error)
  }
}
