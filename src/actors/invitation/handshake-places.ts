import { LRUCache } from 'lru-cache'
import { HOLDER_WAIT_MS } from '../../domain/exchange.ts'
import type { Directory, DirectoryRow } from '../../ports/directory.ts'
import type { Runtime } from '../../ports/runtime.ts'
import { GIVES_WAY_MS, HANDSHAKE_STATES } from '../connection/rules.ts'
import { Places } from './places.ts'

export type Beginning = {
  readonly tenant: string
  readonly invitationId: string
  /** The connection that it makes, or has made before. */
  readonly connectionId: string
  readonly networks: Networks
}

/** The narrowest first. */
type Networks = readonly string[]

type Ports = {
  readonly runtime: Pick<Runtime, 'now' | 'monotonicMs'>
  readonly directory: Directory
  /** Ends those that are slow. */
  readonly giveWay: (connectionIds: readonly string[]) => Promise<void>
}

type Reading = {
  readonly readAtMs: number
  /** Those that were under way. */
  readonly ids: ReadonlySet<string>
  /** With those that were let in since. */
  readonly places: Places
  /** The networks of those that found no place since. */
  readonly refused: Map<string, Networks>
}

/** About 10 MB. Where older ones came from is forgotten, and so is everything at a restart. */
const ORIGINS_MAX = 50_000
const READINGS_MAX = 10_000
const READ_AGAIN_MS = 5_000
const REFUSING_READ_AGAIN_MS = 1_000
const PAGE_SIZE = 1_000
const PAGES_MAX = 10
/** For each of them the slow ones are looked at, up to so many. */
const MAKE_ROOM_AT_ONCE = 20
const SLOW_MAX = 1_000
/** A network may have a third of what is left, so its second one needs four places. */
const GIVE_WAY_FOR_ONE_MAX = 4

/**
 * Who is under way at an invitation stands in the lists, also after a restart and without anything being kept for it: a
 * handshake leaves them by completing or ending. Where each came from is known to the memory of the node alone.
 */
export class HandshakePlaces {
  readonly #ports: Ports
  readonly #max: number
  readonly #readings = new LRUCache<string, Reading>({ max: READINGS_MAX })
  readonly #underRead = new Map<string, Promise<Reading>>()
  readonly #origins = new LRUCache<string, Networks>({ max: ORIGINS_MAX })

  constructor(ports: Ports, max: number) {
    this.#ports = ports
    this.#max = max
  }

  /** Whether it was let in before, as far as is remembered and the last look has shown. */
  isKnown({ connectionId, invitationId }: Beginning): boolean {
    return this.#origins.has(connectionId) || this.#readings.get(invitationId)?.ids.has(connectionId) === true
  }

  /** Reads the lists again where what is known is old. */
  async look(beginning: Beginning): Promise<void> {
    const known = this.#readings.get(beginning.invitationId)
    if (known === undefined || this.#isOld(known)) await this.#read(beginning, known?.refused ?? new Map())
  }

  /** Whether it has a place; `take` says that it takes it. */
  hasPlace({ invitationId, connectionId, networks }: Beginning): boolean {
    const reading = this.#readings.get(invitationId)
    if (reading === undefined || reading.places.hasOne(networks)) return true
    if (reading.refused.size < MAKE_ROOM_AT_ONCE) reading.refused.set(connectionId, networks)
    return false
  }

  take({ invitationId, connectionId, networks }: Beginning): void {
    this.#origins.set(connectionId, networks)
    this.#readings.get(invitationId)?.places.change(networks, 1)
  }

  #isOld({ readAtMs, places, refused }: Reading): boolean {
    const againMs = places.isFull || refused.size > 0 ? REFUSING_READ_AGAIN_MS : READ_AGAIN_MS
    return this.#ports.runtime.monotonicMs() - readAtMs >= againMs
  }

  /** One reading at a time, for all who wait for it. */
  #read(beginning: Beginning, refused: ReadonlyMap<string, Networks>): Promise<Reading> {
    const { invitationId } = beginning
    const underRead = this.#underRead.get(invitationId)
    if (underRead !== undefined) return underRead
    const reading = this.#underWay(beginning)
      // While the lists cannot be read, the rates alone hold.
      .catch(() => ({ rows: [], total: 0 }))
      .then(async ({ rows, total }) => {
        const places = new Places(this.#max, total)
        // What is under way still is remembered longest.
        for (const { id } of rows) places.know(this.#origins.get(id) ?? [])
        await this.#makeRoom(rows, places, refused)
        const readAtMs = this.#ports.runtime.monotonicMs()
        const ids = new Set(rows.map(({ id }) => id))
        const read = { readAtMs, ids, places, refused: new Map() }
        this.#readings.set(invitationId, read)
        return read
      })
      .finally(() => this.#underRead.delete(invitationId))
    this.#underRead.set(invitationId, reading)
    return reading
  }

  /**
   * For each that found no place and would find none now, slow ones give way whose networks have most, and more than its
   * own. Else a stranger who begins many and completes none would keep others out for a day.
   */
  async #makeRoom(
    rows: readonly DirectoryRow[],
    places: Places,
    refused: ReadonlyMap<string, Networks>,
  ): Promise<void> {
    if (refused.size === 0) return
    const slowBeforeMs = this.#ports.runtime.now() - GIVES_WAY_MS
    let slow: readonly Slow[] = rows
      .filter(({ createdAtMs }) => createdAtMs <= slowBeforeMs)
      .toSorted((one, other) => one.createdAtMs - other.createdAtMs)
      .slice(0, SLOW_MAX)
      .map(({ id }) => ({ id, networks: this.#origins.peek(id) ?? [] }))
    const giving: string[] = []
    const coming: Networks[] = []
    for (const networks of refused.values()) {
      const room = roomFor(networks, slow, places)
      if (room === null) continue
      giving.push(...room.map(({ id }) => id))
      slow = slow.filter((each) => !room.includes(each))
      places.change(networks, 1)
      coming.push(networks)
    }
    // They have their place when they come for it.
    for (const networks of coming) places.change(networks, -1)
    await this.#ports.giveWay(giving)
  }

  /** All of them or, where there are very many, the newest and the oldest. */
  async #underWay(beginning: Beginning) {
    let { rows, total } = await this.#page(beginning, 1)
    const last = Math.ceil(total / PAGE_SIZE)
    for (let page = 2; page <= Math.min(last, PAGES_MAX); page++) {
      const more = await this.#page(beginning, page === PAGES_MAX ? last : page)
      rows = [...rows, ...more.rows]
      total = more.total
    }
    return { rows, total }
  }

  #page({ tenant, invitationId }: Beginning, page: number) {
    return this.#ports.directory.list({
      tenant,
      kind: 'connection',
      page,
      pageSize: PAGE_SIZE,
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

type Slow = { readonly id: string; readonly networks: Networks }

/** Those of the slow that give way for one of these networks; null where that would not let it in. */
const roomFor = (networks: Networks, slow: readonly Slow[], places: Places): readonly Slow[] | null => {
  const room: Slow[] = []
  while (!places.hasOne(networks)) {
    const next = room.length < GIVE_WAY_FOR_ONE_MAX ? mostOf(slow, room, places) : null
    if (next === null || !givesWay(next.networks, networks, places)) {
      for (const each of room) places.change(each.networks, 1)
      return null
    }
    places.change(next.networks, -1)
    room.push(next)
  }
  return room
}

/** Where the slow one came from may be forgotten; then it gives way to who has none. */
const givesWay = (slow: Networks, coming: Networks, places: Places): boolean => {
  const own = places.burdenOf(coming)
  return own === 0 || slow[0] === coming[0] || places.burdenOf(slow) > own
}

/** The first of those whose networks have most; null of none. */
const mostOf = (slow: readonly Slow[], without: readonly Slow[], places: Places): Slow | null => {
  let most: { readonly each: Slow; readonly burden: number } | null = null
  for (const each of slow) {
    const burden = places.burdenOf(each.networks)
    if ((most === null || burden > most.burden) && !without.includes(each)) most = { each, burden }
  }
  return most?.each ?? null
}
