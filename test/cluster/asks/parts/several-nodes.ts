import { afterEach } from 'vitest'
import { RoutedActors } from '../../../../src/cluster/asks/routed-actors.ts'
import { askDefaults, type AskSettings } from '../../../../src/cluster/asks/settings.ts'
import type { AnyActorDefinition } from '../../../../src/host/definition.ts'
import { defaultHostLimits } from '../../../../src/host/host-limits.ts'
import { Host } from '../../../../src/host/host.ts'
import { LinkFailed, type LinkHandler, type NodeLink } from '../../../../src/ports/node-link.ts'
import type { ShardMap, ShardMapView, ShardPlace } from '../../../../src/ports/shard-map.ts'
import { accountDefinition } from '../../../host/parts/account.ts'
import { MemoryJournal } from '../../../host/parts/memory-journal.ts'
import { testRuntime } from '../../../host/parts/test-runtime.ts'

/** What becomes of a frame on its way. */
export type Wire = 'carries' | 'not_sent' | 'cut_before' | 'cut_after' | 'hangs'

const place = (owner: string | null, desired = owner): ShardPlace => ({ owner, desired, pinned: false })

/** The map in the store, and what each node has seen of it. */
class TestMap {
  newest: ShardMap = { version: 1, frozen: false, places: [place('a'), place('b'), place('b')] }

  move(shard: number, owner: string | null, desired: string | null = owner): void {
    const places = this.newest.places.map((each, index) => (index === shard ? place(owner, desired) : each))
    this.newest = { ...this.newest, version: this.newest.version + 1, places }
  }

  view(): ShardMapView & { reads: number } {
    let seen = this.newest
    const listeners = new Set<(map: ShardMap) => void>()
    return {
      reads: 0,
      current: () => seen,
      ownerOf: (shard) => seen.places[shard]?.owner ?? seen.places[shard]?.desired ?? null,
      async refreshed() {
        this.reads++
        await Promise.resolve()
        if (seen.version !== this.newest().version) {
          seen = this.newest()
          for (const listener of listeners) listener(seen)
        }
        return seen
      },
      onChange: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      newest: () => this.newest,
    } as ShardMapView & { reads: number; newest: () => ShardMap }
  }
}

/** Links whose frames are real bytes, and whose wires a test cuts. */
class TestWires {
  readonly frames: { readonly from: string; readonly to: string; readonly text: string }[] = []
  readonly #handlers = new Map<string, LinkHandler>()
  readonly #listeners = new Map<string, (peer: { node: string; isConnected: boolean }) => void>()
  wire: (from: string, to: string, text: string) => Wire = () => 'carries'
  /** What a node answers instead. */
  answer: ((text: string) => string | null) | null = null

  link(self: string): NodeLink {
    return {
      handle: (service, handler) => void this.#handlers.set(`${self} ${service}`, handler),
      request: async (node, service, body, { timeoutMs }) => {
        const text = Buffer.from(body).toString()
        const wire = this.wire(self, node, text)
        if (wire === 'not_sent') throw new LinkFailed('there is no connection', true)
        this.frames.push({ from: self, to: node, text })
        if (wire === 'cut_before') throw new LinkFailed('the connection was lost', false)
        if (wire === 'hangs') {
          await new Promise((resolve) => setTimeout(resolve, timeoutMs).unref())
          throw new LinkFailed('no answer in time', false)
        }
        const handler = this.#handlers.get(`${node} ${service}`)
        if (handler === undefined) throw new LinkFailed('nobody answers that', false)
        const instead = this.answer?.(text) ?? null
        const answer = instead === null ? await handler(body, self, 5_000) : Buffer.from(instead)
        if (wire === 'cut_after') throw new LinkFailed('the connection was lost', false)
        return Uint8Array.from(answer)
      },
      onPeer: (listener) => {
        this.#listeners.set(self, listener)
        return () => this.#listeners.delete(self)
      },
      peers: () => [],
    }
  }

  connected(self: string, node: string): void {
    this.#listeners.get(self)?.({ node, isConnected: true })
  }
}

type NodeOptions = {
  readonly definitions?: readonly AnyActorDefinition[]
  readonly settings?: Partial<AskSettings>
}

/** Nodes with the real host over one journal, in one process. Shard 0 is node a's, shards 1 and 2 are node b's. */
export const severalNodes = () => {
  const opened: AsyncDisposable[] = []
  afterEach(async () => {
    for (const each of opened.splice(0).toReversed()) await each[Symbol.asyncDispose]()
  })
  return async ({ definitions = [accountDefinition()], settings = {} }: NodeOptions = {}) => {
    const [journal, map, wires, runtime] = [
      new MemoryJournal(),
      new TestMap(),
      new TestWires(),
      testRuntime(),
    ]
    const faults: { readonly node: string; readonly error: unknown }[] = []
    const node = (self: string) => {
      const view = map.view()
      let routed: RoutedActors | null = null
      const host = new Host({
        journal,
        vault: null,
        runtime,
        reach: (local) => {
          routed = new RoutedActors({
            self,
            local,
            link: wires.link(self),
            map: view,
            runtime,
            settings: { ...askDefaults, ...settings },
            report: (fault) => faults.push(fault),
          })
          return routed
        },
        definitions: () => definitions,
        limits: { ...defaultHostLimits, drainMs: 1_000 },
        report: () => undefined,
      })
      if (routed === null) throw new Error('the host has not asked how it reaches others')
      const asks: RoutedActors = routed
      opened.push(host, asks)
      return { host, asks, map: view }
    }
    const [a, b, c] = [node('a'), node('b'), node('c')]
    await a.host.open(0)
    await b.host.open(1)
    await b.host.open(2)
    return { a, b, c, journal, map, wires, runtime, faults }
  }
}
