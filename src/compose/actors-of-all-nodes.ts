import type { AskCounts } from '../cluster/asks/ask-counts.ts'
import type { RoutedActors } from '../cluster/asks/routed-actors.ts'
import { sharedCounts } from '../cluster/counts/shared-counts.ts'
import { connectHotFacts } from '../cluster/facts/hot-facts.ts'
import { readingCopies } from '../cluster/facts/read-copies.ts'
import { factDefaults } from '../cluster/facts/settings.ts'
import { ClusterRates } from '../cluster/rates/cluster-rates.ts'
import { rateDefaults } from '../cluster/rates/settings.ts'
import type { newSignInCounts, SignInCounts } from '../actors/sign-in-lockout/attempt-counts.ts'
import type { KindTypes } from '../domain/decider.ts'
import type { Ref } from '../domain/references.ts'
import type { Host } from '../host/host.ts'
import { type Actors, AskFailed, type LocalActors, type Removals } from '../ports/actors.ts'
import type { CopiesElsewhere } from '../ports/hot-facts.ts'
import type { ShardServer } from '../ports/membership.ts'
import type { LocalRateWindows, RateWindows } from '../timing/rate-windows.ts'
import { routeAsks } from './asks.ts'
import type { ClusterNode } from './join-cluster.ts'
import type { ServiceContext } from './service-context.ts'

const RETRY_SOON_MS = 200

type Parts = {
  readonly cluster: ClusterNode
  /** Kinds of which other nodes read copies. */
  readonly isCopied: (actor: string, view: string) => boolean
}

/** What was opened on this node so far; the rest asks for it when it is there. */
type Here = { actors: LocalActors | null; routed: RoutedActors | null; rates: ClusterRates | null }

/** How everything in this process reaches the actors and the counts of the whole cluster, through those that are here. */
export const actorsOfAllNodes = (context: ServiceContext, { cluster, isCopied }: Parts) => {
  const { runtime, lifecycle } = context
  const { self: node, link, map, mayServe } = cluster
  const here: Here = { actors: null, routed: null, rates: null }
  const takes = (shard: number): boolean => here.actors?.takes(shard) === true
  const readHere = ({ actor, view }: { readonly actor: string; readonly view: string }) => {
    if (here.actors === null) throw new AskFailed('unavailable', 'this node has just started', RETRY_SOON_MS)
    return here.actors.read(actor as Ref<KindTypes>, { view })
  }
  const facts = connectHotFacts({ node, link, map, runtime, isCopied, readHere }, factDefaults)
  lifecycle.add('hot-facts', async () => facts.stop())
  return {
    /** For the host; windows of rates follow its shards as well. */
    copies: followedBy(facts.elsewhere, () => here.rates),
    /** For the host, which asks through it as well. */
    reach: (actors: LocalActors): Actors & Removals => {
      const routed = routeAsks(context, node, cluster, actors)
      Object.assign(here, { actors, routed })
      const reading = readingCopies(routed, { copies: facts.copies, isOpen: takes, isCopied })
      return { ...reading, remove: (actor) => routed.remove(actor) }
    },
    /** The host for those who open and close its shards: what waits elsewhere for them is told. */
    served: (host: Host): ShardServer => ({
      open: async (shard, releasedEpoch) => {
        const epoch = await host.open(shard, releasedEpoch)
        here.routed?.opened([shard])
        return epoch
      },
      catchUp: (shard) => host.catchUp(shard),
      close: (shard) => host.close(shard),
      isOpen: (shard) => host.isOpen(shard),
    }),
    /** Where it does not come through, the next owner waits until every copy is over, and its windows begin anew. */
    handOver: async (shard: number): Promise<void> => {
      const to = map.current().places[shard]?.desired ?? null
      if (to !== null) await Promise.allSettled([facts.handOver(shard, to), here.rates?.handOver(shard, to)])
    },
    ratesOver: (windows: LocalRateWindows): RateWindows => {
      const serves = (shard: number): boolean => takes(shard) && mayServe()
      const rates = new ClusterRates({ node, link, map, runtime, serves }, rateDefaults, windows)
      here.rates = rates
      lifecycle.add('rates', async () => rates.stop())
      return rates
    },
    countsOf: ({ places, emailAddresses }: ReturnType<typeof newSignInCounts>): SignInCounts => ({
      places: sharedCounts({ node, link, map, runtime }, 'places', places),
      emailAddresses: sharedCounts({ node, link, map, runtime }, 'e-mail-addresses', emailAddresses),
    }),
    /** What is copied here of others, and lent to them. */
    factSizes: () => ({ ...facts.copies.size, ...facts.lender.size }),
    counts: (): AskCounts => {
      if (here.routed === null) throw new Error('the actors of this node are not open yet')
      return here.routed.counts()
    },
  }
}

const followedBy = (copies: CopiesElsewhere, rates: () => ClusterRates | null): CopiesElsewhere => ({
  opened: (shard, epoch) => {
    copies.opened(shard, epoch)
    rates()?.opened(shard, epoch)
  },
  closed: (shard, epoch, lastEpoch) => {
    copies.closed(shard, epoch, lastEpoch)
    rates()?.closed(shard, epoch, lastEpoch)
  },
  changed: (actor) => copies.changed(actor),
  settled: (actor) => copies.settled(actor),
})
