/** Told when the callbacks of this turn of the event loop have run. */
export type TurnEndListener = { turnEnded(): void }

/** One immediate for all shards: hundreds of them, each with a few entries, would cost more than the entries. */
export class TurnEnd {
  #listeners: TurnEndListener[] = []

  tell(listener: TurnEndListener): void {
    this.#listeners.push(listener)
    if (this.#listeners.length === 1) setImmediate(this.#end)
  }

  readonly #end = (): void => {
    const listeners = this.#listeners
    this.#listeners = []
    for (const listener of listeners) listener.turnEnded()
  }
}
