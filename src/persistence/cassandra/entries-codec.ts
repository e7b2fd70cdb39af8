import type { JournalEntry } from '../../ports/journal.ts'
import { type PackedTimer, packTimers, unpackTimers } from '../packed-timers.ts'

type EntryHead = readonly [
  actor: string,
  seq: number,
  commandId: string | null,
  eventLengths: readonly number[],
  set?: readonly PackedTimer[],
  cleared?: readonly PackedTimer[],
]

const FORMAT = '1'

/**
 * Entries as one blob: a line that describes them, then the texts of their events one after the other. The texts are
 * JSON already and are not quoted a second time, which would lengthen them by a tenth.
 */
export const encodeEntries = (entries: readonly JournalEntry[]): Buffer => {
  const texts: string[] = []
  const heads = entries.map(({ actor, seq, commandId, events, timersSet, timersCleared }): EntryHead => {
    if (events.length === 0) throw new RangeError(`an entry of ${actor} has no event`)
    texts.push(...events)
    const lengths = events.map((event) => event.length)
    if (timersSet.length === 0 && timersCleared.length === 0) return [actor, seq, commandId, lengths]
    return [actor, seq, commandId, lengths, packTimers(timersSet, actor), packTimers(timersCleared, actor)]
  })
  return Buffer.from(`${FORMAT}${JSON.stringify(heads)}\n${texts.join('')}`, 'utf8')
}

export const decodeEntries = (blob: Buffer): readonly JournalEntry[] => {
  const text = blob.toString('utf8')
  if (!text.startsWith(FORMAT))
    throw new Error('the log holds a batch in a format this release does not know')
  const line = text.indexOf('\n')
  const heads = JSON.parse(text.slice(FORMAT.length, line)) as readonly EntryHead[]
  let position = line + 1
  return heads.map(([actor, seq, commandId, lengths, set = [], cleared = []]) => {
    const events = lengths.map((length) => text.slice(position, (position += length)))
    const [timersSet, timersCleared] = [unpackTimers(set, actor), unpackTimers(cleared, actor)]
    return { actor, seq, commandId, events, timersSet, timersCleared }
  })
}
