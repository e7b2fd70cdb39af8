/** What happened when, printed as it happens; every line says who speaks. */
export class Timeline {
  readonly #startedMs = performance.now()

  tell(who: string, what: string): void {
    const seconds = ((performance.now() - this.#startedMs) / 1000).toFixed(2).padStart(7)
    console.log(`${seconds} s  ${who.padEnd(9)} ${what}`)
  }

  /** Says every few seconds that something slow goes on. */
  async during<Result>(what: string, work: Promise<Result>): Promise<Result> {
    const startedMs = performance.now()
    const ticking = setInterval(() => {
      this.tell('…', `${what}, ${Math.round((performance.now() - startedMs) / 1000)} s`)
    }, 3000)
    try {
      return await work
    } finally {
      clearInterval(ticking)
    }
  }

  get seconds(): number {
    return (performance.now() - this.#startedMs) / 1000
  }
}
