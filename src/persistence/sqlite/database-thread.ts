import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { StoreFailure, type AppendOutcome, type LogSlot } from '../store-port.ts'
import { SlotPacker } from './slot-file/packed-slots.ts'
import type {
  GroupAnswer,
  GroupRequest,
  Operations,
  ThreadAnswer,
  ThreadCall,
  ThreadFailure,
  ThreadReady,
} from './thread-messages.ts'

const GROUPS_IN_FLIGHT_MAX = 8
/**
 * The thread takes all that waits for it into one transaction, so one group beside that under way keeps it busy; more of
 * them would only be more messages.
 */
const SMALL_GROUPS_IN_FLIGHT_MAX = 2
/** Waking a thread that rests costs more than most calls, so those that can wait go with one that cannot, or after this. */
const LINGER_MS = 250
/**
 * A group of this many slots is sent at once: the thread then writes the first slots while this side still packs the
 * others, instead of each side waiting for the other.
 */
const PORTION_SLOTS = 64
const WAITING_CALLS_MAX = 65_536
const RESTART_DELAY_MS = 500

type Functions<Allowed extends Operations, Method extends keyof Allowed> = {
  readonly [Each in Method]: (...args: Parameters<Allowed[Each]>) => Promise<ReturnType<Allowed[Each]>>
}

type Settings = {
  /** Bounds how much work the thread may take into one transaction. */
  readonly groupsInFlightMax?: number
  readonly lingerMs?: number
  /** Called when an answer says so; nothing then waits for what becomes of it. */
  readonly logIsLong?: () => void
}

/**
 * The main thread's side of a worker thread with a connection to the file: calls gather into groups, and answers find
 * their callers.
 */
export class DatabaseThread<Allowed extends Operations> implements AsyncDisposable {
  readonly #script: URL
  readonly #file: string
  readonly #settings: Required<Settings>
  #packer = new SlotPacker()
  readonly #inFlight: WaitingGroup[] = []
  #gathering = new WaitingGroup(this.#packer)
  #worker: Worker | null = null
  #flushPlanned = false
  #lingering: NodeJS.Timeout | null = null
  #closing: Promise<void> | null = null

  private constructor(script: URL, file: string, settings: Settings) {
    this.#script = script
    this.#file = file
    const defaults = { groupsInFlightMax: GROUPS_IN_FLIGHT_MAX, lingerMs: LINGER_MS, logIsLong: () => {} }
    this.#settings = { ...defaults, ...settings }
  }

  /** Rejects when the file cannot be opened with the settings it needs. */
  static async open<Allowed extends Operations>(
    script: URL,
    file: string,
    settings: Settings = {},
  ): Promise<DatabaseThread<Allowed>> {
    const thread = new DatabaseThread<Allowed>(script, file, settings)
    await thread.#start()
    return thread
  }

  call<Method extends keyof Allowed & string>(
    method: Method,
    ...args: Parameters<Allowed[Method]>
  ): Promise<ReturnType<Allowed[Method]>> {
    return this.#gather<ReturnType<Allowed[Method]>>((waiting) =>
      this.#gathering.addCall([method, ...(args as unknown[])], waiting as Waiting<unknown>),
    )
  }

  /** For what no caller of the service waits for: it goes with the next call that does not linger. */
  callLater<Method extends keyof Allowed & string>(
    method: Method,
    ...args: Parameters<Allowed[Method]>
  ): Promise<ReturnType<Allowed[Method]>> {
    const add = (waiting: Waiting<ReturnType<Allowed[Method]>>): void =>
      this.#gathering.addCall([method, ...(args as unknown[])], waiting as Waiting<unknown>)
    return this.#gather(add, true)
  }

  /** A function for each of these operations, which calls it in the thread; a store's methods are such functions. */
  functions<Method extends keyof Allowed & string>(
    ...methods: readonly Method[]
  ): Functions<Allowed, Method> {
    const entries = methods.map((method) => [
      method,
      (...args: Parameters<Allowed[Method]>) => this.call(method, ...args),
    ])
    return Object.fromEntries(entries) as Functions<Allowed, Method>
  }

  laterFunctions<Method extends keyof Allowed & string>(
    ...methods: readonly Method[]
  ): Functions<Allowed, Method> {
    const entries = methods.map((method) => [
      method,
      (...args: Parameters<Allowed[Method]>) => this.callLater(method, ...args),
    ])
    return Object.fromEntries(entries) as Functions<Allowed, Method>
  }

  get #smallGroupsMax(): number {
    return Math.min(SMALL_GROUPS_IN_FLIGHT_MAX, this.#settings.groupsInFlightMax)
  }

  /** Only for the writing thread. */
  append(slot: LogSlot): Promise<AppendOutcome> {
    return this.#gather<AppendOutcome>((waiting) => this.#gathering.addSlot(slot, waiting))
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  #gather<Answer>(add: (waiting: Waiting<Answer>) => void, lingers = false): Promise<Answer> {
    if (this.#closing !== null) return Promise.reject(notApplied('the journal is closed'))
    if (this.#gathering.size >= WAITING_CALLS_MAX)
      return Promise.reject(notApplied('the journal is overloaded'))
    return new Promise((resolve, reject) => {
      add({ resolve, reject })
      if (this.#gathering.slots >= PORTION_SLOTS && this.#inFlight.length < this.#settings.groupsInFlightMax)
        this.#flush()
      else if (lingers) this.#lingering ??= setTimeout(() => this.#planFlush(), this.#settings.lingerMs)
      else this.#planFlush()
    })
  }

  /**
   * The flush waits for the end of the event loop's turn, so that everything its callbacks ask for travels together.
   */
  #planFlush(): void {
    if (this.#flushPlanned || this.#inFlight.length >= this.#smallGroupsMax) return
    this.#flushPlanned = true
    setImmediate(() => {
      this.#flushPlanned = false
      this.#flush()
    })
  }

  #flush(): void {
    if (this.#lingering !== null) clearTimeout(this.#lingering)
    this.#lingering = null
    if (this.#worker === null || this.#gathering.size === 0) return
    const group = this.#takeGathering()
    this.#inFlight.push(group)
    this.#worker.postMessage(group.request())
  }

  #settle([count, answer]: ThreadAnswer): void {
    const groups = this.#inFlight.splice(0, count)
    if (answer === null) for (const group of groups) group.settleTheRest()
    else WaitingGroup.settle(groups, answer)
    if (answer?.isLogLong) this.#settings.logIsLong()
    if (this.#gathering.size > 0) this.#planFlush()
  }

  #takeGathering(): WaitingGroup {
    const group = this.#gathering
    this.#gathering = new WaitingGroup(this.#packer)
    return group
  }

  async #start(): Promise<void> {
    const worker = new Worker(this.#script, { workerData: { file: this.#file } })
    const [ready] = (await once(worker, 'message')) as [ThreadReady]
    if (!ready.ready) throw new Error(ready.message)
    if (this.#closing !== null) {
      worker.postMessage('stop')
      return
    }
    this.#worker = worker
    worker.on('message', (answer: ThreadAnswer) => this.#settle(answer))
    worker.on('error', (error) => this.#lose(worker, error))
    worker.on('exit', () => this.#lose(worker, new Error('the database thread ended')))
    this.#planFlush()
  }

  /** The thread died, and its last groups may or may not be committed; the callers have to find out. */
  #lose(worker: Worker, cause: Error): void {
    if (this.#worker !== worker) return
    this.#worker = null
    for (const group of this.#inFlight.splice(0)) {
      group.reject(new StoreFailure('unknown', 'the database thread ended', { cause }))
    }
    // The packed slots of rejected callers must not travel with the slots of later callers.
    this.#packer = new SlotPacker()
    this.#takeGathering().reject(notApplied('the database thread ended'))
    if (this.#closing === null) this.#restart()
  }

  #restart(): void {
    setTimeout(() => {
      if (this.#closing !== null) return
      this.#start().catch(() => this.#restart())
    }, RESTART_DELAY_MS).unref()
  }

  async #close(): Promise<void> {
    this.#flush()
    const worker = this.#worker
    if (worker === null) {
      // It died and has not come back, so nobody else would answer those who wait.
      this.#takeGathering().reject(notApplied('the journal is closed'))
      return
    }
    const ended = once(worker, 'exit')
    worker.postMessage('stop')
    await ended
  }
}

const notApplied = (message: string): StoreFailure => new StoreFailure('not-applied', message)

export type Waiting<Answer> = {
  readonly resolve: (value: Answer) => void
  readonly reject: (error: Error) => void
}

const WRITTEN: AppendOutcome = { is: 'written' }

/** Slots and calls that gather while the thread is busy, and the callers that wait for them. */
export class WaitingGroup {
  readonly #packer: SlotPacker
  readonly #calls: ThreadCall[] = []
  readonly #slotWaiting: Waiting<AppendOutcome>[] = []
  readonly #callWaiting: Waiting<unknown>[] = []

  constructor(packer: SlotPacker) {
    this.#packer = packer
  }

  get size(): number {
    return this.#slotWaiting.length + this.#callWaiting.length
  }

  get slots(): number {
    return this.#slotWaiting.length
  }

  addSlot(slot: LogSlot, waiting: Waiting<AppendOutcome>): void {
    this.#packer.add(slot)
    this.#slotWaiting.push(waiting)
  }

  addCall(call: ThreadCall, waiting: Waiting<unknown>): void {
    this.#calls.push(call)
    this.#callWaiting.push(waiting)
  }

  request(): GroupRequest {
    return { slots: this.#slotWaiting.length === 0 ? [] : [this.#packer.take()], calls: this.#calls }
  }

  reject(error: Error): void {
    for (const waiting of [...this.#slotWaiting, ...this.#callWaiting]) waiting.reject(error)
  }

  /**
   * Resolves every call that the answer does not name: it was done and has no value. Calls that are already settled
   * ignore it.
   */
  settleTheRest(): void {
    for (const { resolve } of this.#slotWaiting) resolve(WRITTEN)
    for (const { resolve } of this.#callWaiting) resolve(undefined)
  }

  /** Settles groups that the thread took into one transaction. */
  static settle(groups: readonly WaitingGroup[], { values, failures }: GroupAnswer): void {
    const slots = groups.flatMap((group) => group.#slotWaiting)
    const calls = groups.flatMap((group) => group.#callWaiting)
    for (const [index, failure] of failures) {
      const waiting = index < slots.length ? slots[index] : calls[index - slots.length]
      waiting?.reject(asError(failure))
    }
    for (const [index, value] of values) {
      if (index < slots.length) slots[index]?.resolve(value as AppendOutcome)
      else calls[index - slots.length]?.resolve(value)
    }
    for (const group of groups) group.settleTheRest()
  }
}

const asError = ({ is, message }: ThreadFailure): Error =>
  is === 'defect' ? new Error(message) : new StoreFailure(is, message)
