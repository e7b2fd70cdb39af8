const BAR_WIDTH = 20
const START_OF_LINE = '\r'
const ERASE_LINE = '\u001b[K'

/** The last line of a terminal, written over as something goes on. */
export class ProgressLine {
  readonly #write: (text: string) => void
  readonly #columns: number
  #isShown = false

  constructor(write: (text: string) => void, columns: number) {
    this.#write = write
    this.#columns = columns
  }

  /** `share`: how much of it is done, from 0 to 1; null where nobody knows. */
  show(text: string, share: number | null): void {
    const line = share === null ? text : `${bar(share)}  ${text}`
    // A line that is as wide as the terminal would go on in the next one, which is not written over.
    const shown = Array.from(line).slice(0, Math.max(0, this.#columns - 1))
    this.#write(`${START_OF_LINE}${shown.join('')}${ERASE_LINE}`)
    this.#isShown = true
  }

  clear(): void {
    if (this.#isShown) this.#write(`${START_OF_LINE}${ERASE_LINE}`)
    this.#isShown = false
  }
}

const bar = (share: number): string => {
  const known = Math.min(1, Math.max(0, share))
  const full = Math.floor(known * BAR_WIDTH)
  return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} ${String(Math.floor(known * 100)).padStart(3)} %`
}
