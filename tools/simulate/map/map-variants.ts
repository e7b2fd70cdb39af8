import type { HandOffTalk, MapKeeperSettings } from '../../../src/cluster/map/keeper-parts.ts'
import type { CoordinatorParts, CoordinatorSettings } from '../../../src/cluster/planner/coordinator.ts'
import { hungDefaults } from '../../../src/cluster/planner/hung-nodes.ts'
import type { Runtime } from '../../../src/ports/runtime.ts'
import type { ChangeableMap, KeptShardMap, ShardMapStore } from '../../../src/ports/shard-map.ts'
import { instead } from '../instead.ts'
import type { Variant } from '../variants.ts'
import type { ModelMap } from './model-map.ts'

type Coordinating = Omit<CoordinatorParts, 'settings' | 'report'>

/** One mistake around the map, the keeper or the planner. */
export type MapMistake = {
  readonly mapStore?: (around: {
    readonly plain: ShardMapStore
    readonly node: string
    readonly runtime: Runtime
    readonly model: ModelMap
  }) => Partial<ShardMapStore>
  readonly keeper?: Partial<MapKeeperSettings>
  readonly planning?: Partial<CoordinatorSettings>
  readonly coordinator?: (parts: Coordinating) => Partial<Coordinating>
  readonly talk?: Partial<HandOffTalk>
  /** Gives up the lease with its shards open. */
  readonly leavesAtOnce?: true
  /** Whose lease is ended counts as dead at once. */
  readonly endsAsDead?: true
}

export type MapVariant = Variant & { readonly mistake: MapMistake }

export const mapAsBuilt: MapVariant = { name: 'as-built', mistake: {} }

const OWN_CLOCK_MS = 3_000

/** Maps in which whoever keeps this node waiting for too long seems to have let go. */
const impatient = (node: string, runtime: Runtime): ((map: KeptShardMap | null) => KeptShardMap | null) => {
  const sinceMs = new Map<number, number>()
  return (map) => {
    if (map === null) return null
    const places = map.places.map((place, shard) => {
      if (place.desired !== node || place.owner === null || place.owner === node) {
        sinceMs.delete(shard)
        return place
      }
      const since = sinceMs.get(shard) ?? runtime.monotonicMs()
      sinceMs.set(shard, since)
      return runtime.monotonicMs() - since < OWN_CLOCK_MS ? place : { ...place, owner: null }
    })
    return { ...map, places }
  }
}

const withoutPins = (map: KeptShardMap): KeptShardMap => ({
  ...map,
  places: map.places.map((place) => ({ ...place, pinned: false })),
})

/** Plans as if nothing were pinned; what it writes keeps the pins. */
const blindToPins = (map: ChangeableMap): Partial<ChangeableMap> => ({
  current: () => withoutPins(map.current()),
  change: (decide) =>
    map.change((now) => {
      const next = decide(withoutPins(now))
      if (next === null) return null
      const places = next.places.map((place, shard) => ({
        ...place,
        pinned: now.places[shard]?.pinned === true,
      }))
      return { ...next, places }
    }),
})

const mistakes: Readonly<Record<string, Omit<MapVariant, 'name'>>> = {
  /** Two nodes give one shard to two others. */
  'writes-the-map-without-its-version': {
    mistake: {
      mapStore: ({ plain, model }) => ({
        replace: async (next) => {
          if (await plain.replace(next)) return true
          model.write(next)
          return true
        },
      }),
    },
  },

  'opens-before-release': { ownership: { isGone: () => Promise.resolve(true) }, mistake: {} },

  /** Says that it has let go as soon as it is to let go. */
  'says-let-go-while-it-serves': {
    mistake: {
      mapStore: ({ plain, node }) => ({
        replace: (next) => {
          const places = next.places.map((place) =>
            place.owner === node && place.desired !== node ? { ...place, owner: null } : place,
          )
          return plain.replace({ ...next, places })
        },
      }),
      keeper: { noticeMs: 8_000 },
    },
  },

  /** Its own clock says that the owner had time enough. */
  'takes-over-by-its-own-clock': {
    mistake: {
      mapStore: ({ plain, node, runtime }) => {
        const seen = impatient(node, runtime)
        return { read: async () => seen(await plain.read()) }
      },
      keeper: { noticeMs: 8_000 },
    },
  },

  'forgets-the-shards-of-the-dead': {
    mistake: {
      coordinator: ({ membership, leases }) => {
        const revived = async () => (await leases()).map((lease) => ({ ...lease, state: 'alive' as const }))
        return { leases: revived, membership: instead(membership, { alive: () => membership.alive() }) }
      },
    },
  },

  'moves-what-is-pinned': {
    mistake: { coordinator: ({ map }) => ({ map: instead(map, blindToPins(map)) }) },
  },

  /** Follows every breath of the load, at once and all the time. */
  'moves-back-and-forth': {
    mistake: {
      planning: { restMs: 0, loadsEveryMs: 0 },
      coordinator: ({ runtime }) => ({
        loads: {
          read: () =>
            Promise.resolve([
              {
                node: '',
                loads: Array.from({ length: 16 }, (_, shard) => {
                  return {
                    shard,
                    eventsPerSecond: 1_000 * runtime.random() ** 3,
                    bytesPerSecond: 0,
                    residents: 0,
                  }
                }),
              },
            ]),
        },
      }),
    },
  },

  /** A node that is not known to be dead is there. */
  'lets-go-for-a-frozen-node': { mistake: { talk: { isAwaited: () => Promise.resolve(true) } } },

  'leaves-before-release': { mistake: { leavesAtOnce: true } },

  /** The next owners do not wait until the node that hangs must have stopped answering. */
  'takes-at-once-from-a-hung-node': { mistake: { endsAsDead: true } },

  'leaves-shards-to-a-hung-node': {
    mistake: { planning: { hung: { ...hungDefaults, handOffMs: Number.POSITIVE_INFINITY } } },
  },
}

export const brokenMapVariants: readonly MapVariant[] = Object.entries(mistakes).map(([name, mistake]) => ({
  ...mistake,
  name,
}))
