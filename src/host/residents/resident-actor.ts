/* oxlint-disable typescript/no-generated-empty-object-type -- nact's references have an empty type */
import {
  type ActorSystemRef,
  dispatch,
  Nobody,
  type Ref,
  type SupervisionContext,
  spawn,
  start,
  stop,
} from 'nact'

type Supervisor = Ref<never>
type Crash = SupervisionContext<HostedActor, Supervisor>

/** What nact runs: a resident while it has commands. Its two fields belong to this file. */
export abstract class HostedActor {
  /** Under whom it runs; null before it is started and after it was stopped. */
  supervisor: ShardSupervisor | null = null
  /** `sent`: a message is on its way, so it will run. `held`: the message is sent when those before it have run. */
  wakeUp: 'none' | 'sent' | 'held' = 'none'
  abstract readonly actor: string
  /** Only an active one is woken and runs. */
  abstract readonly phase: string
  abstract run(): void
  /** `run` threw. */
  abstract crashed(error: unknown): void
}

type NactActor = Ref<HostedActor>
/** The state of an actor of nact, which runs one resident after the other: how it is known itself. */
type Self = { reference: NactActor | null }

/** Residents that run before the event loop goes round: nact itself would run every one that has a message. */
const RESIDENTS_PER_PASS_MAX = 512

/** Without a sender of our own nact makes several objects up for every message. */
const dispatchFrom = dispatch as (actor: NactActor, message: HostedActor, sender: Nobody) => void
const sender = new Nobody()

/** Actors that are kept for the next residents with commands, of all shards together: some 5 MB. */
const FREE_MAX = 4_096

/** The actors of a process as nact knows them: each resident with commands is one of them, under the supervisor of its shard. */
export class ActorSystem {
  readonly #reference: ActorSystemRef = start()
  #supervisors = 0
  #sent = 0
  #held: HostedActor[] = []
  /** Of all shards; written by their supervisors. */
  free = 0

  /** Belongs to one opening of the shard; a later opening gets another one. */
  supervisor(shard: number): ShardSupervisor {
    return new ShardSupervisor(this, this.#reference, `shard-${shard}-${++this.#supervisors}`)
  }

  wake(resident: HostedActor): void {
    if (this.#held.length === 0 && this.#sent < RESIDENTS_PER_PASS_MAX) this.#send(resident)
    else {
      resident.wakeUp = 'held'
      this.#held.push(resident)
    }
  }

  /** The message has arrived, or never will, because the actor was stopped before. */
  over(resident: HostedActor): void {
    const { wakeUp } = resident
    resident.wakeUp = 'none'
    if (wakeUp === 'sent') this.#sent--
    while (this.#sent === 0 && this.#held.length > 0) {
      const next = this.#held.splice(0, RESIDENTS_PER_PASS_MAX)
      for (const held of next) if (held.wakeUp === 'held') this.#send(held)
    }
  }

  close(): void {
    stop(this.#reference)
  }

  #send(resident: HostedActor): void {
    if (resident.supervisor === null) return
    resident.wakeUp = 'sent'
    this.#sent++
    resident.supervisor.send(resident)
  }
}

/**
 * The parent of the actors of one shard. It receives no message, because nact copies the map of its children for each.
 * A resident is given an actor when it has commands, and gives it back when it has run: most residents have none most of
 * the time, and an actor with its maps takes more memory than many a resident. The message says only whose turn it is. The
 * commands themselves stay in the resident's own bounded queue, so that a stop loses none of them and one run takes all
 * that have come: of messages nact hands an actor only one each time the event loop goes round.
 */
export class ShardSupervisor {
  readonly #system: ActorSystem
  readonly #reference: Supervisor
  readonly #free: NactActor[] = []
  /** Actors that were ever made here: nact wants a name for each. */
  #made = 0
  #isClosed = false

  constructor(system: ActorSystem, parent: ActorSystemRef, name: string) {
    this.#system = system
    this.#reference = spawn(parent, (state: null) => state, name) as Supervisor
  }

  start(resident: HostedActor): void {
    resident.supervisor = this
  }

  /** However many calls come before it runs, it runs once. */
  wake(resident: HostedActor): void {
    if (resident.wakeUp === 'none' && resident.phase === 'active') this.#system.wake(resident)
  }

  /** A run waits for nothing, so none is ever interrupted by a stop. The message that is on its way finds it gone. */
  stop(resident: HostedActor): void {
    resident.supervisor = null
    this.#system.over(resident)
  }

  send(resident: HostedActor): void {
    const free = this.#free.pop()
    if (free !== undefined) this.#system.free--
    dispatchFrom(free ?? this.#make(), resident, sender)
  }

  /** To be called after all residents were stopped. nact does not stop children with their parent. */
  close(): void {
    this.#isClosed = true
    this.#system.free -= this.#free.length
    for (const actor of this.#free.splice(0)) stop(actor)
    stop(this.#reference)
  }

  #make(): NactActor {
    const initialState: Self = { reference: null }
    const actor = spawn(this.#reference, this.#takeTurn, `turns-${++this.#made}`, {
      initialState,
      onCrash: this.#crashed,
    })
    initialState.reference = actor
    return actor
  }

  /** The actor is free when the resident has run: whatever it is sent next, nact hands it after that. */
  readonly #takeTurn = (self: Self, resident: HostedActor): Self => {
    // Null where it was stopped after the message was sent.
    if (resident.supervisor === this) {
      this.#system.over(resident)
      if (resident.phase === 'active') resident.run()
    }
    if (self.reference !== null) this.#giveBack(self.reference)
    return self
  }

  #giveBack(actor: NactActor): void {
    if (this.#isClosed || this.#system.free >= FREE_MAX) {
      stop(actor)
      return
    }
    this.#system.free++
    this.#free.push(actor)
  }

  /** Must not throw, or the process ends; `stop` is the only decision of nact's that is safe. Another actor takes the next turn. */
  readonly #crashed = (
    resident: HostedActor | undefined,
    error: Error | undefined,
    crash: Crash,
  ): Crash['stop'] => {
    try {
      if (resident !== undefined && resident.phase !== 'gone') resident.crashed(error)
    } catch {
      // The shard reports its own failures; nothing is left here to report to.
    }
    return crash.stop
  }
}
