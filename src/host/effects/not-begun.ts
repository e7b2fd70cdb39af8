/** How long an effect is postponed that found too many waiting. */
export const QUEUE_FULL_MS = 5_000

/** The run ended before it did anything. */
export class EffectNotBegun extends Error {}

/** The effect stays owed and comes again; nothing went wrong. */
export class ComesAgain extends EffectNotBegun {
  readonly againInMs: number

  constructor(reason: string, againInMs: number) {
    super(reason)
    this.name = 'ComesAgain'
    this.againInMs = againInMs
  }
}

export class RecipientBusy extends ComesAgain {
  constructor(againInMs: number) {
    super('too much waits for this recipient already', againInMs)
    this.name = 'RecipientBusy'
  }
}
