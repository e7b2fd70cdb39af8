import { backoffMs } from '../../timing/backoff.ts'
import type { Held } from './held.ts'
import { askNode, takeIn } from './intake.ts'
import { headOf } from './messages.ts'
import type { Context } from './ports.ts'
import type { Whole } from './whole.ts'

const BACKOFF = { firstMs: 100, maxMs: 2_000 }

export type FollowingParts = Context & {
  readonly held: Held
  readonly whole: Whole
  /** Whether this node's file is the one that others follow for the shard, and has read its log. */
  readonly isOwn: (shard: number) => boolean
}

type Follow = {
  readonly stop: AbortController
  readonly done: Promise<void>
  /** The shards of the question that is under way which were open here, and what asks anew. */
  openHere: readonly number[]
  askAnew: () => void
}

/** Asks every living node again and again for what changed in the shards that it owns. */
export class Following {
  readonly #parts: FollowingParts
  readonly #running = new Map<string, Follow>()

  constructor(parts: FollowingParts) {
    this.#parts = parts
  }

  /** The nodes that are followed from now on. */
  follow(nodes: readonly string[]): void {
    const { ports, whole, isOwn } = this.#parts
    // What it owns is in no other file than its own.
    for (let shard = 0; shard < ports.shards; shard++) if (isOwn(shard)) whole.set(shard)
    for (const [node, { stop }] of this.#running) if (!nodes.includes(node)) stop.abort()
    for (const node of nodes) if (!this.#running.has(node)) this.#start(node)
  }

  isComplete(): boolean {
    return this.#parts.ports.mayServe() && this.#parts.whole.areAll()
  }

  /** Asks anew where a question that is under way left out shards that are no longer open here. */
  look(): void {
    for (const follow of this.#running.values())
      if (follow.openHere.some((shard) => !this.#isOpenHere(shard))) follow.askAnew()
  }

  async stop(): Promise<void> {
    const running = [...this.#running.values()]
    for (const { stop } of running) stop.abort()
    await Promise.all(running.map(({ done }) => done))
  }

  #isOpenHere(shard: number): boolean {
    return this.#parts.ports.epochOf(shard) !== null
  }

  #start(node: string): void {
    const stop = new AbortController()
    const done = Promise.resolve()
      .then(() => this.#run(node, stop.signal))
      .finally(() => this.#running.delete(node))
    this.#running.set(node, { stop, done, openHere: [], askAnew: () => undefined })
    stop.signal.addEventListener('abort', () => this.#running.get(node)?.askAnew(), { once: true })
  }

  async #run(node: string, signal: AbortSignal): Promise<void> {
    const { ports } = this.#parts
    for (let failures = 0; !signal.aborted; ) {
      try {
        await this.#ask(node, signal)
        failures = 0
      } catch (error) {
        if (signal.aborted) return
        failures += 1
        if (failures === 1) ports.failed(node, error)
        await ports.runtime.sleep(backoffMs(BACKOFF, failures, 1), signal).catch(() => undefined)
      }
    }
  }

  async #ask(node: string, signal: AbortSignal): Promise<void> {
    const { ports, settings, held, whole } = this.#parts
    const revs = Array.from({ length: ports.shards }, (_, shard) =>
      this.#isOpenHere(shard) ? -1 : held.at(shard),
    )
    const anew = Promise.withResolvers<null>()
    const follow = this.#running.get(node)
    if (follow === undefined || signal.aborted) return
    follow.openHere = revs.flatMap((rev, shard) => (rev < 0 ? [shard] : []))
    follow.askAnew = () => anew.resolve(null)
    const session = ports.session()
    const timeoutMs = settings.holdMs + settings.requestTimeoutMs
    const asked = askNode(this.#parts, node, 'lists.pull', { revs, filling: held.filling() }, timeoutMs)
    asked.catch(() => undefined)
    const answer = await Promise.race([asked, anew.promise])
    if (answer === null) return
    const { head, changes } = headOf(answer)
    if (signal.aborted) return
    const applied = new Map(
      (await takeIn(this.#parts, node, changes, head.owned)).map(({ shard, outcome }) => [shard, outcome]),
    )
    for (const shard of head.owned) {
      const outcome = applied.get(shard)
      const isSame = outcome === undefined && (revs[shard] ?? -1) === held.at(shard) && !head.isCut
      if (isSame) held.set({ shard, rev: held.at(shard) })
      if (outcome === 'all' || isSame) whole.set(shard, session)
    }
  }
}
