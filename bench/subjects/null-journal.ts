import type { Journal, ShardJournal } from '../../src/ports/journal.ts'

const NOTHING = { snapshot: null, events: [] } as const

/** Keeps nothing and says that it has: what is left is the cost of the host. */
export const nullJournal = (): Journal => ({
  open: async (shard) => nullShard(shard),
  readTail: async () => [],
  readEvents: async () => [],
  firstKeptNo: async () => 0,
  passed: () => undefined,
  savePosition: async () => undefined,
  readPosition: async () => null,
  onCommitted: () => () => undefined,
  probe: async () => undefined,
})

const nullShard = (shard: number): ShardJournal => {
  const { promise: lost, resolve } = Promise.withResolvers<'closed'>()
  return {
    shard,
    epoch: 1,
    lastEpoch: 1,
    stalled: false,
    confirmed: true,
    lost,
    append: async () => undefined,
    load: async () => NOTHING,
    saveSnapshot: async () => undefined,
    fold: async () => true,
    forget: async () => true,
    timersDue: async () => [],
    timersDone: async () => undefined,
    timerMoved: async () => undefined,
    catchUp: async () => undefined,
    close: async () => resolve('closed'),
  }
}
