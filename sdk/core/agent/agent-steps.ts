import type { RowStore, Step } from '../rows/row-store.ts'
import type { Outgoing, OutgoingMessages } from './outgoing-messages.ts'

type Parts = {
  readonly rows: RowStore
  readonly outgoing: OutgoingMessages
  /** Stores what is to be sent. */
  readonly post: (outgoing: Outgoing) => void
  /** Takes over what Credo has reported within the step. */
  readonly settle: (step: Step) => Promise<void>
  /** Forgets what was reported by a step that failed. */
  readonly forget: () => void
}

/** Steps in which Credo does something: what it stores and what it sends are stored together. */
export class AgentSteps {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  run<Result>(work: (step: Step) => Promise<Result>): Promise<Result> {
    const { rows, outgoing, post, settle, forget } = this.#parts
    return rows.step(async (step) => {
      forget()
      const results: Result[] = []
      const sent = await outgoing.collect(async () => {
        results.push(await work(step))
        await settle(step)
      })
      for (const each of sent) post(each)
      return results[0] as Result
    })
  }

  /** Lets Credo seal messages that are worth nothing later, so nothing of it is stored. */
  sealed(work: () => Promise<unknown>): Promise<readonly Outgoing[]> {
    const { rows, outgoing, forget } = this.#parts
    return rows.step(async (step) => {
      forget()
      const sent = await outgoing.collect(work)
      forget()
      step.giveUp()
      return sent
    })
  }
}
