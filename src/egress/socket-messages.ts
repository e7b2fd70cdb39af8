import { WebSocket } from 'ws'
import { isGlobal } from './address.ts'
import { EgressFailed, EgressRefused } from './failures.ts'
import { lookupAmong, type Names } from './names.ts'
import type { Tunnels } from './tunnels.ts'
import { notPublic, type TargetSettings, targetOf } from './target.ts'

export type SocketMessage = {
  readonly url: string
  readonly text: string
  /** Measured from the connect to the word that it came. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** What a receiver sends is read and thrown away; more than this at once closes the connection. */
const HEARD_BYTES_MAX = 65_536

/** The way out to addresses of wallets that take messages on a WebSocket alone: one connection for each message. */
export class SocketMessages {
  readonly #settings: TargetSettings
  readonly #names: Pick<Names, 'addressesOf'>
  readonly #tunnels: Tunnels | null

  /** `tunnels`: what everything goes through, if there is a proxy. */
  constructor(settings: TargetSettings, names: Pick<Names, 'addressesOf'>, tunnels: Tunnels | null = null) {
    this.#settings = settings
    this.#names = names
    this.#tunnels = tunnels
  }

  /** Resolves when the other side has read the message: it has answered a ping that was sent behind it. */
  async send({ url, text, timeoutMs, signal }: SocketMessage): Promise<void> {
    const target = targetOf(url, this.#settings, 'socket')
    if (signal.aborted) throw new EgressFailed('the call was given up')
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const socket = this.#open(target)
    const timer = setTimeout(() => reject(new EgressFailed(`no answer within ${timeoutMs} ms`)), timeoutMs)
    const abort = (): void => reject(new EgressFailed('the call was given up'))
    signal.addEventListener('abort', abort, { once: true })
    socket.on('upgrade', ({ socket: { remoteAddress } }) => {
      if (this.#tunnels !== null || this.#isAllowed(remoteAddress)) return
      reject(notPublic())
      socket.terminate()
    })
    socket.on('open', () => {
      socket.send(text)
      socket.ping()
    })
    socket.on('pong', resolve)
    socket.on('error', (error) => reject(failureOf(error)))
    socket.on('close', () => reject(new EgressFailed('the connection was closed')))
    try {
      await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      // The message was read, or will not be sent: nothing is waited for any more.
      socket.terminate()
    }
  }

  #open(target: URL): WebSocket {
    return new WebSocket(target, {
      followRedirects: false,
      perMessageDeflate: false,
      maxPayload: HEARD_BYTES_MAX,
      ...(this.#tunnels !== null && { agent: this.#tunnels.agentFor(target.protocol === 'wss:') }),
      // Connects to exactly an address that was checked.
      lookup: lookupAmong(this.#names, (address) => this.#isAllowed(address)),
    })
  }

  #isAllowed(address: string | undefined): boolean {
    return this.#settings.allowPrivateTargets || address === undefined || isGlobal(address)
  }
}

const failureOf = (error: Error): Error => {
  if (error instanceof EgressRefused || error instanceof EgressFailed) return error
  const { code } = error as NodeJS.ErrnoException
  const reason = typeof code === 'string' ? `the connection failed (${code})` : 'the connection failed'
  return new EgressFailed(reason, { cause: error })
}
