import type { Config } from '../../config/config.ts'
import type { TooMany } from '../../didcomm/opened-envelope.ts'
import { LocalRateWindows } from '../../timing/rate-windows.ts'
import { hasShare, wholeOf } from './shares.ts'

/** 16 MB at most. Only what was let in takes room. */
const TIMES_MAX = 2_097_152
const WINDOW_MS = 60_000
const FULL_RETRY_MS = 10_000

/**
 * The handshakes of the last minute, counted in the memory of the node: a network has its share of what an invitation
 * lets in, and an invitation its share of what a network may begin, so that neither shuts the other out.
 */
export class HandshakeRates {
  readonly #windows: LocalRateWindows
  readonly #ofNetwork: number
  readonly #ofInvitation: number

  constructor(now: () => number, settings: Config['handshakes']) {
    this.#windows = new LocalRateWindows(now, TIMES_MAX)
    this.#ofNetwork = wholeOf(settings.ofNetworkPerMinute)
    this.#ofInvitation = settings.ofInvitationPerMinute
  }

  /** Null when one more may begin; nothing is counted by asking. */
  refusal(invitationId: string, networks: readonly string[]): TooMany | null {
    const ofInvitation = this.#count(invitationId)
    const owns = networks.map((network) => this.#count(pair(network, invitationId)))
    const counts = owns.map(({ count }) => count)
    if (!hasShare(this.#ofInvitation, ofInvitation.count, counts)) return retryAfter(owns[0], ofInvitation)
    for (const [width, network] of networks.entries()) {
      const ofNetwork = this.#count(network)
      // Behind a wider network there may be more people.
      const whole = this.#ofNetwork * 2 ** width
      if (!hasShare(whole, ofNetwork.count, [counts[width] ?? 0])) return retryAfter(owns[width], ofNetwork)
    }
    return null
  }

  /** Counts one that begins, everywhere or nowhere. */
  take(invitationId: string, networks: readonly string[]): TooMany | null {
    const keys = [invitationId, ...networks, ...networks.map((network) => pair(network, invitationId))]
    const rate = { max: Number.POSITIVE_INFINITY, windowMs: WINDOW_MS }
    for (const [index, key] of keys.entries()) {
      if (this.#windows.take(key, rate).is === 'admitted') continue
      for (const counted of keys.slice(0, index)) this.#windows.takeBack(counted)
      return { retryAfterMs: FULL_RETRY_MS }
    }
    return null
  }

  #count(key: string) {
    return this.#windows.peek(key, WINDOW_MS)
  }
}

const pair = (network: string, invitationId: string): string => `${network} ${invitationId}`

type Counted = ReturnType<LocalRateWindows['peek']>

/** The oldest of its own leaves at the latest then, if it has any. */
const retryAfter = (own: Counted | undefined, ofAll: Counted): TooMany => ({
  retryAfterMs: Math.max(1, own?.freeMs || ofAll.freeMs) + 1,
})
