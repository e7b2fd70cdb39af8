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

/** What nact runs: one resident. Its two fields belong to this file. */
export abstract class HostedActor {
  /** How nact knows it; null before it is started and after it was stopped. */
  reference: Ref<HostedActor> | null = null
  /** `sent`: a message is on its way, so it will run. `held`: the message is sent when those before it have run. */
  wakeUp: 'none' | 'sent' | 'held' = 'none'
  abstract readonly actor: string
  /** Only an active one is woken and runs; one that is gone has no successor after a crash. */
  abstract readonly phase: string
  abstract run(): void
  /** `run` threw; a successor under the same name has been started. */
  abstract crashed(error: unknown): void
}

/** Residents that run before the event loop goes round: nact itself would run every one that has a message. */
const RESIDENTS_PER_PASS_MAX = 512

/** Without a sender of our own nact makes several objects up for every message. */
const dispatchFrom = dispatch as (actor: Ref<HostedActor>, message: HostedActor, sender: Nobody) => void
const sender = new Nobody()

/** The actors of a process as nact knows them: each resident is one of them, under the supervisor of its shard. */
export class ActorSystem {
  readonly #reference: ActorSystemRef = start()
  #supervisors = 0
  #sent = 0
  #held: HostedActor[] = []

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
    if (resident.reference === null) return
    resident.wakeUp = 'sent'
    this.#sent++
    dispatchFrom(resident.reference, resident, sender)
  }
}

/**
 * The parent of the actors of one shard. It receives no message, because nact copies the map of its children for each.
 * The message to a child says only that it has commands. The commands themselves stay in the resident's own bounded
 * queue, so that a stop loses none of them and one run takes all that have come: of messages nact hands an actor only
 * one each time the event loop goes round.
 */
export class ShardSupervisor {
  readonly #system: ActorSystem
  readonly #reference: Supervisor

  constructor(system: ActorSystem, parent: ActorSystemRef, name: string) {
    this.#system = system
    this.#reference = spawn(parent, (state: null) => state, name) as Supervisor
  }

  start(resident: HostedActor): void {
    resident.reference = spawn(this.#reference, this.#takeTurn, resident.actor, {
      initialState: resident,
      onCrash: this.#crashed,
    })
  }

  /** However many calls come before it runs, it runs once. */
  wake(resident: HostedActor): void {
    if (resident.wakeUp === 'none' && resident.phase === 'active') this.#system.wake(resident)
  }

  /** The name of the actor is free at once. A run waits for nothing, so none is ever interrupted by a stop. */
  stop(resident: HostedActor): void {
    if (resident.reference !== null) stop(resident.reference)
    resident.reference = null
    this.#system.over(resident)
  }

  /** To be called after all children were stopped, because nact does not stop them with their parent. */
  close(): void {
    stop(this.#reference)
  }

  /** The message is the resident itself, so that a crash can name it. */
  readonly #takeTurn = (resident: HostedActor, _message: HostedActor): HostedActor => {
    this.#system.over(resident)
    if (resident.phase === 'active') resident.run()
    return resident
  }

  /**
   * Must not throw, or the process ends; `stop` is the only decision of nact's that is safe. The actor is stopped here
   * already, because nact itself stops it later, and until then its name would be taken.
   */
  readonly #crashed = (
    resident: HostedActor | undefined,
    error: Error | undefined,
    crash: Crash,
  ): Crash['stop'] => {
    if (resident === undefined || resident.phase === 'gone') return crash.stop
    this.stop(resident)
    try {
      this.start(resident)
      resident.crashed(error)
    } catch {
      // The shard reports its own failures; nothing is left here to report to.
    }
    return crash.stop
  }
}
