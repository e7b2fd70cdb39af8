import type { JournalEntry, StoredActor, StoredEvent } from '../ports/journal.ts'
import { shardOfActor } from '../domain/references.ts'
import { entriesOf, type JournalReads, type LogSlot } from './store-port.ts'

const PAGE_SLOTS = 64
const PAGE_ACTORS = 500

/** Yields the slots of a shard that are not retired, from `fromNo` on. */
export async function* walkLog(reads: JournalReads, shard: number, fromNo = 0): AsyncGenerator<LogSlot> {
  let no = Math.max(fromNo, (await reads.firstSegment(shard)) * reads.segmentSlots)
  for (;;) {
    const slots = await reads.readLog(shard, no, PAGE_SLOTS)
    yield* slots
    if (slots.length === 0) return
    no += slots.length
  }
}

export async function* walkActors(reads: JournalReads, shard: number): AsyncGenerator<string> {
  for (let after: string | null = null; ; ) {
    const actors: readonly string[] = await reads.listActors(shard, after, PAGE_ACTORS)
    yield* actors
    if (actors.length < PAGE_ACTORS) return
    after = actors.at(-1) ?? null
  }
}

/** Reads all events of an actor, also those that are committed and not copied yet. */
export const readActor = async (reads: JournalReads, actor: string): Promise<StoredActor> => {
  const shard = shardOfActor(actor)
  // The checkpoint is read first, so that events copied meanwhile are found in both places and counted once.
  const copiedNo = (await reads.readCheckpoint(shard))?.copiedNo ?? -1
  const snapshot = await reads.readSnapshot(actor)
  const events: StoredEvent[] = [...(await reads.readEvents(actor, 0))]
  for await (const slot of walkLog(reads, shard, copiedNo + 1)) {
    for (const entry of entriesOf(slot)) if (entry.actor === actor) addNew(events, entry)
  }
  return { snapshot, events }
}

const addNew = (events: StoredEvent[], { seq, commandId, events: texts }: JournalEntry): void => {
  for (const [index, data] of texts.entries()) {
    if (seq + index > (events.at(-1)?.seq ?? 0)) events.push({ seq: seq + index, commandId, data })
  }
}
