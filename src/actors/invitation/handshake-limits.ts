import { LRUCache } from 'lru-cache'
import type { Config } from '../../config/config.ts'
import type { TooMany } from '../../didcomm/opened-envelope.ts'
import { HOLDER_WAIT_MS } from '../../domain/exchange.ts'
import { LocalRateWindows } from '../../http/callers/rate-limit.ts'
import { networkOf } from '../../http/server/address.ts'
import type { Actors } from '../../ports/actors.ts'
import type { Directory } from '../../ports/directory.ts'
import type { Runtime } from '../../ports/runtime.ts'
import { connection, GIVES_WAY_MS, HANDSHAKE_STATES } from '../connection/rules.ts'

type Ports = {
  readonly actors: Pick<Actors, 'ask'>
  readonly runtime: Pick<Runtime, 'now' | 'monotonicMs' | 'newId'>
  readonly directory: Directory
}

type Beginning = {
  readonly tenant: string
  readonly invitationId: string
  /** The network address of the sender. */
  readonly from: string
}

/** `begun`: those that were let in since the lists were read. */
type Reading = { readonly readAtMs: number; readonly known: number; begun: number }

/** 16 MB at most: 58,000 networks and invitations that come now and then. */
const TIMES_MAX = 2_097_152
const WINDOW_MS = 60_000
const READINGS_MAX = 10_000
const READ_AGAIN_MS = 5_000
const FULL_READ_AGAIN_MS = 1_000
const FULL_RETRY_MS = 10_000
const MAKE_ROOM_AT_ONCE = 100

/**
 * How many handshakes strangers may begin. Those of the last minute are counted in the memory of the node. How many are
 * under way at one invitation stands in the lists, also after a restart and without anything being kept for it: a
 * handshake leaves them by completing or ending.
 */
export class HandshakeLimits {
  readonly #ports: Ports
  readonly #settings: Config['handshakes']
  readonly #windows: LocalRateWindows
  readonly #readings = new LRUCache<string, Reading>({ max: READINGS_MAX })
  readonly #underRead = new Map<string, Promise<Reading>>()

  constructor(ports: Ports, settings: Config['handshakes']) {
    this.#ports = ports
    this.#settings = settings
    this.#windows = new LocalRateWindows(() => ports.runtime.monotonicMs(), TIMES_MAX)
  }

  /** Null when it may begin, and then it counts. */
  async begin(beginning: Beginning): Promise<TooMany | null> {
    const { ofNetworkPerMinute, ofInvitationPerMinute } = this.#settings
    return (
      this.#count(networkOf(beginning.from), ofNetworkPerMinute) ??
      this.#count(beginning.invitationId, ofInvitationPerMinute) ??
      (await this.#takePlace(beginning))
    )
  }

  #count(key: string, max: number): TooMany | null {
    const taken = this.#windows.take(key, { max, windowMs: WINDOW_MS })
    if (taken.is === 'admitted') return null
    return { retryAfterMs: taken.is === 'full' ? FULL_RETRY_MS : taken.resetMs + 1 }
  }

  async #takePlace(beginning: Beginning): Promise<TooMany | null> {
    const known = this.#readings.get(beginning.invitationId)
    const reading = known === undefined || this.#isOld(known) ? await this.#read(beginning) : known
    if (this.#isFull(reading)) return { retryAfterMs: FULL_RETRY_MS }
    reading.begun += 1
    return null
  }

  #isFull({ known, begun }: Reading): boolean {
    return known + begun >= this.#settings.underWayMax
  }

  #isOld(reading: Reading): boolean {
    const ageMs = this.#ports.runtime.monotonicMs() - reading.readAtMs
    return ageMs >= (this.#isFull(reading) ? FULL_READ_AGAIN_MS : READ_AGAIN_MS)
  }

  /** One reading at a time, for all who wait for it. */
  #read(beginning: Beginning): Promise<Reading> {
    const { invitationId } = beginning
    const underRead = this.#underRead.get(invitationId)
    if (underRead !== undefined) return underRead
    const reading = this.#countUnderWay(beginning)
      // While the lists cannot be read, the rates alone hold.
      .catch(() => 0)
      .then((known) => {
        const read = { readAtMs: this.#ports.runtime.monotonicMs(), known, begun: 0 }
        this.#readings.set(invitationId, read)
        this.#underRead.delete(invitationId)
        return read
      })
    this.#underRead.set(invitationId, reading)
    return reading
  }

  async #countUnderWay(beginning: Beginning): Promise<number> {
    const { total } = await this.#underWay(beginning, 1, 1)
    if (total >= this.#settings.underWayMax) await this.#makeRoom(beginning, total)
    return total
  }

  /** Else a stranger who begins many and completes none would keep everybody out for a day. */
  async #makeRoom(beginning: Beginning, total: number): Promise<void> {
    const { actors, runtime } = this.#ports
    const lastPage = Math.ceil(total / MAKE_ROOM_AT_ONCE)
    const { rows } = await this.#underWay(beginning, lastPage, MAKE_ROOM_AT_ONCE)
    const atMs = runtime.now()
    const slow = rows.filter(({ createdAtMs }) => atMs >= createdAtMs + GIVES_WAY_MS)
    await Promise.allSettled(
      slow.map(({ id }) =>
        actors.ask(
          connection.ref(id),
          { type: 'GiveWay', atMs },
          { commandId: runtime.newId(), tenant: null },
        ),
      ),
    )
  }

  #underWay({ tenant, invitationId }: Beginning, page: number, pageSize: number) {
    return this.#ports.directory.list({
      tenant,
      kind: 'connection',
      page,
      pageSize,
      q: null,
      states: HANDSHAKE_STATES,
      externalId: null,
      // Each of the two states ends after this wait.
      fromMs: this.#ports.runtime.now() - 2 * HOLDER_WAIT_MS,
      toMs: null,
      filters: { invitationId },
    })
  }
}
