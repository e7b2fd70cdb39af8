/* oxlint-disable typescript/no-generated-empty-object-type -- nact's references have an empty type */
import {
  type ActorContext,
  dispatch,
  Nobody,
  type Ref,
  type SupervisionContext,
  spawn,
  start,
  stop,
} from 'nact'

/** Who works behind a mailbox. */
export type Worker = {
  /** Works off what is ready, without waiting for anything; a throw stops the mailbox. */
  work(): void
  /** `work` threw, and the mailbox stops. */
  crashed(error: unknown): void
}

type Parent = Ref<never>

/** Without a sender of our own nact makes several objects up for every message. */
const dispatchFrom = dispatch as (mailbox: Ref<null>, message: null, sender: Nobody) => void
const nobody = new Nobody()

/**
 * What nact is used for: turns, and supervision of whoever throws in one. Its message only says that some actors have
 * work: nact takes about a microsecond for a message and 1.2 KB for an actor of its own, so one message carries what
 * all of them have to do. The commands themselves stay in the actors' own bounded queues: a stop loses none of them, no
 * temporary reference carries an answer, and no handler is ever in the middle of something when it is stopped.
 */
export class Mailbox {
  readonly #system = start()
  readonly #worker: Worker
  /** Null between a crash and the confirmation that it has stopped: only then may another one take its place. */
  #reference: Ref<null> | null
  #isAwake = false
  #isClosed = false
  #spawned = 0

  constructor(worker: Worker) {
    this.#worker = worker
    this.#reference = this.#spawn()
  }

  /** The worker gets a turn, one for however many calls come before it. */
  wake(): void {
    if (this.#isAwake || this.#isClosed) return
    this.#isAwake = true
    if (this.#reference !== null) dispatchFrom(this.#reference, null, nobody)
  }

  close(): void {
    this.#isClosed = true
    if (this.#reference !== null) stop(this.#reference)
    stop(this.#system)
  }

  #spawn(): Ref<null> {
    return spawn(this.#system, this.#handle, `turns-${++this.#spawned}`, {
      initialState: null,
      onCrash: this.#onCrash,
      afterStop: this.#afterStop,
    })
  }

  readonly #handle = (_state: null, _message: null): null => {
    if (this.#isClosed) return null
    this.#isAwake = false
    this.#worker.work()
    return null
  }

  /** Must not throw, or the process ends; `stop` is the only decision of nact's that is safe. */
  readonly #onCrash = (
    _message: null | undefined,
    error: Error | undefined,
    context: SupervisionContext<null, Parent>,
  ): SupervisionContext<null, Parent>['stop'] => {
    this.#reference = null
    try {
      this.#worker.crashed(error)
    } catch {
      // The worker reports its own failures; here there is nobody left to tell.
    }
    return context.stop
  }

  readonly #afterStop = (_state: null, _context: ActorContext<null, Parent>): void => {
    if (this.#isClosed) return
    this.#reference = this.#spawn()
    if (this.#isAwake) dispatchFrom(this.#reference, null, nobody)
  }
}
