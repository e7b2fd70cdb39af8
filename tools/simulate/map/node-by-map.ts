import { reportLoads } from '../../../src/cluster/map/load-report.ts'
import { askWhatIsHeldUp } from '../../../src/cluster/map/held-up.ts'
import { mapKeeperDefaults } from '../../../src/cluster/map/keeper-parts.ts'
import { MapKeeper } from '../../../src/cluster/map/map-keeper.ts'
import { MapView } from '../../../src/cluster/map/map-view.ts'
import { askNextOwners } from '../../../src/cluster/map/next-owner.ts'
import { Coordinator, coordinatorDefaults } from '../../../src/cluster/planner/coordinator.ts'
import type { HungSettings } from '../../../src/cluster/planner/hung-nodes.ts'
import { shardOrders } from '../../../src/cluster/planner/orders.ts'
import { returningDefaults } from '../../../src/cluster/planner/returning.ts'
import type { Host } from '../../../src/host/host.ts'
import type { LeaseStore } from '../../../src/ports/lease.ts'
import type { Membership, ShardServer } from '../../../src/ports/membership.ts'
import type { ShardOrders } from '../../../src/ports/shard-orders.ts'
import type { FactsNetwork } from '../facts-link.ts'
import { instead } from '../instead.ts'
import type { Network } from '../network.ts'
import type { SimulatedProcess } from '../simulated-process.ts'
import type { Hangs } from './hangs.ts'
import type { MapMistake } from './map-variants.ts'
import type { ModelMap } from './model-map.ts'

type Parts = {
  readonly node: string
  readonly process: SimulatedProcess
  readonly network: Network
  readonly model: ModelMap
  readonly shardCount: number
  readonly membership: Membership
  readonly leases: LeaseStore
  readonly host: Host
  readonly mistake: MapMistake
  readonly links: FactsNetwork
  readonly hangs: Hangs
  /** Called when the node lets a shard go for another. */
  readonly letsGo: LetsGo
  readonly report: (shard: number | null, error: unknown) => void
}

export type LetsGo = (from: SimulatedProcess, shard: number, to: string | null) => void

export type NodeByMap = { readonly orders: ShardOrders; stop(): Promise<void> }

/** Nodes die so often here that most would never be let in otherwise. */
const RETURNING = { ...returningDefaults, provingMs: 5_000, provingMsMax: 20_000 }

/** Schedules are short, and so is the time for a hand-off, which is far longer than any takes here. */
const HUNG: HungSettings = { handOffMs: 20_000, silentMs: 8_000, askEveryMs: 1_000, turnMs: 3_000 }

/** What `src/compose/keep-by-map.ts` puts together, in virtual time and with one mistake at most. */
export const startByMap = (parts: Parts): NodeByMap => {
  const { node, process, network, model, membership, host, mistake, report } = parts
  const { runtime } = process
  const plain = model.storeFor(process, network)
  const store = instead(plain, mistake.mapStore?.({ plain, node, runtime, model }))
  const map = new MapView(store, runtime, parts.shardCount)
  const link = parts.hangs.linkOf(process, parts.links.linkOf(node, process))
  const heldUp = askWhatIsHeldUp(link)
  const isAwaited = askNextOwners({ node, link, map, membership, heldUp: heldUp.here })
  const talk = { isAwaited, handOver: () => Promise.resolve(), ...mistake.talk }
  let isStopping = false
  const hanging = parts.hangs.serverOf(process, host)
  const server = instead<ShardServer>(host, {
    close: (shard) => {
      if (!isStopping) parts.letsGo(process, shard, map.current().places[shard]?.desired ?? null)
      return hanging.close(shard)
    },
  })
  const settings = { ...mapKeeperDefaults, openingMax: 4, handingOffMax: 2, ...mistake.keeper }
  const loads = model.loadsFor(process, network)
  const leases = () => parts.leases.list()
  const endLease: LeaseStore['end'] = (lease) =>
    mistake.endsAsDead === true ? parts.leases.declareDead(lease) : parts.leases.end(lease)
  const ending = { endLease, heldUpOf: heldUp.of, hasEnded: () => undefined }
  const coordinating = { node, membership, leases, map, loads, runtime, ...ending }
  const coordinator = new Coordinator({
    ...coordinating,
    ...mistake.coordinator?.(coordinating),
    settings: { ...coordinatorDefaults, movingMax: 3, returning: RETURNING, hung: HUNG, ...mistake.planning },
    report: (error) => report(null, error),
  })
  const weightOf = (shard: number) => coordinator.weightOf(shard)
  const followed = parts.hangs.mapOf(process, map)
  const keeping = { node, membership, map: followed, server, talk, runtime, settings, weightOf, report }
  const keeper = new MapKeeper(keeping)
  heldUp.sayHere(() => keeper.heldUp())
  const stopping = new AbortController()
  // What a shard costs goes up and down all the time.
  const events = new Map<number, number>()
  const counts = () =>
    host.counts().map((each) => {
      const done = (events.get(each.shard) ?? 0) + 100 * (0.6 + 0.8 * runtime.random())
      events.set(each.shard, done)
      return { ...each, events: done }
    })
  const told = reportLoads({ node, counts, store: loads, runtime }, stopping.signal)
  keeper.start()
  coordinator.start()
  return {
    orders: shardOrders({ map, leases, loads }),
    stop: async () => {
      isStopping = true
      if (mistake.leavesAtOnce !== true) await keeper.stop()
      stopping.abort(new Error('the node stops'))
      await Promise.all([coordinator.stop(), told])
    },
  }
}
