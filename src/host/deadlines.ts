import type { Work } from './pending-command.ts'

/** How much later than its deadline a command may be given up. */
const DEADLINE_GRAIN_MS = 100

/**
 * Deadlines of all waiting commands in lists, one for each tenth of a second, so that neither a command nor a tick
 * costs more when many wait.
 */
export class Deadlines {
  readonly #lists = new Map<number, DeadlineList>()
  #last: DeadlineList | null = null

  add(work: Work, deadlineMs: number): void {
    const slot = Math.ceil(deadlineMs / DEADLINE_GRAIN_MS)
    let list = this.#last
    if (list === null || list.slot !== slot) {
      list = this.#lists.get(slot) ?? null
      if (list === null) {
        list = new DeadlineList(slot)
        this.#lists.set(slot, list)
      }
      this.#last = list
    }
    list.append(work)
  }

  /** Takes out everything whose deadline has passed. */
  expire(nowMs: number, giveUp: (work: Work) => void): void {
    const current = Math.floor(nowMs / DEADLINE_GRAIN_MS)
    for (const [slot, list] of this.#lists) {
      if (slot > current) continue
      this.#lists.delete(slot)
      if (this.#last === list) this.#last = null
      for (let work = list.first; work !== null; work = list.first) {
        list.unlink(work)
        giveUp(work)
      }
    }
  }
}

class DeadlineList {
  readonly slot: number
  first: Work | null = null
  #last: Work | null = null

  constructor(slot: number) {
    this.slot = slot
  }

  append(work: Work): void {
    work.deadlines = this
    work.earlier = this.#last
    if (this.#last === null) this.first = work
    else this.#last.later = work
    this.#last = work
  }

  unlink(work: Work): void {
    if (work.earlier === null) this.first = work.later
    else work.earlier.later = work.later
    if (work.later === null) this.#last = work.earlier
    else work.later.earlier = work.earlier
    work.earlier = null
    work.later = null
    work.deadlines = null
  }
}
