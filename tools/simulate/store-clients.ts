import type { LeaseStore, NodeLease } from '../../src/ports/lease.ts'
import type { JournalStore } from '../../src/persistence/store-port.ts'
import type { ModelStore } from './model-store.ts'
import type { Network } from './network.ts'
import type { SimulatedProcess } from './simulated-process.ts'

/** The model store as one process reaches it. */
export const journalStoreFor = (
  process: SimulatedProcess,
  network: Network,
  model: ModelStore,
): JournalStore => {
  const call = <Value>(name: string, apply: () => Value): Promise<Value> => network.call(process, name, apply)
  const readSnapshot: JournalStore['readSnapshot'] = (actor) =>
    call(`readSnapshot ${actor}`, () => model.readSnapshot(actor))
  const readEvents: JournalStore['readEvents'] = (actor, afterSeq) =>
    call(`readEvents ${actor}`, () => model.readEvents(actor, afterSeq))
  return {
    copies: model.atomic ? 'atomic' : 'deferred',
    append: (slot) => call(`append ${slot.no} ${slot.batchId}`, () => model.append(slot)),
    readLog: (shard, fromNo, limit) => call(`readLog ${fromNo}`, () => model.readLog(shard, fromNo, limit)),
    copy: (shard, slots) =>
      model.atomic
        ? Promise.resolve()
        : call(`copy ${slots.map(({ no }) => no).join(' ')}`, () => model.copy(shard, slots)),
    // Two reads, as on Cassandra: anything may happen between them.
    readActor: async (actor) => {
      const snapshot = await readSnapshot(actor)
      return { snapshot, events: await readEvents(actor, snapshot?.seq ?? 0) }
    },
    readEvents,
    readSnapshot,
    writeSnapshot: (actor, snapshot) =>
      call(`writeSnapshot ${actor}`, () => model.writeSnapshot(actor, snapshot)),
    readCheckpoint: (shard) => call('readCheckpoint', () => model.readCheckpoint(shard)),
    writeCheckpoint: (shard, epoch, checkpoint) =>
      call(`writeCheckpoint ${epoch} ${checkpoint.copiedNo}`, () =>
        model.writeCheckpoint(shard, epoch, checkpoint),
      ),
    retireSegment: (shard, segment) =>
      call(`retireSegment ${segment}`, () => model.retireSegment(shard, segment)),
    firstSegment: (shard) => call('firstSegment', () => model.firstSegment(shard)),
    timersDue: (shard, fromMs, untilMs, after, limit) =>
      call('timersDue', () => model.timersDue(shard, fromMs, untilMs, after, limit)),
    timersDone: (shard, rows, atNo) =>
      call(`timersDone ${rows.map(({ timerId }) => timerId).join(' ')}`, () =>
        model.timersDone(shard, rows, atNo),
      ),
    timerMoved: (shard, from, to, atNo) =>
      call(`timerMoved ${from.timerId}`, () => model.timerMoved(shard, from, to, atNo)),
    listActors: () => Promise.resolve([]),
    savePosition: (reader, shard, position) =>
      call(`savePosition ${position.no}`, () => model.savePosition(reader, shard, position)),
    readPosition: (reader, shard) => call('readPosition', () => model.readPosition(reader, shard)),
    probe: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

/** Rows of the nodes with the compare-and-set of an engine. */
export class ModelLeases {
  readonly rows = new Map<string, NodeLease>()

  storeFor(process: SimulatedProcess, network: Network): LeaseStore {
    const call = <Value>(name: string, apply: () => Value): Promise<Value> =>
      network.call(process, name, apply)
    return {
      list: () => call('leases', () => [...this.rows.values()]),
      join: (lease, replacing) => call(`join ${lease.node}`, () => this.#swap(replacing, lease)),
      renew: (lease) =>
        call(`renew ${lease.node} ${lease.counter}`, () =>
          this.#swap(lease, { ...lease, counter: lease.counter + 1 }),
        ),
      declareDead: (lease) =>
        call(`declareDead ${lease.node}`, () => this.#swap(lease, { ...lease, state: 'dead' })),
      leave: (lease) =>
        call(`leave ${lease.node}`, () => void this.#swap(lease, { ...lease, state: 'left' })),
    }
  }

  #swap(expected: NodeLease | null, next: NodeLease): boolean {
    const row = this.rows.get(next.node) ?? null
    const same =
      row === null || expected === null
        ? row === expected
        : row.incarnation === expected.incarnation &&
          row.counter === expected.counter &&
          row.state === expected.state
    if (same) this.rows.set(next.node, next)
    return same
  }
}
