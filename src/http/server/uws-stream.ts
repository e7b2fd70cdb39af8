import type { HttpResponse } from 'uWebSockets.js'
import type { Flow, Streaming } from './server.ts'

/** A stream of uWebSockets.js, whose head is sent already. */
export class UwsStream {
  readonly #res: HttpResponse
  readonly #left: () => void
  #flow: Flow | null = null
  #isOver = false
  #isBehind = false

  constructor(res: HttpResponse, left: () => void) {
    this.#res = res
    this.#left = left
  }

  start(streaming: Streaming): void {
    this.#res.onAborted(() => this.#leave())
    this.#res.onWritable(() => {
      this.#isBehind = false
      this.#flow?.drained()
      return true
    })
    const flow = streaming.start({ write: (text) => this.#write(text), end: () => this.end() })
    // The writer may have ended the stream while it was started.
    if (this.#isOver) flow.ended()
    else this.#flow = flow
  }

  /** Ends the stream from our side. Asked to close as well, the library would write a header among the chunks. */
  end(): void {
    if (this.#isOver) return
    this.#leave()
    if (this.#isBehind) this.#res.close()
    else this.#res.cork(() => this.#res.end())
  }

  #write(text: string): boolean {
    if (this.#isOver) return true
    this.#res.cork(() => {
      this.#isBehind = !this.#res.write(text)
    })
    return !this.#isBehind
  }

  #leave(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#left()
    this.#flow?.ended()
  }
}
