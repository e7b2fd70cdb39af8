import { endedLease, type LeaseStore, type NodeLease } from '../../src/ports/lease.ts'
import type { JournalStore } from '../../src/persistence/store-port.ts'
import type { ModelStore } from './model-store.ts'
import type { Network } from './network.ts'
import type { SimulatedProcess } from './simulated-process.ts'

type Remote = Exclude<keyof ModelStore & keyof JournalStore, 'segmentSlots'>
type Detail<Name extends Remote> = (...input: Parameters<JournalStore[Name]>) => string | number

/** What a process asks of the store over the network, and what a trace says of each call beside its name. */
const details: { readonly [Name in Remote]: Detail<Name> } = {
  append: ({ no, batchId }) => `${no} ${batchId}`,
  readLog: (_shard, fromNo) => fromNo,
  copy: (_shard, slots) => slots.map(({ no }) => no).join(' '),
  readEvents: (actor) => actor,
  readSnapshot: (actor) => actor,
  writeSnapshot: (actor) => actor,
  forget: (_shard, actors) => actors.map(({ actor, seq }) => `${actor}#${seq}`).join(' '),
  readCheckpoint: () => '',
  writeCheckpoint: (_shard, epoch, { copiedNo }) => `${epoch} ${copiedNo}`,
  retireSegment: (_shard, segment) => segment,
  firstSegment: () => '',
  timersDue: () => '',
  timersDone: (_shard, rows) => rows.map(({ timerId }) => timerId).join(' '),
  timerMoved: (_shard, from) => from.timerId,
  savePosition: (_reader, _shard, { no }) => no,
  readPosition: () => '',
}

/** The model store as one process reaches it. */
export const journalStoreFor = (
  process: SimulatedProcess,
  network: Network,
  model: ModelStore,
): JournalStore => {
  type Any = (...input: readonly unknown[]) => unknown
  const remote = Object.fromEntries(
    Object.entries(details as unknown as Record<Remote, Any>).map(([name, detail]) => [
      name,
      (...input: readonly unknown[]) =>
        network.call(
          process,
          `${name} ${String(detail(...input))}`.trim(),
          () => Reflect.apply(model[name as Remote], model, input) as unknown,
        ),
    ]),
  ) as unknown as Pick<JournalStore, Remote>
  return {
    ...remote,
    segmentSlots: model.segmentSlots,
    copies: model.atomic ? 'atomic' : 'deferred',
    copy: model.atomic ? () => Promise.resolve() : remote.copy,
    // Two reads, as on Cassandra: anything may happen between them.
    readActor: async (actor) => {
      const snapshot = await remote.readSnapshot(actor)
      return { snapshot, events: await remote.readEvents(actor, snapshot?.seq ?? 0) }
    },
    listActors: () => Promise.resolve([]),
    sizes: () => Promise.resolve([]),
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
      end: (lease) => call(`end the lease of ${lease.node}`, () => this.#swap(lease, endedLease(lease))),
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
