import type { JournalEntry } from '../../ports/journal.ts'
import { entriesOf, type LogSlot } from '../store-port.ts'

/** Part of what is stored, so never to be changed. */
export const BUCKET_EVENTS = 1_000
/**
 * The most events of a run. A reader that starts in the middle of a run has to look back this far for its beginning.
 */
export const RUN_EVENTS_MAX = 100
const RUN_CHARACTERS_MAX = 65_536

export type ActorRun = {
  readonly actor: string
  readonly bucket: number
  readonly seq: number
  /** The slot of its last event. */
  readonly lastNo: number
  readonly entries: readonly JournalEntry[]
}

/** The events that slots add to each actor, in as few rows as possible: a row costs more than the events in it. */
export const actorRuns = (slots: readonly LogSlot[]): readonly ActorRun[] => {
  const open = new Map<string, OpenRun>()
  const runs: OpenRun[] = []
  const addEvent = (no: number, entry: JournalEntry, index: number, event: string): void => {
    const seq = entry.seq + index
    let run = open.get(entry.actor)
    if (run === undefined || !fits(run, seq, event)) {
      run = {
        actor: entry.actor,
        bucket: bucketOfSeq(seq),
        seq,
        entries: [],
        lastSeq: seq,
        lastNo: no,
        length: 0,
      }
      open.set(entry.actor, run)
      runs.push(run)
    }
    run.lastNo = no
    add(run, { ...entry, seq }, event, index > 0)
  }
  for (const slot of slots)
    for (const entry of entriesOf(slot))
      for (const [index, event] of entry.events.entries()) addEvent(slot.no, entry, index, event)
  return runs
}

export const bucketOfSeq = (seq: number): number => Math.floor(seq / BUCKET_EVENTS)

type Entry = { actor: string; seq: number; commandId: string | null; events: string[] }
type OpenRun = {
  actor: string
  bucket: number
  seq: number
  entries: (Entry & { timersSet: []; timersCleared: [] })[]
  lastSeq: number
  lastNo: number
  length: number
}

const fits = (run: OpenRun, seq: number, event: string): boolean =>
  seq === run.lastSeq + 1 &&
  seq % BUCKET_EVENTS !== 0 &&
  seq - run.seq < RUN_EVENTS_MAX &&
  run.length + event.length <= RUN_CHARACTERS_MAX

const add = (run: OpenRun, entry: JournalEntry, event: string, continues: boolean): void => {
  const last = run.entries.at(-1)
  if (continues && last !== undefined) last.events.push(event)
  else {
    const { actor, seq, commandId } = entry
    run.entries.push({ actor, seq, commandId, events: [event], timersSet: [], timersCleared: [] })
  }
  run.lastSeq = entry.seq
  run.length += event.length
}
