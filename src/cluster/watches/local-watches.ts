import type { MailboxWatch, OnMessage, Watching } from '../../ports/mailbox-watch.ts'
import type { Runtime } from '../../ports/runtime.ts'
import { SameLimit } from '../../timing/same-limit.ts'
import type { WatchSettings } from './settings.ts'

/** The live sessions of this process, by the mailbox that they watch. */
export class LocalWatches {
  readonly #of = new Map<string, readonly OnMessage[]>()

  get size(): number {
    return this.#of.size
  }

  has(mailbox: string): boolean {
    return this.#of.has(mailbox)
  }

  add(mailbox: string, onMessage: OnMessage): void {
    this.#of.set(mailbox, [...(this.#of.get(mailbox) ?? []), onMessage])
  }

  remove(mailbox: string, onMessage: OnMessage): void {
    const left = this.#of.get(mailbox)?.filter((each) => each !== onMessage) ?? []
    if (left.length > 0) this.#of.set(mailbox, left)
    else this.#of.delete(mailbox)
  }

  /** Resolves as soon as one of them has taken what there is, and else when none of them did. */
  tell(mailbox: string): Promise<boolean> {
    const watching = this.#of.get(mailbox)
    return watching === undefined ? NOBODY : oneOf(watching.map(taken))
  }
}

const taken = async (onMessage: OnMessage): Promise<boolean> => {
  try {
    return await onMessage()
  } catch {
    return false
  }
}

/** True as soon as one of the answers is true; false when all are there and none is. A rejection is a no. */
export const oneOf = (answers: readonly Promise<boolean>[]): Promise<boolean> =>
  new Promise((resolve) => {
    let left = answers.length
    const over = (isTaken: boolean): void => {
      left -= 1
      if (isTaken) resolve(true)
      else if (left === 0) resolve(false)
    }
    if (left === 0) resolve(false)
    for (const answer of answers) answer.then(over, () => over(false))
  })

const NOBODY = Promise.resolve(false)

/** Where there is but one node, all sessions are here, and nothing comes between them and what is announced. */
export const watchesHere = (
  runtime: Pick<Runtime, 'sleep' | 'monotonicMs'>,
  { announceTimeoutMs }: Pick<WatchSettings, 'announceTimeoutMs'>,
): MailboxWatch & { readonly stop: () => void } => {
  const local = new LocalWatches()
  const limit = new SameLimit(runtime, announceTimeoutMs)
  return {
    announce: (mailbox) => (local.has(mailbox) ? limit.within(local.tell(mailbox), false) : NOBODY),
    watch: async (mailbox, onMessage) => {
      local.add(mailbox, onMessage)
      return ending(() => local.remove(mailbox, onMessage))
    },
    stop: () => limit.end(),
  }
}

/** Does it once, however often it is ended. */
export const ending = (end: () => void): Watching => {
  let isOver = false
  return {
    [Symbol.dispose]: () => {
      if (!isOver) end()
      isOver = true
    },
  }
}
