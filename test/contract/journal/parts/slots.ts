import { randomBytes } from 'node:crypto'
import type { JournalEntry, TimerRow } from '../../../../src/ports/journal.ts'
import { actorId } from '../../../../src/domain/references.ts'
import type { LogSlot } from '../../../../src/persistence/store-port.ts'

export const uniqueText = (): string => randomBytes(8).toString('hex')

export const someActor = (shard: number): string => actorId('con', shard, uniqueText())

export const batchSlot = (
  shard: number,
  no: number,
  epoch: number,
  entries: readonly JournalEntry[],
): LogSlot => ({ shard, no, epoch, batchId: uniqueText(), record: { kind: 'batch', entries } })

export const openSlot = (shard: number, no: number, epoch: number, node = 'node-1'): LogSlot => ({
  shard,
  no,
  epoch,
  batchId: uniqueText(),
  record: { kind: 'open', node },
})

export const entry = (
  actor: string,
  seq: number,
  { events = 1, set = [], cleared = [] }: { events?: number; set?: TimerRow[]; cleared?: TimerRow[] } = {},
): JournalEntry => ({
  actor,
  seq,
  commandId: `command-${seq}`,
  events: Array.from({ length: events }, (_, index) => `{"type":"Counted","value":${seq + index}}`),
  timersSet: set,
  timersCleared: cleared,
})

export const timer = (actor: string, dueMs: number, timerId = 'expiry'): TimerRow => ({
  actor,
  timerId,
  dueMs,
})
