import type { RoutedActors } from '../cluster/asks/routed-actors.ts'
import { connectHotFacts } from '../cluster/facts/hot-facts.ts'
import { readingCopies } from '../cluster/facts/read-copies.ts'
import { factDefaults } from '../cluster/facts/settings.ts'
import type { Host } from '../host/host.ts'
import type { KindTypes } from '../domain/decider.ts'
import type { Ref } from '../domain/references.ts'
import type { Actors, LocalActors, Removals } from '../ports/actors.ts'
import type { CopiesElsewhere } from '../ports/hot-facts.ts'
import type { ShardServer } from '../ports/membership.ts'
import { routeAsks } from './asks.ts'
import type { ClusterNode } from './join-cluster.ts'
import type { ServiceContext } from './service-context.ts'

export type ActorsOfAllNodes = ReturnType<typeof actorsOfAllNodes>

type Parts = {
  readonly cluster: ClusterNode
  /** Kinds of which other nodes read copies. */
  readonly isCopied: (actor: string) => boolean
}

/** How everything in this process reaches the actors of the whole cluster, through the host of those that are here. */
export const actorsOfAllNodes = (context: ServiceContext, { cluster, isCopied }: Parts) => {
  const { runtime, lifecycle } = context
  const { self: node, link, map } = cluster
  const here: { actors: LocalActors | null; routed: RoutedActors | null } = { actors: null, routed: null }
  const local = (): LocalActors => {
    if (here.actors === null) throw new Error('the actors of this node are not open yet')
    return here.actors
  }
  const readHere = ({ actor, view }: { readonly actor: string; readonly view: string }) =>
    local().read(actor as Ref<KindTypes>, { view })
  const facts = connectHotFacts({ node, link, map, runtime, isCopied, readHere }, factDefaults)
  lifecycle.add('hot-facts', async () => facts.stop())
  const copies: CopiesElsewhere = facts.elsewhere
  return {
    copies,
    /** For the host, which asks through it as well. */
    reach: (actors: LocalActors): Actors & Removals => {
      here.actors = actors
      const routed = routeAsks(context, node, { link, map }, actors)
      here.routed = routed
      const isOpen = (shard: number): boolean => actors.takes(shard)
      const reading = readingCopies(routed, { copies: facts.copies, isOpen, isCopied })
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
      close: async (shard) => {
        await host.close(shard)
        const to = map.current().places[shard]?.desired ?? null
        // Where it does not come through, the next owner waits until every copy is over.
        if (to !== null) await facts.handOver(shard, to).catch(() => undefined)
      },
      isOpen: (shard) => host.isOpen(shard),
    }),
    counts: () => here.routed?.counts() ?? null,
  }
}
