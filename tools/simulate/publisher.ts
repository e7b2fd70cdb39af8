import type { Journal, TailPosition } from '../../src/ports/journal.ts'
import { PUBLISHER } from './model-store.ts'
import type { Outside } from './outside.ts'
import type { SimulatedProcess } from './simulated-process.ts'

const PAUSE_MS = 4_000

type Source = {
  readonly journal: Journal
  readonly process: SimulatedProcess
  readonly outside: Outside
  serves(shard: number): boolean
}

/** Follows the log of a shard while its process serves it, as the event stream does; positions survive in the store. */
export const followLog = async (source: Source, shard: number, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    if (source.serves(shard)) await publish(source, shard).catch(() => {})
    await source.process.runtime.sleep(PAUSE_MS, signal).catch(() => {})
  }
}

const publish = async ({ journal, process, outside }: Source, shard: number): Promise<void> => {
  let position: TailPosition | null = await journal.readPosition(PUBLISHER, shard)
  for (;;) {
    const records = await journal.readTail(shard, position, 3)
    const last = records.at(-1)
    if (last === undefined || !process.acts()) return
    outside.published(shard, position, records)
    position = { no: last.no, index: last.index }
    journal.passed(PUBLISHER, shard, position)
    await journal.savePosition(PUBLISHER, shard, position)
  }
}
