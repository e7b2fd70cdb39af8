import type { KindTypes, Refused } from '../../domain/decider.ts'
import { shardDigits, shardOf, type Ref } from '../../domain/references.ts'
import {
  NoSuchActor,
  type Actors,
  type Addressed,
  type AskOptions,
  type LocalActors,
  type ReadAnswer,
  type ReadOptions,
  type Removals,
} from '../../ports/actors.ts'
import type { NodeLink } from '../../ports/node-link.ts'
import type { Runtime } from '../../ports/runtime.ts'
import type { ShardMapView } from '../../ports/shard-map.ts'
import { answering } from './answering.ts'
import type { AskCounts } from './ask-counts.ts'
import { AskRouter } from './ask-router.ts'
import type { ErrandTask } from './errand.ts'
import { ASKS, OtherNodes, type ReportAsk } from './other-nodes.ts'
import { textOf, type AskRequest } from './request.ts'
import type { AskSettings } from './settings.ts'

export type RoutedParts = {
  /** The name of this node in the map. */
  readonly self: string
  readonly local: LocalActors
  readonly link: Pick<NodeLink, 'handle' | 'request' | 'onPeer'>
  readonly map: ShardMapView
  readonly runtime: Runtime
  readonly settings: AskSettings
  readonly report: ReportAsk
}

const READ_RECORD: ReadOptions<never> = {}

/**
 * The actors of all nodes. What this node's own host takes goes straight to it; everything else goes to the node that
 * serves its shard, and waits while none does.
 */
export class RoutedActors implements Actors, Removals, AsyncDisposable {
  readonly #parts: RoutedParts
  readonly #nodes: OtherNodes
  readonly #router: AskRouter
  readonly #forget: readonly (() => void)[]
  #answeredForOthers = 0

  constructor(parts: RoutedParts) {
    const { self, local, link, map, runtime, settings, report } = parts
    const { inFlightPerNodeMax } = settings
    this.#parts = parts
    this.#nodes = new OtherNodes({ link, map, inFlightPerNodeMax, report })
    this.#router = new AskRouter({ self, local, nodes: this.#nodes, map, runtime, settings })
    const answer = answering({ local, map, report })
    link.handle(ASKS, (body, from) => {
      this.#answeredForOthers++
      return answer(body, from)
    })
    this.#forget = [
      map.onChange(() => this.#router.lookNow()),
      link.onPeer(({ isConnected }) => isConnected && this.#router.lookNow()),
    ]
  }

  ask<Of extends KindTypes>(
    to: Ref<Of>,
    command: NoInfer<Of>['command'],
    options: AskOptions,
  ): Promise<Of['reply'] | Refused> {
    const { local } = this.#parts
    if (this.#isHere(shardDigits(to))) return local.ask(to, command, options)
    const { commandId, tenant } = options
    const here = (timeoutMs: number) => local.ask(to, command, { commandId, tenant, timeoutMs })
    return this.#elsewhere(to, ['ask', to, command, commandId, tenant], here, options.timeoutMs)
  }

  read<Of extends KindTypes, View extends keyof Of['views'] = 'record'>(
    from: Ref<Of>,
    options: ReadOptions<View> = READ_RECORD,
  ): ReadAnswer<Of, View> {
    const { local } = this.#parts
    if (this.#isHere(shardDigits(from))) return local.read(from, options)
    const { tenant = null } = options
    // Asked once and here: the function knows what only the caller has.
    const mayLoad = options.mayLoad?.() ?? true
    const view = String(options.view ?? 'record')
    const here = (timeoutMs: number) =>
      local.read(from, { ...options, tenant, timeoutMs, mayLoad: () => mayLoad })
    return this.#elsewhere(from, ['read', from, view, tenant, mayLoad], here, options.timeoutMs)
  }

  askAtomically(members: readonly Addressed[], options: AskOptions): Promise<never> {
    const { local } = this.#parts
    const actor = members[0]?.to
    const shard = actor === undefined ? null : shardDigits(actor)
    // The host says what is wrong with no members, and with those of several shards.
    const isWrong = shard === null || members.some(({ to }) => shardDigits(to) !== shard)
    const here = (timeoutMs?: number) =>
      local.askAtomically(members, {
        ...options,
        ...(timeoutMs !== undefined && { timeoutMs }),
      }) as Promise<never>
    if (isWrong || actor === undefined || this.#isHere(shard)) return here()
    const { commandId, tenant } = options
    const pairs = members.map(({ to, command }) => [to, command] as const)
    return this.#elsewhere(actor, ['together', pairs, commandId, tenant], here, options.timeoutMs)
  }

  remove(actor: string): Promise<void> {
    const { local } = this.#parts
    if (this.#isHere(shardDigits(actor))) return local.remove(actor)
    return this.#elsewhere<null>(actor, ['remove', actor], () => local.remove(actor)).then(() => undefined)
  }

  /** To be called when this node has opened shards: what waits for them is let go at once. */
  opened(shards: Iterable<number>): void {
    this.#router.opened(shards)
  }

  counts(): AskCounts {
    const { hops, inFlight: inFlightNow } = this.#nodes
    return { ...this.#router.counts(), hops, inFlightNow, answeredForOthers: this.#answeredForOthers }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const forget of this.#forget) forget()
    await this.#router.stop()
  }

  /** What waits for a shard that is served here by now goes before what comes now. */
  #isHere(shard: number): boolean {
    if (!this.#parts.local.takes(shard)) return false
    if (this.#router.hasWaiting(shard)) this.#router.opened([shard])
    return true
  }

  /** The owner runs the same kinds, so its reply is what the reference says. */
  #elsewhere<Reply>(
    actor: string,
    request: AskRequest,
    here: ErrandTask['here'],
    timeoutMs = this.#parts.settings.askTimeoutMs,
  ): Promise<Reply> {
    const shard = shardOf(actor)
    if (shard === null) return Promise.reject(new NoSuchActor())
    const deadlineMs = this.#parts.runtime.monotonicMs() + timeoutMs
    return this.#router.run({ shard, text: textOf(request), here, deadlineMs }) as Promise<Reply>
  }
}
