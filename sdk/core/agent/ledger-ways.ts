import { IndyVdrError } from '@hyperledger/indy-vdr-shared'
import type { LedgerProxy } from '../network/ledger-proxy.ts'
import type { Clock } from '../ports.ts'
import { withinTime } from '../within-time.ts'

/** indy-vdr's words for a ledger that did not answer: no connection, nobody there, no agreement, no answer in time. */
const AWAY = new Set([2, 6, 30, 32])

/** Longer than nodes take that can be reached. Where ports are blocked nothing ever says so. */
const PORTS_LIMIT_MS = 5_000

/** For so long the proxy is asked first, after it has answered what the ports did not. Then the ports have their turn again. */
export const PROXY_FIRST_MS = 600_000

class PortsSilent extends Error {}

/** Whether the ledger did not answer; what it did answer is an answer, also where it is none that was hoped for. */
export const isLedgerAway = (error: unknown): boolean =>
  error instanceof PortsSilent || (error instanceof IndyVdrError && AWAY.has(error.code))

type Parts = { readonly proxy: Pick<LedgerProxy, 'answer'> | null; readonly clock: Clock }

/**
 * The ways to the ledger: the ports of its nodes, which prove to each other what they say, and where those are silent the
 * proxy of the service.
 */
export class LedgerWays {
  readonly #parts: Parts
  #proxyFirstSinceMs: number | null = null

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** `request` is what `atPorts` asks, in the words of indy-vdr. */
  async ask(request: () => string, atPorts: () => Promise<unknown>): Promise<unknown> {
    const { proxy, clock } = this.#parts
    if (proxy === null) return await atPorts()
    // Written down beforehand: indy-vdr lets go of a request when it sends it.
    const asked = request()
    if (this.#isProxyFirst()) {
      try {
        return await proxy.answer(asked)
      } catch {
        this.#proxyFirstSinceMs = null
      }
    }
    try {
      const silent = () => new PortsSilent('the ports of the ledger are silent')
      return await withinTime(clock, PORTS_LIMIT_MS, atPorts(), silent)
    } catch (error) {
      if (!isLedgerAway(error)) throw error
      const answer = await proxy.answer(asked).catch(() => {
        throw error
      })
      this.#proxyFirstSinceMs = clock.now()
      return answer
    }
  }

  /** A clock that was set back does not make it longer. */
  #isProxyFirst(): boolean {
    if (this.#proxyFirstSinceMs === null) return false
    const passedMs = this.#parts.clock.now() - this.#proxyFirstSinceMs
    if (passedMs >= 0 && passedMs < PROXY_FIRST_MS) return true
    this.#proxyFirstSinceMs = null
    return false
  }
}
