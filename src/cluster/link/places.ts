import type { LinkSettings } from './link-settings.ts'

type Taken = { count: number; bytes: number }

/** What is under way in one direction of a connection: bounded in number and bytes, in all and for each service. */
export class Places {
  readonly #max: Taken
  readonly #maxOfOne: Taken
  readonly #all: Taken = { count: 0, bytes: 0 }
  /** There are as many as services that this node knows. */
  readonly #ofService = new Map<string, Taken>()

  constructor({
    waitingMax,
    waitingBytesMax,
    serviceShare,
  }: Pick<LinkSettings, 'waitingMax' | 'waitingBytesMax' | 'serviceShare'>) {
    this.#max = { count: waitingMax, bytes: waitingBytesMax }
    this.#maxOfOne = {
      count: Math.ceil(waitingMax * serviceShare),
      bytes: Math.ceil(waitingBytesMax * serviceShare),
    }
  }

  get taken(): number {
    return this.#all.count
  }

  /** Why there is no place for a body of so many bytes; null where there is one. */
  lacks(service: string, bytes: number): keyof Taken | null {
    return lacking(this.#all, this.#max, bytes) ?? lacking(this.#of(service), this.#maxOfOne, bytes)
  }

  take(service: string, bytes: number): void {
    this.#change(service, 1, bytes)
  }

  giveBack(service: string, bytes: number): void {
    this.#change(service, -1, -bytes)
  }

  #change(service: string, count: number, bytes: number): void {
    for (const taken of [this.#all, this.#of(service)]) {
      taken.count += count
      taken.bytes += bytes
    }
  }

  #of(service: string): Taken {
    const known = this.#ofService.get(service)
    if (known !== undefined) return known
    const taken = { count: 0, bytes: 0 }
    this.#ofService.set(service, taken)
    return taken
  }
}

/** A single large one may always go, or it never could. */
const lacking = (taken: Taken, max: Taken, bytes: number): keyof Taken | null => {
  if (taken.count >= max.count) return 'count'
  return taken.bytes > 0 && taken.bytes + bytes > max.bytes ? 'bytes' : null
}
