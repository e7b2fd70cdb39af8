import type { CopiesElsewhere } from '../../ports/hot-facts.ts'
import type { NodeLink } from '../../ports/node-link.ts'
import type { Runtime } from '../../ports/runtime.ts'
import type { ShardMapView } from '../../ports/shard-map.ts'
import { LeaseClock } from '../lease-clock.ts'
import { FactCopies } from './fact-copies.ts'
import { FactLender } from './fact-lender.ts'
import { decode, encode } from '../json-bytes.ts'
import { HAND_OVER, LEND, readHandedOver, RECALL, type Fact, type LendAnswer } from './fact-messages.ts'
import type { FactSettings } from './settings.ts'

export type HotFactsPorts = {
  readonly node: string
  readonly link: Pick<NodeLink, 'handle' | 'request'>
  readonly map: Pick<ShardMapView, 'ownerOf' | 'refreshed' | 'current'>
  readonly runtime: Runtime
  readonly readHere: (fact: Fact) => unknown
  readonly isCopied: (actor: string, view: string) => boolean
}

export type HotFacts = {
  /** For the host of the shards that are served here. */
  readonly elsewhere: CopiesElsewhere
  readonly copies: FactCopies
  readonly lender: Pick<FactLender, 'size'>
  /** To be called when a shard was closed here and its next owner is known. Where it fails that owner waits instead. */
  readonly handOver: (shard: number, to: string) => Promise<void>
  readonly stop: () => void
}

const NOTHING = encode(null)

/** Both sides of this node, over the link. Called before the link is started. */
export const connectHotFacts = (ports: HotFactsPorts, settings: FactSettings): HotFacts => {
  const { node, link, map, runtime, readHere, isCopied } = ports
  const clock = new LeaseClock(runtime)
  const copies = new FactCopies(
    {
      runtime,
      map,
      leaseNowMs: () => clock.nowMs(),
      lend: async (owner, fact, timeoutMs) => {
        if (owner === node) return { answer: await lender.lend(fact, null), bytes: 0 }
        const bytes = await link.request(owner, LEND, encode(fact), { timeoutMs })
        return { answer: decode(bytes) as LendAnswer, bytes: bytes.byteLength }
      },
    },
    settings,
  )
  const lender: FactLender = new FactLender(
    {
      runtime,
      readHere,
      isCopied,
      mapVersion: () => map.current().version,
      recall: async (holder, actor, timeoutMs) => {
        // What this node had from the owner before it.
        if (holder === node) copies.drop(actor)
        else await link.request(holder, RECALL, encode(actor), { timeoutMs })
      },
    },
    settings,
  )
  link.handle(LEND, async (body, from) => encode(await lender.lend(decode(body) as Fact, from)))
  link.handle(RECALL, (body) => {
    copies.drop(decode(body) as string)
    return Promise.resolve(NOTHING)
  })
  link.handle(HAND_OVER, async (body) => {
    lender.take(readHandedOver(body))
    return NOTHING
  })
  return {
    elsewhere: lender,
    copies,
    lender,
    handOver: async (shard, to) => {
      const left = lender.left(shard)
      if (left === null || to === node) return
      await link.request(to, HAND_OVER, encode(left), { timeoutMs: settings.requestTimeoutMs })
    },
    stop: () => {
      lender.stop()
      copies.stop()
    },
  }
}
