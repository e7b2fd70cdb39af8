import { DidCommHttpOutboundTransport } from '@credo-ts/didcomm'
import { patiently } from './patience.ts'

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
    const send = (): Promise<void> => super.sendMessage(message)
    await patiently(send, () => Boolean(message.endpoint), this.#stopping.signal)
  }

  override async stop(): Promise<void> {
    this.#stopping.abort()
    await super.stop()
  }
}
