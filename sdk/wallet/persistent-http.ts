import { setTimeout as pause } from 'node:timers/promises'
import { DidCommHttpOutboundTransport } from '@credo-ts/didcomm'

const FIRST_PAUSE_MS = 250
const PAUSE_MS_MAX = 5_000
const GIVE_UP_AFTER_MS = 10 * 60_000

/** Credo takes any answer for a delivery; a server that could not take the message must be asked again. */
export const fetchOrFail: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  if (response.status !== 429 && response.status < 500) return response
  await response.body?.cancel()
  throw new Error(`the peer answered ${response.status}`)
}

type Package = Parameters<DidCommHttpOutboundTransport['sendMessage']>[0]

/** A phone does not lose what it has to say because the other side is away: the same message is sent until it is taken. */
export class PersistentHttp extends DidCommHttpOutboundTransport {
  readonly #stopping = new AbortController()

  override async sendMessage(message: Package): Promise<void> {
    const startedMs = performance.now()
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)) {
      try {
        return await super.sendMessage(message)
      } catch (error) {
        const late = performance.now() - startedMs > GIVE_UP_AFTER_MS
        if (late || this.#stopping.signal.aborted || !message.endpoint) throw error
      }
      await pause(pauseMs, undefined, { signal: this.#stopping.signal })
    }
  }

  override async stop(): Promise<void> {
    this.#stopping.abort()
    await super.stop()
  }
}
