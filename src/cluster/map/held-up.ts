import type { NodeLink } from '../../ports/node-link.ts'
import { decode, encode } from '../json-bytes.ts'

const HELD_UP = 'map.held-up'
/** One that lives answers within milliseconds, but for one that is very busy. */
const ANSWER_MS = 1_000

/** For how long nothing has come of what is a node's own to do. */
export type HeldUp = {
  /** The hand-off that is under way for longest. */
  readonly handOffMs: number
  /** Since it last did what the map wants of it. */
  readonly mapMs: number
}

const NOT_AT_ALL: HeldUp = { handOffMs: 0, mapMs: 0 }

export type HeldUpNodes = {
  /** By the word of the node; null where it says nothing. */
  readonly of: (node: string) => Promise<HeldUp | null>
  readonly here: () => HeldUp
  /** What this node says from here on. Before that it has no shards, and holds nothing up. */
  readonly sayHere: (heldUp: () => HeldUp) => void
}

/**
 * Both sides of the question whether a node hangs. The map does not tell: a shard may wait for its turn, or for a next
 * owner that is not there, or for a store that takes nothing. Called before the link is started.
 */
export const askWhatIsHeldUp = (link: Pick<NodeLink, 'handle' | 'request'>): HeldUpNodes => {
  const kept: { heldUp: () => HeldUp } = { heldUp: () => NOT_AT_ALL }
  const here = (): HeldUp => kept.heldUp()
  link.handle(HELD_UP, async () => encode(here()))
  return {
    of: (node) =>
      link.request(node, HELD_UP, encode(null), { timeoutMs: ANSWER_MS }).then(
        (answer) => readHeldUp(decode(answer)),
        () => null,
      ),
    here,
    sayHere: (heldUp) => void (kept.heldUp = heldUp),
  }
}

const readHeldUp = (answer: unknown): HeldUp | null => {
  const { handOffMs, mapMs } = (answer ?? {}) as Partial<HeldUp>
  return isTime(handOffMs) && isTime(mapMs) ? { handOffMs, mapMs } : null
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
