import { setTimeout as pause } from 'node:timers/promises'
import type { DidCommMediationRecord, DidCommOutboundTransport } from '@credo-ts/didcomm'
import { DidCommMediatorPickupStrategy, DidCommWsOutboundTransport } from '@credo-ts/didcomm'
import { PersistentHttp } from './persistent-http.ts'
import type { Radio } from './radio.ts'
import type { WalletAgent } from './wallet-agent.ts'

/**
 * How a wallet behind a mediator comes to its messages: it asks over HTTP again and again; it asks to have them pushed
 * over a WebSocket; or it opens a WebSocket and sends a trust ping, as Bifold does.
 */
export type Pickup = 'polling' | 'live' | 'implicit'

const LOOK_MS = 250
/** Credo itself opens a socket again after a tenth of a second; one that is away for so long is not coming. */
const WITHOUT_SOCKET_MS_MAX = 3_000

const strategies: Readonly<Record<Pickup, DidCommMediatorPickupStrategy>> = {
  polling: DidCommMediatorPickupStrategy.PickUpV2,
  live: DidCommMediatorPickupStrategy.PickUpV2LiveMode,
  implicit: DidCommMediatorPickupStrategy.Implicit,
}

/** One that polls has no sockets at all. */
export const outboundFor = (pickup: Pickup): DidCommOutboundTransport[] =>
  pickup === 'polling' ? [new PersistentHttp()] : [new DidCommWsOutboundTransport(), new PersistentHttp()]

/**
 * Credo stops for good where its first attempt fails, or where a socket opens that nobody answers on; an app begins
 * again.
 */
export class RunningPickup {
  readonly #agent: WalletAgent
  readonly #pickup: Pickup
  readonly #radio: Radio
  readonly #stopping = new AbortController()
  readonly #over: Promise<void>

  constructor(agent: WalletAgent, mediator: DidCommMediationRecord, pickup: Pickup, radio: Radio) {
    this.#agent = agent
    this.#pickup = pickup
    this.#radio = radio
    this.#over = this.#run(mediator)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#agent.didcomm.mediationRecipient.stopMessagePickup()
    await this.#over
  }

  async #run(mediator: DidCommMediationRecord): Promise<void> {
    const { mediationRecipient } = this.#agent.didcomm
    while (!this.#stopping.signal.aborted) {
      await mediationRecipient.stopMessagePickup()
      // What it starts goes on by itself; where it could not start, a socket that is open is of no use.
      const starting = mediationRecipient.initiateMessagePickup(mediator, strategies[this.#pickup])
      await starting.catch(() => this.#radio.cut())
      await this.#untilBroken()
    }
  }

  async #untilBroken(): Promise<void> {
    let lastOpenMs = performance.now()
    while (!this.#stopping.signal.aborted) {
      await pause(LOOK_MS, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
      const now = performance.now()
      if (this.#pickup === 'polling' || this.#radio.openSockets > 0) lastOpenMs = now
      if (now - lastOpenMs > WITHOUT_SOCKET_MS_MAX) return
    }
  }
}
