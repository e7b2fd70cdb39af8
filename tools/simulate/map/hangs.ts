import type { LeaseSession } from '../../../src/ports/journal.ts'
import type { ShardServer } from '../../../src/ports/membership.ts'
import type { NodeLink } from '../../../src/ports/node-link.ts'
import type { ChangeableMap } from '../../../src/ports/shard-map.ts'
import { instead } from '../instead.ts'
import type { SimulatedProcess } from '../simulated-process.ts'
import type { World } from '../world.ts'

type Hang = {
  /**
   * It does nothing of what the map wants, and opens nothing either; or it begins, and what it is to let go answers as
   * before, or answers nothing any more.
   */
  readonly how: 'stuck' | 'serves-on' | 'serves-nothing'
  /** It answers no other node. */
  readonly isSilent: boolean
  readonly over: Promise<void>
  readonly end: () => void
}

type Link = Pick<NodeLink, 'handle' | 'request'>
type Node = { readonly process: SimulatedProcess; readonly session: LeaseSession | null }

/** The question of a newer release, which an older node does not know. */
const NEWER_QUESTION = 'map.held-up'

/** Nodes that renew their leases and let go of nothing. Each hangs for as long as it has the lease with which it began. */
export class Hangs {
  readonly #world: World
  readonly #hung = new Map<SimulatedProcess, Hang>()
  /** Of a release that does not know the question. */
  readonly #older = new Set<SimulatedProcess>()
  /** Null: none ever hangs. */
  readonly #pauseMs: number | null

  constructor(world: World, pauseMs: number | null) {
    this.#world = world
    this.#pauseMs = pauseMs
  }

  get areToCome(): boolean {
    return this.#pauseMs !== null
  }

  start(nodes: () => readonly Node[]): void {
    const { random } = this.#world
    if (this.#pauseMs === null) return
    this.#world.at(random.next() * 2 * this.#pauseMs, null, () => {
      if (this.#world.healed) return
      const node = nodes().length === 0 ? null : random.pick(nodes())
      if (node !== null && node.session !== null) this.#begin(node.process, node.session)
      this.start(nodes)
    })
  }

  /** What still hangs, with nothing that anybody wants from it, goes on. */
  end(): void {
    for (const { end } of this.#hung.values()) end()
  }

  serverOf(process: SimulatedProcess, server: ShardServer): ShardServer {
    return instead(server, {
      close: async (shard) => {
        const hang = this.#hung.get(process)
        if (hang?.how !== 'serves-on') await server.close(shard)
        if (hang === undefined) return
        this.#world.note(() => `${process.name} hangs with shard ${shard}`)
        await hang.over
        await server.close(shard)
      },
    })
  }

  /** As the keeper of a node sees the map. */
  mapOf(process: SimulatedProcess, map: ChangeableMap): ChangeableMap {
    return instead(map, {
      refreshed: async (version) => {
        const hang = this.#hung.get(process)
        if (hang?.how === 'stuck') await hang.over
        return map.refreshed(version)
      },
    })
  }

  linkOf(process: SimulatedProcess, link: Link): Link {
    if (this.areToCome && this.#world.random.chance(0.2)) this.#older.add(process)
    return {
      request: (...asked) => link.request(...asked),
      handle: (service, handler) => {
        if (this.#older.has(process) && service === NEWER_QUESTION) return
        // What waits for one that never answers stays where it is, so in the end it says that it is there.
        const isAnswered = (): boolean =>
          this.#hung.get(process)?.isSilent !== true || (this.#world.healed && service !== NEWER_QUESTION)
        link.handle(service, (body, from, leftMs) =>
          isAnswered() ? handler(body, from, leftMs) : new Promise(() => {}),
        )
      },
    }
  }

  #begin(process: SimulatedProcess, session: LeaseSession): void {
    if (this.#hung.has(process) || session.ended.aborted) return
    const { random } = this.#world
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const end = (): void => {
      this.#hung.delete(process)
      this.#world.at(0, process, resolve)
    }
    const isSilent = this.#older.has(process) || random.chance(0.3)
    // One that says nothing is found by what it is to let go, so it has to be wanted until the end.
    const how = isSilent ? 'serves-on' : random.pick<Hang['how']>(['serves-on', 'serves-nothing', 'stuck'])
    const hang: Hang = { how, isSilent, over, end }
    this.#world.note(() => `${process.name} hangs from here on ${JSON.stringify(hang)}`)
    this.#hung.set(process, hang)
    session.ended.addEventListener('abort', end, { once: true })
  }
}
