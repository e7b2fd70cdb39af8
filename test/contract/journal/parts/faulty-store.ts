import { type JournalStore, StoreFailure } from '../../../../src/persistence/store-port.ts'

export type StoreMethod = Exclude<keyof JournalStore, symbol | 'copies'>
export type Fault = 'fail-before' | 'fail-after' | 'slow' | 'hang' | 'late'

/** `late`: no answer in time, and applied long after the caller has gone on. */
export const FAULTS: readonly Fault[] = ['fail-before', 'fail-after', 'slow', 'hang', 'late']

/** Those that the journal calls; the others are for inspecting it. */
export const STORE_METHODS: readonly StoreMethod[] = [
  'append',
  'readLog',
  'copy',
  'readActor',
  'writeSnapshot',
  'readCheckpoint',
  'writeCheckpoint',
  'retireSegment',
  'firstSegment',
  'timersDue',
  'timersDone',
  'timerMoved',
  'listActors',
  'savePosition',
  'readPosition',
  'probe',
]

const SLOW_MS = 30
const LATE_MS = 400

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A real store around which chosen calls go wrong, each in one of the ways a store over a network can. */
export class FaultyStore {
  readonly store: JournalStore
  readonly #calls = new Map<StoreMethod, number>()
  #plan: { readonly method: StoreMethod; readonly fault: Fault; readonly every: number } | null = null
  #late: Promise<unknown>[] = []

  constructor(real: JournalStore) {
    this.store = new Proxy(real, {
      get: (_, property) => {
        const value: unknown = Reflect.get(real, property, real)
        if (typeof value !== 'function' || typeof property === 'symbol') return value
        const call = value.bind(real) as (...args: unknown[]) => Promise<unknown>
        return (...args: unknown[]) => this.#run(property as StoreMethod, () => call(...args))
      },
    })
  }

  /** The first call of the method and then every `every`th goes wrong, until `heal`. */
  plan(method: StoreMethod, fault: Fault, every: number): void {
    this.#plan = { method, fault, every }
    this.#calls.clear()
  }

  /** Faults happened since `plan`. */
  get faults(): number {
    const { method, every } = this.#plan ?? { method: 'probe', every: 1 }
    return Math.ceil((this.#calls.get(method) ?? 0) / every)
  }

  /** When this resolves, what was applied late is applied. */
  async heal(): Promise<void> {
    this.#plan = null
    await Promise.all(this.#late)
    this.#late = []
  }

  async #run(method: StoreMethod, call: () => Promise<unknown>): Promise<unknown> {
    switch (this.#faultOf(method)) {
      case null:
        return call()
      case 'fail-before':
        throw new StoreFailure('not-applied', `${method}: refused`)
      case 'fail-after':
        await call()
        throw new StoreFailure('unknown', `${method}: applied, but the answer was lost`)
      case 'slow':
        await pause(SLOW_MS)
        return call()
      case 'hang':
        return new Promise(() => {})
      case 'late':
        this.#late.push(pause(LATE_MS).then(call))
        return new Promise(() => {})
    }
  }

  #faultOf(method: StoreMethod): Fault | null {
    const plan = this.#plan
    if (plan === null || plan.method !== method) return null
    const before = this.#calls.get(method) ?? 0
    this.#calls.set(method, before + 1)
    return before % plan.every === 0 ? plan.fault : null
  }
}
