import { connectHotFacts, type HotFacts } from '../../src/cluster/facts/hot-facts.ts'
import { factDefaults, type FactSettings } from '../../src/cluster/facts/settings.ts'
import { readingCopies } from '../../src/cluster/facts/read-copies.ts'
import { shardDigits } from '../../src/domain/references.ts'
import { AskFailed, type Actors } from '../../src/ports/actors.ts'
import type { CopiesElsewhere } from '../../src/ports/hot-facts.ts'
import type { NodeLink } from '../../src/ports/node-link.ts'
import type { Runtime } from '../../src/ports/runtime.ts'
import type { FactsTruth } from './facts-truth.ts'
import type { FactsVariant } from './facts-variants.ts'
import { instead } from './instead.ts'
import type { SimulatedProcess } from './simulated-process.ts'
import type { World } from './world.ts'

export type FactsNodeParts = {
  readonly world: World
  readonly truth: FactsTruth
  readonly settings: Partial<FactSettings>
  readonly variant: FactsVariant
  /** Nothing is lost, frozen or cut: then each hand-over is heard of, and no answer waits for leases to end. */
  readonly isCalm: boolean
}

type Shard = {
  readonly epoch: number
  readonly known: Map<string, number>
  turn: Promise<unknown>
  busy: number
  isClosing: boolean
}

/** One node: the production copies and lender, around an owner of records that only have a version. */
export class FactsNode {
  readonly name: string
  readonly process: SimulatedProcess
  readonly #parts: FactsNodeParts
  readonly #facts: HotFacts
  readonly #elsewhere: CopiesElsewhere
  readonly #actors: Actors
  readonly #shards = new Map<number, Shard>()
  /** What this node believes of the map. */
  readonly #believed = new Map<number, string>()

  constructor(
    parts: FactsNodeParts,
    name: string,
    process: SimulatedProcess,
    link: Pick<NodeLink, 'handle' | 'request'>,
  ) {
    const { variant, truth } = parts
    this.name = name
    this.process = process
    this.#parts = parts
    const runtime: Runtime = instead(process.runtime, variant.time?.(process.runtime))
    this.#facts = connectHotFacts(
      {
        node: name,
        link: instead(
          link,
          variant.link?.(link, { runtime, epochOf: (shard) => this.#shards.get(shard)?.epoch }),
        ),
        map: {
          ownerOf: (shard) => this.#believed.get(shard) ?? null,
          refreshed: () => this.#refresh(),
          current: () => ({ version: truth.version, frozen: false, places: [] }),
        },
        runtime,
        readHere: ({ actor }) => this.#readHere(actor),
        isCopied: () => true,
      },
      { ...factDefaults, ...parts.settings, ...variant.settings },
    )
    this.#elsewhere = instead(this.#facts.elsewhere, variant.elsewhere?.(this.#facts.elsewhere))
    const host = { read: (actor: string) => this.#readHere(actor) } as unknown as Actors
    this.#actors = readingCopies(host, {
      copies: this.#facts.copies,
      isOpen: (shard) => this.#shards.has(shard),
      isCopied: () => true,
    })
  }

  owned(): readonly number[] {
    return [...this.#shards].filter(([, { isClosing }]) => !isClosing).map(([shard]) => shard)
  }

  serves(shard: number): boolean {
    const open = this.#shards.get(shard)
    return open !== undefined && this.#parts.truth.owns(shard, this.name, open.epoch)
  }

  open(shard: number): void {
    const { truth } = this.#parts
    const epoch = truth.open(shard, this.name)
    this.#elsewhere.opened(shard, epoch)
    this.#believed.set(shard, this.name)
    this.#shards.set(shard, { epoch, known: new Map(), turn: Promise.resolve(), busy: 0, isClosing: false })
  }

  /** Hands the shard over in good order: by a release in the log, of which this process may not hear. */
  async close(shard: number, to: FactsNode): Promise<void> {
    const open = this.#shards.get(shard)
    if (open === undefined || open.isClosing) return
    open.isClosing = true
    while (open.busy > 0) await this.process.runtime.sleep(20)
    const { world, truth, isCalm } = this.#parts
    await this.process.runtime.sleep(world.random.next() * 60)
    if (this.#shards.get(shard) !== open) return
    const released = truth.release(shard, this.name, open.epoch)
    await this.process.runtime.sleep(world.random.next() * 60)
    if (this.#shards.get(shard) !== open) return
    const isKnown = isCalm || world.random.chance(0.9)
    this.#lose(shard, open, isKnown && released !== null ? released : open.epoch)
    const handingOver = (): void => void this.#facts.handOver(shard, to.name).catch(() => undefined)
    if (world.random.chance(0.5)) handingOver()
    world.at(world.random.next() * 300, to.process, () => to.open(shard))
    world.at(world.random.next() * 300, this.process, handingOver)
  }

  /** What the asker of a command hears; it repeats what fails. */
  async change(actor: string, command: string): Promise<number> {
    const open = this.#confirmed(shardDigits(actor))
    open.busy++
    const turn = open.turn.then(() => this.#commit(open, actor, command))
    open.turn = turn.catch(() => undefined)
    const { version, isRepeated } = await turn.finally(() => open.busy--)
    if (!isRepeated || this.#parts.variant.repetitionLeavesAtOnce !== true)
      await this.#elsewhere.settled(actor)
    return version
  }

  /** One commit after the other, as a shard's log has it; it is committed before this process knows. */
  async #commit(open: Shard, actor: string, command: string) {
    const { truth, world } = this.#parts
    const shard = shardDigits(actor)
    // What was done before takes no time, or repetitions would hold each other up.
    const isKnown = truth.madeBy(command) !== undefined
    if (!isKnown) await this.process.runtime.sleep(world.random.next() * 60)
    const isRepeated = truth.madeBy(command) !== undefined
    const version = truth.commit(actor, command, this.name, open.epoch)
    if (!isRepeated) await this.process.runtime.sleep(world.random.next() * 60)
    if (version === null || this.#shards.get(shard) !== open) throw notHere()
    if (!isRepeated) {
      open.known.set(actor, version)
      this.#elsewhere.changed(actor)
    }
    return { version, isRepeated }
  }

  read(actor: string): unknown {
    return this.#actors.read(actor as never)
  }

  #known({ known }: Shard, actor: string): number {
    const version = known.get(actor)
    if (version !== undefined) return version
    const { truth } = this.#parts
    known.set(actor, truth.versionOf(actor))
    return truth.versionOf(actor)
  }

  #readHere(actor: string): number | Promise<number> {
    const { world } = this.#parts
    const shard = shardDigits(actor)
    const read = (): number => this.#known(this.#confirmed(shard), actor)
    if (world.random.chance(0.5)) return read()
    return this.process.runtime.sleep(world.random.next() * 40).then(read)
  }

  /** As the lease of a node sees to it: nothing is answered by an owner that may have been replaced. */
  #confirmed(shard: number): Shard {
    const open = this.#shards.get(shard)
    if (open === undefined || open.isClosing) throw notHere()
    if (this.#parts.truth.owns(shard, this.name, open.epoch)) return open
    this.#lose(shard, open)
    throw notHere()
  }

  #lose(shard: number, open: Shard, lastEpoch = open.epoch): void {
    this.#shards.delete(shard)
    this.#elsewhere.closed(shard, open.epoch, lastEpoch)
  }

  async #refresh() {
    const { truth, world } = this.#parts
    await this.process.runtime.sleep(world.random.next() * 30)
    for (const shard of [0, 1]) {
      const node = truth.ownerOf(shard)?.node ?? null
      if (node !== null) this.#believed.set(shard, node)
    }
    return { version: truth.version, frozen: false, places: [] }
  }
}

const notHere = (): AskFailed => new AskFailed('not_owner', 'the shard is not served here', 50)
