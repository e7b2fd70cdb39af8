import type { Flow, Streaming } from './server.ts'

/** A connection as a stream needs it, whichever server it is of; the head of the answer is sent already. */
export type StreamConnection = {
  /** False: the caller has not read what is there already. */
  write(text: string): boolean
  end(): void
  /** Ends it without what the caller has not read yet. */
  cutOff(): void
  /** Called once, before anything is written. */
  listen(drained: () => void, left: () => void): void
}

/** The streams of one server. Each ends when its caller leaves, when its writer ends it, or when all are ended. */
export class OpenStreams {
  readonly #open = new Set<OpenStream>()

  /** `left` is called once, whichever side ended the stream. */
  start(connection: StreamConnection, streaming: Streaming, left: () => void): void {
    const stream = new OpenStream(connection, () => {
      this.#open.delete(stream)
      left()
    })
    this.#open.add(stream)
    stream.start(streaming)
  }

  end(): void {
    for (const stream of this.#open) stream.end()
  }
}

class OpenStream {
  readonly #connection: StreamConnection
  readonly #left: () => void
  #flow: Flow | null = null
  #isOver = false
  #isBehind = false

  constructor(connection: StreamConnection, left: () => void) {
    this.#connection = connection
    this.#left = left
  }

  start(streaming: Streaming): void {
    const drained = (): void => {
      this.#isBehind = false
      this.#flow?.drained()
    }
    this.#connection.listen(drained, () => this.#leave())
    const flow = streaming.start({ write: (text) => this.#write(text), end: () => this.end() })
    // The writer may have ended the stream while it was started.
    if (this.#isOver) flow.ended()
    else this.#flow = flow
  }

  end(): void {
    if (this.#isOver) return
    this.#leave()
    if (this.#isBehind) this.#connection.cutOff()
    else this.#connection.end()
  }

  #write(text: string): boolean {
    if (this.#isOver) return true
    this.#isBehind = !this.#connection.write(text)
    return !this.#isBehind
  }

  #leave(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#left()
    this.#flow?.ended()
  }
}
