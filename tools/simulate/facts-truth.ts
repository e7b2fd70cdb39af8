import { shardDigits } from '../../src/domain/references.ts'
import { Violation, type World } from './world.ts'

/** Null: whoever had it by the epoch before has let it go. */
type Owner = { readonly node: string | null; readonly epoch: number }

/** What is committed, who owns what, and what nobody may show any more because a later change was answered. */
export class FactsTruth {
  readonly #world: World
  readonly #versions = new Map<string, number>()
  /** The version that each command made. */
  readonly #made = new Map<string, number>()
  readonly #answered = new Map<string, number>()
  readonly #owners = new Map<number, Owner>()
  version = 1
  reads = 0
  copied = 0

  constructor(world: World) {
    this.#world = world
  }

  ownerOf(shard: number): Owner | null {
    return this.#owners.get(shard) ?? null
  }

  /** The `open` record of the next epoch. */
  open(shard: number, node: string): number {
    const epoch = (this.#owners.get(shard)?.epoch ?? 0) + 1
    this.#owners.set(shard, { node, epoch })
    this.version++
    this.#world.note(() => `${node} owns shard ${shard} by epoch ${epoch}`)
    return epoch
  }

  /** The record of an owner that lets go in good order, which takes an epoch of its own; null where another has it. */
  release(shard: number, node: string, epoch: number): number | null {
    if (!this.owns(shard, node, epoch)) return null
    this.#owners.set(shard, { node: null, epoch: epoch + 1 })
    this.version++
    this.#world.note(() => `${node} lets shard ${shard} go by epoch ${epoch + 1}`)
    return epoch + 1
  }

  owns(shard: number, node: string, epoch: number): boolean {
    const owner = this.#owners.get(shard)
    return owner?.node === node && owner.epoch === epoch
  }

  versionOf(actor: string): number {
    return this.#versions.get(actor) ?? 0
  }

  /** Null where another owner has the shard; the same command twice changes something once. */
  commit(actor: string, command: string, node: string, epoch: number): number | null {
    if (!this.owns(shardDigits(actor), node, epoch)) return null
    const known = this.#made.get(command)
    if (known !== undefined) return known
    const version = this.versionOf(actor) + 1
    this.#versions.set(actor, version)
    this.#made.set(command, version)
    this.#world.note(() => `${actor} is ${version} by ${node}`)
    return version
  }

  madeBy(command: string): number | undefined {
    return this.#made.get(command)
  }

  answered(actor: string, version: number, by: string): void {
    this.#world.note(() => `${by} answers the change of ${actor} to ${version}`)
    this.#answered.set(actor, Math.max(version, this.floorOf(actor)))
  }

  /** Whoever begins to read now must not see less. */
  floorOf(actor: string): number {
    return this.#answered.get(actor) ?? 0
  }

  shown(actor: string, version: unknown, floor: number, by: string): void {
    this.reads++
    this.#world.note(() => `${by} shows ${actor} as ${String(version)}`)
    if (typeof version !== 'number' || version < floor)
      throw new Violation(`${by} shows ${actor} as ${String(version)} after ${floor} was answered`)
  }
}
