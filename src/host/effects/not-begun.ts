/** How long an effect is postponed that found too many waiting. */
export const QUEUE_FULL_MS = 5_000

/** The run ended before it did anything. */
export class EffectNotBegun extends Error {}

/** The effect stays owed and comes again. */
export class RecipientBusy extends EffectNotBegun {
  readonly againInMs: number

  constructor(againInMs: number) {
    super('too much waits for this recipient already')
    this.name = 'RecipientBusy'
    this.againInMs = againInMs
  }
}
