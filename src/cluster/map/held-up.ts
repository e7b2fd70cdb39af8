import type { NodeLink } from '../../ports/node-link.ts'
import { decode, encode } from '../json-bytes.ts'

const HELD_UP = 'map.held-up'
/** One that lives answers within milliseconds, but for one that is very busy. */
const ANSWER_MS = 1_000

/** For how long nothing has come of what a node is to let go, although that was its own to do. */
export type HeldUp = {
  /** By the word of the node; null where it says nothing. */
  readonly of: (node: string) => Promise<number | null>
  /** What this node says from here on. Before that it has no shards, and holds nothing up. */
  readonly here: (heldUpMs: () => number) => void
}

/**
 * Both sides of the question whether a node hangs with what it is to let go. The map does not tell: a shard may wait for
 * its turn, or for a next owner that is not there. Called before the link is started.
 */
export const askWhatIsHeldUp = (link: Pick<NodeLink, 'handle' | 'request'>): HeldUp => {
  const kept: { heldUpMs: () => number } = { heldUpMs: () => 0 }
  link.handle(HELD_UP, async () => encode(kept.heldUpMs()))
  return {
    of: (node) =>
      link.request(node, HELD_UP, encode(null), { timeoutMs: ANSWER_MS }).then(
        (answer) => timeIn(decode(answer)),
        () => null,
      ),
    here: (heldUpMs) => void (kept.heldUpMs = heldUpMs),
  }
}

const timeIn = (answer: unknown): number | null =>
  typeof answer === 'number' && Number.isFinite(answer) ? answer : null
