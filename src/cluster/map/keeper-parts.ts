import type { Membership, ShardServer } from '../../ports/membership.ts'
import type { Runtime } from '../../ports/runtime.ts'
import type { ChangeableMap } from '../../ports/shard-map.ts'

export const mapKeeperDefaults = {
  intervalMs: 500,
  /** While a shard is awaited whose owner is about to let go, or is about to be let go here. */
  awaitingMs: 50,
  openingMax: 64,
  handingOffMax: 8,
  /** A shard goes on being served for so long, so that its next owner has read the map and waits for it. */
  noticeMs: 600,
  /** Bringing the copies up to date may take no longer; what is left is done while nobody serves the shard. */
  catchUpMs: 5_000,
  /** A next owner that does not say that it waits is asked again so much later, for one shard; the others stay here until it does. */
  absentMs: 1_000,
  /** A shard that could not be opened rests, twice as long after each further failure. */
  openAgainMs: 500,
  openAgainMsMax: 5_000,
  /** For a node that stops: until then others take its shards; then it closes what is left. */
  leaveMs: 9_000,
  /** It does not wait that long where none of its shards is wanted elsewhere: nobody assigns them. */
  leaveUnheardMs: 3_000,
}

export type MapKeeperSettings = Readonly<typeof mapKeeperDefaults>

/** What a node says to another about a shard that goes from it to that one. */
export type HandOffTalk = {
  /** Whether the node says that it waits for the shard; false, too, where it does not answer soon. */
  readonly isAwaited: (shard: number, by: string) => Promise<boolean>
  /** Tells the next owner what only this node knows of a shard that it has let go; resolves always, and may take a while. */
  readonly handOver: (shard: number) => Promise<void>
}

export type MapKeeperParts = {
  readonly node: string
  readonly membership: Membership
  readonly map: ChangeableMap
  readonly server: ShardServer
  readonly talk: HandOffTalk
  readonly runtime: Runtime
  readonly settings: MapKeeperSettings
  /** The heaviest are opened first. */
  readonly weightOf: (shard: number) => number
  /** Null: the step of the map itself. */
  readonly report: (shard: number | null, error: unknown) => void
}
