import { ShardHeld, type LeaseSession, type Ownership } from '../ports/journal.ts'
import type { Runtime } from '../ports/runtime.ts'
import { batchIdOf, ownerOf, settleSlot, type StoreCalls } from './store-calls.ts'
import type { ReaderPositions } from './reader-positions.ts'
import type { ShardLogSettings } from './shard-log-settings.ts'
import type { Checkpoint, JournalStore, LogSlot } from './store-port.ts'

export type ShardLogParts = {
  readonly store: JournalStore
  readonly runtime: Runtime
  readonly settings: ShardLogSettings
  readonly ownership: Ownership
  readonly calls: StoreCalls
  readonly positions: ReaderPositions
  /** Actors of the shard whose events are still wanted, although every reader of the log has passed them. */
  readonly heldOf: (shard: number) => Promise<ReadonlySet<string>>
}

export type TakenOver = {
  readonly session: LeaseSession
  readonly epoch: number
  readonly openNo: number
  readonly checkpoint: Checkpoint
  /** Committed slots after the checkpoint; the last one is the open record. */
  readonly afterCheckpoint: readonly LogSlot[]
}

/** `releasedEpoch`: an epoch in which nobody answers any more, whatever the log says of its owner. */
type Wanted = { readonly shard: number; readonly releasedEpoch: number | undefined }

const NOTHING_DONE: Checkpoint = { copiedNo: -1, publishedNo: -1, projectedNo: -1, timerAckMs: 0 }

/** Walks the log to its end and writes the open record there; begins again when a segment was retired meanwhile. */
export const takeOver = async (
  parts: ShardLogParts,
  session: LeaseSession,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<TakenOver> => {
  for (;;) {
    const walk = await startWalk(parts, wanted.shard, signal)
    const taken = await openAtEnd(parts, session, wanted, walk, signal)
    if (taken !== 'retired') return { ...taken, session }
  }
}

/**
 * Writes the record that leaves a shard without an owner, if this session still owns it: a live owner that no longer
 * serves the shard would otherwise keep all other nodes away.
 */
export const handBack = async (
  parts: ShardLogParts,
  session: LeaseSession,
  shard: number,
  signal: AbortSignal,
): Promise<void> => {
  for (;;) {
    const walk = await startWalk(parts, shard, signal)
    await walkToEnd(parts, shard, walk, signal)
    if (walk.owner !== session.owner) return
    const release = releaseSlot(parts, shard, walk.nextNo, walk.epoch + 1)
    if ((await settleSlot(parts.store, parts.calls, release, signal)) === 'ours') return
  }
}

export const releaseSlot = (
  { runtime }: ShardLogParts,
  shard: number,
  no: number,
  epoch: number,
): LogSlot => ({
  shard,
  no,
  epoch,
  batchId: batchIdOf('', runtime.newId()),
  record: { kind: 'open', node: '' },
})

type Walk = {
  nextNo: number
  epoch: number
  owner: string
  readonly checkpoint: Checkpoint
  readonly afterCheckpoint: LogSlot[]
}

/** The walk begins at the last copied slot, whose epoch and owner are needed when no slot follows it. */
const startWalk = async (
  { store, calls }: ShardLogParts,
  shard: number,
  signal: AbortSignal,
): Promise<Walk> => {
  const stored = await calls.untilAnswered(signal, () => store.readCheckpoint(shard))
  const segment = await calls.untilAnswered(signal, () => store.firstSegment(shard))
  const checkpoint = stored ?? NOTHING_DONE
  const nextNo = Math.max(checkpoint.copiedNo, segment * store.segmentSlots, 0)
  return { nextNo, epoch: 0, owner: '', checkpoint, afterCheckpoint: [] }
}

const openAtEnd = async (
  parts: ShardLogParts,
  session: LeaseSession,
  { shard, releasedEpoch }: Wanted,
  walk: Walk,
  signal: AbortSignal,
): Promise<Omit<TakenOver, 'session'> | 'retired'> => {
  const batchId = batchIdOf(session.owner, parts.runtime.newId())
  for (;;) {
    await walkToEnd(parts, shard, walk, signal)
    const isReleased = walk.epoch === releasedEpoch
    if (!isReleased && !(await mayTake(parts, session, walk.owner, signal)))
      throw new ShardHeld(shard, walk.owner)
    const open: LogSlot = {
      shard,
      no: walk.nextNo,
      epoch: walk.epoch + 1,
      batchId,
      record: { kind: 'open', node: session.owner },
    }
    const settled = await settleSlot(parts.store, parts.calls, open, signal)
    if (settled === 'retired') return 'retired'
    if (settled === 'theirs') continue
    walk.afterCheckpoint.push(open)
    const checkpoint = await fenceCheckpoint(parts, open, walk.checkpoint, signal)
    return { epoch: open.epoch, openNo: open.no, checkpoint, afterCheckpoint: walk.afterCheckpoint }
  }
}

/**
 * A checkpoint of the previous owner may still be on its way to the store. After the first checkpoint of the new epoch
 * no older one can move the acknowledgement of timers beyond what is read here.
 */
const fenceCheckpoint = async (
  { store, calls }: ShardLogParts,
  open: LogSlot,
  walked: Checkpoint,
  signal: AbortSignal,
): Promise<Checkpoint> => {
  if (store.copies === 'atomic') return walked
  await calls.untilAnswered(signal, () => store.writeCheckpoint(open.shard, open.epoch, walked))
  const fenced = await calls.untilAnswered(signal, () => store.readCheckpoint(open.shard))
  return { ...walked, timerAckMs: fenced?.timerAckMs ?? walked.timerAckMs }
}

const walkToEnd = async (
  { store, settings, calls }: ShardLogParts,
  shard: number,
  walk: Walk,
  signal: AbortSignal,
): Promise<void> => {
  for (;;) {
    const slots = await calls.untilAnswered(signal, () =>
      store.readLog(shard, walk.nextNo, settings.walkPageSlots),
    )
    for (const slot of slots) {
      if (slot.no !== walk.nextNo || slot.epoch < walk.epoch)
        throw new Error(`the log of shard ${shard} is damaged at slot ${slot.no}`)
      walk.nextNo = slot.no + 1
      walk.epoch = slot.epoch
      walk.owner = ownerOf(slot.batchId)
      if (slot.no > walk.checkpoint.copiedNo) walk.afterCheckpoint.push(slot)
    }
    if (slots.length < settings.walkPageSlots) return
  }
}

const mayTake = async (
  { ownership, calls }: ShardLogParts,
  session: LeaseSession,
  owner: string,
  signal: AbortSignal,
): Promise<boolean> =>
  owner === '' || owner === session.owner || calls.untilAnswered(signal, () => ownership.isGone(owner))
