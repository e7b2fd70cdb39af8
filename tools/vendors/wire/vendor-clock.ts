/**
 * The vendor's two clocks. The one on its wall can be wrong, which every signature notices; what it holds can be made
 * older, which nobody notices who is not waiting for it.
 */
export class VendorClock {
  #offsetMs = 0
  #agedMs = 0

  /** What the vendor takes for the time of day. */
  get wallMs(): number {
    return Date.now() + this.#offsetMs
  }

  /** What the ages of sessions, credentials and outages are measured by. */
  get lifeMs(): number {
    return Date.now() + this.#agedMs
  }

  /** How far the clock on the wall is ahead of this machine's. */
  set(offsetMs: number): void {
    this.#offsetMs = offsetMs
  }

  /** Everything that is held becomes older by this. */
  age(ms: number): void {
    this.#agedMs += ms
  }
}
