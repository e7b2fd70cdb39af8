import type { TailPosition, TailRecord } from '../../src/ports/journal.ts'
import type { PublisherParts } from '../../src/stream/shard-publisher.ts'

/** The committed log of any number of shards, with saved positions, that can be away. */
export class TailJournal {
  readonly logs = new Map<number, TailRecord[]>()
  readonly positions = new Map<string, TailPosition>()
  readonly passed = new Map<string, TailPosition>()
  readonly #listeners = new Set<(shard: number, no: number) => void>()
  isAway = false
  reads = 0
  /** Of what is committed. */
  epoch = 1

  readonly port: PublisherParts['journal'] = {
    readTail: async (shard, from, limit) => {
      this.reads++
      this.#check()
      const after = ({ no, index }: TailRecord): boolean =>
        from === null || no > from.no || (no === from.no && index > from.index)
      return (this.logs.get(shard) ?? []).filter(after).slice(0, limit)
    },
    readEvents: async (actor, afterSeq) => {
      const entries = [...this.logs.values()].flat().map(({ entry }) => entry)
      return entries
        .filter((entry) => entry.actor === actor && entry.seq > afterSeq)
        .map(({ seq, events }) => ({ seq, commandId: null, data: events[0] ?? '' }))
    },
    readPosition: async (reader, shard) => {
      this.#check()
      return this.positions.get(`${reader} ${shard}`) ?? null
    },
    passed: (reader, shard, position) => {
      this.passed.set(`${reader} ${shard}`, position)
    },
    savePosition: async (reader, shard, position) => {
      this.#check()
      this.positions.set(`${reader} ${shard}`, position)
    },
    onCommitted: (listener) => {
      this.#listeners.add(listener)
      return () => void this.#listeners.delete(listener)
    },
  }

  /** One slot with one entry for each text, all of one actor. */
  commit(shard: number, ...events: readonly string[]): void {
    this.commitOf(`cre_0${shard}aaaaaaaa`, shard, ...events)
  }

  commitOf(actor: string, shard: number, ...events: readonly string[]): void {
    const log = this.logs.get(shard) ?? []
    this.logs.set(shard, log)
    const no = (log.at(-1)?.no ?? 0) + 1
    const empty = { commandId: null, timersSet: [], timersCleared: [] }
    events.forEach((event, index) => {
      const seq = log.filter(({ entry }) => entry.actor === actor).length + 1
      const entry = { actor, seq, events: [event], ...empty }
      log.push({ no, index, epoch: this.epoch, entry })
    })
    for (const listener of this.#listeners) listener(shard, no)
  }

  #check(): void {
    if (this.isAway) throw new Error('the journal is away')
  }
}
