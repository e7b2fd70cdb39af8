import type { Config } from '../../config/config.ts'
import type { TooMany } from '../../didcomm/opened-envelope.ts'
import { networksOf } from '../../http/server/address.ts'
import type { Actors } from '../../ports/actors.ts'
import type { Directory } from '../../ports/directory.ts'
import type { Runtime } from '../../ports/runtime.ts'
import { connection } from '../connection/rules.ts'
import { type Beginning, HandshakePlaces } from './handshake-places.ts'
import { HandshakeRates } from './handshake-rates.ts'

type Ports = {
  readonly actors: Pick<Actors, 'ask'>
  readonly runtime: Pick<Runtime, 'now' | 'monotonicMs' | 'newId'>
  readonly directory: Directory
}

type Sent = Omit<Beginning, 'networks'> & {
  /** The network address of the sender. */
  readonly from: string
}

const NO_PLACE_RETRY_MS = 10_000

/**
 * How many handshakes strangers may begin: so many in a minute, and so many under way at one invitation. Both are shared
 * out among the networks that they come from.
 */
export class HandshakeLimits {
  readonly #ports: Ports
  readonly #rates: HandshakeRates
  readonly #places: HandshakePlaces

  constructor(ports: Ports, settings: Config['handshakes']) {
    this.#ports = ports
    this.#rates = new HandshakeRates(() => ports.runtime.monotonicMs(), settings)
    const { runtime, directory } = ports
    const giveWay = (connectionIds: readonly string[]) => this.#giveWay(connectionIds)
    this.#places = new HandshakePlaces({ runtime, directory, giveWay }, settings.underWayMax)
  }

  /** Null when it might begin, or has begun before. Nothing is counted, and no record is read for it. */
  async refusal(sent: Sent): Promise<TooMany | null> {
    const beginning = beginningOf(sent)
    if (this.#places.isKnown(beginning)) return null
    const { invitationId, networks } = beginning
    const refused = this.#rates.refusal(invitationId, networks)
    if (refused !== null) return refused
    await this.#places.look(beginning)
    const isLetIn = this.#places.isKnown(beginning) || this.#places.hasPlace(beginning)
    return isLetIn ? null : { retryAfterMs: NO_PLACE_RETRY_MS }
  }

  /** Null when it may begin, and then it counts. What is refused counts nowhere. */
  begin(sent: Sent): TooMany | null {
    const beginning = beginningOf(sent)
    const { invitationId, networks } = beginning
    const refused = this.#rates.refusal(invitationId, networks)
    if (refused !== null) return refused
    if (!this.#places.hasPlace(beginning)) return { retryAfterMs: NO_PLACE_RETRY_MS }
    const uncounted = this.#rates.take(invitationId, networks)
    if (uncounted !== null) return uncounted
    this.#places.take(beginning)
    return null
  }

  async #giveWay(connectionIds: readonly string[]): Promise<void> {
    const { actors, runtime } = this.#ports
    const command = { type: 'GiveWay', atMs: runtime.now() } as const
    await Promise.allSettled(
      connectionIds.map((id) =>
        actors.ask(connection.ref(id), command, { commandId: runtime.newId(), tenant: null }),
      ),
    )
  }
}

const beginningOf = ({ from, ...sent }: Sent): Beginning => ({ ...sent, networks: networksOf(from) })
