import { LRUCache } from 'lru-cache'
import { HOLDER_WAIT_MS } from '../../domain/exchange.ts'
import type { Directory, DirectoryRow } from '../../ports/directory.ts'
import type { Runtime } from '../../ports/runtime.ts'
import { GIVES_WAY_MS, HANDSHAKE_STATES } from '../connection/rules.ts'
import { greedyOf, weightOf } from './shares.ts'

export type Beginning = {
  readonly tenant: string
  readonly invitationId: string
  /** The connection that it makes, or has made before. */
  readonly connectionId: string
  readonly networks: readonly string[]
}

type Ports = {
  readonly runtime: Pick<Runtime, 'now' | 'monotonicMs'>
  readonly directory: Directory
  /** Ends those that are slow. */
  readonly giveWay: (connectionIds: readonly string[]) => Promise<void>
}

type Reading = {
  readonly readAtMs: number
  /** With those that were let in since. */
  taken: number
  readonly byNetwork: Map<string, number>
  /** The networks of those that found no place since: the one that has its share already, or null. */
  readonly refused: (string | null)[]
}

/** About 10 MB. Where older ones came from is forgotten, and so is everything at a restart. */
const ORIGINS_MAX = 50_000
const READINGS_MAX = 10_000
const READ_AGAIN_MS = 5_000
const REFUSING_READ_AGAIN_MS = 1_000
const PAGE_SIZE = 1_000
const PAGES_MAX = 10
const MAKE_ROOM_AT_ONCE = 100

/**
 * Who is under way at an invitation stands in the lists, also after a restart and without anything being kept for it: a
 * handshake leaves them by completing or ending. Where each came from is known to the memory of the node alone.
 */
export class HandshakePlaces {
  readonly #ports: Ports
  readonly #max: number
  readonly #readings = new LRUCache<string, Reading>({ max: READINGS_MAX })
  readonly #underRead = new Map<string, Promise<Reading>>()
  readonly #origins = new LRUCache<string, readonly string[]>({ max: ORIGINS_MAX })

  constructor(ports: Ports, max: number) {
    this.#ports = ports
    this.#max = max
  }

  /** Whether it was let in before, as far as is remembered. */
  isKnown(connectionId: string): boolean {
    return this.#origins.has(connectionId)
  }

  /** Reads the lists again where what is known is old. */
  async look(beginning: Beginning): Promise<void> {
    const known = this.#readings.get(beginning.invitationId)
    if (known === undefined || this.#isOld(known)) await this.#read(beginning, known?.refused ?? [])
  }

  /** Whether it has a place; `take` says that it takes it. */
  hasPlace({ invitationId, networks }: Beginning): boolean {
    const reading = this.#readings.get(invitationId)
    if (reading === undefined) return true
    const { taken, byNetwork } = reading
    const owns = networks.map((network) => byNetwork.get(network) ?? 0)
    const greedy = greedyOf(this.#max, taken, owns)
    if (greedy === null) return true
    // What has nothing itself finds no place because of the wider network that it is in, or of all.
    const full = networks.find((_network, width) => width >= greedy && (owns[width] ?? 0) > 0)
    if (reading.refused.length < MAKE_ROOM_AT_ONCE) reading.refused.push(full ?? null)
    return false
  }

  take({ invitationId, connectionId, networks }: Beginning): void {
    this.#origins.set(connectionId, networks)
    const reading = this.#readings.get(invitationId)
    if (reading === undefined) return
    reading.taken += 1
    count(reading.byNetwork, networks)
  }

  #isOld({ readAtMs, taken, refused }: Reading): boolean {
    const againMs = taken >= this.#max || refused.length > 0 ? REFUSING_READ_AGAIN_MS : READ_AGAIN_MS
    return this.#ports.runtime.monotonicMs() - readAtMs >= againMs
  }

  /** One reading at a time, for all who wait for it. */
  #read(beginning: Beginning, refused: readonly (string | null)[]): Promise<Reading> {
    const { invitationId } = beginning
    const underRead = this.#underRead.get(invitationId)
    if (underRead !== undefined) return underRead
    const reading = this.#underWay(beginning)
      // While the lists cannot be read, the rates alone hold.
      .catch(() => ({ rows: [], total: 0 }))
      .then(async ({ rows, total }) => {
        const byNetwork = new Map<string, number>()
        for (const { id } of rows) count(byNetwork, this.#origins.peek(id) ?? [])
        await this.#makeRoom(rows, byNetwork, refused)
        const readAtMs = this.#ports.runtime.monotonicMs()
        const read = { readAtMs, taken: total, byNetwork, refused: [] }
        this.#readings.set(invitationId, read)
        return read
      })
      .finally(() => this.#underRead.delete(invitationId))
    this.#underRead.set(invitationId, reading)
    return reading
  }

  /**
   * As many give way as others found no place: of the network that has its share, or of the networks that have most.
   * Else a stranger who begins many and completes none would keep others out for a day.
   */
  async #makeRoom(
    rows: readonly DirectoryRow[],
    byNetwork: ReadonlyMap<string, number>,
    refused: readonly (string | null)[],
  ): Promise<void> {
    if (refused.length === 0) return
    const slowBeforeMs = this.#ports.runtime.now() - GIVES_WAY_MS
    const slow = rows
      .filter(({ createdAtMs }) => createdAtMs <= slowBeforeMs)
      .map(({ id, createdAtMs }) => {
        const networks = this.#origins.peek(id) ?? []
        const most = Math.max(
          0,
          ...networks.map((each, width) => weightOf(width) * (byNetwork.get(each) ?? 0)),
        )
        return { id, createdAtMs, networks, most }
      })
      .toSorted((one, other) => other.most - one.most || one.createdAtMs - other.createdAtMs)
    const giving = new Set<string>()
    for (const greedy of refused) {
      const next = slow.find(
        ({ id, networks }) => !giving.has(id) && (greedy === null || networks.includes(greedy)),
      )
      if (next !== undefined) giving.add(next.id)
    }
    await this.#ports.giveWay([...giving])
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

const count = (byNetwork: Map<string, number>, networks: readonly string[]): void => {
  for (const network of networks) byNetwork.set(network, (byNetwork.get(network) ?? 0) + 1)
}
