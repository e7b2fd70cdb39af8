import { RoutedActors, type RoutedParts } from '../../../src/cluster/asks/routed-actors.ts'
import { askDefaults, type AskSettings } from '../../../src/cluster/asks/settings.ts'
import { LeaseKeeper, leaseDefaults } from '../../../src/cluster/lease.ts'
import { defaultHostLimits } from '../../../src/host/host-limits.ts'
import { Host } from '../../../src/host/host.ts'
import { openJournal } from '../../../src/persistence/shard-log.ts'
import type { ShardLogSettings } from '../../../src/persistence/shard-log-settings.ts'
import type { Actors, LocalActors, Removals } from '../../../src/ports/actors.ts'
import type { Journal } from '../../../src/ports/journal.ts'
import { counter } from '../counter.ts'
import { instead } from '../instead.ts'
import type { ModelStore } from '../model-store.ts'
import type { Network } from '../network.ts'
import type { Outside } from '../outside.ts'
import type { SimulatedProcess } from '../simulated-process.ts'
import { journalStoreFor, type ModelLeases } from '../store-clients.ts'
import type { World } from '../world.ts'
import type { AsksVariant } from './asks-variants.ts'
import type { Frames } from './frames.ts'
import { SeenMap, type ModelMap } from './model-map.ts'
import type { Witness } from './witness.ts'

export type AsksParts = {
  readonly world: World
  readonly model: ModelStore
  readonly map: ModelMap
  readonly frames: Frames
  readonly leases: ModelLeases
  readonly network: Network
  readonly outside: Outside
  readonly witness: Witness
  readonly journalSettings: ShardLogSettings
  readonly askSettings: Partial<AskSettings>
  readonly variant: AsksVariant
}

const STEP_MS = 200

/** The production parts of one process that asks go through, and a stand-in for what moves shards. */
export class AsksNode {
  readonly name: string
  readonly process: SimulatedProcess
  readonly actors: Actors & Removals
  readonly #parts: AsksParts
  readonly #host: Host
  readonly #lease: LeaseKeeper
  readonly #map: SeenMap
  readonly #working = new Set<number>()
  #routed: RoutedActors | null = null

  constructor(parts: AsksParts, name: string, process: SimulatedProcess) {
    const { world, model, network, outside, variant } = parts
    const { runtime } = process
    this.#parts = parts
    this.name = name
    this.process = process
    this.#map = new SeenMap(process, network, parts.map)
    const leases = parts.leases.storeFor(process, network)
    this.#lease = new LeaseKeeper(leases, runtime, leaseDefaults, { node: name, address: '' })
    const store = journalStoreFor(process, network, model)
    const journal = openJournal(store, runtime, parts.journalSettings, this.#lease)
    this.#host = new Host({
      journal: journalOf(variant, journal),
      vault: null,
      runtime,
      reach: (local) => this.#reach(local),
      definitions: () => [counter],
      limits: {
        ...defaultHostLimits,
        residentMax: world.random.pick([2, 100]),
        idleMs: 5_000,
        drainMs: 2_000,
      },
      report: ({ during, error }) => outside.reported(process, during, error),
    })
    this.actors = this.#host.actors
  }

  start(): void {
    this.#lease.start()
    void this.#map.poll(new AbortController().signal)
    void this.#keepShards()
  }

  #reach(local: LocalActors): RoutedActors {
    const { frames, variant, witness, askSettings, outside } = this.#parts
    const { process, name: self } = this
    const owner = (): string | null => this.#lease.session()?.owner ?? null
    const witnessed = witness.over(local, owner)
    const link = witness.overLink(frames.link(self, process), this.#map)
    const plain: RoutedParts = {
      self,
      local: witnessed,
      link,
      map: this.#map,
      runtime: process.runtime,
      settings: { ...askDefaults, ...askSettings },
      report: ({ error }) => outside.reported(process, 'asks', error),
    }
    this.#routed = new RoutedActors({ ...plain, ...variant.routed?.(plain) })
    return this.#routed
  }

  /** Opens what the map wants here and lets go what it wants elsewhere, one step after the other. */
  async #keepShards(): Promise<void> {
    for (;;) {
      await this.process.runtime.sleep(STEP_MS)
      const { places } = this.#map.current()
      for (const [shard, { desired }] of places.entries()) {
        if (this.#working.has(shard)) continue
        const isOpen = this.#host.isOpen(shard)
        if (desired === this.name && !isOpen) this.#work(shard, () => this.#open(shard))
        else if (desired === this.name && places[shard]?.owner !== this.name)
          this.#work(shard, () => this.#say(shard, this.name))
        else if (desired !== this.name && isOpen) this.#work(shard, () => this.#close(shard))
      }
    }
  }

  #work(shard: number, work: () => Promise<void>): void {
    this.#working.add(shard)
    work().then(
      () => this.#working.delete(shard),
      () => this.#working.delete(shard),
    )
  }

  async #open(shard: number): Promise<void> {
    await this.#host.open(shard)
    this.#parts.witness.opened(shard, this.name)
    // Sometimes nobody says so, and the next look finds it.
    if (this.#parts.world.random.chance(0.7)) this.#routed?.opened([shard])
    await this.#say(shard, this.name)
  }

  async #close(shard: number): Promise<void> {
    await this.#host.close(shard)
    await this.#map.change(shard, ({ owner }) => (owner === this.name ? { owner: null } : null))
    await this.#map.refreshed()
  }

  async #say(shard: number, owner: string): Promise<void> {
    if (!this.#host.isOpen(shard)) return
    await this.#map.change(shard, (place) =>
      place.desired === owner && place.owner !== owner ? { owner } : null,
    )
    await this.#map.refreshed()
  }
}

const journalOf = ({ shard: mistake }: AsksVariant, journal: Journal): Journal => {
  if (mistake === undefined) return journal
  const open: Journal['open'] = async (number) => {
    const shard = await journal.open(number)
    return instead(shard, mistake(shard))
  }
  return instead(journal, { open })
}
