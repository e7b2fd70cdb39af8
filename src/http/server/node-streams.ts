import type { ServerResponse } from 'node:http'
import type { Flow, Streaming } from './server.ts'

/** The streams of Node's own server. */
export class NodeStreams {
  readonly #open = new Set<() => void>()

  start(response: ServerResponse, streaming: Streaming, left: () => void): void {
    let isOver = false
    let isBehind = false
    let flow: Flow | null = null
    const leave = (): void => {
      if (isOver) return
      isOver = true
      this.#open.delete(end)
      left()
      flow?.ended()
    }
    const end = (): void => {
      if (isOver) return
      if (isBehind) response.destroy()
      else response.end()
      leave()
    }
    response.once('close', leave)
    response.on('drain', () => {
      isBehind = false
      flow?.drained()
    })
    this.#open.add(end)
    const started = streaming.start({
      write: (text) => {
        if (isOver) return true
        isBehind = !response.write(text)
        return !isBehind
      },
      end,
    })
    // The writer may have ended the stream while it was started.
    if (isOver) started.ended()
    else flow = started
  }

  end(): void {
    for (const end of this.#open) end()
  }
}
