/** How the rest of the service reaches actors. */
export type AskOptions = {
  /** The same id again, also after a crash or on another node, has the effect once and the same answer. Empty for a question. */
  readonly commandId: string
  /** Relative: the answer is `unavailable` (retryable, outcome found out by repeating the id) when it is not there by then. */
  readonly timeoutMs: number
  /** Whose share of the shard's queue it takes; null for the system's own work. */
  readonly tenant: string | null
}

/** Broken infrastructure or too much work, in contrast to a decider's refusal, which is a reply. All are retryable. */
export class AskFailed extends Error {
  readonly retryable = true
  readonly code: 'unavailable' | 'overloaded' | 'not_owner'
  readonly retryAfterMs: number
  constructor(
    code: 'unavailable' | 'overloaded' | 'not_owner',
    reason: string,
    retryAfterMs: number,
    options?: ErrorOptions,
  ) {
    super(reason, options)
    this.name = 'AskFailed'
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}

/** A text that is no actor's id, or of a kind that does not exist: nothing can be asked under it. */
export class NoSuchActor extends Error {
  readonly retryable = false
  constructor() {
    super('no actor can have this id')
    this.name = 'NoSuchActor'
  }
}

export type Addressed = { readonly actor: string; readonly command: unknown }

export interface Actors {
  ask<Reply>(actor: string, command: unknown, options: AskOptions): Promise<Reply>
  /** The answer to a question where its actor can give it at once; null where it has to be asked. */
  answerNow?(actor: string, question: unknown): { readonly reply: unknown } | null
  /**
   * Several actors of one shard, all or nothing, committed in one batch; decided in their order. The first reply that
   * `refused` holds true for stops the whole: it is the last in the answer, and nothing has happened.
   */
  askTogether(
    commands: readonly Addressed[],
    refused: (reply: unknown) => boolean,
    options: AskOptions,
  ): Promise<readonly unknown[]>
}
