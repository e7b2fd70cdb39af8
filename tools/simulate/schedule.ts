import { actorId } from '../../src/domain/references.ts'
import { shardLogDefaults, type ShardLogSettings } from '../../src/persistence/shard-log-settings.ts'
import { forgetActorSystems } from './actor-systems.ts'
import { Asker } from './asker.ts'
import { Cluster } from './cluster.ts'
import { drawFaults } from './faults.ts'
import { withVirtualImmediates } from './immediates.ts'
import { instead } from './instead.ts'
import { ModelStore, PUBLISHER } from './model-store.ts'
import { Network } from './network.ts'
import { Outside } from './outside.ts'
import { Random } from './random.ts'
import { whatIsMissing } from './settled.ts'
import { ModelLeases } from './store-clients.ts'
import { Truth } from './truth.ts'
import type { Variant } from './variants.ts'
import { Violation, World } from './world.ts'

export type ScheduleResult = {
  readonly seed: number
  readonly violation: Error | null
  readonly steps: number
  readonly slots: number
  readonly trace: readonly string[] | null
}

const HEAL_LIMIT_MS = 240_000

/** One adversarial run, decided by its seed alone. */
export const runSchedule = (seed: number, variant: Variant, traced: boolean): Promise<ScheduleResult> =>
  runPlay(seed, traced, (world) => play(world, variant))

/** A play resolves with the number of log slots that it filled. */
export const runPlay = async (
  seed: number,
  traced: boolean,
  playIn: (world: World) => Promise<number>,
): Promise<ScheduleResult> => {
  Error.stackTraceLimit = traced ? 10 : 0
  const world = new World(new Random(seed), traced)
  let slots = 0
  let violation: Error | null = null
  try {
    slots = await withVirtualImmediates(world, () => playIn(world))
  } catch (error) {
    violation = error as Error
  } finally {
    forgetActorSystems()
    // Once around the event loop, so that what is unreachable now can go.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { seed, violation, steps: world.steps, slots, trace: world.trace }
}

const play = async (world: World, variant: Variant): Promise<number> => {
  const { random } = world
  const faults = { ...drawFaults(random), ...variant.faults }
  world.note(() => JSON.stringify(faults))
  const truth = new Truth(world)
  const { segmentSlots, ...journalSettings } = drawSettings(random)
  const shardCount = random.pick([1, 1, 2])
  const outside = new Outside(world, truth)
  const plain = new ModelStore(truth, segmentSlots, random.chance(0.3), (shard, endNo) =>
    outside.unpublishedBefore(shard, endNo),
  )
  const model = instead(plain, variant.model?.(plain))
  const network = new Network(world, faults)
  const leases = new ModelLeases()
  const parts = { world, model, leases, network, outside, shardCount, journalSettings, variant, map: null }
  const cluster = new Cluster(parts, faults, random.pick([2, 2, 3]))
  const activeMs = random.between(15_000, 60_000)
  const actors = Array.from({ length: 1 + random.below(3) }, (_, index) =>
    actorId('cnt', index % shardCount, `0000000${index}`),
  )
  const { repeatsThatItBegins = false } = variant
  const around = { world, truth, actors, nodes: () => cluster.nodes(), repeatsThatItBegins }
  const askers = Array.from(
    { length: 1 + random.below(4) },
    (_, index) => new Asker(`a${index}`, around, 4 + random.below(12), activeMs),
  )
  cluster.start()
  for (const asker of askers) asker.start()
  await world.run(activeMs, () => false)
  cluster.heal()
  const look = () => whatIsMissing({ truth, model, outside, askers, shardCount, cluster })
  let checkedMs = 0
  await world.run(activeMs + HEAL_LIMIT_MS, () => {
    if (world.nowMs < checkedMs + 500) return false
    checkedMs = world.nowMs
    return look().length === 0
  })
  const missing = look()
  if (missing.length > 0) throw new Violation(`after everything was mended: ${missing.join('; ')}`)
  return Array.from({ length: shardCount }, (_, shard) => truth.lengthOf(shard)).reduce((a, b) => a + b, 0)
}

const drawSettings = (random: Random): ShardLogSettings & { readonly segmentSlots: number } => ({
  ...shardLogDefaults,
  copyLingerMs: random.pick([0, 400, 2_000]),
  attemptTimeoutMs: 3_000,
  copyLagEventsMax: random.pick([10, 200]),
  copySlotsMax: random.pick([1, 8]),
  copyEventsMax: random.pick([3, 50]),
  checkpointEvents: random.pick([1, 5, 50]),
  checkpointIntervalMs: random.pick([500, 5_000]),
  walkPageSlots: random.pick([2, 5, 64]),
  tailPageSlots: random.pick([1, 3, 32]),
  closeTimeoutMs: 5_000,
  segmentSlots: random.pick([4, 8, 64]),
  timerAckMarginMs: random.pick([1_000, 60_000]),
  timerAckIntervalMs: random.pick([0, 3_000]),
  publishedReader: PUBLISHER,
})
