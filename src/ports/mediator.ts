/**
 * What the ways in (a POST, a WebSocket) know of the mediator. Envelopes are packed messages, as text.
 *
 * A WebSocket makes one session at its opening and hands over every message to `handle`, one after the other: the next
 * when the promise of the one before has resolved. What comes back is sent in its order. Once `session.push` was called
 * it watches that mailbox (`MailboxWatch`) and sends what `waiting` gives, in its order.
 */
export interface Mediator {
  /**
   * One packed message. Resolves when everything that follows from it is durable. Throws `AskFailed`, retryable, where
   * that cannot be had now: nothing has been acknowledged then.
   */
  handle(envelope: string, session: MediatorSession): Promise<Handled>
  /**
   * What waits in the mailbox behind the place `after` (0: from the beginning), oldest first, at most `limit` messages
   * and 2 MB together, at least one where there is one. Each is an envelope that goes to the wallet as it is
   * (`implicit`), or in a `delivery` of its own (`live`). Null where this is not the mailbox's phone any more.
   */
  waiting(
    phone: Phone,
    after: number,
    limit: number,
    mode: PushMode,
  ): Promise<readonly WaitingMessage[] | null>
  /**
   * The wallet has these: they are deleted, durably when this resolves. Repeating is harmless. False where this is not the
   * mailbox's phone any more; nothing is deleted then.
   */
  acknowledge(phone: Phone, ids: readonly string[]): Promise<boolean>
}

/** A mailbox, and the connection over which its phone speaks. An app that was reset has another one. */
export type Phone = { readonly mailbox: string; readonly connection: string }

/** Implicit: bare envelopes. Live: deliveries of pickup 2.0, which the wallet acknowledges by `messages-received`. */
export type PushMode = 'implicit' | 'live'

export type WaitingMessage = {
  readonly id: string
  /** Grows with every message of the mailbox; never given twice. */
  readonly place: number
  /** What is sent to the wallet. */
  readonly envelope: string
}

/**
 * One POST, or one WebSocket as long as it is open. `handle` calls the two functions, before it resolves and only for a
 * wallet whose envelope it has opened; what is said on the session earlier was said by whoever.
 */
export type MediatorSession = {
  /** What the address names behind `/didcomm/`; null for the address that all share, `/didcomm` itself. */
  readonly address: string | null
  /** Whether messages can be pushed on it. Over HTTP (false) there is one answer, and live mode is refused. */
  readonly isSocket: boolean
  /** How messages are pushed on it; null where they are not. */
  readonly mode: PushMode | null
  /**
   * The wallet of this mailbox has written here. Called for each of its messages before it is answered, so a session that
   * pushes hears of the wallet's next message by it.
   */
  readonly opened: (phone: Phone) => void
  /**
   * What waits in the mailbox is to be pushed from now on, as this says; null: no more. Without it nothing is pushed: a
   * wallet may open a socket and still ask for each message. A session that is `live` stays so when `implicit` comes.
   */
  readonly push: (mailbox: string, mode: PushMode | null) => void
}

/** What `handle` makes of a message, and the envelopes that go back on the same way. */
export type Handled = {
  readonly outcome: Outcome
  /** In their order; at most one over HTTP. */
  readonly replies: readonly string[]
}

export type Outcome =
  | 'accepted'
  /** It cannot be read, or its sender may not write here; he learns no more than that. */
  | 'refused'
  /** Nothing was done, because too much came at once. */
  | { readonly retryAfterMs: number }
  /** It was read, and its sender can be heard by no other way than this answer. */
  | { readonly reason: string }
  /** It is for a mailbox that takes it not, or not now. */
  | { readonly undelivered: 'unknown' | 'full'; readonly reason: string }

/** A POST: one answer, nothing pushed. */
export const postTo = (address: string | null): MediatorSession => ({
  address,
  isSocket: false,
  mode: null,
  opened: () => undefined,
  push: () => undefined,
})
