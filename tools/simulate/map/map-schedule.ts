import { actorId } from '../../../src/domain/references.ts'
import { shardLogDefaults } from '../../../src/persistence/shard-log-settings.ts'
import { Asker } from '../asker.ts'
import { Cluster } from '../cluster.ts'
import { FactsNetwork } from '../facts-link.ts'
import { drawFaults } from '../faults.ts'
import { instead } from '../instead.ts'
import { ModelStore, PUBLISHER } from '../model-store.ts'
import { Network } from '../network.ts'
import { Outside } from '../outside.ts'
import { type ScheduleResult, runPlay } from '../schedule.ts'
import type { SimulatedProcess } from '../simulated-process.ts'
import { StoreFailure } from '../../../src/persistence/store-port.ts'
import { whatIsMissing } from '../settled.ts'
import { ModelLeases } from '../store-clients.ts'
import { Truth } from '../truth.ts'
import { Violation, type World } from '../world.ts'
import { Hangs } from './hangs.ts'
import type { MapVariant } from './map-variants.ts'
import { ModelMap } from './model-map.ts'
import type { LetsGo } from './node-by-map.ts'
import { Operator } from './operator.ts'
import { unsettledIn } from './settled-map.ts'

const HEAL_LIMIT_MS = 400_000
/** So that a node that hangs is found while everything goes on. */
const HANGS_LAST_MS = 40_000
/** So long nothing happens but that loads go up and down. */
const CALM_MS = 150_000
/** What loads that go up and down may move in that time. */
const CALM_MOVES_MAX = 2
const DRAIN_LIMIT_MS = 60_000

/** One adversarial run of a cluster that goes by the map, decided by its seed alone. */
export const runMapSchedule = (seed: number, variant: MapVariant, traced: boolean): Promise<ScheduleResult> =>
  runPlay(seed, traced, (world) => play(world, variant))

/** In some schedules the log takes hardly a record by which a shard is handed back, while the map takes everything. */
const deafToReleases = (world: World, { store: mistake }: MapVariant): Pick<MapVariant, 'store'> => {
  const lost = world.random.chance(0.3) ? world.random.between(0.5, 1) : 0
  if (lost === 0) return {}
  return {
    store: (plain) => {
      const store = instead(plain, mistake?.(plain))
      return {
        append: (slot) => {
          const isRelease = slot.record.kind === 'open' && slot.record.node === ''
          if (!isRelease || world.healed || !world.random.chance(lost)) return store.append(slot)
          return Promise.reject(new StoreFailure('not-applied', 'the log takes no release'))
        },
      }
    },
  }
}

const play = async (world: World, given: MapVariant): Promise<number> => {
  const { random } = world
  const variant = { ...given, ...deafToReleases(world, given) }
  const faults = { ...drawFaults(random), ...variant.faults }
  world.note(() => JSON.stringify(faults))
  const truth = new Truth(world)
  const shardCount = random.pick([3, 6, 9])
  const outside = new Outside(world, truth)
  const plain = new ModelStore(truth, 64, random.chance(0.3), (shard, endNo) =>
    outside.unpublishedBefore(shard, endNo),
  )
  const model = instead(plain, variant.model?.(plain))
  const network = new Network(world, faults)
  const leases = new ModelLeases()
  const mapModel = new ModelMap(world, leases)
  const { latencyMs, lostRequest: lost, appliedTwice: doubled, appliedLate: late, lateMs } = faults
  const links = new FactsNetwork(world, { latencyMs, lost, doubled, late, lateMs })
  const letsGo: LetsGo = (from, shard, to) => isThere(world, from, shard, processOf(to))
  const hangs = new Hangs(world, random.chance(0.35) ? 25_000 : null)
  const map = { model: mapModel, mistake: variant.mistake, links, letsGo, hangs }
  const journalSettings = {
    ...shardLogDefaults,
    closeTimeoutMs: 5_000,
    attemptTimeoutMs: 3_000,
    publishedReader: PUBLISHER,
  }
  const parts = { world, model, leases, network, outside, shardCount, journalSettings, variant, map }
  const count = random.pick([2, 3, 3, 4])
  const cluster: Cluster = new Cluster(parts, faults, count)
  const processOf = (name: string | null) => cluster.nodes().find((node) => node.name === name)?.process
  const activeMs = random.between(30_000, 90_000) + (hangs.areToCome ? HANGS_LAST_MS : 0)
  const actors = Array.from({ length: shardCount }, (_, shard) => actorId('cnt', shard, `0000000${shard}`))
  const nodes = () => cluster.nodes()
  // Whoever hangs is caught by its answers in the moment in which another one opens its shards.
  const around = { world, truth, actors, nodes, lookPauseMs: hangs.areToCome ? 600 : 3_000 }
  const askers = Array.from(
    { length: 2 },
    (_, index) => new Asker(`a${index}`, around, 4 + random.below(12), activeMs),
  )
  const names = Array.from({ length: count }, (_, index) => `n${index + 1}`)
  const operator = new Operator({ world, shardCount, names, nodes }, random.pick([3_000, 10_000, 60_000]))
  cluster.start()
  for (const asker of askers) asker.start()
  operator.start()
  hangs.start(nodes)
  await world.run(activeMs, () => false)
  cluster.heal()
  if (names.length > 2 && random.chance(0.5)) cluster.bury(names.pop() ?? '')
  operator.letGo()
  const unsettled = () => [
    ...unsettledIn({ names, nodes: nodes(), map: mapModel, truth, shardCount }),
    ...whatIsMissing({ truth, model, outside, askers, shardCount, cluster }),
  ]
  await until(world, HEAL_LIMIT_MS, unsettled)
  hangs.end()
  await staysCalm(world, mapModel)
  await drainsOne(world, cluster, truth, shardCount)
  return Array.from({ length: shardCount }, (_, shard) => truth.lengthOf(shard)).reduce((a, b) => a + b, 0)
}

/** Whoever asked has an answer from before the pause, which is given up sooner than this. */
const FROZEN_MS = 2_500

/** Nothing is let go for a node that has been frozen all the time in which it could be asked. */
const isThere = (
  world: World,
  from: SimulatedProcess,
  shard: number,
  next: SimulatedProcess | undefined,
): void => {
  if (next === undefined || next.pausedUntilMs <= world.nowMs) return
  const frozenMs = Math.min(world.nowMs - next.pausedFromMs, world.nowMs - from.pausedUntilMs)
  if (frozenMs > FROZEN_MS)
    world.fail(new Violation(`${from.name} lets shard ${shard} go for ${next.name}, which is frozen`))
}

const until = async (world: World, limitMs: number, unsettled: () => readonly string[]): Promise<void> => {
  let checkedMs = 0
  // Orders to let go are still under way in the first minute.
  const earliestMs = world.nowMs + 60_000
  await world.run(world.nowMs + limitMs, () => {
    if (world.nowMs < Math.max(checkedMs + 500, earliestMs)) return false
    checkedMs = world.nowMs
    return unsettled().length === 0
  })
  const missing = unsettled()
  if (missing.length > 0) throw new Violation(`after everything was mended: ${missing.join('; ')}`)
}

const staysCalm = async (world: World, map: ModelMap): Promise<void> => {
  const before = map.voluntaryMoves
  const endMs = world.nowMs + CALM_MS
  await world.run(endMs, () => false)
  const moves = map.voluntaryMoves - before
  if (moves > CALM_MOVES_MAX) throw new Violation(`${moves} moves in ${CALM_MS} ms in which nothing happened`)
}

/** A node that is told to stop in quiet times goes when others have its shards. */
const drainsOne = async (world: World, cluster: Cluster, truth: Truth, shardCount: number): Promise<void> => {
  const node = world.random.pick(cluster.nodes())
  const owner = node.owner()
  let left = false
  world.at(0, node.process, () => {
    world.note(() => `${node.process.name} is told to stop in peace`)
    void node.stop().then(() => {
      left = true
    })
  })
  await world.run(world.nowMs + DRAIN_LIMIT_MS, () => left)
  if (!left) throw new Violation(`${owner} does not stop`)
  for (let shard = 0; shard < shardCount; shard++) {
    if (truth.ownerOf(shard) === owner)
      throw new Violation(`${owner} left, and shard ${shard} is still its own`)
  }
}
