import { connectMailboxWatches, type MailboxWatches } from '../../../src/cluster/watches/mailbox-watches.ts'
import { watchDefaults, type WatchSettings } from '../../../src/cluster/watches/settings.ts'
import { actorId, shardDigits } from '../../../src/domain/references.ts'
import type { Watching } from '../../../src/ports/mailbox-watch.ts'
import type { NodeLink } from '../../../src/ports/node-link.ts'
import type { ShardMap } from '../../../src/ports/shard-map.ts'
import { FactsNetwork, type LinkFaults } from '../facts-link.ts'
import type { Random } from '../random.ts'
import { SimulatedProcess } from '../simulated-process.ts'
import type { World } from '../world.ts'
import { asBuilt, type WatchVariant } from './watch-variants.ts'

export const CALM: LinkFaults = { latencyMs: 5, lost: 0, doubled: 0, late: 0, lateMs: 0 }
export const NODES = ['n1', 'n2', 'n3'] as const
const SHARDS = 4
const FALLBACK_MS = 9_000

type Peer = Parameters<Parameters<NodeLink['onPeer']>[0]>[0]
type Shard = { owner: string | null; epoch: number }

/** One start of one node. */
type Node = {
  readonly name: string
  readonly process: SimulatedProcess
  readonly watches: MailboxWatches
  readonly believed: Map<number, string | null>
  readonly mapListeners: Set<(map: ShardMap) => void>
  readonly peerListeners: Set<(peer: Peer) => void>
}

/** A live session: how far it has read the mailbox. */
export type Session = {
  readonly node: string
  readonly mailbox: string
  seen: number
  told: number
  isOver: boolean
  watching: Watching | null
}

/** Mailboxes that only count their messages, on shards that move between three nodes, with the production watches around them. */
export class WatchWorld {
  readonly world: World
  readonly network: FactsNetwork
  readonly mailboxes: readonly string[]
  readonly sessions: Session[] = []
  /** How long a node may not know of a change of the map. */
  mapLagMs = 300
  readonly #settings: WatchSettings
  readonly #variant: WatchVariant
  readonly #shards: Shard[]
  readonly #messages = new Map<string, number>()
  readonly #nodes = new Map<string, Node>()
  #version = 1

  constructor(
    world: World,
    faults: LinkFaults = CALM,
    settings: Partial<WatchSettings> = {},
    variant: WatchVariant = asBuilt,
  ) {
    this.world = world
    this.network = new FactsNetwork(this.world, faults)
    this.#settings = { ...watchDefaults, ...settings, ...variant.settings }
    this.#variant = variant
    this.#shards = Array.from({ length: SHARDS }, (_, shard) => ({
      owner: NODES[shard % NODES.length] ?? null,
      epoch: 1,
    }))
    this.mailboxes = Array.from({ length: 6 }, (_, each) => actorId('mbx', each % SHARDS, `0000000${each}`))
    for (const name of NODES) this.#start(name)
  }

  get random(): Random {
    return this.world.random
  }

  async run(untilMs: number): Promise<void> {
    this.world.at(untilMs - this.world.nowMs, null, () => undefined)
    await this.world.run(untilMs, () => false)
  }

  watchesAt(node: string): MailboxWatches {
    return this.#node(node).watches
  }

  messagesOf(mailbox: string): number {
    return this.#messages.get(mailbox) ?? 0
  }

  ownerOf(mailbox: string): string | null {
    return this.#shard(mailbox).owner
  }

  /** A message is taken at a node: durable at the owner of its mailbox, then announced where it was taken. */
  post(node: string, mailbox: string, answered: (isTaken: boolean, place: number) => void = () => {}): void {
    if (this.ownerOf(mailbox) === null)
      return void this.world.at(200, null, () => this.post(node, mailbox, answered))
    const place = this.messagesOf(mailbox) + 1
    this.#messages.set(mailbox, place)
    const { process, watches } = this.#node(node)
    const sinceMs = this.world.nowMs
    let answeredMs: number | null = null
    this.world.at(1, process, () => {
      void watches.announce(mailbox).then((isTaken) => {
        answeredMs = isTaken ? 0 : this.world.nowMs - sinceMs
        answered(isTaken, place)
      })
    })
    this.world.at(FALLBACK_MS, null, () => {
      if (answeredMs === null || answeredMs > watchDefaults.announceTimeoutMs * 0.9) this.#ask(mailbox)
    })
  }

  /** A mailbox whose message was announced by a node that died, or did not reach it, owes the question itself. */
  #ask(mailbox: string): void {
    const owner = this.ownerOf(mailbox)
    if (owner === null) return void this.world.at(200, null, () => this.#ask(mailbox))
    const { process, watches } = this.#node(owner)
    this.world.at(0, process, () => void watches.announce(mailbox))
  }

  open(node: string, mailbox: string): Session {
    const session: Session = { node, mailbox, seen: 0, told: 0, isOver: false, watching: null }
    this.sessions.push(session)
    const { process, watches } = this.#node(node)
    this.world.at(0, process, () => {
      const came = () => {
        session.told += 1
        const read = this.#read(session, process)
        return this.#variant.answersAtOnce === true ? true : read
      }
      void watches.watch(mailbox, came).then((watching) => {
        session.watching = watching
        if (session.isOver) watching[Symbol.dispose]()
        else void this.#read(session, process)
      })
    })
    return session
  }

  close(session: Session): void {
    session.isOver = true
    session.watching?.[Symbol.dispose]()
  }

  /** The owner lets go, and somebody else opens the shard. */
  move(shard: number, to: string, afterMs = 50): void {
    const place = this.#shards[shard]
    if (place === undefined || place.owner === null) return
    place.owner = null
    this.#mapChanged()
    this.world.at(afterMs, null, () => {
      place.owner = to
      place.epoch += 1
      this.#mapChanged()
    })
  }

  /** Its sessions are over, its shards come to others, and a new process takes its name. */
  crash(name: string, afterMs = 2_000): void {
    this.#node(name).process.crash()
    for (const session of this.sessions) if (session.node === name) session.isOver = true
    for (const [shard, place] of this.#shards.entries())
      if (place.owner === name) this.move(shard, this.#other(name), afterMs)
    this.#start(name)
  }

  #other(name: string): string {
    return this.random.pick(NODES.filter((each) => each !== name))
  }

  /** Reads the mailbox at its owner; where there is none just now, again. */
  #read(session: Session, process: SimulatedProcess): Promise<boolean> {
    return new Promise((resolve) => {
      const read = (): void => {
        if (session.isOver) return resolve(false)
        if (this.ownerOf(session.mailbox) === null) return void this.world.at(100, process, read)
        session.seen = Math.max(session.seen, this.messagesOf(session.mailbox))
        resolve(true)
      }
      this.world.at(1 + this.random.next() * 20, process, read)
    })
  }

  #node(name: string): Node {
    const node = this.#nodes.get(name)
    if (node === undefined) throw new Error(`no node ${name}`)
    return node
  }

  #shard(mailbox: string): Shard {
    const shard = this.#shards[shardDigits(mailbox)]
    if (shard === undefined) throw new Error(`no shard of ${mailbox}`)
    return shard
  }

  #start(name: string): void {
    const clocks = { wallOffsetMs: 0, monotonicRate: 1 }
    const process = new SimulatedProcess(this.world, name, clocks, 0, () => undefined)
    const believed = new Map(this.#shards.map(({ owner }, shard) => [shard, owner]))
    const mapListeners: Node['mapListeners'] = new Set()
    const peerListeners: Node['peerListeners'] = new Set()
    const plain = this.network.linkOf(name, process)
    const link = { ...plain, ...this.#variant.link?.(plain) }
    const shown = (): ShardMap => ({ version: this.#version, frozen: false, places: [] })
    const watches = connectMailboxWatches(
      {
        node: name,
        link: {
          ...link,
          onPeer: (listener) => {
            peerListeners.add(listener)
            return () => peerListeners.delete(listener)
          },
        },
        map: {
          ownerOf: (shard) => believed.get(shard) ?? null,
          current: shown,
          refreshed: async () => {
            this.#believe(this.#node(name))
            return shown()
          },
          onChange: (listener) => {
            mapListeners.add(listener)
            return () => mapListeners.delete(listener)
          },
        },
        runtime: process.runtime,
        epochOf: (shard) => {
          const place = this.#shards[shard]
          const epoch = this.#variant.knowsNoEpochs === true ? 1 : place?.epoch
          return place?.owner === name && process.alive ? (epoch ?? null) : null
        },
      },
      this.#settings,
    )
    this.#nodes.set(name, { name, process, watches, believed, mapListeners, peerListeners })
    for (const other of this.#nodes.values()) {
      if (other.name === name) continue
      const connected = (): void => {
        for (const listener of other.peerListeners) listener({ node: name, isConnected: true })
      }
      this.world.at(100, other.process, connected)
    }
  }

  #mapChanged(): void {
    this.#version += 1
    for (const node of this.#nodes.values())
      this.world.at(this.random.next() * this.mapLagMs, node.process, () => this.#believe(node))
  }

  #believe(node: Node): void {
    let hasChanged = false
    for (const [shard, { owner }] of this.#shards.entries()) {
      hasChanged ||= node.believed.get(shard) !== owner
      node.believed.set(shard, owner)
    }
    if (!hasChanged) return
    for (const listener of node.mapListeners) listener({ version: this.#version, frozen: false, places: [] })
  }
}
