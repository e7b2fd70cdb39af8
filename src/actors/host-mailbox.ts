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

/** Whoever lives behind a mailbox. */
export type Dweller = {
  readonly actor: string
  /** Works off what is queued, without waiting for anything; a throw stops the mailbox. */
  wake(): void
  /** The mailbox stops because `wake` threw. */
  crashed(error: unknown): void
  /** The mailbox is gone: from now on another one may take the name. */
  stopped(): void
}

type DwellerContext = ActorContext<Dweller, Ref<never>>
export type Mailbox = Ref<Dweller>

/**
 * What nact is used for: a mailbox for each resident, and the stop of one that threw. A message only says that there
 * is something to do; the commands stay in the resident's own bounded queue, so a stop loses none of them, no
 * temporary reference carries an answer, and no handler is ever in the middle of something when it is stopped.
 */
export class Mailboxes {
  readonly #system = start()
  #shards = 0

  /** The parent gets no messages itself: nact copies the map of children for each. */
  openShard(shard: number): ShardMailboxes {
    this.#shards++
    return new ShardMailboxes(spawn(this.#system, idle, `shard-${shard}-${this.#shards}`) as Ref<never>)
  }

  close(): void {
    stop(this.#system)
  }
}

export class ShardMailboxes {
  readonly #parent: Ref<never>

  constructor(parent: Ref<never>) {
    this.#parent = parent
  }

  open(dweller: Dweller): Mailbox {
    return spawn(this.#parent, handle, dweller.actor, { initialState: dweller, onCrash, afterStop })
  }

  /** Children go with their parent: nothing can be sent to them any more. */
  close(): void {
    stop(this.#parent)
  }
}

/** Without a sender of our own nact makes several objects up for every message. */
const dispatchFrom = dispatch as (mailbox: Mailbox, dweller: Dweller, sender: Nobody) => void
const nobody = new Nobody()

export const wakeUp = (mailbox: Mailbox, dweller: Dweller): void => dispatchFrom(mailbox, dweller, nobody)

export const stopMailbox = (mailbox: Mailbox): void => stop(mailbox)

const idle = (): void => undefined

const handle = (_state: Dweller, dweller: Dweller): Dweller => {
  dweller.wake()
  return dweller
}

/** Must not throw, or the process ends; `stop` is the only decision of nact's that is safe. */
const onCrash = (
  message: Dweller | undefined,
  error: Error | undefined,
  context: SupervisionContext<Dweller, Ref<never>>,
): SupervisionContext<Dweller, Ref<never>>['stop'] => {
  quietly(() => message?.crashed(error))
  return context.stop
}

const afterStop = (dweller: Dweller, _context: DwellerContext): void => quietly(() => dweller.stopped())

const quietly = (call: () => void): void => {
  try {
    call()
  } catch {
    // The host reports its own failures; here there is nobody left to tell.
  }
}
