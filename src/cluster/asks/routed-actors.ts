import type { KindTypes, Refused } from '../../domain/decider.ts'
import { shardDigits, shardOf, type Ref } from '../../domain/references.ts'
import {
  isNotOwner,
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
    link.handle(ASKS, (body, from, leftMs) => {
      this.#answeredForOthers++
      return answer(body, from, leftMs)
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
    // Where it is lost there, the host itself asks here again: that costs nothing while nothing is lost.
    if (this.#isHere(shardDigits(to))) return local.ask(to, command, options)
    const { commandId, tenant, mayLinger = false } = options
    const here = (timeoutMs: number) => local.askHere(to, command, { ...options, timeoutMs })
    const request = ['ask', to, command, commandId, tenant, mayLinger] as const
    return this.#elsewhere(to, request, here, this.#deadlineMs(options.timeoutMs))
  }

  read<Of extends KindTypes, View extends keyof Of['views'] = 'record'>(
    from: Ref<Of>,
    options: ReadOptions<View> = READ_RECORD,
  ): ReadAnswer<Of, View> {
    const { local } = this.#parts
    if (!this.#isHere(shardDigits(from)))
      return this.#readElsewhere(from, options, this.#deadlineMs(options.timeoutMs))
    const answer = local.read(from, options)
    if (!(answer instanceof Promise)) return answer
    const deadlineMs = this.#deadlineMs(options.timeoutMs)
    return unlessLost(answer, () => this.#readElsewhere(from, options, deadlineMs))
  }

  askAtomically(members: readonly Addressed[], options: AskOptions): Promise<never> {
    const { local } = this.#parts
    const { commandId, tenant, mayLinger = false } = options
    const here = (timeoutMs?: number): Promise<never> =>
      local.askAtomically(members, {
        ...options,
        ...(timeoutMs !== undefined && { timeoutMs }),
      }) as Promise<never>
    const actor = members[0]?.to
    const shard = actor === undefined ? null : shardDigits(actor)
    // The host says what is wrong with no members, and with those of several shards.
    if (actor === undefined || shard === null || members.some(({ to }) => shardDigits(to) !== shard))
      return here()
    const deadlineMs = this.#deadlineMs(options.timeoutMs)
    const elsewhere = (): Promise<never> => {
      const pairs = members.map(({ to, command }) => [to, command] as const)
      return this.#elsewhere(actor, ['together', pairs, commandId, tenant, mayLinger], here, deadlineMs)
    }
    return this.#isHere(shard) ? unlessLost(here(), elsewhere) : elsewhere()
  }

  remove(actor: string): Promise<void> {
    const { local } = this.#parts
    const here = () => local.remove(actor)
    const deadlineMs = this.#deadlineMs()
    const elsewhere = () =>
      this.#elsewhere<null>(actor, ['remove', actor], here, deadlineMs).then(() => undefined)
    return this.#isHere(shardDigits(actor)) ? unlessLost(here(), elsewhere) : elsewhere()
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

  #deadlineMs(timeoutMs = this.#parts.settings.askTimeoutMs): number {
    return this.#parts.runtime.monotonicMs() + timeoutMs
  }

  #readElsewhere<Of extends KindTypes, View extends keyof Of['views']>(
    from: Ref<Of>,
    options: ReadOptions<View>,
    deadlineMs: number,
  ): Promise<Of['views'][View] | Refused> {
    const { local } = this.#parts
    const { tenant = null } = options
    // Asked once and here: the function knows what only the caller has.
    const mayLoad = options.mayLoad?.() ?? true
    const here = (timeoutMs: number) =>
      local.read(from, { ...options, tenant, timeoutMs, mayLoad: () => mayLoad })
    const request = ['read', from, String(options.view ?? 'record'), tenant, mayLoad] as const
    return this.#elsewhere(from, request, here, deadlineMs)
  }

  /** The owner runs the same kinds, so its reply is what the reference says. */
  #elsewhere<Reply>(
    actor: string,
    request: AskRequest,
    here: ErrandTask['here'],
    deadlineMs: number,
  ): Promise<Reply> {
    const shard = shardOf(actor)
    if (shard === null) return Promise.reject(new NoSuchActor())
    return this.#router.run({ shard, text: textOf(request), here, deadlineMs }) as Promise<Reply>
  }
}

/** A shard that is lost before it has answered is served elsewhere, or will be. */
const unlessLost = <Reply>(answer: Promise<Reply>, elsewhere: () => Promise<Reply>): Promise<Reply> =>
  answer.catch((error: unknown) => {
    if (isNotOwner(error)) return elsewhere()
    throw error
  })
