import type { AnyActorDefinition } from '../definition.ts'

/** Which bodies of an actor are kept, and whether all others are known to be deleted. */
export class KeptBodies {
  readonly #definition: AnyActorDefinition
  /** The ids that were kept by the last deletion. */
  #deletedBut: string | null = null

  constructor(definition: AnyActorDefinition) {
    this.#definition = definition
  }

  /** True while bodies may be there that this state needs no longer. */
  owesDeletion(state: unknown): boolean {
    const kept = this.#definition.bodiesKept(state)
    return kept !== null && kept.join() !== this.#deletedBut
  }

  deletedAllBut(kept: readonly string[]): void {
    this.#deletedBut = kept.join()
  }

  /** Of an actor that is loaded: a deletion that was not finished left a wake-up. */
  recovered(state: unknown): void {
    const kept = this.#definition.bodiesKept(state)
    if (kept !== null) this.deletedAllBut(kept)
  }

  /** A wake-up from before it was loaded does not say what it is for; or a body may have come late. */
  deleteAgain(): void {
    this.#deletedBut = null
  }
}
