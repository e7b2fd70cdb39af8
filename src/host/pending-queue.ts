import type { Work } from './pending-command.ts'

/** Commands in the order in which they came; linked through the commands themselves, so that waiting costs no memory. */
export class WorkQueue {
  #first: Work | null = null
  #last: Work | null = null

  get isEmpty(): boolean {
    return this.#first === null
  }

  push(work: Work): void {
    work.next = null
    if (this.#last === null) this.#first = work
    else this.#last.next = work
    this.#last = work
  }

  /** In front of all others. */
  unshift(work: Work): void {
    work.next = this.#first
    this.#first = work
    this.#last ??= work
  }

  shift(): Work | null {
    const work = this.#first
    if (work === null) return null
    this.#first = work.next
    if (this.#first === null) this.#last = null
    work.next = null
    return work
  }

  failAll(error: Error): void {
    for (let work = this.shift(); work !== null; work = this.shift()) work.fail(error)
  }
}
