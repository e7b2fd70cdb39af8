/** What happened when, printed as it happens; every line names its source. */
export class Timeline {
  readonly #startedMs = performance.now()

  add(source: string, what: string): void {
    console.log(`${this.seconds.toFixed(2).padStart(7)} s  ${source.padEnd(9)} ${what}`)
  }

  get seconds(): number {
    return (performance.now() - this.#startedMs) / 1000
  }
}
